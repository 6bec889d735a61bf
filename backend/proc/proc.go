// Package proc runs other programs so that none outlives its task: each child
// leads a process group of its own that is killed whole when the context ends,
// and the kernel kills it when this program dies, however that happens.
//
// It is a leaf: it imports the standard library only, and any package that
// wraps a program may use it.
package proc

import (
	"bytes"
	"context"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// settle is how long a killed child's pipes may stay open before they are
// closed by force: a cancel must be over in less than three seconds.
const settle = time.Second

// Command prepares a program. The context's end kills it and its children.
func Command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	isolate(cmd)
	cmd.Cancel = func() error { return killGroup(cmd) }
	cmd.WaitDelay = settle
	return cmd
}

// Start starts a prepared program. The caller reads its pipes to their end,
// then calls wait, exactly once.
//
// The parent-death signal is bound to the thread that forked, not to the
// process (prctl(2), PR_SET_PDEATHSIG): were that thread to end, the child
// would be killed under us. So a thread is held for as long as the child runs.
func Start(cmd *exec.Cmd) (wait func() error, err error) {
	started := make(chan error)
	release := make(chan struct{})
	done := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		<-release
		done <- cmd.Wait()
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return func() error {
		close(release)
		return <-done
	}, nil
}

// Run starts a program, waits for it and gives what it wrote to stdout and the
// end of what it wrote to stderr.
func Run(cmd *exec.Cmd) (stdout []byte, stderr string, err error) {
	var out bytes.Buffer
	if cmd.Stdout == nil {
		cmd.Stdout = &out
	}
	tail := NewTail(16 << 10)
	if cmd.Stderr == nil {
		cmd.Stderr = tail
	}
	wait, err := Start(cmd)
	if err != nil {
		return nil, "", err
	}
	err = wait()
	return out.Bytes(), tail.String(), err
}

// Tail is a writer that keeps the last bytes written to it: a tool may write
// an error for every frame of a damaged file.
type Tail struct {
	mu    sync.Mutex
	limit int
	buf   []byte
}

// NewTail makes a Tail that keeps limit bytes.
func NewTail(limit int) *Tail { return &Tail{limit: limit} }

// Write never fails.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - t.limit; over > 0 {
		t.buf = append(t.buf[:0], t.buf[over:]...)
	}
	return len(p), nil
}

// String gives what is kept.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.buf)
}
