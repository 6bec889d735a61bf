package report

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"veristream/backend/audit"
	"veristream/backend/said"
)

// document writes the report as a Word document: plain headings, paragraphs
// and tables, for people who must edit it (ECMA-376, 5th edition, part 1).
func document(in *Input) ([]byte, error) {
	lang := newLanguage(in.Language)
	w := &docx{}
	w.para("Title", in.videoTitle())
	w.para("", lang.t("This report lists potential issues for a person's decision, and what people decided. It is no legal advice and no legal finding. Where nothing was found, that means only that nothing was found."))
	w.para("", lang.t("This document can be changed by anyone and is not signed."))
	w.table([][]string{
		{lang.t("File"), fileOf(in.Result.Video.Path)},
		{lang.t("Length"), clock(in.Result.Video.DurationMS)},
		{"SHA-256", in.Result.Video.SHA256},
		{lang.t("Rules as of"), lang.day(in.Result.AsOf)},
		{lang.t("Prepared by"), author(in.Prepared)},
	}, false)
	items := in.items()
	w.para("Heading1", lang.t("Findings"))
	for _, it := range items {
		w.para("Heading2", clock(it.StartMS)+"  "+in.title(it.Category))
		status := lang.t("all checks passed")
		if it.Status == audit.NeedsReview {
			status = lang.t("needs review")
		}
		w.para("", lang.t(string(it.severity))+", "+status+". "+lang.t("source "+string(it.Source))+" "+clock(it.StartMS)+" "+lang.t("to")+" "+clock(it.EndMS)+".")
		if it.Excerpt != "" {
			w.para("Quote", it.Excerpt)
			seg, _ := in.segment(it)
			if note := lang.correctedNote(in, seg); note != "" {
				w.para("", note)
			}
		}
		w.part(lang.t("Evidence"), it.Evidence)
		w.part(it.Citation+lang.originalNote(said.RuleLanguage(it.Citation)), strings.TrimSpace(it.Rule.Title+"\n"+it.Rule.Text))
		w.part(lang.t("Why"), it.Rationale)
		w.part(lang.t("Why it can apply"), it.Applies)
		w.part(lang.t("What would help, a draft"), it.Remedy)
		decided := lang.t("state " + it.state)
		if it.last != nil && it.state != stateOpen {
			decided += ". " + lang.f("By %s, %s.", it.last.By, lang.moment(it.last.At)) + " " + lang.reason(in, it)
		}
		w.part(lang.t("Decision"), decided)
	}
	w.para("Heading1", lang.t("Checked and not checked"))
	rows := [][]string{{lang.t("Category"), lang.t("Result"), lang.t("Note")}}
	for _, c := range in.Result.Checked {
		rows = append(rows, []string{in.title(c.Category), lang.t("result " + c.Result), c.Note})
	}
	w.table(rows, true)
	w.para("Heading1", lang.t("Not applicable"))
	rows = [][]string{{lang.t("Paragraph"), lang.t("Reason")}}
	for _, n := range in.Result.NotApplicable {
		rows = append(rows, []string{n.Citation, n.Reason})
	}
	w.table(rows, true)
	w.para("Heading1", lang.t("Transcript")+lang.originalNote(in.Result.Video.Language))
	rows = [][]string{{lang.t("Time"), lang.t("Words")}}
	for _, line := range lang.transcriptLines(in) {
		rows = append(rows, []string{clock(line.StartMS), strings.TrimSpace(line.shown + "\n" + line.note)})
	}
	w.table(rows, true)
	return w.finish()
}

// docx collects the body of a document.
type docx struct{ body strings.Builder }

func escaped(s string) string {
	var b bytes.Buffer
	xml.EscapeText(&b, []byte(s)) //nolint:errcheck // a buffer takes everything
	return b.String()
}

func (w *docx) run(s string) {
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			w.body.WriteString(`<w:r><w:br/></w:r>`)
		}
		w.body.WriteString(`<w:r><w:t xml:space="preserve">` + escaped(line) + `</w:t></w:r>`)
	}
}

func (w *docx) para(style, s string) {
	w.body.WriteString(`<w:p>`)
	if style != "" {
		w.body.WriteString(`<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>`)
	}
	w.run(s)
	w.body.WriteString(`</w:p>`)
}

func (w *docx) part(heading, s string) {
	if s == "" {
		return
	}
	w.para("Heading3", heading)
	w.para("", s)
}

func (w *docx) table(rows [][]string, head bool) {
	w.body.WriteString(`<w:tbl><w:tblPr><w:tblW w:w="5000" w:type="pct"/><w:tblBorders><w:bottom w:val="single" w:sz="4" w:color="D5D8DE"/><w:insideH w:val="single" w:sz="4" w:color="D5D8DE"/></w:tblBorders></w:tblPr><w:tblGrid>`)
	for range rows[0] {
		w.body.WriteString(`<w:gridCol/>`)
	}
	w.body.WriteString(`</w:tblGrid>`)
	for i, row := range rows {
		w.body.WriteString(`<w:tr>`)
		if head && i == 0 {
			w.body.WriteString(`<w:trPr><w:tblHeader/></w:trPr>`)
		}
		for _, c := range row {
			w.body.WriteString(`<w:tc><w:p>`)
			w.run(c)
			w.body.WriteString(`</w:p></w:tc>`)
		}
		w.body.WriteString(`</w:tr>`)
	}
	w.body.WriteString(`</w:tbl>`)
}

func (w *docx) finish() ([]byte, error) {
	const ns = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`
	const head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	style := func(id, name string, size int, bold bool) string {
		b := ""
		if bold {
			b = "<w:b/>"
		}
		return fmt.Sprintf(`<w:style w:type="paragraph" w:styleId="%s"><w:name w:val="%s"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:pPr><w:keepNext/><w:spacing w:before="200" w:after="60"/></w:pPr><w:rPr>%s<w:sz w:val="%d"/></w:rPr></w:style>`, id, name, b, size)
	}
	files := []struct{ name, content string }{
		{"[Content_Types].xml", head + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/></Types>`},
		{"_rels/.rels", head + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`},
		{"word/_rels/document.xml.rels", head + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`},
		{"word/styles.xml", head + `<w:styles ` + ns + `><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Calibri"/><w:sz w:val="21"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="80" w:line="276" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>` +
			style("Title", "Title", 44, true) + style("Heading1", "heading 1", 32, true) + style("Heading2", "heading 2", 26, true) + style("Heading3", "heading 3", 21, true) +
			`<w:style w:type="paragraph" w:styleId="Quote"><w:name w:val="Quote"/><w:basedOn w:val="Normal"/><w:pPr><w:ind w:left="360"/></w:pPr><w:rPr><w:i/></w:rPr></w:style></w:styles>`},
		{"word/document.xml", head + `<w:document ` + ns + `><w:body>` + w.body.String() + `<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1134" w:right="1134" w:bottom="1134" w:left="1134" w:header="567" w:footer="567" w:gutter="0"/></w:sectPr></w:body></w:document>`},
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files {
		part, err := z.Create(f.name)
		if err == nil {
			_, err = part.Write([]byte(f.content))
		}
		if err != nil {
			return nil, fmt.Errorf("write the document: %w", err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("write the document: %w", err)
	}
	return out.Bytes(), nil
}
