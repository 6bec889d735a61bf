package regs

import (
	"context"
	"encoding/xml"
	"path"
	"regexp"
	"strings"
	"time"

	"veristream/backend/audit"
)

// ecfrReader turns the eCFR's XML, of the versioner and of the bulk data, into
// units. Elements that it does not know end a paragraph and begin another, so
// that their words are kept.
type ecfrReader struct {
	b     *builder
	title int

	divs     []div
	text     strings.Builder
	block    blockKind
	level    int
	inHead   bool
	table    *tableReader
	inline   []bool // of the open inline elements: is it italic
	raised   bool   // within a superscript
	amended  bool   // within the date of the bulk data
	anyItals bool
}

// div is an open DIV1 to DIV9.
type div struct {
	kind    string // PART, SUBPART, SECTION, APPENDIX...
	n       string
	heading string
	blocks  []block
	begun   bool
}

// readECFR reads an eCFR document.
func readECFR(ctx context.Context, data []byte, opts Options) (*Parsed, error) {
	r := &ecfrReader{b: newBuilder(opts.Regulator), title: opts.CFRTitle, block: blockNote}
	if err := xmlEvents(ctx, data, r.visit); err != nil {
		return nil, err
	}
	r.flush()
	return r.b.finish(), nil
}

// Elements within a paragraph; all others end it.
var ecfrInline = map[string]bool{
	"I": true, "E": true, "SU": true, "SUP": true, "SUB": true, "FR": true, "a": true, "A": true, "sup": true, "sub": true,
	"AC": true, "B": true, "strong": true, "em": true, "i": true, "b": true, "span": true, "STARS": true, "br": true, "BR": true,
	"SCRIPT": true, "small": true, "PRTPAGE": true, "FTREF": true,
}

func (r *ecfrReader) visit(tok xml.Token) error {
	switch t := tok.(type) {
	case xml.StartElement:
		r.start(t)
	case xml.EndElement:
		r.end(t.Name.Local)
	case xml.CharData:
		text := cleanSource(string(t))
		if r.raised {
			text = raise(text, r.text.String())
		}
		r.text.WriteString(text)
	}
	return nil
}

func (r *ecfrReader) start(t xml.StartElement) {
	name := t.Name.Local
	if ecfrInline[name] {
		italic := isItalicElement(t)
		r.inline = append(r.inline, italic)
		switch {
		case italic:
			r.anyItals = true
			r.text.WriteRune(italOn)
		case name == "br" || name == "BR":
			r.text.WriteByte(' ')
		case isRaised(name):
			r.raised = true
		}
		return
	}
	r.flush()
	switch {
	case name == "AMDDATE":
		r.amended = true
	case isDiv(name):
		kind := attr(t, "TYPE")
		r.beginUnit()
		r.divs = append(r.divs, div{kind: kind, n: attr(t, "N")})
		r.findTitle(t)
	case name == "HEAD":
		r.inHead = true
	case name == "HD1" || name == "HD2" || name == "HD3" || name == "HED1":
		r.block, r.level = blockHeading, int(name[2]-'0')
	case name == "P" || strings.HasPrefix(name, "FP") || name == "PSPACE" && !r.inNote():
		r.block = blockPara
	case name == "AUTH" || name == "SOURCE" || name == "CITA" || name == "EDNOTE" || name == "EFFDNOT" ||
		name == "XREF" || name == "SECAUTH" || name == "APPRO" || name == "PARAUTH":
		r.block = blockNote
	case name == "FTNT":
		r.block = blockPara
	case name == "TABLE" || name == "GPOTABLE":
		r.table = &tableReader{}
	case name == "TR" || name == "ROW":
		if r.table != nil {
			r.table.row()
		}
	case name == "img" || name == "GID" || name == "MATH":
		if src := attr(t, "src"); src != "" {
			r.put(block{kind: blockImage, text: "[Image: " + path.Base(src) + "]"})
		}
	}
}

func isRaised(name string) bool { return name == "SU" || name == "SUP" || name == "sup" }

var reWrittenDate = regexp.MustCompile(`^([A-Z][a-z]{2})[a-z]*\.?\s+(\d{1,2}),?\s+(\d{4})`)

// writtenDate reads "Aug. 1, 2026", as the bulk data dates a volume by its last
// amendment; empty where it is no date.
func writtenDate(s string) string {
	m := reWrittenDate.FindStringSubmatch(s)
	if m == nil {
		return ""
	}
	t, err := time.Parse("Jan 2 2006", m[1]+" "+m[2]+" "+m[3])
	if err != nil {
		return ""
	}
	return t.Format(time.DateOnly)
}

func (r *ecfrReader) inNote() bool { return r.block == blockNote }

// isItalicElement knows the eCFR's ways of writing italics: I, and E with a
// number of its type.
func isItalicElement(t xml.StartElement) bool {
	switch t.Name.Local {
	case "I", "i", "em":
		return true
	case "E":
		n := attr(t, "T")
		return n == "03" || n == "04"
	}
	return false
}

func isDiv(name string) bool {
	return len(name) == 4 && strings.HasPrefix(name, "DIV") && name[3] >= '1' && name[3] <= '9'
}

