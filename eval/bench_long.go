package eval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"veristream/app/core"
	"veristream/app/dirs"
)

// LongBench says what BenchLong works with.
type LongBench struct {
	Dirs        dirs.Dirs // whose models are used
	SpeechModel string    // "" takes the best that is installed
	Minutes     int       // 0 means 180
	Version     string
	Exe         string // the program, whose build names what was measured
	Dir         string // to work in, and to go on in; "" is a temporary one
}

const (
	appLimitMB, workerLimitMB = 400, 700
	longParts                 = 3  // whose times are compared
	longSteps                 = 24 // of the curve, for each stage
	sampleEach                = time.Second
)

// BenchLong audits a long video in this process, which is the app without its
// window, and samples the memory of app and workers meanwhile. The speech and
// the slides change all the time; each third should take as long as the others.
// Called again with the same folder it goes on where the audit was cut off.
func BenchLong(ctx context.Context, w io.Writer, b LongBench) error {
	if b.Minutes == 0 {
		b.Minutes = 180
	}
	dir, done, err := benchFolder(b.Dir)
	if err != nil {
		return err
	}
	defer done()
	build, err := buildOf(b.Exe)
	if err != nil {
		return err
	}
	video := filepath.Join(dir, fmt.Sprintf("long-%d.mp4", b.Minutes))
	if _, err := os.Stat(video); err != nil {
		fmt.Fprintf(w, "making a video of %d min\n", b.Minutes)
		if err := longVideo(ctx, dir, video, b.Minutes); err != nil {
			return err
		}
	}
	home := filepath.Join(dir, fmt.Sprintf("long-%d-%s-%s", b.Minutes, b.SpeechModel, build))
	own, err := borrowModels(home, b.Dirs.Models())
	if err != nil {
		return err
	}
	c, err := core.Open(ctx, core.Options{Dirs: own, Version: b.Version, SpeechModel: b.SpeechModel, NoLLM: true})
	if err != nil {
		return err
	}
	defer c.Close()
	watch, err := openMemoryWatch(filepath.Join(home, "samples.jsonl"))
	if err != nil {
		return err
	}
	if watch.runs > 0 {
		fmt.Fprintf(w, "going on after %d runs before this one\n", watch.runs)
	}
	stop := watch.start(ctx)
	result, err := c.Audit(ctx, core.Job{Path: video, NoLLM: true}, watch.observe)
	if sampleErr := stop(); err == nil {
		err = sampleErr
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d min, speech model %s, %d segments\n", b.Minutes, c.Pipeline.Models["whisper"].Name, len(result.Segments))
	watch.print(w)
	return nil
}

// borrowModels makes the folders of a home of its own that shares the models.
func borrowModels(home, models string) (dirs.Dirs, error) {
	own := dirs.Dirs{
		Data: filepath.Join(home, "data"), Cache: filepath.Join(home, "cache"),
		Config: filepath.Join(home, "config"), State: filepath.Join(home, "state"),
	}
	if err := own.Make(); err != nil {
		return own, err
	}
	if err := os.Symlink(models, own.Models()); err != nil && !errors.Is(err, fs.ErrExist) {
		return own, fmt.Errorf("share the models: %w", err)
	}
	return own, nil
}

// longVideo makes slides that change every 20 s, with speech in several voices.
func longVideo(ctx context.Context, dir, out string, minutes int) error {
	var list strings.Builder
	for i, voice := range []string{"en-us", "en", "en-us+f3"} {
		part := filepath.Join(dir, fmt.Sprintf("part%d.wav", i))
		if _, err := speak(ctx, part, voice, 150+10*i, i*17, 240_000); err != nil {
			return err
		}
		fmt.Fprintf(&list, "file '%s'\n", part)
	}
	parts := filepath.Join(dir, "parts.txt")
	if err := os.WriteFile(parts, []byte(list.String()), 0o600); err != nil {
		return fmt.Errorf("write the list of parts: %w", err)
	}
	whole := strings.TrimSuffix(out, ".mp4") + ".part.mp4"
	// An audit looks twice a second.
	err := ffmpeg(ctx, "-f", "lavfi", "-i", "color=0x173830:s=1280x720:r=2", "-stream_loop", "-1", "-f", "concat", "-safe", "0", "-i", parts,
		"-t", fmt.Sprint(minutes*60), "-vf", `drawtext=font='DejaVu Sans':fontsize=36:fontcolor=white:x=80:y=80:text='Slide %{eif\:floor(t/20)\:d}. Capital at risk.'`,
		"-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-b:a", "64k", whole)
	if err != nil {
		return err
	}
	if err := os.Rename(whole, out); err != nil {
		return fmt.Errorf("make the video: %w", err)
	}
	return nil
}
