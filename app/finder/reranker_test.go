package finder

import (
	"path/filepath"
	"testing"

	"veristream/app/dirs"
	"veristream/backend/audit"
	"veristream/backend/retrieve"
	"veristream/backend/store"
)

func TestChooseReranker(t *testing.T) {
	t.Setenv("VERISTREAM_HOME", t.TempDir())
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	for name, want := range map[string]audit.Code{
		"no-such-model":          audit.CodeUsage,
		"regulation-embedder":    audit.CodeUsage,
		"ms-marco-minilm-l-6-v2": audit.CodeModelMissing,
		"regulation-reranker":    "",
		"":                       "",
	} {
		err := ChooseReranker(t.Context(), st, dirs.Find(), name)
		if want == "" && err != nil || want != "" && audit.CodeOf(err) != want {
			t.Errorf("%q: got %v, want %q", name, err, want)
		}
	}
	if name, err := ChosenReranker(t.Context(), st); err != nil || name != RerankerName {
		t.Errorf("got %q, %v", name, err)
	}
	if o := options("another"); o.Refusal.Rerank != 0 || o.Refusal.Least != retrieve.Defaults().Refusal.PlainLeast {
		t.Errorf("another's scores count for refusal: %+v", o.Refusal)
	}
}
