// Package storage owns what VeriStream leaves on the disk: one temporary folder
// for each audit, which goes with it, and the cache, which is measured, kept
// under a quota and cleaned on request. It deletes nothing outside the cache,
// never the user's own file, and nothing that a running audit needs.
package storage

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"veristream/app/dirs"
	"veristream/backend/audit"
)

// Run is one piece of work with a temporary folder of its own. While it goes on,
// what it uses of the cache is not cleaned away.
type Run struct {
	Dir  string
	dirs dirs.Dirs
	lock *os.File
}

const (
	lockName = ".lock"
	usesName = ".uses"
)

func temps(d dirs.Dirs) string { return filepath.Join(d.Cache, "tmp") }

// Begin makes the temporary folder of a piece of work. The kernel drops its lock
// with the process, so that the next start can tell what is left over.
func Begin(d dirs.Dirs, id string) (*Run, error) {
	dir := filepath.Join(temps(d), id)
	fail := func(err error) error {
		return audit.Wrap(err, audit.CodeStorage, "The temporary folder %s cannot be made.", dir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fail(err)
	}
	lock, err := os.OpenFile(filepath.Join(dir, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fail(err)
	}
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(fail(err), lock.Close())
	}
	return &Run{Dir: dir, dirs: d, lock: lock}, nil
}

// Use says that the work needs a folder of the cache from now on. A cleaning
// under way ends before it returns; one that begins later leaves the folder
// alone.
func (r *Run) Use(dir string) error {
	unlock, err := cleaning(r.dirs)
	if err != nil {
		return err
	}
	defer unlock()
	f, err := os.OpenFile(filepath.Join(r.Dir, usesName), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = fmt.Fprintln(f, filepath.Clean(dir))
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		return audit.Wrap(err, audit.CodeStorage, "The temporary folder %s cannot be written to.", r.Dir)
	}
	return nil
}

// End removes the temporary folder with all that is in it.
func (r *Run) End() error {
	err := os.RemoveAll(r.Dir)
	err = errors.Join(err, r.lock.Close())
	if err != nil {
		return audit.Wrap(err, audit.CodeStorage, "The temporary folder %s cannot be removed.", r.Dir)
	}
	return nil
}

// cleaning is held while something of the cache is deleted, and while a run says
// what it needs.
func cleaning(d dirs.Dirs) (unlock func(), err error) {
	path := filepath.Join(temps(d), ".cleaning")
	if err := os.MkdirAll(temps(d), 0o700); err != nil {
		return nil, audit.Wrap(err, audit.CodeStorage, "The folder %s cannot be made.", temps(d))
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeStorage, "The folder %s cannot be written to.", temps(d))
	}
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX)
		if err == nil {
			return func() { _ = f.Close() }, nil
		}
		if !errors.Is(err, unix.EINTR) {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
		}
	}
}

// lives says whether the process of a temporary folder still works.
func lives(dir string) bool {
	f, err := os.Open(filepath.Join(dir, lockName))
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB), unix.EWOULDBLOCK)
}

// used lists the folders of the cache that running work needs.
func used(d dirs.Dirs) (map[string]bool, error) {
	out := map[string]bool{}
	entries, err := os.ReadDir(temps(d))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, audit.Wrap(err, audit.CodeStorage, "The folder %s cannot be read.", temps(d))
	}
	for _, e := range entries {
		dir := filepath.Join(temps(d), e.Name())
		if !e.IsDir() || !lives(dir) {
			continue
		}
		f, err := os.Open(filepath.Join(dir, usesName))
		if err != nil {
			continue // it uses nothing yet
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			out[lines.Text()] = true
		}
		f.Close()
	}
	return out, nil
}

// leftOver is the age from which a half-written file of no known work is taken
// for one that a crash left.
const leftOver = 24 * time.Hour

// Sweep removes what a crash or a kill left: temporary folders whose process is
// gone, and half-written files in the cache.
func Sweep(d dirs.Dirs) error {
	unlock, err := cleaning(d)
	if err != nil {
		return err
	}
	defer unlock()
	entries, err := os.ReadDir(temps(d))
	if err != nil {
		return audit.Wrap(err, audit.CodeStorage, "The folder %s cannot be read.", temps(d))
	}
	var errs []error
	for _, e := range entries {
		if dir := filepath.Join(temps(d), e.Name()); e.IsDir() && !lives(dir) {
			errs = append(errs, os.RemoveAll(dir))
		}
	}
	halves, _ := filepath.Glob(filepath.Join(d.Work("*"), ".veristream-*"))
	for _, path := range halves {
		st, err := os.Lstat(path)
		if err == nil && time.Since(st.ModTime()) > leftOver && strings.HasPrefix(st.Name(), ".veristream-") {
			errs = append(errs, os.Remove(path))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return audit.Wrap(err, audit.CodeStorage, "What an earlier run left in %s cannot be removed.", d.Cache)
	}
	return nil
}
