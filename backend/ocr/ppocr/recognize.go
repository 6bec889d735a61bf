package ppocr

import (
	"image"
	"math"
	"strings"

	ort "github.com/yalue/onnxruntime_go"
)

const (
	lineHeight = 48 // of the picture of a line that the recogniser wants
	// A line is read whole up to this width; nothing on a screen is longer.
	maxLineWidth = 3200
	minLineWidth = 48
)

var half = [3]float32{0.5, 0.5, 0.5}

// read reads one line.
func (e *Engine) read(img *image.RGBA, line image.Rectangle) (string, float64, error) {
	width := int(math.Ceil(float64(line.Dx()) * lineHeight / float64(line.Dy())))
	width = min(maxLineWidth, max(minLineWidth, width))
	data := planes(img, line, width, lineHeight, half, half)
	out, shape, err := run(e.recognizer, ort.NewShape(1, 3, lineHeight, int64(width)), data)
	if err != nil {
		return "", 0, err
	}
	text, confidence := decode(out, int(shape[1]), int(shape[2]), e.alphabet)
	return text, confidence, nil
}

// decode reads the recogniser's steps as CTC says: the likeliest class of each
// step, repetitions once, blanks left out.
func decode(steps []float32, count, classes int, alphabet []string) (string, float64) {
	var text strings.Builder
	sum, n, last := 0.0, 0, 0
	for t := range count {
		row := steps[t*classes : (t+1)*classes]
		best := 0
		for c, p := range row {
			if p > row[best] {
				best = c
			}
		}
		if best != 0 && best != last && best < len(alphabet) {
			text.WriteString(alphabet[best])
			sum += float64(row[best])
			n++
		}
		last = best
	}
	if n == 0 {
		return "", 0
	}
	return text.String(), sum / float64(n)
}
