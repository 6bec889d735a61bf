package models

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"time"
)

var notInName = regexp.MustCompile(`[^a-z0-9._-]+`)

// Import copies a model of the user's into the store: a GGUF file, a
// whisper.cpp ggml file, or a folder with an ONNX model. What it is, is seen
// from its content; kind, where given, must agree. An empty name is made from
// the file's. A file that the manifest knows is installed under its own name.
// Import gives the name.
func (s *Store) Import(ctx context.Context, path, name string, kind Kind, fn ProgressFunc) (string, error) {
	d, err := detect(path)
	if err != nil {
		return "", err
	}
	if kind != "" && kind != d.kind {
		return "", fmt.Errorf("%w: %s is a model of kind %s, not %s", ErrNotAModel, filepath.Base(path), d.kind, kind)
	}
	if known, err := s.importKnown(ctx, d, name, fn); known != "" || err != nil {
		return known, err
	}
	if name == "" {
		name = nameFrom(path)
	}
	if !nameRE.MatchString(name) {
		return "", fmt.Errorf("%q cannot be a name: a-z, 0-9, '.', '_' and '-' may be in it", name)
	}
	if _, err := s.manifest.Find(name); err == nil {
		return "", fmt.Errorf("%w: %s belongs to a known model (choose another with --name)", ErrExists, name)
	}
	return name, s.importAs(ctx, d, name, path, fn)
}

// importKnown installs a single file whose digest the manifest names.
func (s *Store) importKnown(ctx context.Context, d *detected, name string, fn ProgressFunc) (string, error) {
	if d.main == "" {
		return "", nil
	}
	from := d.files[d.main]
	st, err := os.Stat(from)
	if err != nil {
		return "", fmt.Errorf("look at %s: %w", d.main, err)
	}
	digest := ""
	for i := range s.manifest.Models {
		m := &s.manifest.Models[i]
		if m.File == "" || !m.sized(m.File, st.Size()) {
			continue
		}
		if digest == "" {
			meter := newMeter(fn, s.now, m.Name, StageVerify, from, st.Size())
			if digest, err = hashFile(ctx, from, meter.set); err != nil {
				return "", err
			}
		}
		if m.accepts(m.File, digest) && (name == "" || name == m.Name) {
			one := &detected{kind: m.Kind, main: m.File, files: map[string]string{m.File: from}}
			return m.Name, s.store(ctx, one, &record{Name: m.Name, Kind: m.Kind, Main: m.File}, from, fn)
		}
	}
	return "", nil
}

func (s *Store) importAs(ctx context.Context, d *detected, name, path string, fn ProgressFunc) error {
	return s.store(ctx, d, &record{Name: name, Kind: d.kind, Main: d.main, User: true}, path, fn)
}

// store copies the files and writes the note.
func (s *Store) store(ctx context.Context, d *detected, rec *record, path string, fn ProgressFunc) error {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	rec.Source, rec.Verified = path, s.now().UTC().Truncate(time.Second)
	names := make([]string, 0, len(d.files))
	var total int64
	for n, from := range d.files {
		st, err := os.Stat(from)
		if err != nil {
			return fmt.Errorf("look at %s: %w", n, err)
		}
		total += st.Size()
		names = append(names, n)
	}
	sort.Strings(names)
	dir := filepath.Join(s.Dir, rec.Name)
	if err := s.needSpace(dir, total); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make models folder: %w", err)
	}
	unlock, err := s.lock(ctx, rec.Name, func() { tell(fn, Progress{Model: rec.Name, Stage: StageWaiting}) })
	if err != nil {
		return err
	}
	defer unlock()
	old, _ := s.record(rec.Name)
	meter := newMeter(fn, s.now, rec.Name, StageCopy, path, total)
	var before int64
	for _, n := range names {
		digest, err := s.copyIn(ctx, d.files[n], filepath.Join(dir, n), old, func(done int64) { meter.set(before + done) })
		if err != nil {
			return err
		}
		if err := rec.add(dir, n, digest); err != nil {
			return err
		}
		before += rec.Files[len(rec.Files)-1].Size
	}
	if err := rec.write(dir); err != nil {
		return err
	}
	tell(fn, Progress{Model: rec.Name, Stage: StageDone, Source: path, Done: total, Total: total})
	return nil
}

// copyIn copies one file. Another model under the same name is not replaced;
// the same one may be imported again, which also mends it.
func (s *Store) copyIn(ctx context.Context, from, to string, old *record, report func(int64)) (string, error) {
	if old != nil && old.User {
		digest, err := hashFile(ctx, from, nil)
		if err != nil {
			return "", err
		}
		for _, f := range old.Files {
			if f.Name == filepath.Base(to) && f.SHA256 != digest {
				return "", fmt.Errorf("%w: %s (choose another with --name, or remove it first)", ErrExists, old.Name)
			}
		}
	}
	f, err := os.Open(from)
	if err != nil {
		return "", fmt.Errorf("open %s: %w", filepath.Base(from), err)
	}
	defer func() { _ = f.Close() }()
	if a, err := f.Stat(); err == nil {
		if b, err := os.Stat(to); err == nil && os.SameFile(a, b) {
			return "", errors.New("the file lies in the models folder already")
		}
	}
	_, digest, err := writeFile(ctx, to, f, "", report)
	return digest, err
}

// nameFrom makes a name out of a file's or folder's.
func nameFrom(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	base := strings.ToLower(filepath.Base(path))
	for _, ext := range []string{".gguf", ".bin", ".ggml"} {
		base = strings.TrimSuffix(base, ext)
	}
	name := strings.Trim(notInName.ReplaceAllString(base, "-"), "-._")
	if len(name) > 64 {
		name = strings.TrimRight(name[:64], "-._")
	}
	if name == "" {
		return "imported"
	}
	return name
}
