package regs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"veristream/backend/audit"
)

// Elements of a page that hold no text of the rule.
var htmlSkip = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Nav: true, atom.Header: true, atom.Footer: true, atom.Aside: true,
	atom.Form: true, atom.Noscript: true, atom.Svg: true, atom.Button: true, atom.Select: true, atom.Head: true,
	atom.Template: true, atom.Iframe: true,
}

// Elements within a paragraph; all others end it.
var htmlInline = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Strong: true, atom.I: true, atom.Em: true, atom.Span: true,
	atom.Sup: true, atom.Sub: true, atom.Small: true, atom.U: true, atom.Q: true, atom.Cite: true, atom.Dfn: true,
	atom.Font: true, atom.Mark: true, atom.Code: true, atom.Label: true, atom.Wbr: true, atom.Time: true, atom.Img: true,
}

// htmlReader takes a page apart token by token; it builds no tree, so that
// depth costs nothing.
type htmlReader struct {
	scope  htmlScope // read only within it; zero: the whole page
	within atom.Atom // the element that the scope is, once it is open
	inside int       // how many elements of its name are open
	skip   []atom.Atom
	text   strings.Builder
	table  *tableReader
	notes  bool // within a table of notes: FINRA keeps a rule's history in one
	links  int  // open links
	linked int  // letters of the paragraph that stand in links
	raised bool // within a superscript
	level  int  // of a heading; 0: none
	blocks []block
}

// htmlScope is an element in which a page keeps its own text.
type htmlScope struct {
	id  string
	tag atom.Atom
}

// scopesOf lists where a page may keep a rule, the likeliest first: FINRA's in
// "the-rule" (their article is the book's navigation), others in main or
// article, some anywhere.
func scopesOf(data []byte) []htmlScope {
	lower := bytes.ToLower(data)
	var out []htmlScope
	for _, s := range []struct {
		mark  string
		scope htmlScope
	}{
		{`id="the-rule"`, htmlScope{id: "the-rule"}},
		{"<main", htmlScope{tag: atom.Main}},
		{"<article", htmlScope{tag: atom.Article}},
	} {
		if bytes.Contains(lower, []byte(s.mark)) {
			out = append(out, s.scope)
		}
	}
	return append(out, htmlScope{})
}

// holds says whether an element is the scope.
func (s htmlScope) holds(t html.Token) bool {
	if s.id != "" {
		return htmlAttr(t, "id") == s.id
	}
	return t.DataAtom == s.tag
}

// readHTML reads a page as a browser saved it, alone or in an MHTML archive.
func readHTML(ctx context.Context, data []byte, opts Options) (*Parsed, error) {
	data, err := utf8Page(data)
	if err != nil {
		return nil, err
	}
	var first error
	for _, scope := range scopesOf(data) {
		blocks, err := htmlBlocks(ctx, data, scope)
		if err != nil {
			return nil, err
		}
		b := newBuilder(opts.Regulator)
		if err := b.addBlocks(blocks, opts); err == nil {
			return b.finish(), nil
		} else if first == nil {
			first = err
		}
	}
	return nil, first
}

// utf8Page gives a page in UTF-8, whatever its own character set.
func utf8Page(data []byte) ([]byte, error) {
	_, name, _ := charset.DetermineEncoding(data, "")
	if name == "utf-8" {
		if at := invalidUTF8(data); at >= 0 {
			return nil, audit.Errorf(audit.CodeInput, "Line %d of the page is not valid UTF-8, which the page says it is; save it again.",
				1+bytes.Count(data[:at], []byte("\n")))
		}
		return bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), nil
	}
	in, err := charset.NewReaderLabel(name, bytes.NewReader(data))
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "The page's character set is not known.")
	}
	if data, err = io.ReadAll(in); err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "The page's characters cannot be read as %s.", name)
	}
	return data, nil
}

func htmlBlocks(ctx context.Context, data []byte, scope htmlScope) ([]block, error) {
	r := &htmlReader{scope: scope}
	z := html.NewTokenizer(bytes.NewReader(data))
	z.SetMaxBuf(MaxFile)
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if z.Next() == html.ErrorToken {
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return nil, fmt.Errorf("read the page: %w", err)
			}
			break
		}
		r.token(z.Token())
	}
	r.flush()
	return r.blocks, nil
}

// reads says whether what stands here is of the page's own text.
func (r *htmlReader) reads() bool {
	return len(r.skip) == 0 && (r.scope == htmlScope{} || r.inside > 0)
}

