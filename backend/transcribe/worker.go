package transcribe

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"

	"veristream/backend/audit"
	"veristream/backend/proc"
)

// Worker is an audit.Transcriber that runs Whisper in another process. The
// zero value of each field but Exe, Args and ModelPath is a good default.
type Worker struct {
	Exe       string   // the program; "" means this one
	Args      []string // what makes it a worker; nil means {"worker", "transcribe"}
	ModelPath string
	Language  string // "auto" (or "") detects it
	Threads   int
	Prompt    string // names and terms to expect
	Translate bool
	BeamSize  int
	OffsetMS  int64 // begin here: the end of a chunk that OnChunk told
	FirstID   int   // number of the first segment; 0 means 1

	// What is told while it works; each may be nil.
	OnProgress func(doneMS, totalMS int64)
	OnLanguage func(language string)
	OnChunk    func(doneMS int64) // everything before is final
	OnRetry    func(err error)    // the worker died and is started once more
}

var _ audit.Transcriber = (*Worker)(nil)

// Transcribe writes down the speech of a recording. When the worker dies it is
// started once more, with fewer threads, where the last chunk ended.
func (w *Worker) Transcribe(ctx context.Context, wavPath string, emit func(audit.Segment) error) error {
	if _, err := os.Stat(w.ModelPath); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return audit.Wrap(err, audit.CodeModelMissing, "The speech model is not installed. Run: veristream models pull whisper-base")
		}
		return audit.Wrap(err, audit.CodeModel, "The speech model cannot be read.")
	}
	run := &run{worker: w, wav: wavPath, emit: emit, offset: w.OffsetMS, from: w.OffsetMS, next: max(1, w.FirstID)}
	threads := w.Threads
	if threads <= 0 {
		threads = PhysicalCores()
	}
	err := run.once(ctx, threads)
	if audit.CodeOf(err) != audit.CodeWorker || ctx.Err() != nil {
		return err
	}
	if w.OnRetry != nil {
		w.OnRetry(err)
	}
	return run.once(ctx, max(1, threads/2))
}

// run is one transcription over the lives of its workers.
type run struct {
	worker *Worker
	wav    string
	emit   func(audit.Segment) error
	offset int64 // where the next worker begins
	from   int64 // segments that begin earlier have been emitted
	next   int
}

func (r *run) once(ctx context.Context, threads int) error {
	cmd, err := r.worker.command(ctx, r.wav, r.offset, threads)
	if err != nil {
		return err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("start the speech worker: %w", err)
	}
	stderr := proc.NewTail(8 << 10)
	cmd.Stderr = stderr
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	wait, err := proc.Start(cmd)
	if err != nil {
		return audit.Wrap(err, audit.CodeWorker, "The speech worker cannot be started.")
	}
	done, readErr := r.read(stdout)
	if readErr != nil {
		killNow(cmd)
		io.Copy(io.Discard, stdout) //nolint:errcheck // only to let wait end
	}
	waitErr := wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case readErr != nil:
		return readErr
	case waitErr != nil, !done:
		return died(waitErr, stderr.String())
	}
	return nil
}

func killNow(cmd *exec.Cmd) {
	if cmd.Cancel != nil {
		cmd.Cancel() //nolint:errcheck // it may have ended by itself
	}
}

func (w *Worker) command(ctx context.Context, wavPath string, offset int64, threads int) (*exec.Cmd, error) {
	exe, args := w.Exe, w.Args
	if exe == "" {
		var err error
		if exe, err = os.Executable(); err != nil {
			return nil, audit.Wrap(err, audit.CodeWorker, "The program does not find itself to start the speech worker.")
		}
	}
	if args == nil {
		args = []string{"worker", "transcribe"}
	}
	language := w.Language
	if language == "" {
		language = "auto"
	}
	args = append(append([]string{}, args...),
		"--model="+w.ModelPath, "--wav="+wavPath, "--language="+language, "--threads="+strconv.Itoa(threads),
		"--offset-ms="+strconv.FormatInt(offset, 10), "--prompt="+w.Prompt,
		"--translate="+strconv.FormatBool(w.Translate), "--beam="+strconv.Itoa(w.BeamSize))
	cmd := proc.Command(ctx, exe, args...)
	cmd.Env = append(append(os.Environ(), WaitBriefly), giveBack...)
	return cmd, nil
}

// WaitBriefly is a worker's environment. OpenMP's threads spin while they wait for
// each other, by default so long that a machine with other work loses several
// times the processor time; without any spinning a quiet one takes half as long
// again. This bound costs neither (see `veristream eval bench transcribe`).
const WaitBriefly = "GOMP_SPINCOUNT=20000"

// giveBack keeps the C library from holding on to what whisper.cpp has freed.
// Otherwise each thread hoards for itself, large buffers are cut out of what was
// freed before, and the worker grows for hours.
var giveBack = []string{"MALLOC_ARENA_MAX=2", "MALLOC_MMAP_THRESHOLD_=1048576"}

// read takes messages until the worker closes its output; done says whether it
// told that it is done.
func (r *run) read(out io.Reader) (done bool, err error) {
	in := bufio.NewReaderSize(out, 64<<10)
	for {
		line, readErr := in.ReadBytes('\n')
		if readErr != nil {
			return done, nil // half a line is the last breath of a worker that died
		}
		var m Message
		if err := json.Unmarshal(line, &m); err != nil {
			continue // a library's own words on stdout
		}
		isDone, err := r.handle(m)
		if err != nil {
			return false, err
		}
		done = done || isDone
	}
}

func (r *run) handle(m Message) (done bool, err error) {
	w := r.worker
	switch m.Type {
	case typeSegment:
		if m.Segment == nil || m.Segment.EndMS <= r.from {
			return false, nil // told by the worker that died
		}
		s := *m.Segment
		s.ID, s.Source = "s"+strconv.Itoa(r.next), audit.Speech
		r.next++
		r.from = s.EndMS
		return false, r.emit(s)
	case typeProgress:
		if w.OnProgress != nil {
			w.OnProgress(m.DoneMS, m.TotalMS)
		}
	case typeLanguage:
		if w.OnLanguage != nil {
			w.OnLanguage(m.Language)
		}
	case typeChunk:
		r.offset = m.DoneMS
		if w.OnChunk != nil {
			w.OnChunk(m.DoneMS)
		}
		if w.OnProgress != nil {
			w.OnProgress(m.DoneMS, m.TotalMS)
		}
	case typeDone:
		return true, nil
	case typeError:
		code := m.Code
		if code == "" {
			code = audit.CodeInternal
		}
		return false, audit.Errorf(code, "%s", m.Sentence).WithDetails(m.Details)
	}
	return false, nil
}

// died tells how a worker ended.
func died(err error, stderr string) error {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		return audit.Wrap(err, audit.CodeWorker, "The speech worker stopped before it was done.").WithDetails(stderr)
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		hint := ""
		if status.Signal() == syscall.SIGKILL {
			hint = "; perhaps there was not enough memory"
		}
		return audit.Wrap(err, audit.CodeWorker, "The speech worker was ended by signal %d (%s)%s.",
			int(status.Signal()), status.Signal(), hint).WithDetails(stderr)
	}
	return audit.Wrap(err, audit.CodeWorker, "The speech worker ended with exit code %d.", exit.ExitCode()).WithDetails(stderr)
}

// ModelName gives the name to show for a model's file: "base" for ggml-base.bin.
func ModelName(path string) string {
	name := filepath.Base(path)
	name = name[:len(name)-len(filepath.Ext(name))]
	if len(name) > 5 && name[:5] == "ggml-" {
		name = name[5:]
	}
	return name
}
