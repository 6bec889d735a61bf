package finder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"veristream/backend/audit"
	"veristream/backend/retrieve"
)

// syncAsks brings the everyday questions of what is installed into the index:
// those of a text come with the text. It does nothing where neither the texts, the
// cards nor this version's questions have changed; a question that stays keeps its
// vectors.
func (f *Finder) syncAsks(ctx context.Context) error {
	texts, err := f.Store.Texts(ctx)
	if err != nil {
		return err
	}
	cards, err := f.Store.Sources(ctx, audit.CorpusCards)
	if err != nil {
		return err
	}
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintln(h, t.ID, t.SHA256)
	}
	for _, source := range slices.Sorted(maps.Keys(cards)) {
		fmt.Fprintln(h, source, cards[source])
	}
	want := retrieve.AsksVersion() + "-" + hex.EncodeToString(h.Sum(nil)[:8])
	var have string
	if _, err := f.Store.Setting(ctx, audit.CorpusAsks, &have); err != nil || have == want {
		return err
	}
	held, err := f.Store.HeldCitations(ctx, audit.CorpusRules, audit.CorpusCards)
	if err != nil {
		return err
	}
	var asks []audit.Passage
	for _, p := range retrieve.Asks() {
		if held[p.Citation] {
			asks = append(asks, p)
		}
	}
	if _, err := f.Store.ReplacePassages(ctx, audit.CorpusAsks, audit.CorpusAsks, asks); err != nil {
		return err
	}
	return f.Store.SetSetting(ctx, audit.CorpusAsks, want)
}
