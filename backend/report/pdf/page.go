package pdf

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/go-text/typesetting/font"
)

// A4 in points.
const (
	PageWidth  = 595.276
	PageHeight = 841.89
)

// Page is a page that is being drawn. Its origin is the top left corner, and y
// grows downwards.
type Page struct {
	doc     *Document
	object  ref
	index   int
	content strings.Builder
	images  map[string]ref
	links   []link
	parents []*element // of each marked stretch, by its number
	open    bool       // a marked stretch is open
	head    bool       // the page's head or foot is being drawn
	Section string     // what the head of the page says
}

type link struct {
	x, y, w, h float64
	target     string
	words      string
	element    *element
}

func (p *Page) flip(y float64) float64 { return PageHeight - y }

// Fill draws a filled rectangle.
func (p *Page) Fill(x, y, w, h float64, c Color) {
	p.artifact(func() {
		fmt.Fprintf(&p.content, "%s rg %s %s %s %s re f\n", rgb(c), num(x), num(p.flip(y+h)), num(w), num(h))
	})
}

// Rule draws a straight line; dash 0 draws it unbroken.
func (p *Page) Rule(x1, y1, x2, y2, width, dash float64, c Color) {
	p.artifact(func() {
		pattern := "[] 0 d"
		if dash > 0 {
			pattern = fmt.Sprintf("[%s %s] 0 d", num(dash), num(dash*0.7))
		}
		fmt.Fprintf(&p.content, "%s RG %s w %s %s %s m %s %s l S\n",
			rgb(c), num(width), pattern, num(x1), num(p.flip(y1)), num(x2), num(p.flip(y2)))
	})
}

// Frame draws the outline of a rectangle, dashed.
func (p *Page) Frame(x, y, w, h, width, dash float64, c Color) {
	p.artifact(func() {
		fmt.Fprintf(&p.content, "%s RG %s w [%s %s] 0 d %s %s %s %s re S [] 0 d\n",
			rgb(c), num(width), num(dash), num(dash*0.7), num(x), num(p.flip(y+h)), num(w), num(h))
	})
}

// Polygon draws a filled shape.
func (p *Page) Polygon(points [][2]float64, c Color) {
	p.artifact(func() {
		fmt.Fprintf(&p.content, "%s rg", rgb(c))
		for i, pt := range points {
			op := "l"
			if i == 0 {
				op = "m"
			}
			fmt.Fprintf(&p.content, " %s %s %s", num(pt[0]), num(p.flip(pt[1])), op)
		}
		p.content.WriteString(" h f\n")
	})
}

// Ring draws a circle's outline.
func (p *Page) Ring(x, y, r, width float64, c Color) {
	const k = 0.5523 // a quarter circle as a Bézier curve
	p.artifact(func() {
		cy := p.flip(y)
		fmt.Fprintf(&p.content, "%s RG %s w [] 0 d %s %s m", rgb(c), num(width), num(x+r), num(cy))
		for _, q := range [][6]float64{
			{r, k * r, k * r, r, 0, r},
			{-k * r, r, -r, k * r, -r, 0},
			{-r, -k * r, -k * r, -r, 0, -r},
			{k * r, -r, r, -k * r, r, 0},
		} {
			fmt.Fprintf(&p.content, " %s %s %s %s %s %s c", num(x+q[0]), num(cy+q[1]), num(x+q[2]), num(cy+q[3]), num(x+q[4]), num(cy+q[5]))
		}
		p.content.WriteString(" s\n")
	})
}

// Text draws a line with its baseline at y. In a paragraph that reads from
// right to left the line ends at x+width.
func (p *Page) Text(l Line, x, y, size, width float64) {
	if l.right {
		x += width - l.Width
	}
	p.marks(l, x, y, size)
	for _, r := range l.runs {
		at := x
		x += r.width
		if r.span.Link == "" {
			p.mark()
			p.run(r, at, y, size)
			continue
		}
		p.doc.Tag("Link", func() {
			p.mark()
			p.run(r, at, y, size)
			p.links = append(p.links, link{at, y - size, r.width, size * 1.3, r.span.Link, string(r.text), p.doc.current()})
		})
	}
}

// marks draws what lies behind and under the words.
func (p *Page) marks(l Line, x, y, size float64) {
	for _, r := range l.runs {
		if r.span.Mark != nil {
			p.Fill(x, y-size*0.95, r.width, size*1.25, *r.span.Mark)
		}
		if r.span.Dash != nil {
			p.Rule(x, y+size*0.26, x+r.width, y+size*0.26, size*0.09, size*0.25, *r.span.Dash)
		}
		x += r.width
	}
}

// run writes the glyphs of a run. Where a glyph cannot tell its text by itself
// the whole run tells it (ISO 32000-2, 14.9.4).
func (p *Page) run(r run, x, y, size float64) {
	p.doc.needFont(r.font)
	actual := r.font.learn(r)
	if actual {
		fmt.Fprintf(&p.content, "/Span << /ActualText %s >> BDC\n", utf16Text(string(r.text)))
	}
	fmt.Fprintf(&p.content, "BT /%s %s Tf %s rg 1 0 0 1 %s %s Tm [<", r.font.name(), num(size), rgb(r.span.Color), num(x), num(p.flip(y)))
	rise := 0.0
	for i, g := range r.glyphs {
		per := 1000.0 / shapeSize / 64
		dx, dy := float64(g.XOffset)*per, float64(g.YOffset)*per/1000*size
		if dy != rise {
			fmt.Fprintf(&p.content, ">] TJ %s Ts [<", num(dy))
			rise = dy
		}
		if dx != 0 {
			fmt.Fprintf(&p.content, "> %s <", num(-dx))
		}
		fmt.Fprintf(&p.content, "%04X", g.GlyphID)
		// What the file says of the glyph's width, and where the next begins.
		if back := r.font.width(g.GlyphID) + dx - float64(g.Advance)*per; i < len(r.glyphs)-1 && (back > 0.005 || back < -0.005) {
			fmt.Fprintf(&p.content, "> %s <", num(back))
		}
	}
	p.content.WriteString(">] TJ")
	if rise != 0 {
		p.content.WriteString(" 0 Ts")
	}
	p.content.WriteString(" ET\n")
	if actual {
		p.content.WriteString("EMC\n")
	}
}

// learn notes the text of each glyph. It says whether the run must carry its
// text itself: a cluster of several glyphs, or a glyph with two meanings.
func (f *fontUse) learn(r run) (actual bool) {
	for i := 0; i < len(r.glyphs); {
		g := r.glyphs[i]
		from := g.TextIndex() - r.first
		to := min(from+g.RunesCount(), len(r.text))
		s := ""
		if from >= 0 && from < to {
			s = string(r.text[from:to])
		}
		if g.GlyphsCount() != 1 {
			actual = true
			s = ""
		}
		for j := range max(1, g.GlyphsCount()) {
			if i+j < len(r.glyphs) {
				actual = f.note(r.glyphs[i+j].GlyphID, s) || actual
			}
		}
		i += max(1, g.GlyphsCount())
	}
	return actual
}

func (f *fontUse) note(g font.GID, s string) (conflict bool) {
	old, seen := f.glyphs[g]
	if !seen || old == "" {
		f.glyphs[g] = s
		return false
	}
	return s != "" && old != s
}

func rgb(c Color) string { return num(c.R) + " " + num(c.G) + " " + num(c.B) }

func utf16Text(s string) string {
	var b strings.Builder
	b.WriteString("<FEFF")
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "%04X", u)
	}
	return b.String() + ">"
}
