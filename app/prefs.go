package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"veristream/backend/audit"
)

// prefs keeps small things about the window in JSON files of one folder. A
// file is replaced whole, by a rename, so that a crash leaves the old one.
type prefs struct {
	dir string
	mu  sync.Mutex
}

func (p *prefs) load(name string, into any) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	data, err := os.ReadFile(filepath.Join(p.dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

func (p *prefs) save(name string, v any) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := replaceFile(p.dir, name, data); err != nil {
		return audit.Wrap(err, audit.CodeStorage, "The window's settings could not be saved in %s.", p.dir)
	}
	return nil
}

func replaceFile(dir, name string, data []byte) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	tmp, err := os.CreateTemp(dir, name+".*")
	if err != nil {
		return fmt.Errorf("make a temporary file: %w", err)
	}
	defer func() { _ = os.Remove(tmp.Name()) }() // gone already after the rename
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Sync()
	}
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	if err := os.Rename(tmp.Name(), filepath.Join(dir, name)); err != nil {
		return fmt.Errorf("put %s in place: %w", name, err)
	}
	return nil
}
