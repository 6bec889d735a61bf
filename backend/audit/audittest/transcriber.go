package audittest

import (
	"context"
	"errors"
	"testing"

	"veristream/backend/audit"
)

// Transcriber is a fake that emits the segments that it was given.
type Transcriber struct{ Segments []audit.Segment }

// Transcribe emits the segments; it does not read the file.
func (f Transcriber) Transcribe(ctx context.Context, _ string, emit func(audit.Segment) error) error {
	for _, s := range f.Segments {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := emit(s); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// TestTranscriber is the conformance test of audit.Transcriber. The file holds
// speech of the given length.
func TestTranscriber(t *testing.T, tr audit.Transcriber, wav string, durationMS int64) {
	t.Helper()
	t.Run("segments in order and within the sound", func(t *testing.T) {
		var last int64
		n := 0
		err := tr.Transcribe(t.Context(), wav, func(s audit.Segment) error {
			n++
			if s.Text == "" || s.StartMS < last || s.StartMS < 0 || s.EndMS <= s.StartMS || s.EndMS > durationMS {
				t.Errorf("segment %d: %d to %d ms of %d, after one at %d: %q", n, s.StartMS, s.EndMS, durationMS, last, s.Text)
			}
			last = s.StartMS
			at := s.StartMS
			for _, w := range s.Words {
				if w.StartMS < at || w.EndMS < w.StartMS || w.EndMS > s.EndMS {
					t.Errorf("segment %d, word %q: %d to %d ms", n, w.Text, w.StartMS, w.EndMS)
				}
				at = w.StartMS
			}
			return nil
		})
		if err != nil || n == 0 {
			t.Errorf("%d segments, %v", n, err)
		}
	})
	t.Run("stops when emit fails", func(t *testing.T) {
		stop := errors.New("enough")
		n := 0
		err := tr.Transcribe(t.Context(), wav, func(audit.Segment) error { n++; return stop })
		if !errors.Is(err, stop) || n != 1 {
			t.Errorf("%d segments, %v", n, err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		err := tr.Transcribe(ctx, wav, func(audit.Segment) error { return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
