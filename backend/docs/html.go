package docs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"veristream/backend/audit"
)

// htmlReader takes a page apart token by token; it builds no tree, so that
// depth costs nothing.
type htmlReader struct {
	blocks []block
	text   strings.Builder
	skip   int    // depth within what is not shown
	open   []open // elements that change how text is read
	loud   int    // letters that are bold
	quiet  int    // letters that are not
	level  int
	tables int
	grid   *grid
	span   int
	head   bool
	page   int
	facts  map[string]string // inline XBRL: what the document says of itself
	fact   string
	value  strings.Builder
}

type open struct {
	name   string
	bold   bool
	hidden bool
	after  bool // a page ends behind it
}

var (
	reHidden    = regexp.MustCompile(`(?i)display\s*:\s*none`)
	reBold      = regexp.MustCompile(`(?i)font-weight\s*:\s*(?:bold|[6-9]00)`)
	reLight     = regexp.MustCompile(`(?i)font-weight\s*:\s*(?:normal|[34]00)`)
	reBreak     = regexp.MustCompile(`(?i)(?:page-)?break-(before|after)\s*:\s*(?:always|page)`)
	inlineNames = map[string]bool{
		"a": true, "b": true, "strong": true, "i": true, "em": true, "span": true, "sup": true, "sub": true, "small": true,
		"u": true, "font": true, "code": true, "label": true, "big": true, "tt": true, "s": true, "abbr": true,
	}
)

// facts that inline XBRL gives of the document itself.
var factNames = map[string]string{
	"dei:EntityRegistrantName": audit.MetaCompany, "dei:DocumentFiscalYearFocus": audit.MetaYear,
	"dei:DocumentType": "form", "dei:TradingSymbol": "ticker",
}

// readHTML reads a page, and an annual report with its items.
func (p *Parsed) readHTML(ctx context.Context, data []byte) error {
	in, err := charset.NewReader(bytes.NewReader(data), "")
	if err != nil {
		return audit.Wrap(err, audit.CodeInput, "The page's character set is not known.")
	}
	r := &htmlReader{page: 1, facts: map[string]string{}}
	z := html.NewTokenizer(in)
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if z.Next() == html.ErrorToken {
			if err := z.Err(); !errors.Is(err, io.EOF) {
				return fmt.Errorf("read the page: %w", err)
			}
			break
		}
		r.token(z.Token())
	}
	r.flush()
	p.Document.Type = "page"
	if r.page > 1 {
		p.Document.Pages = r.page
	} else {
		for i := range r.blocks {
			r.blocks[i].page = 0
		}
	}
	p.sections(r.blocks)
	for k, v := range r.facts {
		p.Document.Meta[k] = v
	}
	if m := p.Document.Meta; p.Document.Type == "10-K" && m[audit.MetaCompany] != "" {
		p.Document.Title = strings.TrimSpace(m[audit.MetaCompany] + " 10-K " + m[audit.MetaYear])
	}
	return nil
}

func (r *htmlReader) token(t html.Token) {
	switch t.Type {
	case html.StartTagToken:
		r.start(t, false)
	case html.SelfClosingTagToken:
		r.start(t, !inlineNames[t.Data])
	case html.EndTagToken:
		r.end(t.Data)
	case html.TextToken:
		r.words(t.Data)
	}
}

var void = map[string]bool{"br": true, "hr": true, "img": true, "meta": true, "link": true, "input": true, "col": true, "wbr": true, "page": true}

func (r *htmlReader) start(t html.Token, closed bool) {
	name, style := strings.ToLower(t.Data), attribute(t, "style")
	hidden := reHidden.MatchString(style) || name == "script" || name == "style" || name == "head" || name == "title" || name == "ix:header"
	brk := reBreak.FindStringSubmatch(style)
	inline := inlineNames[name] || strings.HasPrefix(name, "ix:") || name == "br"
	if !inline && r.skip == 0 && r.grid == nil {
		r.flush()
	}
	if r.skip == 0 && (len(brk) > 0 && brk[1] == "before" || name == "page") {
		r.page++
	}
	if !void[name] && !closed {
		o := open{name: name, hidden: hidden, after: len(brk) > 0 && brk[1] == "after"}
		bold := r.isBold()
		o.bold = bold && !reLight.MatchString(style) || name == "b" || name == "strong" || reBold.MatchString(style)
		if len(r.open) < 2000 {
			r.open = append(r.open, o)
			if hidden {
				r.skip++
			}
		}
	} else if len(brk) > 0 && brk[1] == "after" {
		r.page++
	}
	if key := factNames[attribute(t, "name")]; key != "" && strings.HasPrefix(name, "ix:") && r.facts[key] == "" {
		r.fact = key
		r.value.Reset()
	}
	if r.skip > 0 {
		return
	}
	switch {
	case name == "br":
		r.text.WriteString(" ")
		if r.grid == nil {
			r.text.WriteString("\n")
		}
	case name == "table":
		if r.tables++; r.tables == 1 {
			r.grid = &grid{}
		}
	case name == "tr" && r.tables == 1 && r.grid != nil:
		r.cell()
		r.grid.row()
	case (name == "td" || name == "th") && r.tables == 1 && r.grid != nil:
		r.cell()
		r.span, _ = strconv.Atoi(attribute(t, "colspan"))
		r.span, r.head = max(r.span, 1), name == "th"
	case len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6':
		r.level = int(name[1] - '0')
	}
}

