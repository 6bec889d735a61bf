package retrieve

import (
	"context"
	"slices"

	"veristream/backend/audit"
)

// How many paragraphs come in whatever the fusion says of them, because they may
// share few of the question's words: of the sections that are about the question,
// and of those that are known to answer one like it.
const (
	maxGist  = 6
	maxAsked = 6
)

// nearest brings in the first paragraphs of a list.
func (b *builder) nearest(ctx context.Context, ranked []*found, list string, n int) error {
	var ids []int64
	for _, f := range ranked {
		if rank, ok := f.ranks[list]; ok && rank <= n {
			ids = append(ids, f.id)
		}
	}
	passages, err := b.s.index.Passages(ctx, ids)
	if err != nil {
		return err
	}
	if err := b.lookUp(ctx, passages); err != nil {
		return err
	}
	for _, p := range passages {
		if _, err := b.place(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// maxCommented is how many rules come in because a comment on them was found.
const maxCommented = 6

// commented brings in the rules that the comments in the pool interpret.
func (b *builder) commented(ctx context.Context) error {
	if !b.allowsRules() || len(b.filter.Kinds) > 0 {
		return nil
	}
	fresh := 0
	for _, c := range slices.Clone(b.list) {
		if fresh >= maxCommented {
			return nil
		}
		if c.text == nil || c.text.Kind != audit.KindCommentary {
			continue
		}
		rule, err := b.interpreted(ctx, *c.text)
		if err != nil {
			return err
		}
		if rule == nil {
			continue
		}
		before := len(b.list)
		cand, err := b.place(ctx, *rule)
		if err != nil {
			return err
		}
		if cand.comment == nil && cand != c {
			cand.comment = c
		}
		if len(b.list) > before {
			cand.why = append(cand.why, c.text.Citation+" interprets it")
			fresh++
		}
	}
	return nil
}

// interpreted gives the text of the rule that a comment is about, or of the
// nearest paragraph above it.
func (b *builder) interpreted(ctx context.Context, p audit.Passage) (*audit.Passage, error) {
	c, err := audit.ParseCitation(p.Citation)
	if err != nil || !c.IsComment() {
		return nil, nil //nolint:nilerr // a comment without a citation interprets nothing
	}
	f := b.filter
	f.Corpora = []string{audit.CorpusRules}
	for _, up := range c.Parents() {
		if up.IsComment() {
			continue
		}
		found, err := b.s.index.PassagesByCitation(ctx, up, false, f)
		if err != nil {
			return nil, err
		}
		for _, r := range found {
			if r.Kind != audit.KindCommentary {
				return &r, nil
			}
		}
	}
	return nil, nil
}
