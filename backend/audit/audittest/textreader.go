package audittest

import (
	"context"
	"errors"
	"image"
	"strings"
	"testing"

	"veristream/backend/audit"
)

// TextReader is a fake that reads the same boxes from every frame.
type TextReader struct{ Boxes []audit.TextBox }

// ReadText gives the boxes that lie in the frame.
func (f TextReader) ReadText(ctx context.Context, frame image.Image) ([]audit.TextBox, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var out []audit.TextBox
	for _, b := range f.Boxes {
		if image.Rect(b.X, b.Y, b.X+b.Width, b.Y+b.Height).In(frame.Bounds()) {
			out = append(out, b)
		}
	}
	return out, nil
}

// TestTextReader is the conformance test of audit.TextReader. The frame shows
// a text that holds the given words.
func TestTextReader(t *testing.T, r audit.TextReader, frame image.Image, want string) {
	t.Helper()
	t.Run("reads the words, inside the frame", func(t *testing.T) {
		boxes, err := r.ReadText(t.Context(), frame)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, b := range boxes {
			all = append(all, b.Text)
			if !image.Rect(b.X, b.Y, b.X+b.Width, b.Y+b.Height).In(frame.Bounds()) || b.Width <= 0 || b.Height <= 0 {
				t.Errorf("%q lies at %d,%d with %dx%d in %v", b.Text, b.X, b.Y, b.Width, b.Height, frame.Bounds())
			}
			if b.Confidence < 0 || b.Confidence > 1 {
				t.Errorf("%q has confidence %f", b.Text, b.Confidence)
			}
		}
		got := strings.ToLower(strings.Join(strings.Fields(strings.Join(all, " ")), " "))
		if !strings.Contains(got, strings.ToLower(want)) {
			t.Errorf("read %q, want %q in it", got, want)
		}
	})
	t.Run("an empty frame has no text", func(t *testing.T) {
		boxes, err := r.ReadText(t.Context(), image.NewGray(image.Rect(0, 0, 320, 180)))
		if err != nil {
			t.Fatal(err)
		}
		if len(boxes) > 0 && strings.TrimSpace(boxes[0].Text) != "" {
			t.Errorf("read %+v", boxes)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := r.ReadText(ctx, frame); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
