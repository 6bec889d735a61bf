package pdf

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	"golang.org/x/text/unicode/bidi"
)

// Color is a colour in sRGB, each part from 0 to 1.
type Color struct{ R, G, B float64 }

// Hex gives the colour of a six-digit number such as 0x15171c.
func Hex(v int) Color {
	return Color{float64(v>>16&255) / 255, float64(v>>8&255) / 255, float64(v&255) / 255}
}

// Span is a run of text in one style.
type Span struct {
	Text   string
	Weight Weight
	Color  Color
	Mark   *Color // ground behind the words
	Dash   *Color // dashed line under the words
	Link   string // name of a destination in the document
}

// shapeSize is the size at which text is shaped: lengths then are thousandths
// of the size that it is drawn at.
const shapeSize = 1000

// run is a piece of a line in one face and one style.
type run struct {
	font   *fontUse
	span   *Span
	glyphs []shaping.Glyph
	text   []rune // what the run says
	first  int    // index of text[0] in the paragraph
	width  float64
}

// Line is one line of a paragraph, laid out.
type Line struct {
	runs  []run
	Width float64
	right bool // the paragraph reads from right to left
}

// typesetter shapes text in the faces of one document.
type typesetter struct {
	uses    [len(loadedFonts)]*fontUse
	shaper  shaping.HarfbuzzShaper
	seg     shaping.Segmenter
	wrapper shaping.LineWrapper
	err     error
}

func (t *typesetter) use(i int) *fontUse {
	if t.uses[i] == nil {
		f, err := newFontUse(i)
		if err != nil {
			t.err = err
			if i != int(Regular) {
				return t.use(int(Regular))
			}
			panic(err) // a font inside the program is broken: nothing can be written
		}
		t.uses[i] = f
	}
	return t.uses[i]
}

// ResolveFace implements shaping.Fontmap: the regular face, else the first
// that can show the rune.
func (t *typesetter) ResolveFace(r rune) *font.Face { return t.faceFor(r, Regular).face }

func (t *typesetter) faceFor(r rune, w Weight) *fontUse {
	for _, i := range []int{int(w), int(Regular), 3, 4, 5, 7, 6} {
		if f := t.use(i); f.has(r) {
			return f
		}
	}
	return t.use(int(w))
}

func (t *typesetter) known(r rune) bool {
	for i := range faceFiles {
		if t.use(i).has(r) {
			return true
		}
	}
	return false
}

// Visible gives a text as the document can show it: control characters and
// marks that turn the direction of writing, which could make a line say
// something else to the eye than to a machine, and characters that no face
// has, appear as their numbers.
func (d *Document) Visible(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			b.WriteByte(' ')
		case r == '\uFE0E' || r == '\uFE0F' || r == '\uFEFF': // choose between two pictures, or nothing
		case r == '\u200D' || r == '\u200C': // joiners are for the shaper
			b.WriteRune(r)
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r) && r != '\u00AD' || !d.set.known(r):
			fmt.Fprintf(&b, "[U+%04X]", r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Wrap lays a paragraph out in lines of at most width points.
func (d *Document) Wrap(spans []Span, size, width float64) []Line {
	var paragraph []rune
	var ends []int
	for i := range spans {
		spans[i].Text = d.Visible(spans[i].Text)
		paragraph = append(paragraph, []rune(spans[i].Text)...)
		ends = append(ends, len(paragraph))
	}
	if len(paragraph) == 0 {
		return nil
	}
	t := d.set
	right := startsRight(paragraph)
	in := shaping.Input{
		Text: paragraph, RunEnd: len(paragraph), Size: fixed.I(shapeSize),
		Face: t.use(int(Regular)).face, Language: language.NewLanguage("en"),
	}
	if right {
		in.Direction = di.DirectionRTL
	}
	var outs []shaping.Output
	var meta []piece
	for _, part := range slices.Clone(t.seg.Split(in, t)) {
		for _, p := range t.pieces(part, spans, ends) {
			outs = append(outs, t.shaper.Shape(p.in))
			meta = append(meta, p)
		}
	}
	wrapped, _ := t.wrapper.WrapParagraphF(shaping.WrapConfig{Direction: in.Direction},
		fixed.Int26_6(width/size*shapeSize*64), paragraph, shaping.NewSliceIterator(outs))
	lines := make([]Line, 0, len(wrapped))
	for _, w := range wrapped {
		line := Line{right: right}
		pieces := slices.Clone(w)
		slices.SortStableFunc(pieces, func(a, b shaping.Output) int { return int(a.VisualIndex - b.VisualIndex) })
		for _, o := range pieces {
			at := slices.IndexFunc(meta, func(p piece) bool { return p.in.RunStart <= o.Runes.Offset && o.Runes.Offset < p.in.RunEnd })
			if at < 0 {
				continue
			}
			r := run{
				font: meta[at].font, span: meta[at].span, glyphs: slices.Clone(o.Glyphs),
				text: paragraph[o.Runes.Offset : o.Runes.Offset+o.Runes.Count], first: o.Runes.Offset,
				width: float64(o.Advance) / 64 / shapeSize * size,
			}
			line.Width += r.width
			line.runs = append(line.runs, r)
		}
		lines = append(lines, line)
	}
	return lines
}

// piece is a stretch of one script, one face and one style.
type piece struct {
	in   shaping.Input
	font *fontUse
	span *Span
}

// pieces cuts a stretch of one script and one regular face where the style
// changes. A style's own face is used only where it has all of a word's runes.
func (t *typesetter) pieces(part shaping.Input, spans []Span, ends []int) []piece {
	var out []piece
	at := part.RunStart
	for i, end := range ends {
		if end <= at || at >= part.RunEnd {
			continue
		}
		stop := min(end, part.RunEnd)
		p := piece{in: part, span: &spans[i]}
		p.in.RunStart, p.in.RunEnd = at, stop
		p.font = t.byFace(part.Face)
		if p.font.index == int(Regular) && spans[i].Weight != Regular {
			styled := t.use(int(spans[i].Weight))
			if !slices.ContainsFunc(part.Text[at:stop], func(r rune) bool { return !styled.has(r) }) {
				p.font = styled
				p.in.Face = styled.face
			}
		}
		out = append(out, p)
		at = stop
	}
	return out
}

func (t *typesetter) byFace(f *font.Face) *fontUse {
	for _, u := range t.uses {
		if u != nil && u.face == f {
			return u
		}
	}
	return t.use(int(Regular))
}

// StartsRight says whether a text is written from right to left.
func StartsRight(s string) bool { return startsRight([]rune(s)) }

// startsRight says whether a paragraph's first letter is of a script that is
// written from right to left (Unicode's bidirectional algorithm, P2 and P3).
func startsRight(text []rune) bool {
	for _, r := range text {
		p, _ := bidi.LookupRune(r)
		switch p.Class() {
		case bidi.L:
			return false
		case bidi.R, bidi.AL:
			return true
		}
	}
	return false
}
