package media

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"strconv"

	"veristream/backend/audit"
	"veristream/backend/proc"
)

// rawFrame is a decoded picture: RGB, three bytes a pixel.
type rawFrame struct {
	ms   int64
	w, h int
	pix  []byte
}

// image copies the pixels, which the next frame overwrites.
func (f rawFrame) image() *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, f.w, f.h))
	for i, j := 0, 0; i < len(f.pix); i, j = i+3, j+4 {
		img.Pix[j], img.Pix[j+1], img.Pix[j+2], img.Pix[j+3] = f.pix[i], f.pix[i+1], f.pix[i+2], 255
	}
	return img
}

// errEnough ends readFrames without an error.
var errEnough = errors.New("enough frames")

// fitHeight gives the size of a picture that is at most limit pixels high,
// both even, as most encoders demand.
func fitHeight(w, h, limit int) (int, int) {
	if h > limit {
		w, h = int(math.Round(float64(w)*float64(limit)/float64(h))), limit
	}
	return max(2, w/2*2), max(2, h/2*2)
}

type rawOptions struct {
	before []string // of the input: -ss, -skip_frame
	sel    string   // expression of the select filter
	w, h   int
}

var reShown = regexp.MustCompile(`n: *\d+ pts: *\S+ pts_time: *(-?[0-9.]+(?:e[-+]?\d+)?)`)

// readFrames decodes pictures and gives each with its presentation time in our
// clock. The time comes from ffmpeg's showinfo filter, which writes its line
// before the picture leaves the filter graph; it is never a count of frames.
func readFrames(ctx context.Context, info ProbeInfo, opt rawOptions, each func(rawFrame) error) error {
	if info.Picture == nil {
		return audit.Errorf(audit.CodeInput, "%s has no picture.", quote(filepath.Base(info.Path)))
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	filter := fmt.Sprintf("scale=%d:%d:flags=area,showinfo=checksum=0", opt.w, opt.h)
	if opt.sel != "" {
		filter = "select='" + opt.sel + "'," + filter
	}
	args := append([]string{"-nostdin", "-hide_banner", "-nostats", "-v", "repeat+info", "-copyts"}, opt.before...)
	args = append(args, inputArgs(info.Path)...)
	args = append(args, "-map", "0:"+strconv.Itoa(info.Picture.Index), "-an", "-sn", "-dn",
		"-vf", filter, "-vsync", "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1")
	cmd, err := command(ctx, "ffmpeg", args...)
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("read frames: %w", err)
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return fmt.Errorf("read frames: %w", err)
	}
	wait, err := proc.Start(cmd)
	if err != nil {
		return audit.Wrap(err, audit.CodeMissing, "ffmpeg cannot be started")
	}
	words := proc.NewTail(16 << 10)
	times := frameTimes(stderr, words)
	err = pump(stdout, times, info, opt, each)
	if err != nil {
		cancel() // ffmpeg would go on to the end of the file
	}
	for range times { // stderr must be read to its end before wait
	}
	waitErr := wait()
	switch {
	case errors.Is(err, errEnough):
		return nil
	case err != nil:
		return err
	case waitErr != nil:
		return toolError(ctx, waitErr, "decoding the picture", info.Path, words.String())
	}
	return nil
}

// frameTimes reads the times of the frames from ffmpeg's log.
func frameTimes(log io.Reader, words io.Writer) <-chan float64 {
	times := make(chan float64, 1024)
	go func() {
		defer close(times)
		lines := bufio.NewReader(log)
		for {
			line, err := lines.ReadString('\n')
			if m := reShown.FindStringSubmatch(line); m != nil {
				if t, err := strconv.ParseFloat(m[1], 64); err == nil {
					times <- t
				}
			} else {
				io.WriteString(words, line) //nolint:errcheck // a Tail never fails
			}
			if err != nil {
				return
			}
		}
	}()
	return times
}

func pump(stdout io.Reader, times <-chan float64, info ProbeInfo, opt rawOptions, each func(rawFrame) error) error {
	pix := make([]byte, 3*opt.w*opt.h)
	in := bufio.NewReaderSize(stdout, 1<<20)
	for {
		if _, err := io.ReadFull(in, pix); err != nil {
			return nil // the end, or a death that wait will tell about
		}
		t, ok := <-times
		if !ok {
			return audit.Errorf(audit.CodeInternal, "ffmpeg gave a picture without a time")
		}
		ms := int64(math.Round((t - info.Zero) * 1000))
		if err := each(rawFrame{ms: max(0, ms), w: opt.w, h: opt.h, pix: pix}); err != nil {
			return err
		}
	}
}
