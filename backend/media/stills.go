package media

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"path/filepath"
	"strconv"
	"strings"

	"veristream/backend/audit"
	"veristream/backend/wav"
)

// evidenceHeight bounds a still that is kept as evidence.
const evidenceHeight = 1080

// Frame writes what is on the screen at a time, as PNG or JPEG by the name of
// out: the last frame that begins at or before it.
func Frame(ctx context.Context, info ProbeInfo, ms int64, out string) error {
	img, err := frameAt(ctx, info, ms)
	if err != nil {
		return err
	}
	var buf bytes.Buffer
	switch strings.ToLower(filepath.Ext(out)) {
	case ".png":
		err = png.Encode(&buf, img)
	case ".jpg", ".jpeg":
		err = jpeg.Encode(&buf, img, &jpeg.Options{Quality: 88})
	default:
		return audit.Errorf(audit.CodeUsage, "A still is written as .png or .jpg, not %s.", quote(filepath.Base(out)))
	}
	if err != nil {
		return fmt.Errorf("encode still: %w", err)
	}
	return WriteFile(out, "a still of the video", buf.Bytes())
}

func frameAt(ctx context.Context, info ProbeInfo, ms int64) (image.Image, error) {
	if info.Picture == nil {
		return nil, audit.Errorf(audit.CodeInput, "%s has no picture.", quote(filepath.Base(info.Path)))
	}
	raw := rawOptions{}
	raw.w, raw.h = fitHeight(info.Picture.Width, info.Picture.Height, evidenceHeight)
	var img *image.RGBA
	// In a video of variable rate a frame can stand for long: look further back only if need be.
	for _, back := range []int64{1000, 15_000, ms + 1} {
		from := ms - back
		raw.before = nil
		if from > 0 {
			at := float64(from)/1000 + info.Zero - info.Start
			raw.before = []string{"-ss", strconv.FormatFloat(at, 'f', 3, 64)}
		}
		err := readFrames(ctx, info, raw, func(f rawFrame) error {
			if f.ms > ms {
				if img == nil && from <= 0 {
					img = f.image() // the file begins later than it says
				}
				return errEnough
			}
			img = f.image()
			return nil
		})
		if err != nil {
			return nil, err
		}
		if img != nil {
			return img, nil
		}
	}
	return nil, audit.Errorf(audit.CodeInput, "%s has no picture at %d ms.", quote(filepath.Base(info.Path)), ms)
}

// Thumbnails writes a strip of n small pictures side by side, evenly spread
// over the video, as one JPEG, and gives the width of one. Only key frames are
// decoded.
func Thumbnails(ctx context.Context, info ProbeInfo, n, height int, out string) (width int, err error) {
	if info.Picture == nil || n <= 0 {
		return 0, audit.Errorf(audit.CodeInput, "%s has no picture.", quote(filepath.Base(info.Path)))
	}
	raw := rawOptions{before: []string{"-skip_frame", "nokey"}}
	raw.w, raw.h = fitHeight(info.Picture.Width, info.Picture.Height, height)
	strip := image.NewRGBA(image.Rect(0, 0, n*raw.w, raw.h))
	next := 0
	var shown *image.RGBA
	fill := func(upTo int64) {
		for ; next < n && int64(2*next+1)*info.DurationMS/int64(2*n) < upTo; next++ {
			if shown != nil {
				draw.Draw(strip, image.Rect(next*raw.w, 0, (next+1)*raw.w, raw.h), shown, image.Point{}, draw.Src)
			}
		}
	}
	err = readFrames(ctx, info, raw, func(f rawFrame) error {
		fill(f.ms)
		shown = f.image()
		return nil
	})
	if err != nil {
		return 0, err
	}
	fill(info.DurationMS + 1)
	var buf bytes.Buffer
	if err := jpeg.Encode(&buf, strip, &jpeg.Options{Quality: 75}); err != nil {
		return 0, fmt.Errorf("encode thumbnails: %w", err)
	}
	return raw.w, WriteFile(out, "the timeline's pictures", buf.Bytes())
}

// Peaks gives n values from 0 to 1: the loudest sample of each n-th of a WAV
// file, for the waveform.
func Peaks(ctx context.Context, path string, n int) ([]float32, error) {
	r, err := wav.Open(path)
	if err != nil {
		return nil, fmt.Errorf("measure peaks: %w", err)
	}
	defer r.Close()
	if n <= 0 || r.Samples() == 0 {
		return nil, nil
	}
	peaks, buf := make([]float32, n), make([]int16, 1<<16)
	for at := int64(0); at < r.Samples(); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		got, err := r.Read(buf, at)
		if err != nil {
			return nil, fmt.Errorf("measure peaks: %w", err)
		}
		for i, s := range buf[:got] {
			v := float32(s) / 32768
			if v < 0 {
				v = -v
			}
			b := (at + int64(i)) * int64(n) / r.Samples()
			peaks[b] = max(peaks[b], v)
		}
		at += int64(got)
	}
	return peaks, nil
}
