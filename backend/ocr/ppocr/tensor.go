package ppocr

import (
	"image"

	ort "github.com/yalue/onnxruntime_go"
)

// planes resizes a part of a picture and gives it as the models want it: one
// plane a colour, blue first, each value (v/255 - mean) / deviation.
func planes(img *image.RGBA, part image.Rectangle, w, h int, mean, deviation [3]float32) []float32 {
	out := make([]float32, 3*w*h)
	var scale, shift [3]float32
	for c := range 3 {
		scale[c] = 1 / (255 * deviation[c])
		shift[c] = -mean[c] / deviation[c]
	}
	sx, sy := float32(part.Dx())/float32(w), float32(part.Dy())/float32(h)
	type tap struct {
		at, next int
		share    float32
	}
	columns := make([]tap, w)
	for x := range columns {
		columns[x].at, columns[x].next, columns[x].share = tapOf(float32(x), sx, part.Min.X, part.Max.X)
	}
	for y := range h {
		y0, y1, fy := tapOf(float32(y), sy, part.Min.Y, part.Max.Y)
		row0, row1 := img.Pix[y0*img.Stride:], img.Pix[y1*img.Stride:]
		for x, t := range columns {
			for c := range 3 {
				o := 2 - c // RGBA -> BGR
				top := float32(row0[4*t.at+o])*(1-t.share) + float32(row0[4*t.next+o])*t.share
				bottom := float32(row1[4*t.at+o])*(1-t.share) + float32(row1[4*t.next+o])*t.share
				v := top*(1-fy) + bottom*fy
				out[c*w*h+y*w+x] = v*scale[c] + shift[c]
			}
		}
	}
	return out
}

// tapOf gives the two source lines that a target line lies between.
func tapOf(v, scale float32, from, to int) (at, next int, share float32) {
	p := (v+0.5)*scale - 0.5 + float32(from)
	if p < float32(from) {
		p = float32(from)
	}
	at = int(p)
	share = p - float32(at)
	if at >= to-1 {
		return to - 1, to - 1, 0
	}
	return at, at + 1, share
}

// run gives the output of a model with one input and one output.
func run(s *ort.DynamicAdvancedSession, shape ort.Shape, data []float32) ([]float32, ort.Shape, error) {
	in, err := ort.NewTensor(shape, data)
	if err != nil {
		return nil, nil, err
	}
	defer in.Destroy() //nolint:errcheck // memory of this call
	out := []ort.Value{nil}
	if err := s.Run([]ort.Value{in}, out); err != nil {
		return nil, nil, err
	}
	t := out[0].(*ort.Tensor[float32])
	defer t.Destroy() //nolint:errcheck // memory of this call
	return append([]float32(nil), t.GetData()...), t.GetShape(), nil
}
