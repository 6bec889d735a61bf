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
	"syscall"
	"time"

	"veristream/backend/audit"
)

// KillBench says what KillAtRandom works with.
type KillBench struct {
	Exe    string
	Env    []string // beside this process's own
	Models string   // folder of the models
	Video  string   // see SpokenVideo
	Dir    string   // to work in; BenchKills goes on in one where it was cut off, "" is a temporary one
	Kills  int
	Seed   uint64
	// OnRun is told of each run that came to its end; it may be nil.
	OnRun func(kills int, same bool)

	kept *notebook // of BenchKills
}

// KillResult is what came of the kills.
type KillResult struct {
	Kills, Runs int // runs that came to their end after kills
	Different   []string
	Undisturbed Heard
	Home        string        // of the last run that was killed
	Last        time.Duration // of the undisturbed run
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
	r, err := b.begin(ctx)
	if err != nil {
		return r, err
	}
	// Where an earlier call was cut off, the moments go on from there.
	rng := rand.New(rand.NewPCG(b.Seed, 20+uint64(r.Kills)))
	for in := 0; r.Kills < b.Kills; {
		if in == 0 {
			if r.Home, err = b.NewHome(); err != nil {
				return r, err
			}
		}
		killed, err := b.kill(ctx, r.Home, time.Duration(rng.Int64N(int64(r.Last))))
		if err != nil {
			return r, err
		}
		if killed {
			in++
		}
		// After a few kills a run may end; then the next ones begin with nothing done.
		if !killed || in == killsARun || r.Kills+in == b.Kills {
			if err := r.finish(ctx, b, in); err != nil {
				return r, err
			}
			in = 0
		}
	}
	return r, nil
}

// killsARun is after how many kills a run may come to its end.
const killsARun = 5

// begin runs an undisturbed audit, or takes up where an earlier call was cut off.
func (b KillBench) begin(ctx context.Context) (KillResult, error) {
	var r KillResult
	if b.kept != nil && b.kept.get(b.key(), &r) {
		return r, nil
	}
	quiet, err := b.NewHome()
	if err != nil {
		return r, err
	}
	defer os.RemoveAll(quiet)
	if r.Undisturbed, r.Last, err = b.Whole(ctx, quiet); err != nil {
		return r, err
	}
	return r, b.keep(r)
}

func (b KillBench) key() string { return fmt.Sprintf("seed %d", b.Seed) }

func (b KillBench) keep(r KillResult) error {
	if b.kept == nil {
		return nil
	}
	return b.kept.put(b.key(), r)
}

// kill starts an audit and kills it after a while; killed is false when the
// audit had come to its end before.
func (b KillBench) kill(ctx context.Context, home string, after time.Duration) (killed bool, err error) {
	var text strings.Builder
	cmd, err := b.Start(ctx, home, filepath.Join(home, "out.json"), &text)
	if err != nil {
		return false, err
	}
	timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	err = cmd.Wait()
	timer.Stop()
	status, ok := cmd.ProcessState.Sys().(syscall.WaitStatus)
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err == nil:
		return false, nil
	case ok && status.Signaled() && status.Signal() == syscall.SIGKILL:
		return true, nil
	}
	return false, fmt.Errorf("an audit failed by itself: %w: %s", err, text.String())
}

// finish lets a run come to its end and compares what it found.
func (r *KillResult) finish(ctx context.Context, b KillBench, kills int) error {
	got, _, err := b.Whole(ctx, r.Home)
	if err != nil {
		return fmt.Errorf("after %d kills: %w", kills, err)
	}
	r.Runs++
	r.Kills += kills
	if b.OnRun != nil {
		b.OnRun(kills, reflect.DeepEqual(got, r.Undisturbed))
	}
	if !reflect.DeepEqual(got, r.Undisturbed) {
		r.Different = append(r.Different, fmt.Sprintf("after %d kills: %+v", kills, got))
	}
	return b.keep(*r)
}

// BenchKills kills so many audits of a short video; 0 means 20.
func BenchKills(ctx context.Context, w io.Writer, b KillBench) error {
	if b.Kills == 0 {
		b.Kills = 20
	}
	dir, done, err := benchFolder(b.Dir)
	if err != nil {
		return err
	}
	defer done()
	b.Dir = dir
	build, err := buildOf(b.Exe)
	if err != nil {
		return err
	}
	if b.kept, err = openNotebook(filepath.Join(dir, "kills-"+build+".jsonl")); err != nil {
		return err
	}
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
