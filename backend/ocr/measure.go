package ocr

import (
	"image"
	"math"
	"slices"

	"veristream/backend/audit"
)

// look is what the pixels of a box tell.
type look struct {
	contrast float64
	glyphs   image.Rectangle // the box without the room around the glyphs
}

// lookAt parts the pixels of a box in two by brightness (Otsu's threshold); the
// smaller side is the glyphs. The contrast is WCAG 2.2's ratio (1 to 21) between
// the cores of both sides, since the edges of glyphs are mixtures.
func lookAt(img image.Image, box image.Rectangle) look {
	box = box.Intersect(img.Bounds())
	if box.Dx() < 2 || box.Dy() < 2 {
		return look{glyphs: box}
	}
	lum := make([]float64, 0, box.Dx()*box.Dy())
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			lum = append(lum, luminance(img, x, y))
		}
	}
	sorted := slices.Clone(lum)
	slices.Sort(sorted)
	cut := otsu(sorted)
	if cut <= 0 || cut >= len(sorted) {
		return look{contrast: 1, glyphs: box}
	}
	dark, light := sorted[:cut], sorted[cut:]
	// The glyphs' core is further from the threshold than the ground's.
	lo, hi := dark[len(dark)/2], light[len(light)*4/5]
	darkGlyphs := len(dark) < len(light)
	if darkGlyphs {
		lo, hi = dark[len(dark)/5], light[len(light)/2]
	}
	return look{
		contrast: math.Round((hi+0.05)/(lo+0.05)*10) / 10,
		glyphs:   tight(lum, box, sorted[cut], darkGlyphs),
	}
}

// tight gives the part of a box between its first and last line of glyphs:
// readers leave room around them, and the rules ask how high letters are.
func tight(lum []float64, box image.Rectangle, threshold float64, dark bool) image.Rectangle {
	w, h := box.Dx(), box.Dy()
	rows, columns := make([]int, h), make([]int, w)
	for i, v := range lum {
		if (v < threshold) == dark {
			rows[i/w]++
			columns[i%w]++
		}
	}
	top, bottom := inked(rows, max(2, w/100))
	left, right := inked(columns, 1)
	out := image.Rect(left, top, right, bottom).Add(box.Min)
	if out.Dy()*3 < h || out.Dx()*3 < w {
		return box // the parting did not find the glyphs
	}
	return out
}

// inked gives the first line with ink, and the one after the last.
func inked(lines []int, least int) (from, to int) {
	is := func(n int) bool { return n >= least }
	from = slices.IndexFunc(lines, is)
	if from < 0 {
		return 0, 0
	}
	for to = len(lines); to > from && !is(lines[to-1]); to-- {
	}
	return from, to
}

// luminance is WCAG's relative luminance of a pixel.
func luminance(img image.Image, x, y int) float64 {
	var r, g, b uint8
	if rgba, ok := img.(*image.RGBA); ok {
		p := rgba.Pix[rgba.PixOffset(x, y):]
		r, g, b = p[0], p[1], p[2]
	} else {
		r16, g16, b16, _ := img.At(x, y).RGBA()
		r, g, b = uint8(r16>>8), uint8(g16>>8), uint8(b16>>8)
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

func linear(v uint8) float64 {
	c := float64(v) / 255
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

// otsu gives the index that parts sorted values best into two.
func otsu(sorted []float64) int {
	total := 0.0
	for _, v := range sorted {
		total += v
	}
	best, at, sum := -1.0, 0, 0.0
	for i := 1; i < len(sorted); i++ {
		sum += sorted[i-1]
		n, m := float64(i), float64(len(sorted)-i)
		d := sum/n - (total-sum)/m
		if between := n * m * d * d; between > best && sorted[i] > sorted[i-1] {
			best, at = between, i
		}
	}
	return at
}

// Line is a text on a frame with what was measured of it; its box is tight
// around the glyphs.
type Line struct {
	audit.TextBox
	Contrast float64
}

// FrameText is the text of one frame.
type FrameText struct {
	MS            int64
	Width, Height int
	Lines         []Line
}

// Measure adds to a reader's boxes what the rules ask for.
func Measure(ms int64, frame image.Image, boxes []audit.TextBox) FrameText {
	b := frame.Bounds()
	f := FrameText{MS: ms, Width: b.Dx(), Height: b.Dy()}
	for _, box := range boxes {
		r := image.Rect(box.X, box.Y, box.X+box.Width, box.Y+box.Height).Add(b.Min)
		seen := lookAt(frame, r)
		g := seen.glyphs.Sub(b.Min)
		box.X, box.Y, box.Width, box.Height = g.Min.X, g.Min.Y, g.Dx(), g.Dy()
		f.Lines = append(f.Lines, Line{box, seen.contrast})
	}
	return f
}
