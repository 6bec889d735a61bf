package pdf_test

import (
	"strings"
	"testing"
	"time"

	"veristream/backend/report/pdf"
)

func little(t testing.TB) []byte {
	t.Helper()
	d := pdf.New(pdf.Info{Title: "Ärger (1)", Author: "A", Language: "en", Producer: "VeriStream test", Created: time.Unix(1.8e9, 0)})
	p := d.NewPage()
	d.Bookmark(0, "First", 40)
	d.Place("top", 40)
	for i, l := range d.Wrap([]pdf.Span{{Text: "Words, مرحبا, 数, 한, 🚀 and " + strings.Repeat("more ", 40), Link: "top"}}, 10, 400) {
		d.Tag("P", func() { p.Text(l, 50, 60+float64(i)*15, 10, 400) })
	}
	d.Attach(pdf.Attachment{Name: "a.txt", Type: "text/plain", Relation: "Data", Content: []byte("inside")})
	out, err := d.Finish(nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestReadBack(t *testing.T) {
	f, err := pdf.Read(little(t))
	if err != nil {
		t.Fatal(err)
	}
	if f.Pages() != 1 || f.Producer() != "VeriStream test" {
		t.Errorf("%d pages by %q", f.Pages(), f.Producer())
	}
	files, err := f.Attachments()
	if err != nil || len(files) != 1 || string(files[0].Content) != "inside" {
		t.Errorf("%+v %v", files, err)
	}
	if s, err := f.Signature(); s != nil || err != nil {
		t.Errorf("a draft: %v %v", s, err)
	}
}

func TestVisible(t *testing.T) {
	d := pdf.New(pdf.Info{})
	for in, want := range map[string]string{
		"plain":                 "plain",
		"a\tb\nc":               "a b c",
		"x\u202Ey":              "x[U+202E]y",
		"\x00\x07":              "[U+0000][U+0007]",
		"👍🏽":                    "👍🏽",
		"❤\uFE0F":               "❤",
		"zero\u200Bwidth":       "zero[U+200B]width",
		"hieroglyph \U00013080": "hieroglyph [U+13080]",
	} {
		if got := d.Visible(in); got != want {
			t.Errorf("%q: got %q", in, got)
		}
	}
}

func FuzzRead(f *testing.F) {
	good := little(f)
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte("%PDF-1.7\n%\xE2\xE3\xCF\xD3\nxref\n0 2\n0000000000 65535 f \n"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		file, err := pdf.Read(data)
		if err != nil {
			return
		}
		// What is read at all must be safe to look into.
		file.Pages()
		file.Producer()
		_, _ = file.Attachments()
		_, _ = file.Signature()
	})
}
