package eval

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"veristream/backend/transcribe"
)

// TranscribeBench says what BenchTranscribe works with.
type TranscribeBench struct {
	Exe        string // the veristream program
	WhisperCLI string // whisper.cpp's own command; "" leaves the comparison out
	Model      string
	Minutes    int // 0 means 10
	Rounds     int // 0 means 2: what runs first has a colder machine
}

// BenchTranscribe compares the worker with whisper.cpp's own command on the same
// speech, model and threads, in turns, and writes the ratios. The processor time
// stands beside the wall time, because it does not depend on what else runs.
func BenchTranscribe(ctx context.Context, w io.Writer, b TranscribeBench) error {
	if b.Minutes == 0 {
		b.Minutes = 10
	}
	if b.Rounds == 0 {
		b.Rounds = 2
	}
	dir, err := os.MkdirTemp("", "veristream-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for the bench: %w", err)
	}
	defer os.RemoveAll(dir)
	sound := filepath.Join(dir, "speech.wav")
	if _, err := speak(ctx, sound, "en-us", 150, 0, int64(b.Minutes)*60_000); err != nil {
		return err
	}
	threads := strconv.Itoa(transcribe.PhysicalCores())
	var ours, theirs usage
	for range b.Rounds {
		u, err := timed(ctx, []string{transcribe.WaitBriefly}, b.Exe, "worker", "transcribe", "--model="+b.Model, "--wav="+sound, "--language=en", "--threads="+threads)
		if err != nil {
			return fmt.Errorf("run the worker: %w", err)
		}
		ours.add(u)
		if b.WhisperCLI == "" {
			continue
		}
		// Greedy, one candidate, as the worker decodes.
		u, err = timed(ctx, nil, b.WhisperCLI, "-m", b.Model, "-f", sound, "-l", "en", "-t", threads, "-bs", "1", "-bo", "1", "-np")
		if err != nil {
			return fmt.Errorf("run whisper-cli: %w", err)
		}
		theirs.add(u)
	}
	fmt.Fprintf(w, "%d min of speech, %s, %s threads, %d rounds\n", b.Minutes, transcribe.ModelName(b.Model), threads, b.Rounds)
	ours.print(w, "worker", b.Rounds)
	fmt.Fprintf(w, "%-12s first line of the transcript after %.1f s (at most 10 s)\n", "", ours.first.Seconds())
	if b.WhisperCLI != "" {
		theirs.print(w, "whisper-cli", b.Rounds)
		fmt.Fprintf(w, "ratio: wall %.2f (at most 1.10), processor %.2f\n", ours.wall.Seconds()/theirs.wall.Seconds(), ours.cpu.Seconds()/theirs.cpu.Seconds())
	}
	return nil
}

// usage is what a program took.
type usage struct {
	wall, cpu time.Duration
	first     time.Duration // until the first line of the transcript; of the last run
	rssMB     int64
}

// firstSegment notes when the worker's first segment came.
type firstSegment struct {
	began time.Time
	took  time.Duration
}

func (f *firstSegment) Write(p []byte) (int, error) {
	if f.took == 0 && bytes.Contains(p, []byte(`"type":"segment"`)) {
		f.took = time.Since(f.began)
	}
	return len(p), nil
}

func (u *usage) add(v usage) {
	u.wall, u.cpu, u.first, u.rssMB = u.wall+v.wall, u.cpu+v.cpu, v.first, max(u.rssMB, v.rssMB)
}

func (u usage) print(w io.Writer, name string, rounds int) {
	n := float64(rounds)
	fmt.Fprintf(w, "%-12s wall %.1f s, processor %.1f s, peak memory %d MB\n", name, u.wall.Seconds()/n, u.cpu.Seconds()/n, u.rssMB)
}

func timed(ctx context.Context, env []string, name string, args ...string) (usage, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	began := time.Now()
	var out bytes.Buffer
	first := firstSegment{began: began}
	cmd.Stdout, cmd.Stderr = io.MultiWriter(&out, &first), &out
	if err := cmd.Run(); err != nil {
		return usage{}, fmt.Errorf("%s: %w: %.500s", filepath.Base(name), err, out.String())
	}
	u := usage{wall: time.Since(began), first: first.took, cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.rssMB = r.Maxrss / 1024 // kilobytes on Linux
	}
	return u, nil
}
