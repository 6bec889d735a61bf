package regs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

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
	main   atom.Atom // read only within it; 0: the whole page
	inside int
	skip   []atom.Atom
	text   strings.Builder
	table  *tableReader
	level  int // of a heading; 0: none
	blocks []block
}

// readHTML reads a page as a browser saved it.
func readHTML(ctx context.Context, data []byte, opts Options) (*Parsed, error) {
	in, err := charset.NewReader(bytes.NewReader(data), "")
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "The page's character set is not known.")
	}
	r := &htmlReader{main: mainElement(data)}
	z := html.NewTokenizer(in)
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
	b := newBuilder(opts.Regulator)
	if err := b.addBlocks(r.blocks, opts); err != nil {
		return nil, err
	}
	return b.finish(), nil
}

// mainElement says in which element a page keeps its own text.
func mainElement(data []byte) atom.Atom {
	lower := bytes.ToLower(data)
	switch {
	case bytes.Contains(lower, []byte("<main")):
		return atom.Main
	case bytes.Contains(lower, []byte("<article")):
		return atom.Article
	}
	return 0
}

func (r *htmlReader) token(t html.Token) {
	switch t.Type {
	case html.StartTagToken, html.SelfClosingTagToken:
		r.start(t)
	case html.EndTagToken:
		r.end(t.DataAtom)
	case html.TextToken:
		if len(r.skip) == 0 && (r.main == 0 || r.inside > 0) {
			r.text.WriteString(cleanSource(t.Data))
		}
	}
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
	if a == r.main && a != 0 {
		r.inside++
	}
	switch {
	case a == atom.I || a == atom.Em:
		r.text.WriteRune(italOn)
	case a == atom.Br:
		r.lineBreak()
	case a == atom.Img:
		if src := htmlAttr(t, "src"); src != "" && len(src) < 300 && r.inside >= 0 && r.table == nil && (r.main == 0 || r.inside > 0) {
			r.flush()
			r.blocks = append(r.blocks, block{kind: blockImage, text: "[Image: " + path.Base(src) + "]"})
		}
	case htmlInline[a]:
	case a == atom.Table && r.table == nil:
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
	}
	if a == r.main && a != 0 && r.inside > 0 {
		r.inside--
	}
}

// lineBreak ends a paragraph only where the next line begins one of its own,
// which is known when it comes.
func (r *htmlReader) lineBreak() { r.text.WriteRune('\u2028') }

func (r *htmlReader) flush() {
	raw := r.text.String()
	r.text.Reset()
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
			if r.level > 0 {
				kind = blockHeading
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
