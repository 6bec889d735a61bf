package ocr

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"sync"

	"veristream/backend/audit"
	"veristream/backend/proc"
)

// Worker is an audit.TextReader that runs PP-OCR in another process of this
// program, which it starts with the first frame and keeps until Close. A frame
// on which the worker dies is given to a fresh one once.
type Worker struct {
	Exe     string   // the program; "" means this one
	Args    []string // what makes it a worker; nil means {"worker", "ocr"}
	Library string   // file of ONNX Runtime's library
	Model   string   // folder of the models
	Threads int      // 0 means 1

	mu   sync.Mutex
	live *process
}

var _ audit.TextReader = (*Worker)(nil)

// process is a running worker.
type process struct {
	in     io.WriteCloser
	out    *bufio.Reader
	stderr *proc.Tail
	stop   context.CancelFunc
	wait   func() error
}

// ReadText reads the lines of a frame.
func (w *Worker) ReadText(ctx context.Context, frame image.Image) ([]audit.TextBox, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	boxes, err := w.ask(ctx, frame)
	if audit.CodeOf(err) == audit.CodeWorker && ctx.Err() == nil {
		boxes, err = w.ask(ctx, frame)
	}
	return boxes, err
}

func (w *Worker) ask(ctx context.Context, frame image.Image) ([]audit.TextBox, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if w.live == nil {
		if err := w.start(); err != nil {
			return nil, err
		}
	}
	// The context is that of one frame; the process lives longer unless it ends.
	release := context.AfterFunc(ctx, w.live.stop)
	line, err := w.live.exchange(encodeFrame(frame))
	if !release() || err != nil {
		stderr := w.live.stderr.String()
		waitErr := w.end()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, died(errors.Join(err, waitErr), stderr)
	}
	var r reply
	if err := json.Unmarshal(line, &r); err != nil {
		w.end() //nolint:errcheck // it is out of step
		return nil, audit.Wrap(err, audit.CodeWorker, "The worker for screen text gave an answer that is none.")
	}
	if r.Sentence != "" {
		return nil, audit.Errorf(r.Code, "%s", r.Sentence).WithDetails(r.Details)
	}
	return r.Boxes, nil
}

// exchange writes a frame and reads the answer.
func (p *process) exchange(frame []byte) ([]byte, error) {
	wrote := make(chan error, 1)
	// A worker that cannot begin answers without reading.
	go func() {
		_, err := p.in.Write(frame)
		wrote <- err
	}()
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		p.stop()
		return nil, errors.Join(err, <-wrote)
	}
	select {
	case err = <-wrote:
	default: // it will not read on; its end is seen at the next frame
	}
	return line, err
}

func (w *Worker) start() error {
	if _, err := os.Stat(w.Model); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return audit.Wrap(err, audit.CodeModelMissing, "The model for screen text is not installed. Run: veristream models pull ppocr-v6-small")
		}
		return audit.Wrap(err, audit.CodeModel, "The model for screen text cannot be read.")
	}
	exe := w.Exe
	if exe == "" {
		var err error
		if exe, err = os.Executable(); err != nil {
			return audit.Wrap(err, audit.CodeWorker, "The program does not find itself to start the worker for screen text.")
		}
	}
	args := w.Args
	if args == nil {
		args = []string{"worker", "ocr"}
	}
	args = append(append([]string{}, args...), "--model="+w.Model, "--library="+w.Library, "--threads="+strconv.Itoa(max(1, w.Threads)))
	ctx, cancel := context.WithCancel(context.Background())
	cmd := proc.Command(ctx, exe, args...)
	p := &process{stderr: proc.NewTail(8 << 10), stop: cancel}
	cmd.Stderr = p.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		cancel()
		return fmt.Errorf("start the worker for screen text: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		cancel()
		return fmt.Errorf("start the worker for screen text: %w", err)
	}
	if p.wait, err = proc.Start(cmd); err != nil {
		cancel()
		return audit.Wrap(err, audit.CodeWorker, "The worker for screen text cannot be started.")
	}
	p.in, p.out = in, bufio.NewReader(out)
	w.live = p
	return nil
}

// end ends the worker, if there is one, and tells how it ended.
func (w *Worker) end() error {
	p := w.live
	if p == nil {
		return nil
	}
	w.live = nil
	p.in.Close()
	p.stop()
	return p.wait()
}

// Close ends the worker. It may be used again.
func (w *Worker) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.end() //nolint:errcheck // it was ended by us
	return nil
}

func died(err error, stderr string) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return audit.Wrap(err, audit.CodeWorker, "The worker for screen text ended: %s.", exit.ProcessState).WithDetails(stderr)
	}
	return audit.Wrap(err, audit.CodeWorker, "The worker for screen text stopped before it was done.").WithDetails(stderr)
}
