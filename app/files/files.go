// Package files writes files whole or not at all, and marks things as a process's
// own by lock files.
package files

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"

	"veristream/backend/audit"
)

// Write writes a file.
func Write(path string, data []byte) error {
	return Fill(path, func(w io.Writer) error {
		if _, err := w.Write(data); err != nil {
			return Failed(err, path)
		}
		return nil
	})
}

// Fill lets write fill a file beside its place and then renames it into it:
// what was there stays until the new file is whole and on the disk.
func Fill(path string, write func(io.Writer) error) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return Failed(err, path)
	}
	defer os.Remove(tmp.Name()) // gone after the rename
	buf := bufio.NewWriter(tmp)
	if err := write(buf); err != nil {
		return errors.Join(err, tmp.Close())
	}
	if err := errors.Join(buf.Flush(), tmp.Chmod(0o644), tmp.Sync(), tmp.Close()); err != nil {
		return Failed(err, path)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return Failed(err, path)
	}
	return nil
}

// Failed says that a file cannot be written.
func Failed(err error, path string) error {
	return audit.Wrap(err, audit.CodeStorage, "The file %s cannot be written.", path)
}
