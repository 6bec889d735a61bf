package cli

import (
	"os"
	"path/filepath"

	"veristream/backend/audit"
)

// writeFile writes a file whole or not at all: beside its place first, then
// renamed into it.
func writeFile(path string, data []byte) error {
	fail := func(err error) error {
		return audit.Wrap(err, audit.CodeStorage, "The file %s cannot be written.", path)
	}
	tmp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fail(err)
	}
	defer os.Remove(tmp.Name()) // gone after the rename
	if _, err := tmp.Write(data); err != nil {
		tmp.Close()
		return fail(err)
	}
	if err := tmp.Sync(); err != nil {
		tmp.Close()
		return fail(err)
	}
	if err := tmp.Close(); err != nil {
		return fail(err)
	}
	if err := os.Chmod(tmp.Name(), 0o644); err != nil {
		return fail(err)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return fail(err)
	}
	return nil
}
