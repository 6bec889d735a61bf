package finder

import (
	"testing"

	"veristream/app/dirs"
	"veristream/app/weights"
	"veristream/backend/audit"
	"veristream/backend/retrieve"
	"veristream/models"
)

// The reranker is chosen among what is installed, or none; the search takes it
// up when it is renewed, and a choice that has gone gives way to ours.
func TestChooseReranker(t *testing.T) {
	t.Setenv("VERISTREAM_HOME", t.TempDir())
	d := dirs.Find()
	f, err := Open(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := weights.Open(d)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]audit.Code{
		"no-such-model":          audit.CodeUsage,
		"regulation-embedder":    audit.CodeUsage,
		"ms-marco-minilm-l-6-v2": audit.CodeModelMissing,
		"regulation-reranker":    "",
		"":                       "",
	} {
		err := weights.Choose(t.Context(), f.Store, list, models.KindReranker, name)
		if want == "" && err != nil || want != "" && audit.CodeOf(err) != want {
			t.Errorf("%q: got %v, want %q", name, err, want)
		}
	}
	if name, err := ChosenReranker(t.Context(), f.Store); err != nil || name != RerankerName {
		t.Errorf("got %q, %v", name, err)
	}
	if err := weights.Choose(t.Context(), f.Store, list, models.KindReranker, weights.NoReranker); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Renew(t.Context(), d); err != nil || f.Ranks != weights.NoReranker || f.Reranker != nil {
		t.Errorf("none was chosen and it is %q, %v", f.Ranks, err)
	}
	r, err := f.Searcher.Search(t.Context(), retrieve.Query{Text: "testimonials", BM25Only: false, Top: 3})
	if err != nil || r.Rerank != retrieve.Off {
		t.Errorf("a search without a reranker says %q, %v", r.Rerank, err)
	}
	if o := options("another"); o.Refusal.Rerank != 0 || o.Refusal.Least != retrieve.Defaults().Refusal.PlainLeast {
		t.Errorf("another's scores count for refusal: %+v", o.Refusal)
	}
	if name := f.RerankerFor(list, weights.Choice{Reranker: "gone"}); name == "gone" {
		t.Error("a model that has gone is still used")
	}
}
