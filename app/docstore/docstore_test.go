package docstore_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"veristream/app/docstore"
	"veristream/backend/audit"
	"veristream/backend/store"
)

func open(t *testing.T) *store.Store {
	t.Helper()
	st, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "veristream.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A folder is imported whole but for what cannot be read; a second time only
// what changed is read; a removed document leaves nothing.
func TestImport(t *testing.T) {
	ctx, st, dir := context.Background(), open(t), t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "# Rules\n\nThe door is shut at night.\n")
	write(t, filepath.Join(dir, "sub", "a.md"), "# Others\n\nThe window is shut in winter.\n")
	write(t, filepath.Join(dir, "bad.json"), "{")
	write(t, filepath.Join(dir, "LICENSE.md"), "# Licence\n\nnothing to search")
	imp := &docstore.Importer{Store: st}
	reports, failures, err := imp.Import(ctx, []string{dir}, docstore.Options{Meta: map[string]string{"risk_tier": "high"}}, nil)
	if err != nil || len(reports) != 2 || len(failures) != 1 || !strings.Contains(audit.SentenceOf(failures[0].Err), "JSON") {
		t.Fatalf("%d reports, failures %v, %v", len(reports), failures, err)
	}
	ids := []string{reports[0].Document.ID, reports[1].Document.ID}
	if ids[0] != "a" || !strings.HasPrefix(ids[1], "a-") {
		t.Errorf("ids %v", ids)
	}
	write(t, filepath.Join(dir, "a.md"), "# Rules\n\nThe door is shut at noon.\n")
	reports, _, err = imp.Import(ctx, []string{dir}, docstore.Options{}, nil)
	if err != nil || reports[0].State != docstore.StateReplaced || reports[0].Document.ID != "a" || reports[1].State != docstore.StateUnchanged {
		t.Errorf("again: %+v, %v", reports, err)
	}
	passages, err := st.SourcePassages(ctx, audit.CorpusDocuments, "a")
	if err != nil || len(passages) != 1 || !strings.Contains(passages[0].Body, "noon") {
		t.Errorf("passages %v, %v", passages, err)
	}
	if _, err := imp.Remove(ctx, []string{"a", "nothing"}); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("removing what is not there: %v", err)
	}
	if passages, _ = st.SourcePassages(ctx, audit.CorpusDocuments, "a"); len(passages) != 0 {
		t.Errorf("%d passages are left", len(passages))
	}
}

func TestFilter(t *testing.T) {
	have := []audit.Document{
		{ID: "acme-31", Title: "Acme Widgets Inc. 10-K 2031", Type: "10-K", Meta: map[string]string{"company": "Acme Widgets Inc.", "year": "2031"}},
		{ID: "acme-30", Title: "Acme Widgets Inc. 10-K 2030", Type: "10-K", Meta: map[string]string{"company": "Acme Widgets Inc.", "year": "2030"}},
		{ID: "csf-2.0", Title: "csf-2.0", Type: "controls"},
	}
	for _, c := range []struct {
		question string
		sources  []string
		control  string
	}{
		{"what were the sales in Acme Widgets' 2031 10-K", []string{"acme-31"}, ""},
		{"what were the sales of Acme Widgets", []string{"acme-31", "acme-30"}, ""},
		{"what does the 10-K of 2030 say of risks", []string{"acme-30"}, ""},
		{"what did Acme Widgets sell in 1999", []string{"acme-31", "acme-30"}, ""}, // a report tells of years before
		{"what does GV.OC-01 say", nil, "GV.OC-01"},
		{"what does the Cybersecurity Framework say of suppliers", []string{"csf-2.0"}, ""},
		{"must an influencer say that she was paid", nil, ""},
	} {
		f, chips := docstore.Filter(c.question, have)
		if !slices.Equal(f.Sources, c.sources) || strings.Join(f.Meta[audit.MetaControlID], "") != c.control {
			t.Errorf("%q: %v %v, want %v %q", c.question, f.Sources, f.Meta, c.sources, c.control)
		}
		if (len(f.Sources) > 0 || c.control != "") != (len(chips) > 0) {
			t.Errorf("%q: chips %v", c.question, chips)
		}
	}
}
