package cli

import (
	"bufio"
	"errors"
	"io"
	"os"
	"path/filepath"

	"veristream/backend/audit"
)

// writeFile writes a file whole or not at all.
func writeFile(path string, data []byte) error {
	return writeWhole(path, func(w io.Writer) error {
		if _, err := w.Write(data); err != nil {
			return cannotWrite(err, path)
		}
		return nil
	})
}

// writeWhole lets write fill a file beside its place and then renames it into
// it: what was there stays until the new file is whole and on the disk.
func writeWhole(path string, write func(io.Writer) error) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return cannotWrite(err, path)
	}
	defer os.Remove(tmp.Name()) // gone after the rename
	buf := bufio.NewWriter(tmp)
	if err := write(buf); err != nil {
		tmp.Close()
		return err
	}
	if err := errors.Join(buf.Flush(), tmp.Chmod(0o644), tmp.Sync(), tmp.Close()); err != nil {
		return cannotWrite(err, path)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return cannotWrite(err, path)
	}
	return nil
}

func cannotWrite(err error, path string) error {
	return audit.Wrap(err, audit.CodeStorage, "The file %s cannot be written.", path)
}
