package eval

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// benchFolder gives the folder that a bench works in. One that is named stays,
// so that a bench that was cut off goes on there; else it is a temporary one.
func benchFolder(dir string) (path string, done func(), err error) {
	if dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return "", nil, fmt.Errorf("make a folder for the bench: %w", err)
		}
		path, err = filepath.Abs(dir) // ffmpeg's lists of parts are read from elsewhere
		return path, func() {}, err
	}
	path, err = os.MkdirTemp("", "veristream-bench-")
	if err != nil {
		return "", nil, fmt.Errorf("make a folder for the bench: %w", err)
	}
	return path, func() { os.RemoveAll(path) }, nil
}

// notebook keeps what parts of a bench came to, a JSON line each, so that a
// bench that was cut off measures only what is missing.
type notebook struct {
	path  string
	lines map[string]json.RawMessage
}

type note struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

func openNotebook(path string) (*notebook, error) {
	n := &notebook{path: path, lines: map[string]json.RawMessage{}}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return n, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open the bench's results: %w", err)
	}
	defer f.Close()
	for in := bufio.NewReader(f); ; {
		line, err := in.ReadBytes('\n')
		var got note
		if json.Unmarshal(line, &got) == nil { // half a line is where it was cut off
			n.lines[got.Key] = got.Value
		}
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the bench's results: %w", err)
		}
	}
}

// get reads what was kept under a key.
func (n *notebook) get(key string, v any) bool {
	raw, ok := n.lines[key]
	return ok && json.Unmarshal(raw, v) == nil
}

// put keeps something under a key.
func (n *notebook) put(key string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("keep the bench's results: %w", err)
	}
	line, err := json.Marshal(note{key, raw})
	if err != nil {
		return fmt.Errorf("keep the bench's results: %w", err)
	}
	f, err := os.OpenFile(n.path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("keep the bench's results: %w", err)
	}
	// A line that was cut off must not swallow the next one.
	if st, statErr := f.Stat(); statErr == nil && st.Size() > 0 {
		last := make([]byte, 1)
		if _, readErr := f.ReadAt(last, st.Size()-1); readErr == nil && last[0] != '\n' {
			line = append([]byte("\n"), line...)
		}
	}
	_, err = f.Write(append(line, '\n'))
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("keep the bench's results: %w", err)
	}
	n.lines[key] = raw
	return nil
}

// buildOf names a program by its content: what another build came to does not count.
func buildOf(exe string) (string, error) {
	f, err := os.Open(exe)
	if err != nil {
		return "", fmt.Errorf("read the program: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("read the program: %w", err)
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}