func (r *htmlReader) token(t html.Token) {
	switch t.Type {
	case html.StartTagToken, html.SelfClosingTagToken:
		r.start(t)
	case html.EndTagToken:
		r.end(t.DataAtom)
	case html.TextToken:
		if !r.reads() {
			return
		}
		text := cleanSource(t.Data)
		if r.raised {
			text = raise(text, r.text.String())
		}
		r.text.WriteString(text)
		if r.links > 0 {
			r.linked += letters(text)
		}
	}
}

// letters counts letters and digits.
func letters(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

func (r *htmlReader) start(t html.Token) {
	a := t.DataAtom
	if htmlSkip[a] && t.Type == html.StartTagToken {
		r.flush()
		r.skip = append(r.skip, a)
		return
	}
	if len(r.skip) > 0 {
		return
	}
	if r.scope != (htmlScope{}) && t.Type == html.StartTagToken {
		switch {
		case r.inside > 0 && a == r.within:
			r.inside++
		case r.inside == 0 && r.scope.holds(t):
			r.within, r.inside = a, 1
		}
	}
	switch {
	case a == atom.I || a == atom.Em:
		r.text.WriteRune(italOn)
	case a == atom.A && t.Type == html.StartTagToken:
		r.links++
	case a == atom.Sup:
		r.raised = true
	case a == atom.Br:
		r.lineBreak()
	case a == atom.Img:
		if src := htmlAttr(t, "src"); src != "" && len(src) < 300 && r.table == nil && r.reads() {
			r.flush()
			r.blocks = append(r.blocks, block{kind: blockImage, text: "[Image: " + path.Base(src) + "]"})
		}
	case htmlInline[a]:
	case a == atom.Table && strings.Contains(htmlAttr(t, "class"), "footnote"):
		r.flush()
		r.notes = true
	case a == atom.Table && r.table == nil && !r.notes:
		r.flush()
		r.table = &tableReader{}
	case a == atom.Tr && r.table != nil:
		r.table.row()
	default:
		r.flush()
		if len(t.Data) == 2 && t.Data[0] == 'h' && t.Data[1] >= '1' && t.Data[1] <= '6' {
			r.level = int(t.Data[1] - '0')
		}
	}
}

func (r *htmlReader) end(a atom.Atom) {
	if n := len(r.skip); n > 0 {
		if r.skip[n-1] == a {
			r.skip = r.skip[:n-1]
		}
		return
	}
	switch {
	case a == atom.I || a == atom.Em:
		r.text.WriteRune(italOff)
		return
	case a == atom.A:
		r.links = max(0, r.links-1)
		return
	case a == atom.Sup:
		r.raised = false
		return
	case htmlInline[a]:
		return
	case r.table != nil && (a == atom.Td || a == atom.Th):
		r.table.cell(plainText(r.text.String()))
		r.text.Reset()
		return
	case r.table != nil && a == atom.Table:
		r.flush()
		if md := r.table.markdown(); md != "" {
			r.blocks = append(r.blocks, block{kind: blockTable, text: md})
		}
		r.table = nil
		return
	}
	r.flush()
	switch a {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		r.level = 0
	case atom.Table:
		r.notes = false
	}
	if r.inside > 0 && a == r.within {
		r.inside--
	}
}

// lineBreak ends a paragraph only where the next line begins one of its own,
// which is known when it comes.
func (r *htmlReader) lineBreak() { r.text.WriteRune('\u2028') }

func (r *htmlReader) flush() {
	raw := r.text.String()
	r.text.Reset()
	// A paragraph of links alone leads elsewhere: tabs, "previous", "next".
	leads := r.linked > 0 && r.linked == letters(raw)
	r.linked = 0
	if r.table != nil {
		if text := plainText(raw); text != "" {
			r.table.cell(text)
		}
		return
	}
	current := ""
	emit := func() {
		if plainText(current) != "" {
			kind := blockPara
			switch {
			case r.level > 0:
				kind = blockHeading
			case r.notes, leads && !startsParagraph(plainText(current)):
				kind = blockNote
			}
			r.blocks = append(r.blocks, block{kind: kind, level: r.level, text: strings.TrimSpace(collapse(current))})
		}
		current = ""
	}
	for _, l := range strings.Split(raw, "\u2028") {
		if startsParagraph(plainText(l)) || plainText(l) == "" {
			emit()
		}
		current += " " + l
	}
	emit()
}

// collapse joins runs of spaces and keeps the marks of italics.
func collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

func htmlAttr(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
