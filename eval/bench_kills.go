package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"veristream/backend/audit"
)

// KillBench says what KillAtRandom works with.
type KillBench struct {
	Exe    string
	Env    []string // beside this process's own
	Models string   // folder of the models
	Video  string   // see SpokenVideo
	Dir    string   // to work in
	Kills  int
	Seed   uint64
	// OnRun is told of each run that came to its end; it may be nil.
	OnRun func(kills int, same bool)
}

// KillResult is what came of the kills.
type KillResult struct {
	Kills, Runs int // runs that came to their end after kills
	Different   []string
	Undisturbed Heard
	Home        string // of the last run that was killed
	Last        time.Duration
}

// Heard is what an audit found, without what differs from run to run.
type Heard struct {
	Segments []audit.Segment `json:"segments"`
	Findings []audit.Finding `json:"findings"`
}

// SpokenVideo makes a video of a few seconds with speech and a caption.
func SpokenVideo(ctx context.Context, dir string) (string, error) {
	spoken, video := filepath.Join(dir, "spoken.wav"), filepath.Join(dir, "talk.mp4")
	text := "Welcome to the channel. You simply cannot lose money with this account. See you next week."
	if msg, err := exec.CommandContext(ctx, "espeak-ng", "-v", "en-us", "-s", "150", "-w", spoken, text).CombinedOutput(); err != nil {
		return "", fmt.Errorf("speak: %w: %s", err, msg)
	}
	return video, ffmpeg(ctx, "-f", "lavfi", "-i", "color=c=navy:s=640x360:r=10", "-i", spoken,
		"-vf", "drawtext=font='DejaVu Sans':text='9.5 percent a year':fontcolor=white:fontsize=32:x=60:y=150",
		"-shortest", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", video)
}

// Start starts an audit in a home; what it writes to its user goes to text.
func (b KillBench) Start(ctx context.Context, home, out string, text io.Writer) (*exec.Cmd, error) {
	cmd := exec.CommandContext(ctx, b.Exe, "audit", b.Video, "--no-llm", "--quiet", "--as-of", "2026-01-02", "--json", out)
	cmd.Env = append(append(os.Environ(), b.Env...), "VERISTREAM_HOME="+home)
	cmd.Stdout, cmd.Stderr = text, text
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", b.Exe, err)
	}
	return cmd, nil
}

// Whole runs an audit to its end, and says how long it took.
func (b KillBench) Whole(ctx context.Context, home string) (Heard, time.Duration, error) {
	var h Heard
	out := filepath.Join(home, "out.json")
	var text strings.Builder
	began := time.Now()
	cmd, err := b.Start(ctx, home, out, &text)
	if err != nil {
		return h, 0, err
	}
	if err := cmd.Wait(); err != nil {
		return h, 0, fmt.Errorf("audit: %w: %s", err, text.String())
	}
	took := time.Since(began)
	data, err := os.ReadFile(out)
	if err == nil {
		err = json.Unmarshal(data, &h)
	}
	if err != nil {
		return h, 0, fmt.Errorf("read the result: %w", err)
	}
	return h, took, nil
}

// NewHome makes a home that shares the models and has done nothing yet.
func (b KillBench) NewHome() (string, error) {
	home, err := os.MkdirTemp(b.Dir, "home-")
	if err != nil {
		return "", fmt.Errorf("make a home: %w", err)
	}
	_, err = borrowModels(home, b.Models)
	return home, err
}

// KillAtRandom kills audits at random moments, each start going on where the
// one before it was killed, and compares what the runs that come to their end
// find with what an undisturbed one does.
func KillAtRandom(ctx context.Context, b KillBench) (KillResult, error) {
	var r KillResult
	rng := rand.New(rand.NewPCG(b.Seed, 20))
	quiet, err := b.NewHome()
	if err != nil {
		return r, err
	}
	if r.Undisturbed, r.Last, err = b.Whole(ctx, quiet); err != nil {
		return r, err
	}
	if r.Home, err = b.NewHome(); err != nil {
		return r, err
	}
	for in := 0; r.Kills < b.Kills; {
		cmd, err := b.Start(ctx, r.Home, filepath.Join(r.Home, "out.json"), io.Discard)
		if err != nil {
			return r, err
		}
		timer := time.AfterFunc(time.Duration(rng.Int64N(int64(r.Last))), func() { _ = cmd.Process.Kill() })
		err = cmd.Wait()
		timer.Stop()
		if err != nil {
			r.Kills++
			in++
		}
		// After a few kills a run may end; then the next ones begin with nothing done.
		if err == nil || in == 5 || r.Kills == b.Kills {
			if err := r.finish(ctx, b, in); err != nil {
				return r, err
			}
			if in = 0; r.Kills < b.Kills {
				if r.Home, err = b.NewHome(); err != nil {
					return r, err
				}
			}
		}
	}
	return r, nil
}

// finish lets a run come to its end and compares what it found.
func (r *KillResult) finish(ctx context.Context, b KillBench, kills int) error {
	got, _, err := b.Whole(ctx, r.Home)
	if err != nil {
		return fmt.Errorf("after %d kills: %w", kills, err)
	}
	r.Runs++
	if b.OnRun != nil {
		b.OnRun(kills, reflect.DeepEqual(got, r.Undisturbed))
	}
	if !reflect.DeepEqual(got, r.Undisturbed) {
		r.Different = append(r.Different, fmt.Sprintf("after %d kills: %+v", kills, got))
	}
	return nil
}

// BenchKills kills so many audits of a short video; 0 means 20.
func BenchKills(ctx context.Context, w io.Writer, b KillBench) error {
	if b.Kills == 0 {
		b.Kills = 20
	}
	dir, err := os.MkdirTemp("", "veristream-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for the bench: %w", err)
	}
	defer os.RemoveAll(dir)
	b.Dir = dir
	b.OnRun = func(kills int, same bool) {
		fmt.Fprintf(w, "after %d kills: same result: %t\n", kills, same)
	}
	if b.Video, err = SpokenVideo(ctx, dir); err != nil {
		return err
	}
	r, err := KillAtRandom(ctx, b)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%d kills at random moments of an audit; %d runs after them came to their end, %d of them with another result than the undisturbed one (%d segments, %d findings)\n",
		r.Kills, r.Runs, len(r.Different), len(r.Undisturbed.Segments), len(r.Undisturbed.Findings))
	for _, d := range r.Different {
		fmt.Fprintf(w, "  %s\n", d)
	}
	return nil
}
