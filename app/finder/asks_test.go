package finder

import (
	"path/filepath"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/store"
)

func TestAsksComeWithTheirParagraphs(t *testing.T) {
	ctx := t.Context()
	st, err := store.Open(ctx, filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	f := &Finder{Store: st}
	count := func() int {
		t.Helper()
		if err := f.syncAsks(ctx); err != nil {
			t.Fatal(err)
		}
		list, err := st.SourcePassages(ctx, audit.CorpusAsks, audit.CorpusAsks)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	if n := count(); n != 0 {
		t.Errorf("%d paragraphs have questions before anything is installed", n)
	}
	card := audit.Passage{Kind: audit.KindCard, Citation: "16 CFR 255.5(a)", Citations: []string{"16 CFR 255.5(a)"}, Body: "Say so."}
	if _, err := st.ReplacePassages(ctx, audit.CorpusCards, "ftc", []audit.Passage{card}); err != nil {
		t.Fatal(err)
	}
	if n := count(); n != 1 {
		t.Errorf("%d paragraphs have questions, want the one with a card", n)
	}
}
