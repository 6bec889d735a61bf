package docstore_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"veristream/app/docstore"
	"veristream/backend/audit"
	"veristream/backend/docs/docstest"
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

// A scan is read with OCR when that is asked for, goes on where it was stopped,
// and is read once; what was imported without it is read with it.
func TestScans(t *testing.T) {
	for _, tool := range []string{"pdftotext", "pdftoppm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: %s is not installed (package poppler-utils)", tool)
		}
	}
	st, dir := open(t), t.TempDir()
	scan, mixed := filepath.Join(dir, "scan.pdf"), filepath.Join(dir, "mixed.pdf")
	write(t, scan, string(docstest.PDF(docstest.Page{Shade: 40}, docstest.Page{Shade: 80})))
	write(t, mixed, string(docstest.PDF(docstest.Page{Text: "Doors are shut."}, docstest.Page{Shade: 40})))
	imp := &docstore.Importer{Store: st}
	reports, failures, err := imp.Import(t.Context(), []string{scan, mixed}, docstore.Options{}, nil)
	if err != nil || len(reports) != 1 || len(failures) != 1 || !failures[0].Scan() {
		t.Fatalf("without OCR: %+v, %+v, %v", reports, failures, err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	says := map[byte][]audit.TextBox{40: docstest.Lines(0.95, "Windows are shut."), 80: docstest.Lines(0.5, "Roofs are swept.")}
	reader := &docstest.Reader{Says: says, Before: func(_ context.Context, shade byte) error {
		if shade == 80 {
			cancel()
		}
		return nil
	}}
	scans := &docstore.Scans{Reader: reader, ID: "fake", Kept: st}
	if _, _, err := imp.Import(ctx, []string{scan}, docstore.Options{Scans: scans}, nil); audit.CodeOf(err) != audit.CodeCancelled {
		t.Fatalf("cancelled: %v", err)
	}
	before := reader.Read(40)
	reader.Before = nil
	var pages []string
	o := docstore.Options{Scans: scans, OnPage: func(file string, done, total int) {
		pages = append(pages, fmt.Sprintf("%s %d/%d", filepath.Base(file), done, total))
	}}
	reports, failures, err = imp.Import(t.Context(), []string{scan, mixed}, o, nil)
	if err != nil || len(failures) > 0 || len(reports) != 2 || reports[0].State != docstore.StateImported || reports[1].State != docstore.StateReplaced {
		t.Fatalf("with OCR: %+v, %+v, %v", reports, failures, err)
	}
	if want := []string{"scan.pdf 1/2", "scan.pdf 2/2", "mixed.pdf 1/1"}; !slices.Equal(pages, want) {
		t.Errorf("told %v, want %v", pages, want)
	}
	if reader.Read(40) == before || reader.Read(80) == 0 {
		t.Error("the mixed document's picture was not read")
	}
	if _, kept, err := st.StageResult(t.Context(), store.Key{Content: "document " + reports[0].Document.SHA256, Stage: "page of a scan", Params: "1/1", Model: "fake"}); err != nil || kept {
		t.Errorf("pages of a document that is in are kept: %v, %v", kept, err)
	}
	passages, err := st.SourcePassages(t.Context(), audit.CorpusDocuments, reports[0].Document.ID)
	if err != nil || len(passages) != 1 || passages[0].Meta[audit.MetaReadFrom] != audit.ReadFromPicture || passages[0].Meta[audit.MetaConfidence] != "0.50" {
		t.Errorf("passages %+v, %v", passages, err)
	}
	if reports, _, err = imp.Import(t.Context(), []string{scan, mixed}, docstore.Options{Scans: scans}, nil); err != nil || reports[0].State != docstore.StateUnchanged || reports[1].State != docstore.StateUnchanged {
		t.Errorf("again: %+v, %v", reports, err)
	}
}