func (r *ecfrReader) end(name string) {
	if ecfrInline[name] {
		if n := len(r.inline); n > 0 {
			if r.inline[n-1] {
				r.text.WriteRune(italOff)
			}
			r.inline = r.inline[:n-1]
		}
		if isRaised(name) {
			r.raised = false
		}
		return
	}
	if r.table != nil {
		switch name {
		case "TD", "TH", "ENT", "CHED":
			r.table.cell(plainText(r.text.String()))
			r.text.Reset()
			return
		case "TABLE", "GPOTABLE":
			r.flushTable()
			return
		}
	}
	r.flush()
	switch {
	case name == "HEAD":
		r.inHead = false
	case isDiv(name) && len(r.divs) > 0:
		r.beginUnit()
		r.divs = r.divs[:len(r.divs)-1]
	case name == "AUTH" || name == "SOURCE" || name == "CITA" || name == "EDNOTE" || name == "EFFDNOT" || name == "XREF":
		r.block = blockPara
	case name == "HD1" || name == "HD2" || name == "HD3" || name == "P":
		if !r.inNote() {
			r.block = blockPara
		}
	}
}

// flush ends the paragraph that is being read.
func (r *ecfrReader) flush() {
	text := strings.TrimSpace(r.text.String())
	r.text.Reset()
	if plainText(text) == "" {
		return
	}
	if r.amended {
		r.amended = false
		r.b.out.Text.AsOf = max(r.b.out.Text.AsOf, writtenDate(plainText(text)))
	}
	if r.table != nil {
		r.table.cell(plainText(text))
		return
	}
	if r.inHead && len(r.divs) > 0 {
		d := &r.divs[len(r.divs)-1]
		d.heading = strings.TrimSpace(d.heading + " " + plainText(text))
		return
	}
	r.put(block{kind: r.block, level: r.level, text: text})
}

func (r *ecfrReader) flushTable() {
	if text := plainText(r.text.String()); text != "" {
		r.table.cell(text)
	}
	r.text.Reset()
	if md := r.table.markdown(); md != "" {
		r.put(block{kind: blockTable, text: md})
	}
	r.table = nil
}

func (r *ecfrReader) put(b block) {
	if len(r.divs) == 0 {
		r.b.note(b.text)
		return
	}
	d := &r.divs[len(r.divs)-1]
	d.blocks = append(d.blocks, b)
}

// beginUnit hands on what the innermost division has so far: sections and
// appendices as rules, what stands in a part or subpart itself as notes.
func (r *ecfrReader) beginUnit() {
	if len(r.divs) == 0 {
		return
	}
	d := &r.divs[len(r.divs)-1]
	switch d.kind {
	case "SECTION":
		if !d.begun {
			r.section(d)
		}
	case "APPENDIX":
		if !d.begun {
			r.appendix(d)
		}
	default:
		if !d.begun && d.heading != "" {
			r.b.heading(d.heading)
		}
		for _, blk := range d.blocks {
			r.b.note(blk.text)
		}
	}
	d.begun, d.blocks = true, nil
}

func (r *ecfrReader) above() []string {
	var out []string
	for _, d := range r.divs[:len(r.divs)-1] {
		if d.heading != "" {
			out = append(out, d.heading)
		}
	}
	return out
}

func (r *ecfrReader) scheme() scheme {
	if r.anyItals {
		return cfrScheme.withItalics()
	}
	return cfrScheme
}

func (r *ecfrReader) section(d *div) {
	number, title := splitSectionHeading(d.heading)
	if number == "" {
		number = d.n
	}
	r.b.addUnit(unit{
		base:     audit.Citation{Code: audit.CodeCFR, Title: r.titleFor(number), Section: number},
		title:    title,
		heading:  d.heading,
		headings: r.above(),
		blocks:   d.blocks,
		split:    splitter{paren: true},
		scheme:   r.scheme(),
	})
}

func (r *ecfrReader) appendix(d *div) {
	partNo := r.partNumber(d.n + " " + d.heading)
	a := appendixUnit{
		title: r.titleFor(partNo), part: partNo, heading: d.heading, headings: r.above(), blocks: d.blocks, scheme: r.scheme(),
	}
	if isCommentary(d.heading) {
		r.b.addCommentary(a)
		return
	}
	r.b.addAppendix(a)
}

var rePartTo = regexp.MustCompile(`(?i)\bto (?:sub)?part (\d{1,4})\b`)

func (r *ecfrReader) partNumber(text string) string {
	if m := rePartTo.FindStringSubmatch(text); m != nil {
		return m[1]
	}
	for _, d := range r.divs {
		if d.kind == "PART" {
			return d.n
		}
	}
	return ""
}

var reTitleAttr = regexp.MustCompile(`"(\d{1,2}) CFR|title-(\d{1,2})/|^(\d{1,2}):`)

// findTitle looks for the number of the CFR title in what the element tells.
func (r *ecfrReader) findTitle(t xml.StartElement) {
	if r.title > 0 {
		return
	}
	for _, name := range []string{"hierarchy_metadata", "NODE"} {
		value := strings.NewReplacer("&quot;", `"`, "&amp;", "&").Replace(strings.NewReplacer("&amp;", "&").Replace(attr(t, name)))
		if m := reTitleAttr.FindStringSubmatch(value); m != nil {
			r.title = atoi(m[1] + m[2] + m[3])
			return
		}
	}
}

// titleFor gives the title of the CFR; what the file does not tell, the part's
// number may.
func (r *ecfrReader) titleFor(section string) int {
	if r.title == 0 {
		r.title = guessTitle(section)
	}
	return r.title
}