func (r *htmlReader) isBold() bool { return len(r.open) > 0 && r.open[len(r.open)-1].bold }

func (r *htmlReader) end(name string) {
	name = strings.ToLower(name)
	if strings.HasPrefix(name, "ix:non") && r.fact != "" {
		if v := strings.Join(strings.Fields(r.value.String()), " "); v != "" {
			r.facts[r.fact] = v
		}
		r.fact = ""
	}
	inline := inlineNames[name] || strings.HasPrefix(name, "ix:")
	if r.skip == 0 {
		switch {
		case inline:
		case r.grid != nil:
			switch name {
			case "td", "th":
				if r.tables == 1 {
					r.cell()
				}
			case "table":
				if r.tables--; r.tables == 0 {
					r.cell()
					g := r.grid
					r.grid = nil
					if len(g.rows) > 0 && strings.TrimSpace(g.plain()) != "" {
						r.blocks = append(r.blocks, block{table: g, page: r.page})
					}
				}
			default:
				r.text.WriteString(" ")
			}
		default:
			r.flush()
			if len(name) == 2 && name[0] == 'h' && name[1] != 'r' {
				r.level = 0
			}
		}
	} else if name == "table" && r.tables > 0 && r.grid == nil {
		r.tables--
	}
	// Pages close what was never opened, and leave open what they opened.
	for i := len(r.open) - 1; i >= 0 && i >= len(r.open)-40; i-- {
		if r.open[i].name != name {
			continue
		}
		for _, o := range r.open[i:] {
			if o.hidden {
				r.skip--
			}
			if o.after {
				r.page++
			}
		}
		r.open = r.open[:i]
		return
	}
}

func (r *htmlReader) words(s string) {
	if r.fact != "" {
		r.value.WriteString(s)
	}
	if r.skip > 0 {
		return
	}
	s = strings.Map(func(c rune) rune {
		switch c {
		case '\n', '\r', '\t', '\u00a0', '\u2009', '\u200a', '\u2002', '\u2003', '\u202f':
			return ' '
		case '\u200b', '\ufeff', '\u00ad':
			return -1
		}
		return c
	}, s)
	r.text.WriteString(s)
	if n := len(strings.TrimSpace(s)); r.isBold() {
		r.loud += n
	} else {
		r.quiet += n
	}
}

func (r *htmlReader) cell() {
	if r.span > 0 {
		r.grid.add(r.text.String(), r.span, r.head)
	}
	r.text.Reset()
	r.span, r.loud, r.quiet = 0, 0, 0
}

func (r *htmlReader) flush() {
	bold := r.loud > 0 && r.quiet == 0
	for _, line := range splitBreaks(r.text.String()) {
		r.blocks = append(r.blocks, block{text: line, level: r.level, bold: bold, page: r.page})
	}
	r.text.Reset()
	r.loud, r.quiet = 0, 0
}

// splitBreaks cuts at line breaks only where a line begins something of its
// own: old pages break lines within a sentence.
func splitBreaks(s string) []string {
	var out []string
	for _, l := range strings.Split(s, "\n") {
		l = strings.Join(strings.Fields(l), " ")
		if l == "" {
			out = append(out, "")
			continue
		}
		if n := len(out); n > 0 && out[n-1] != "" && (startsLower(l) || !strings.HasSuffix(out[n-1], ".") && len(out[n-1]) > 60) {
			out[n-1] += " " + l
			continue
		}
		out = append(out, l)
	}
	var kept []string
	for _, l := range out {
		if l != "" {
			kept = append(kept, l)
		}
	}
	return kept
}

func attribute(t html.Token, name string) string {
	for _, a := range t.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}
