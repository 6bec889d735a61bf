package docs_test

import (
	"archive/zip"
	"bytes"
	"context"
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/chunk"
	"veristream/backend/docs"
)

// archive makes a zip file of these parts.
func archive(t *testing.T, parts map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range parts {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
	}
	z.Close()
	return b.Bytes()
}

func TestBadInput(t *testing.T) {
	deep := strings.Repeat("<a>", 500) + strings.Repeat("</a>", 500)
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for i := 'b'; i < 'l'; i++ {
		bomb += string(i) + ": &" + string(i) + " [" + strings.TrimSuffix(strings.Repeat("*"+string(i-1)+",", 9), ",") + "]\n"
	}
	for _, c := range []struct {
		file, sentence string
		data           []byte
	}{
		{"empty.txt", "is empty", nil},
		{"blank.md", "is empty", []byte(" \n\t\n")},
		{"song.txt", "binary", []byte("ID3\x00\x01\x02\x00\x00 noise")},
		{"old.doc", "old or an encrypted Office file", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest")},
		{"macro.docm", "holds macros", archive(t, map[string]string{"word/document.xml": "<w/>", "word/vbaProject.bin": "x"})},
		{"sheet.xlsx", "is a spreadsheet", archive(t, map[string]string{"xl/workbook.xml": "<w/>"})},
		{"things.zip", "is an archive", archive(t, map[string]string{"a.txt": "x"})},
		{"torn.docx", "damaged", []byte("PK\x03\x04 nothing more")},
		{"bad.json", "not well-formed JSON", []byte(`{"a": [1, 2`)},
		{"bad.xml", "not well-formed", []byte("<?xml version=\"1.0\"?><a><b></a>")},
		{"deep.xml", "nests more than", []byte("<?xml version=\"1.0\"?>" + deep)},
		{"bomb.xml", "entities", []byte("<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>")},
		{"bomb.yaml", "YAML", []byte(bomb)},
		{"bad.yaml", "YAML", []byte("a: [1\nb: }")},
		{"head.csv", "no rows", []byte("id,name\n")},
		{"torn.pdf", "PDF", []byte("%PDF-1.7\nnothing")},
	} {
		_, err := docs.Parse(context.Background(), c.data, c.file)
		if err == nil || !strings.Contains(audit.SentenceOf(err), c.sentence) || strings.Count(audit.SentenceOf(err), "\n") > 0 {
			t.Errorf("%s: %v, want a sentence with %q", c.file, err, c.sentence)
		}
	}
}

// One invented paper for each format.
func TestFormats(t *testing.T) {
	for _, c := range []struct {
		file, data, kind string
		passages         []string // each: a part of the header, "::", a part of the body
	}{
		{
			"report.htm", `<html><body><p>UNITED STATES SECURITIES AND EXCHANGE COMMISSION</p><p><b>FORM 10-K</b></p>
<p>For the fiscal year ended June 30, 2031</p><p>Acme Widgets Inc.</p><p>(Exact name of registrant as specified in its charter)</p>
<table><tr><td>Item 1.</td><td>Business</td><td>3</td></tr><tr><td>Item 1A.</td><td>Risk Factors</td><td>4</td></tr><tr><td>Item 2.</td><td>Properties</td><td>5</td></tr><tr><td>Item 7.</td><td>MD&amp;A</td><td>6</td></tr><tr><td>Item 8.</td><td>Statements</td><td>7</td></tr></table>
<div style="page-break-after: always"></div>
<p><b>Item 1.</b> <b>Business</b></p><p>The Company makes widgets in two plants.</p>
<table><tr><td><b>Item 1A.</b></td><td><b>Risk Factors</b></td></tr></table><p>Widgets may go out of fashion.</p>
<p>Item 8. Financial Statements</p><p>(in thousands)</p>
<table><tr><td></td><td colspan="3">2031</td><td colspan="3">2030</td></tr>
<tr><td>Net sales</td><td>$</td><td>1,234</td><td></td><td>$</td><td>1,100</td><td></td></tr>
<tr><td>Net loss</td><td>$</td><td>(56</td><td>)</td><td>$</td><td>(78</td><td>)</td></tr></table>
<div style="display:none">hidden words</div></body></html>`, "10-K",
			[]string{"Acme Widgets Inc. 10-K 2031 - Item 1. Business::two plants", "Item 1A. Risk Factors | Type: risk factor::out of fashion", "Type: table::(in thousands)\n|  | 2031 | 2030 |\n|---|---|---|\n| Net sales | $1,234 | $1,100 |\n| Net loss | $(56) | $(78) |"},
		},
		{
			"handbook.md", "# Handbook\n\nWords before.\n\n## Access\n\nAccounts are reviewed each month.\n\n| Role | Limit |\n|---|---|\n| clerk | 10 |\n| head | 20 |\n", "markdown",
			[]string{"Handbook > Access | Type: prose::Accounts are reviewed", "Handbook > Access | Type: table::| clerk | 10 |"},
		},
		{
			"catalog.json", `{"catalog":{"metadata":{"title":"House catalog","version":"2"},"groups":[{"id":"xx","title":"Things","controls":[{"id":"xx-1","title":"Doors",
"params":[{"id":"xx-1_p","label":"how often"}],"props":[{"name":"label","value":"XX-1"}],
"parts":[{"name":"statement","prose":"Doors are checked {{ insert: param, xx-1_p }}.","parts":[{"name":"item","props":[{"name":"label","value":"a."}],"prose":"The front door."}]},{"name":"guidance","prose":"A lock helps."}],
"controls":[{"id":"xx-1.1","title":"Windows","props":[{"name":"label","value":"XX-1(1)"}],"parts":[{"name":"statement","prose":"Windows too."}]}]}]}]}}`, "catalog",
			[]string{"House catalog XX-1 - XX Things > XX-1 Doors | Type: control::Doors are checked [Assignment: how often].\na. The front door.", "Type: guidance::A lock helps.", "House catalog XX-1(1)::Windows too."},
		},
		{
			"controls.csv", "Control ID,Title,Text,Risk Tier\nA-1,Doors,Doors are shut at night,high\nA-2,Windows,Windows are shut in winter,low\nA-3,Roof,The roof is inspected each year,low\n", "controls",
			[]string{"controls A-2::Windows are shut in winter"},
		},
		{"app.yaml", "service:\n  name: payments\n  owner: finance desk of the house\n  store:\n    kind: database of orders\n    region: north of the river\n", "data", []string{"payments::owner: finance desk of the house"}},
		{"design.xml", "<design><element id=\"e1\"><title>Gateway</title><text>It takes orders from the web.</text></element></design>", "data", []string{"E1::takes orders"}},
		{"notes.txt", "First line of the notes.\nIt goes on here.\n\nAnother paragraph.", "text", []string{"notes::Another paragraph."}},
	} {
		p, err := docs.Parse(context.Background(), []byte(c.data), c.file)
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if p.Document.Type != c.kind {
			t.Errorf("%s: kind %q, want %q", c.file, p.Document.Type, c.kind)
		}
		passages := chunk.Document(p.Document, p.Sections)
		var all strings.Builder
		for _, x := range passages {
			all.WriteString(x.Text() + "\n\n")
		}
		for _, want := range c.passages {
			head, body, _ := strings.Cut(want, "::")
			found := false
			for _, x := range passages {
				found = found || strings.Contains(x.Header, head) && strings.Contains(x.Body, body)
			}
			if !found {
				t.Errorf("%s: no passage %q in\n%s", c.file, want, all.String())
			}
		}
		if strings.Contains(all.String(), "hidden words") {
			t.Errorf("%s: what is not shown was read", c.file)
		}
	}
}

func TestDOCX(t *testing.T) {
	data := archive(t, map[string]string{"word/document.xml": `<w:document xmlns:w="x"><w:body>
<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Duties</w:t></w:r></w:p>
<w:p><w:r><w:t>The desk answers </w:t></w:r><w:r><w:t>within a day.</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Who</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Limit</w:t></w:r></w:p></w:tc></w:tr>
<w:tr><w:tc><w:p><w:r><w:t>Clerk</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>500</w:t></w:r></w:p></w:tc></w:tr>
<w:tr><w:tc><w:p><w:r><w:t>Head</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>900</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
</w:body></w:document>`})
	p, err := docs.Parse(context.Background(), data, "duties.docx")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.Sections); n != 2 || p.Sections[0].Text != "The desk answers within a day." || p.Sections[0].Path[0] != "Duties" ||
		!strings.Contains(p.Sections[1].Text, "| Clerk | 500 |") {
		t.Errorf("got %+v", p.Sections)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"<html><table><tr><td colspan=9>$</td><td>1", "# a\n|x|\n|--|\n|y|z|", `{"catalog":{"groups":[{"controls":[{}]}]}}`, "a: &b [*b]", "id,x\n1,2,3\n",
		"<?xml version=\"1.0\"?><profile><import><include-controls><with-id>a</with-id></include-controls></import></profile>",
	} {
		f.Add([]byte(s), "x.html")
	}
	f.Fuzz(func(t *testing.T, data []byte, name string) {
		if len(data) > 1<<16 || bytes.HasPrefix(data, []byte("%PDF")) {
			t.Skip("a long input, or another program's to read")
		}
		p, err := docs.Parse(context.Background(), data, name)
		if err == nil {
			chunk.Document(p.Document, p.Sections)
		}
	})
}
