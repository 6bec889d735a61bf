package files

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"veristream/backend/audit"
)

// Hold marks something by a lock file as this process's, until release is called
// or the process ends: the kernel drops the lock then, however that comes. While
// another process holds it the error is unix.EWOULDBLOCK.
func Hold(path string) (release func(), err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, audit.Wrap(err, audit.CodeStorage, "The folder %s cannot be written to.", dir)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeStorage, "The folder %s cannot be written to.", dir)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("lock %s: %w", filepath.Base(path), err), f.Close())
	}
	return func() {
		_ = os.Remove(path)
		_ = f.Close()
	}, nil
}
