package media

import (
	"context"
	"fmt"
	"image"
	"strconv"
)

// FrameOptions says which frames are wanted.
type FrameOptions struct {
	FPS       float64 // looks per second; 0 means 2
	MaxHeight int     // 0 means 720
	Progress  Progress
}

// Frames looks at the picture FPS times a second and emits the first frame and
// then each that differs from the last one emitted. The time that goes with it
// is when the change happened: halfway between the last frame without it and
// the first with it, so it is off by at most half a look. What is emitted holds
// until the next is, and the last one until the video's end.
func Frames(ctx context.Context, info ProbeInfo, opt FrameOptions, emit func(ms int64, img image.Image) error) error {
	if opt.FPS <= 0 {
		opt.FPS = 2
	}
	if opt.MaxHeight <= 0 {
		opt.MaxHeight = 720
	}
	raw := rawOptions{sel: everySeconds(1 / opt.FPS)}
	if info.Picture != nil {
		raw.w, raw.h = fitHeight(info.Picture.Width, info.Picture.Height, opt.MaxHeight)
	}
	var changed changes
	last, first := int64(0), true
	return readFrames(ctx, info, raw, func(f rawFrame) error {
		opt.Progress.tell(min(f.ms, info.DurationMS), info.DurationMS)
		at := (last + f.ms) / 2
		if first {
			at = f.ms
		}
		// A frame that stood for long before this one ended when this one began.
		if f.ms-last > int64(1500/opt.FPS) {
			at = f.ms
		}
		last = f.ms
		if !changed.see(f) {
			return nil
		}
		first = false
		return emit(at, f.image())
	})
}

// everySeconds selects a frame when so much time has passed since the last one
// selected, whatever the frame rate does. The tolerance keeps 0.5 s from
// becoming 0.53 s at 30 frames a second.
func everySeconds(s float64) string {
	return fmt.Sprintf("isnan(prev_selected_t)+gte(t-prev_selected_t,%s)", strconv.FormatFloat(s-0.005, 'f', 4, 64))
}

const (
	// blockSize is the side of the squares that are compared: about the height of small text at 720 lines.
	blockSize = 16
	// blockStep skips pixels within a square: every second one is enough to see text appear.
	blockStep = 2
	// loud is the mean difference of brightness (0..255) that one square alone must show; soft is
	// the one that softCount squares must show. Compression noise stays below both.
	loud, soft, softCount = 7.0, 4.0, 6
)

// changes finds frames that differ from the last one kept.
type changes struct {
	kept []uint8 // brightness of the sampled pixels
	now  []uint8
}

// see says whether a frame differs, and keeps it when it does.
func (c *changes) see(f rawFrame) bool {
	sw, sh := f.w/blockStep, f.h/blockStep
	if len(c.now) != sw*sh {
		c.now, c.kept = make([]uint8, sw*sh), nil
	}
	for y := range sh {
		row := f.pix[3*y*blockStep*f.w:]
		for x := range sw {
			p := row[3*x*blockStep:]
			c.now[y*sw+x] = uint8((int(p[0])*77 + int(p[1])*150 + int(p[2])*29) >> 8)
		}
	}
	if c.kept != nil && !differ(c.now, c.kept, sw, sh) {
		return false
	}
	if c.kept == nil {
		c.kept = make([]uint8, len(c.now))
	}
	copy(c.kept, c.now)
	return true
}

func differ(a, b []uint8, w, h int) bool {
	const side = blockSize / blockStep
	softSeen := 0
	for by := 0; by+side <= h; by += side {
		for bx := 0; bx+side <= w; bx += side {
			sum := 0
			for y := by; y < by+side; y++ {
				ra, rb := a[y*w+bx:y*w+bx+side], b[y*w+bx:y*w+bx+side]
				for x := range ra {
					d := int(ra[x]) - int(rb[x])
					if d < 0 {
						d = -d
					}
					sum += d
				}
			}
			mean := float64(sum) / (side * side)
			if mean >= loud {
				return true
			}
			if mean >= soft {
				if softSeen++; softSeen >= softCount {
					return true
				}
			}
		}
	}
	return false
}
