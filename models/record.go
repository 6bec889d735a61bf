package models

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// recordFile is the name of the note that a store keeps beside a model.
const recordFile = "installed.json"

// record is that note: what was verified, and how the files looked then. A
// start of the program compares sizes and times and need not hash gigabytes.
type record struct {
	Schema   int          `json:"schema"`
	Name     string       `json:"name"`
	Kind     Kind         `json:"kind"`
	Source   string       `json:"source"`
	User     bool         `json:"user,omitempty"` // imported by the user
	Main     string       `json:"main,omitempty"` // the file that Path gives; the folder where empty
	Damaged  bool         `json:"damaged,omitempty"`
	Verified time.Time    `json:"verified"`
	Files    []fileRecord `json:"files"`
}

type fileRecord struct {
	Name    string `json:"name"`
	Size    int64  `json:"size"`
	ModTime int64  `json:"mtime_ns"`
	SHA256  string `json:"sha256"`
}

// digest gives the digest that identifies the model: its one file's, that of
// the weights of a folder, or of all digests where a folder has several weights.
func (r *record) digest() string {
	all := sha256.New()
	for _, f := range r.Files {
		if f.Name == r.Main || r.Main == "" && f.Name == "model.onnx" {
			return f.SHA256
		}
		_, _ = io.WriteString(all, f.Name+" "+f.SHA256+"\n")
	}
	return hex.EncodeToString(all.Sum(nil))
}

func (r *record) size() int64 {
	var n int64
	for _, f := range r.Files {
		n += f.Size
	}
	return n
}

// unchanged reports whether the files in dir look as they did when they were
// verified.
func (r *record) unchanged(dir string) bool {
	for _, f := range r.Files {
		st, err := os.Stat(filepath.Join(dir, f.Name))
		if err != nil || st.Size() != f.Size || st.ModTime().UnixNano() != f.ModTime {
			return false
		}
	}
	return len(r.Files) > 0
}

// add notes a verified file of dir.
func (r *record) add(dir, name, digest string) error {
	st, err := os.Stat(filepath.Join(dir, name))
	if err != nil {
		return fmt.Errorf("note installed file: %w", err)
	}
	r.Files = append(r.Files, fileRecord{Name: name, Size: st.Size(), ModTime: st.ModTime().UnixNano(), SHA256: digest})
	return nil
}

func readRecord(dir string) (*record, error) {
	data, err := os.ReadFile(filepath.Join(dir, recordFile))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", recordFile, err)
	}
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("read %s: %w", recordFile, err)
	}
	return &r, nil
}

func (r *record) write(dir string) error {
	r.Schema = 1
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", recordFile, err)
	}
	_, _, err = writeFile(context.Background(), filepath.Join(dir, recordFile), bytes.NewReader(append(data, '\n')), "", nil)
	return err
}
