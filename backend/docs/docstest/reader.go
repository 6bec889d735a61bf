package docstest

import (
	"context"
	"image"
	"sync"

	"veristream/backend/audit"
)

// Reader is a fake audit.TextReader that knows a page by the shade of its
// picture. It may be used by many goroutines.
type Reader struct {
	Says map[byte][]audit.TextBox // by shade
	// Before is asked before each picture is read; it may be nil.
	Before func(ctx context.Context, shade byte) error

	mu   sync.Mutex
	read map[byte]int
}

// ReadText gives the boxes of a picture's shade that lie within it.
func (r *Reader) ReadText(ctx context.Context, frame image.Image) ([]audit.TextBox, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	b := frame.Bounds()
	grey, _, _, _ := frame.At(b.Min.X+b.Dx()/2, b.Min.Y+b.Dy()/2).RGBA()
	shade := byte(grey >> 8)
	if r.Before != nil {
		if err := r.Before(ctx, shade); err != nil {
			return nil, err
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.read == nil {
		r.read = map[byte]int{}
	}
	r.read[shade]++
	return append([]audit.TextBox{}, r.Says[shade]...), nil
}

// Read says how many pictures of a shade were read.
func (r *Reader) Read(shade byte) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.read[shade]
}

// Lines gives boxes below each other, near the top of a picture, where only the
// first band of a page counts them.
func Lines(confidence float64, texts ...string) []audit.TextBox {
	var out []audit.TextBox
	for i, t := range texts {
		out = append(out, audit.TextBox{Text: t, X: 100, Y: 4 + 20*i, Width: 12 * len(t), Height: 16, Confidence: confidence})
	}
	return out
}
