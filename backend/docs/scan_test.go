package docs_test

import (
	"context"
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/docs"
	"veristream/backend/docs/docstest"
)

// poppler skips a test where its tools are not installed.
func poppler(t *testing.T) {
	t.Helper()
	for _, tool := range []string{"pdftotext", "pdftoppm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("SKIPPED: %s is not installed (package poppler-utils)", tool)
		}
	}
}

// A scan without a reader of pictures is told as one; so is one that a program
// has stamped on every page.
func TestScanWithoutReader(t *testing.T) {
	poppler(t)
	for name, data := range map[string][]byte{
		"pictures": docstest.PDF(docstest.Page{Shade: 40}, docstest.Page{Shade: 80}),
		"stamped": docstest.PDF(docstest.Page{Shade: 40, Text: "Envelope 17 page 1"}, docstest.Page{Shade: 80, Text: "Envelope 17 page 2"},
			docstest.Page{Shade: 120, Text: "Envelope 17 page 3"}),
	} {
		_, err := docs.Parse(t.Context(), data, name+".pdf")
		if !errors.Is(err, docs.ErrScan) || audit.CodeOf(err) != audit.CodeInput || !strings.Contains(audit.SentenceOf(err), "docs import --ocr") {
			t.Errorf("%s: %v", name, err)
		}
	}
	p, err := docs.Parse(t.Context(), docstest.PDF(docstest.Page{Text: "Doors are shut at night."}, docstest.Page{Shade: 80}), "mixed.pdf")
	if err != nil || p.Document.Unread != 1 || p.Document.Pages != 2 || !strings.Contains(strings.Join(p.Document.Anomalies, " "), "1 of 2 pages hold no text") {
		t.Errorf("a page of two: %+v, %v", p, err)
	}
}

// Pages without text are read from their pictures, page by page, and marked;
// what is doubtful is noted.
func TestScan(t *testing.T) {
	poppler(t)
	data := docstest.PDF(docstest.Page{Text: "Doors are shut at night."}, docstest.Page{Shade: 40}, docstest.Page{Shade: 80}, docstest.Page{Shade: 120},
		docstest.Page{Shade: 160, Width: 14400, Height: 9000})
	reader := &docstest.Reader{Says: map[byte][]audit.TextBox{
		40:  docstest.Lines(0.97, "Windows are shut", "in winter."),
		80:  docstest.Lines(0.61, "Roofs are swept."),
		160: docstest.Lines(0.99, "A plan of the house."),
	}}
	var told []int
	p, err := docs.ParseWith(t.Context(), data, "mixed.pdf", docs.Options{Pictures: reader, OnPage: func(done, total int) { told = append(told, done, total) }})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(told, []int{1, 4, 2, 4, 3, 4, 4, 4}) || reader.Read(40) < 2 {
		t.Errorf("told %v; %d bands of the first picture were read", told, reader.Read(40))
	}
	got := map[int]string{}
	for _, s := range p.Sections {
		got[s.First] += s.Text + "|" + s.Meta[audit.MetaReadFrom] + "|" + s.Meta[audit.MetaConfidence]
	}
	want := map[int]string{1: "Doors are shut at night.||", 2: "Windows are shut in winter.|picture|0.97", 3: "Roofs are swept.|picture|0.61", 5: "A plan of the house.|picture|0.99"}
	for page, text := range want {
		if got[page] != text {
			t.Errorf("page %d: %q, want %q", page, got[page], text)
		}
	}
	odd := strings.Join(p.Document.Anomalies, "\n")
	for _, say := range []string{"3 of 5 pages hold no text and were read from their pictures", "low confidence: page 3 (0.61).", "No text was found on the picture of page 4."} {
		if !strings.Contains(odd, say) {
			t.Errorf("the anomalies do not say %q:\n%s", say, odd)
		}
	}
	if strings.Contains(odd, "(0.97)") || p.Document.Unread != 0 {
		t.Errorf("what is sure is doubted, or what was read counts as unread (%d):\n%s", p.Document.Unread, odd)
	}
}

// shelf keeps pages in memory.
type shelf map[int][]audit.TextBox

func (s shelf) Page(_ context.Context, n int) ([]audit.TextBox, bool, error) {
	boxes, ok := s[n]
	return boxes, ok, nil
}

func (s shelf) KeepPage(_ context.Context, n int, boxes []audit.TextBox) error {
	s[n] = boxes
	return nil
}

// A cancel ends the reading; the next one reads only what is left.
func TestScanGoesOn(t *testing.T) {
	poppler(t)
	ctx, cancel := context.WithCancel(t.Context())
	data := docstest.PDF(docstest.Page{Shade: 40}, docstest.Page{Shade: 80}, docstest.Page{Shade: 120})
	says := map[byte][]audit.TextBox{40: docstest.Lines(0.9, "One."), 80: docstest.Lines(0.9, "Two."), 120: docstest.Lines(0.9, "Three.")}
	kept := shelf{}
	first := &docstest.Reader{Says: says, Before: func(_ context.Context, shade byte) error {
		if shade == 80 {
			cancel()
		}
		return nil
	}}
	if _, err := docs.ParseWith(ctx, data, "scan.pdf", docs.Options{Pictures: first, Kept: kept}); !errors.Is(err, context.Canceled) {
		t.Fatalf("it ended with %v", err)
	}
	if len(kept) != 1 || first.Read(120) != 0 {
		t.Fatalf("%d pages are kept, and the third was read %d times", len(kept), first.Read(120))
	}
	second := &docstest.Reader{Says: says}
	p, err := docs.ParseWith(t.Context(), data, "scan.pdf", docs.Options{Pictures: second, Kept: kept})
	if err != nil || len(kept) != 3 || second.Read(40) != 0 || second.Read(80) == 0 {
		t.Fatalf("%d pages are kept, the first was read again %d times, %v", len(kept), second.Read(40), err)
	}
	all := ""
	for _, s := range p.Sections {
		all += s.Text + " "
	}
	if all != "One. Two. Three. " {
		t.Errorf("read %q", all)
	}
}
