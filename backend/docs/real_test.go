package docs_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/chunk"
	"veristream/backend/docs"
)

// shared gives the folder of real documents, which are never committed.
func shared(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("VERISTREAM_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	dir = filepath.Join(dir, "documents")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("SKIPPED: the real documents are not at %s (set VERISTREAM_SHARED)", dir)
	}
	return dir
}

// Real papers give the sections, controls and cells that a reader sees in them.
func TestRealDocuments(t *testing.T) {
	dir := shared(t)
	for _, c := range []struct {
		file, title, kind string
		sections          int      // at least
		have              []string // each in some passage, with its header
	}{
		{"10k/aapl-10-k-2024-11-01.html", "Apple Inc. 10-K 2024", "10-K", 300, []string{"391,035", "Item 7A", "Item 1A"}},
		{"10k/Apple.10-K.md", "Apple Inc. 10-K 2024", "10-K", 200, []string{"391,035", "Item 7A"}},
		{"10k/0001376474-16-000635.html", "10-K 2015", "10-K", 200, []string{"Item 7"}},
		{"10k/0000950153-99-001234.html", "10-K 1999", "10-K", 100, nil},
		{"oscal/NIST_SP-800-53_rev5_LOW-baseline-resolved-profile_catalog-min.json", "LOW", "catalog", 280, []string{"AC-2", "IA-5(1)"}},
		{"oscal/NIST_SP-800-53_rev5_LOW-baseline-resolved-profile_catalog.xml", "LOW", "catalog", 280, []string{"AC-2", "IA-5(1)"}},
		{"oscal/NIST_SP-800-53_rev5_LOW-baseline-resolved-profile_catalog.yaml", "LOW", "catalog", 280, []string{"AC-2", "IA-5(1)"}},
		{"oscal/NIST_SP-800-53_rev5_LOW-baseline_profile.xml", "LOW", "profile", 3, []string{"AC-14"}},
		{"oscal/ssp-example.json", "", "data", 20, nil},
		{"controls/csf-2.0.json", "csf", "controls", 100, []string{"GV.OC-01"}},
		{"controls/csf-2.0.csv", "csf", "controls", 100, []string{"GV.OC-01"}},
		{"controls/glba.md", "glba", "markdown", 300, []string{"Gramm-Leach-Bliley"}},
	} {
		data, err := os.ReadFile(filepath.Join(dir, c.file))
		if err != nil {
			t.Fatal(err)
		}
		p, err := docs.Parse(context.Background(), data, filepath.Base(c.file))
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		passages := chunk.Document(p.Document, p.Sections)
		t.Logf("%s: %q %s, %d sections, %d passages, %d pages, %v", c.file, p.Document.Title, p.Document.Type, len(p.Sections), len(passages), p.Document.Pages, p.Document.Meta)
		for _, a := range p.Document.Anomalies[:min(3, len(p.Document.Anomalies))] {
			t.Logf("   odd: %s", a)
		}
		if p.Document.Type != c.kind || !strings.Contains(p.Document.Title, c.title) || len(p.Sections) < c.sections {
			t.Errorf("%s: title %q, type %s, %d sections", c.file, p.Document.Title, p.Document.Type, len(p.Sections))
		}
		for _, h := range c.have {
			if !some(passages, h) {
				t.Errorf("%s: no passage has %q", c.file, h)
			}
		}
		long := 0
		for _, x := range passages {
			if x.Meta["role"] != "parent" && chunk.Tokens(x.Text()) > 320 {
				long++
			}
		}
		if long*50 > len(passages) {
			t.Errorf("%s: %d of %d passages are too long to embed", c.file, long, len(passages))
		}
		if out := os.Getenv("DUMP"); out != "" {
			var b strings.Builder
			for _, x := range passages {
				b.WriteString(x.Citation + "\n" + x.Text() + "\n\n")
			}
			os.WriteFile(filepath.Join(out, filepath.Base(c.file)+".txt"), []byte(b.String()), 0o644)
		}
	}
}

func some(list []audit.Passage, text string) bool {
	for _, p := range list {
		if strings.Contains(p.Text(), text) {
			return true
		}
	}
	return false
}
