package batch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/store"
)

// Settle is how long a file in a watched folder must not have changed before it
// counts as complete.
const Settle = 10 * time.Second

// Watch queues what comes into a folder from now on, and what lies there
// already and was never audited.
func (q *Queue) Watch(ctx context.Context, folder string, r Request) (string, error) {
	path, err := filepath.Abs(folder)
	if err != nil {
		return "", audit.Wrap(err, audit.CodeUsage, "%s is no path.", folder)
	}
	if st, err := os.Stat(path); err != nil || !st.IsDir() {
		return "", audit.Errorf(audit.CodeUsage, "There is no folder %s.", path)
	}
	request, err := encode(r)
	if err != nil {
		return "", err
	}
	return path, q.Store.SetWatch(ctx, store.Watch{Folder: path, Request: request})
}

// Unwatch leaves a folder alone from now on.
func (q *Queue) Unwatch(ctx context.Context, folder string) error {
	path, err := filepath.Abs(folder)
	if err != nil {
		path = folder
	}
	err = q.Store.RemoveWatch(ctx, path)
	if errors.Is(err, store.ErrNotFound) {
		return audit.Errorf(audit.CodeUsage, "The folder %s is not watched.", path)
	}
	return err
}

// Watcher looks at the watched folders again and again.
type Watcher struct {
	Queue  *Queue
	Settle time.Duration // 0 means Settle
	Now    func() time.Time
	// Tell is told of each file that was queued, and of each trouble, once.
	Tell func(path string, err error)

	files    map[string]*standing
	troubled map[string]bool
}

// standing is what was seen of a file at the last looks.
type standing struct {
	size   int64
	mod    time.Time
	since  time.Time // that it is like this
	queued bool      // as it is, it was dealt with
}

// Look looks at every watched folder once and queues what is complete and new.
func (w *Watcher) Look(ctx context.Context) error {
	if w.files == nil {
		w.files, w.troubled = map[string]*standing{}, map[string]bool{}
	}
	watches, err := w.Queue.Store.Watches(ctx)
	if err != nil {
		return err
	}
	for _, watch := range watches {
		found, err := Recordings(watch.Folder)
		if err != nil { // a disk that is not there comes back
			w.trouble(watch.Folder, err)
			continue
		}
		delete(w.troubled, watch.Folder)
		for _, path := range found {
			if err := w.see(ctx, path, watch); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				w.trouble(path, err)
			}
		}
		for path := range w.files {
			if strings.HasPrefix(path, watch.Folder+string(filepath.Separator)) && !slices.Contains(found, path) {
				delete(w.files, path)
			}
		}
	}
	return nil
}

// Run looks every two seconds until ctx ends.
func (w *Watcher) Run(ctx context.Context) error {
	tick := time.NewTicker(2 * time.Second)
	defer tick.Stop()
	for {
		if err := w.Look(ctx); err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

func (w *Watcher) see(ctx context.Context, path string, watch store.Watch) error {
	st, err := os.Stat(path)
	if err != nil {
		return nil // it has gone again
	}
	now := w.now()
	f, ok := w.files[path]
	if !ok || f.size != st.Size() || !f.mod.Equal(st.ModTime()) {
		w.files[path] = &standing{size: st.Size(), mod: st.ModTime(), since: now}
		return nil
	}
	if f.queued || st.Size() == 0 || now.Sub(f.since) < w.settle() || beingWritten(path) {
		return nil
	}
	sum, err := w.hash(ctx, path, st)
	if err != nil {
		return err
	}
	if after, err := os.Stat(path); err != nil || after.Size() != f.size || !after.ModTime().Equal(f.mod) {
		return nil // it was still while it was read, and is not any more
	}
	added, err := w.Queue.Store.AddSeen(ctx, sum, store.Job{Input: path, Title: TitleOf(path), Request: watch.Request})
	if err != nil {
		return err
	}
	f.queued = true
	if added && w.Tell != nil {
		w.Tell(path, nil)
	}
	return nil
}

// hash gives a file's digest. It is kept by the file's path, size and time, so
// that a folder of many hours is not read whole at every start.
func (w *Watcher) hash(ctx context.Context, path string, st os.FileInfo) (string, error) {
	name := sha256.Sum256([]byte(path))
	key := store.Key{
		Content: "path:" + hex.EncodeToString(name[:]), Stage: "watched", Params: fmt.Sprintf("%d|%d", st.Size(), st.ModTime().UnixNano()),
	}
	raw, ok, err := w.Queue.Store.StageResult(ctx, key)
	if err != nil {
		return "", err
	}
	sum := ""
	if ok && json.Unmarshal(raw, &sum) == nil && sum != "" {
		return sum, nil
	}
	if sum, err = media.Hash(ctx, path, nil); err != nil {
		return "", err
	}
	text, err := json.Marshal(sum)
	if err != nil {
		return "", fmt.Errorf("keep a digest: %w", err)
	}
	return sum, w.Queue.Store.SaveStage(ctx, key, text)
}

func (w *Watcher) trouble(path string, err error) {
	if !w.troubled[path] && w.Tell != nil {
		w.Tell(path, err)
	}
	w.troubled[path] = true
}

func (w *Watcher) now() time.Time {
	if w.Now != nil {
		return w.Now()
	}
	return time.Now()
}

func (w *Watcher) settle() time.Duration {
	if w.Settle > 0 {
		return w.Settle
	}
	return Settle
}

// beingWritten says whether a process has the file open for writing: a copy
// that pauses for long is still one. The kernel refuses a lease for reading on
// such a file (fcntl(2), F_SETLEASE). Where it gives none for other reasons,
// stillness alone decides.
func beingWritten(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
	if err == nil {
		_, _ = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_UNLCK)
	}
	return errors.Is(err, unix.EAGAIN)
}
