package eval

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"veristream/app/core"
	"veristream/app/dirs"
	"veristream/backend/pipeline"
)

// LongBench says what BenchLong works with.
type LongBench struct {
	Dirs        dirs.Dirs // whose models are used
	SpeechModel string    // "" takes the best that is installed
	Minutes     int       // 0 means 180
	Version     string
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
func BenchLong(ctx context.Context, w io.Writer, b LongBench) error {
	if b.Minutes == 0 {
		b.Minutes = 180
	}
	home, err := os.MkdirTemp("", "veristream-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for the bench: %w", err)
	}
	defer os.RemoveAll(home)
	video := filepath.Join(home, "long.mp4")
	if err := longVideo(ctx, home, video, b.Minutes); err != nil {
		return err
	}
	own, err := borrowModels(home, b.Dirs.Models())
	if err != nil {
		return err
	}
	c, err := core.Open(ctx, core.Options{Dirs: own, Version: b.Version, SpeechModel: b.SpeechModel, NoLLM: true})
	if err != nil {
		return err
	}
	defer c.Close()
	watch := &memoryWatch{}
	done := watch.start(ctx)
	result, err := c.Audit(ctx, core.Job{Path: video, NoLLM: true, Fresh: true}, watch.observe)
	if sampleErr := done(); err == nil {
		err = sampleErr
	}
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d min, speech model %s, %d segments\n", b.Minutes, c.Pipeline.Models["speech"].Name, len(result.Segments))
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
	if err := os.Symlink(models, own.Models()); err != nil {
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
	return ffmpeg(ctx, "-f", "lavfi", "-i", "color=0x173830:s=1280x720:r=5", "-stream_loop", "-1", "-f", "concat", "-safe", "0", "-i", parts,
		"-t", fmt.Sprint(minutes*60), "-vf", `drawtext=font='DejaVu Sans':fontsize=36:fontcolor=white:x=80:y=80:text='Slide %{eif\:floor(t/20)\:d}. Capital at risk.'`,
		"-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-b:a", "64k", out)
}

// sample is what memory and processor time were at one moment.
type sample struct {
	stage                        pipeline.Stage
	done, total                  int64
	app, speech, screen, decoder float64 // MB
	cpu                          time.Duration
}

// memoryWatch samples this process and those below it, and where the audit is.
type memoryWatch struct {
	mu      sync.Mutex
	at      pipeline.Progress
	samples []sample
	err     error
}

func (m *memoryWatch) observe(e pipeline.Event) {
	if e.Progress == nil || e.Progress.State != pipeline.Runs {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.at = *e.Progress
}

// start samples until the function that it gives is called.
func (m *memoryWatch) start(ctx context.Context) (done func() error) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(sampleEach)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if m.err = m.take(); m.err != nil {
					return
				}
			}
		}
	}()
	return func() error {
		cancel()
		<-ended
		return m.err
	}
}

func (m *memoryWatch) take() error {
	running, err := processes(os.Getpid())
	if err != nil {
		return err
	}
	m.mu.Lock()
	s := sample{stage: m.at.Stage, done: m.at.Done, total: m.at.Total}
	m.mu.Unlock()
	for _, p := range running {
		switch {
		case p.pid == os.Getpid():
			s.app = p.rssMB
		case strings.Contains(p.args, " worker transcribe "):
			s.speech += p.rssMB
			s.cpu += p.cpu
		case strings.Contains(p.args, " worker ocr "):
			s.screen += p.rssMB
			s.cpu += p.cpu
		default:
			s.decoder += p.rssMB
			s.cpu += p.cpu
		}
	}
	m.samples = append(m.samples, s)
	return nil
}

func (m *memoryWatch) print(w io.Writer) {
	var top sample
	for _, s := range m.samples {
		top.app, top.speech, top.screen = max(top.app, s.app), max(top.speech, s.speech), max(top.screen, s.screen)
	}
	fmt.Fprintf(w, "%-12s %8s %8s %8s %8s %8s\n", "at", "app MB", "speech", "screen", "decoder", "CPU s")
	for _, stage := range []pipeline.Stage{pipeline.StageTranscribe, pipeline.StageScreen} {
		next, part := int64(0), int64(1)
		var began, spent time.Duration
		var parts []float64
		for _, s := range m.samples {
			if s.stage != stage || s.total == 0 {
				continue
			}
			if s.done*longSteps >= next*s.total {
				next = s.done*longSteps/s.total + 1
				fmt.Fprintf(w, "%-12s %8.0f %8.0f %8.0f %8.0f %8.0f  %s\n", clockOf(s.done), s.app, s.speech, s.screen, s.decoder, s.cpu.Seconds(),
					strings.Repeat("#", int(s.app+s.speech+s.screen)/20))
			}
			if s.cpu > spent {
				spent = s.cpu
			}
			if s.done*longParts >= part*s.total {
				part = s.done*longParts/s.total + 1
				parts = append(parts, (spent - began).Seconds())
				began = spent
			}
		}
		if len(parts) < longParts { // the last sample lies before the end
			parts = append(parts, (spent - began).Seconds())
		}
		fmt.Fprintf(w, "%s: processor time of each third:", stage)
		for _, p := range parts {
			fmt.Fprintf(w, " %.1f s", p)
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "most: app %.0f MB (at most %d), speech worker %.0f MB and screen worker %.0f MB (at most %d each), %d samples\n",
		top.app, appLimitMB, top.speech, top.screen, workerLimitMB, len(m.samples))
}

func clockOf(ms int64) string {
	return fmt.Sprintf("%d:%02d:%02d", ms/3_600_000, ms/60_000%60, ms/1000%60)
}
