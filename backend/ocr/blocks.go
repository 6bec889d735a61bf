package ocr

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// block is one text on a frame: lines that stand together.
type block struct {
	text       string
	x, y, w, h float64 // relative to the frame
	lineHeight float64
	contrast   float64
	confidence float64
}

// blocks groups the lines of a frame as a reader would: lines of about one
// size, below each other and close, are one text.
func blocks(f FrameText, minConfidence float64) []block {
	var lines []block
	for _, l := range f.Lines {
		text := strings.Join(strings.Fields(l.Text), " ")
		if l.Confidence < minConfidence || !legible(text) || f.Width == 0 || f.Height == 0 {
			continue
		}
		lines = append(lines, block{
			text: text, confidence: l.Confidence, contrast: l.Contrast,
			x: float64(l.X) / float64(f.Width), y: float64(l.Y) / float64(f.Height),
			w: float64(l.Width) / float64(f.Width), h: float64(l.Height) / float64(f.Height),
			lineHeight: float64(l.Height) / float64(f.Height),
		})
	}
	slices.SortStableFunc(lines, func(a, b block) int {
		if d := a.y + a.h/2 - b.y - b.h/2; math.Abs(d) > math.Min(a.h, b.h)/2 {
			return sign(d)
		}
		return sign(a.x - b.x)
	})
	var out []block
	aspect := float64(f.Width) / float64(f.Height)
	for _, l := range lines {
		at := slices.IndexFunc(out, func(b block) bool { return b.takes(l, aspect) })
		if at < 0 {
			out = append(out, l)
			continue
		}
		out[at] = out[at].with(l)
	}
	return out
}

func sign(d float64) int {
	switch {
	case d < 0:
		return -1
	case d > 0:
		return 1
	}
	return 0
}

// takes says whether a line goes on with a block: as its next line, or as the
// next piece of its last line.
func (b block) takes(l block, aspect float64) bool {
	ratio := b.lineHeight / l.lineHeight
	if ratio < 0.65 || ratio > 1.55 {
		return false
	}
	height := math.Max(b.lineHeight, l.lineHeight)
	overlap := math.Min(b.x+b.w, l.x+l.w) - math.Max(b.x, l.x)
	below := l.y - (b.y + b.h)
	if below > -height*0.5 && below < height*0.9 {
		return overlap > 0.3*math.Min(b.w, l.w)
	}
	// Pieces of one line: a reader parts words that stand far from each other.
	sameLine := math.Abs(l.y+l.h/2-(b.y+b.h-b.lineHeight/2)) < height*0.4
	gap := (l.x - (b.x + b.w)) * aspect
	return sameLine && gap > -height*0.5 && gap < height*1.2
}

func (b block) with(l block) block {
	n, m := float64(len(b.text)), float64(len(l.text))
	right, bottom := math.Max(b.x+b.w, l.x+l.w), math.Max(b.y+b.h, l.y+l.h)
	return block{
		text: join(b.text, l.text), x: math.Min(b.x, l.x), y: math.Min(b.y, l.y),
		w: right - math.Min(b.x, l.x), h: bottom - math.Min(b.y, l.y),
		lineHeight: math.Min(b.lineHeight, l.lineHeight),
		contrast:   math.Min(b.contrast, l.contrast),
		confidence: (b.confidence*n + l.confidence*m) / (n + m),
	}
}

// join puts lines together; a hyphen at the end of a line is taken back when a
// small letter follows.
func join(a, b string) string {
	if cut, ok := strings.CutSuffix(a, "-"); ok && len(cut) > 1 && b != "" && unicode.IsLower([]rune(b)[0]) {
		return cut + b
	}
	return a + " " + b
}

// legible says whether a text is worth keeping: two letters or figures, and not
// mostly marks, which is what readers make of pictures.
func legible(text string) bool {
	good, all := 0, 0
	for _, r := range text {
		if unicode.IsSpace(r) {
			continue
		}
		all++
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			good++
		}
	}
	return good >= 2 && good*10 >= all*6
}
