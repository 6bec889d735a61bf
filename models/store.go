package models

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"
)

// Store is the folder of installed models. Its methods may be called from
// several goroutines and several processes at once.
type Store struct {
	Dir   string // installed models, one folder each
	Cache string // package archives on their way; may be emptied at any time

	manifest *Manifest
	client   *http.Client
	ollama   Ollama
	free     func(dir string) (int64, error)
	now      func() time.Time
	sleep    func(context.Context, time.Duration) error
	idle     time.Duration
}

// Ollama reaches the Ollama server for the models of its own library.
type Ollama interface {
	Has(ctx context.Context, ref string) (bool, error)
	Pull(ctx context.Context, ref string, report func(done, total int64)) error
}

// Option changes a Store when it is opened.
type Option func(*Store)

// WithManifest replaces the embedded manifest.
func WithManifest(m *Manifest) Option { return func(s *Store) { s.manifest = m } }

// WithClient replaces the HTTP client of downloads.
func WithClient(c *http.Client) Option { return func(s *Store) { s.client = c } }

// WithOllama lets the store pull from Ollama's library.
func WithOllama(o Ollama) Option { return func(s *Store) { s.ollama = o } }

// WithFreeSpace replaces the question for free bytes.
func WithFreeSpace(free func(dir string) (int64, error)) Option {
	return func(s *Store) { s.free = free }
}

// WithClock replaces the clock and the waits between tries.
func WithClock(now func() time.Time, sleep func(context.Context, time.Duration) error) Option {
	return func(s *Store) { s.now, s.sleep = now, sleep }
}

// WithIdleTimeout sets how long a silent server is waited for.
func WithIdleTimeout(d time.Duration) Option { return func(s *Store) { s.idle = d } }

// Open gives the store of models in dir, with cache for downloads on their
// way. Nothing is created before something is pulled.
func Open(dir, cache string, opts ...Option) (*Store, error) {
	s := &Store{
		Dir: dir, Cache: cache,
		free: freeSpace, now: time.Now, sleep: sleepCtx, idle: idleTimeout,
	}
	for _, opt := range opts {
		opt(s)
	}
	if s.manifest == nil {
		m, err := Load()
		if err != nil {
			return nil, err
		}
		s.manifest = m
	}
	if s.client == nil {
		s.client = newClient()
	}
	return s, nil
}

// Manifest gives the list of known models.
func (s *Store) Manifest() *Manifest { return s.manifest }

// State says how far a model is.
type State string

// The states.
const (
	StateInstalled  State = "installed"
	StateBuiltIn    State = "built-in"   // in the binary, written out when first used
	StateUnverified State = "unverified" // files are there but have not been checked
	StatePartial    State = "partial"    // a download can be continued
	StateDamaged    State = "damaged"
	StateMissing    State = "missing"
	StateOllama     State = "ollama" // kept by the Ollama server, which was not asked
)

// Status describes one model.
type Status struct {
	Name        string    `json:"name"`
	Kind        Kind      `json:"kind"`
	State       State     `json:"state"`
	Default     bool      `json:"default"`
	User        bool      `json:"user"`
	Licence     string    `json:"licence,omitempty"`
	Description string    `json:"description,omitempty"`
	Size        int64     `json:"size"`
	MemoryMB    int       `json:"memory_mb,omitempty"`
	Path        string    `json:"path,omitempty"`
	SHA256      string    `json:"sha256,omitempty"`
	Source      string    `json:"source,omitempty"`
	OllamaRef   string    `json:"ollama_ref,omitempty"`
	Verified    time.Time `json:"verified,omitzero"`
}

// Status looks at one model without reading its files.
func (s *Store) Status(name string) (Status, error) {
	rec, dir := s.record(name)
	m, err := s.manifest.Find(name)
	if err != nil {
		if rec == nil || !rec.User {
			return Status{}, s.unknown(name)
		}
		st := Status{Name: name, Kind: rec.Kind, User: true, Description: "imported from " + rec.Source}
		st.fill(rec, dir)
		return st, nil
	}
	st := Status{
		Name: m.Name, Kind: m.Kind, Default: m.Default, Licence: m.Licence, Description: m.Description,
		Size: m.TotalSize(), MemoryMB: m.MemoryMB, OllamaRef: m.OllamaRef(), State: StateMissing,
	}
	switch {
	case st.OllamaRef != "":
		st.State = StateOllama
	case rec != nil && (rec.Damaged || s.meant(m, rec)):
		st.fill(rec, dir)
	case m.embeddedSource() != nil:
		st.State = StateBuiltIn
	case s.present(m, dir):
		st.State = StateUnverified
	case hasPartial(dir):
		st.State = StatePartial
	}
	return st, nil
}

func (st *Status) fill(rec *record, dir string) {
	st.State, st.Size = StateInstalled, rec.size()
	switch {
	case rec.Damaged:
		st.State = StateDamaged
	case !rec.unchanged(dir):
		st.State = StateUnverified
		for _, f := range rec.Files {
			if info, err := os.Stat(filepath.Join(dir, f.Name)); err != nil || info.Size() != f.Size {
				st.State = StateDamaged
			}
		}
	}
	st.Path, st.SHA256, st.Source, st.Verified = filepath.Join(dir, rec.Main), rec.digest(), rec.Source, rec.Verified
}

// List gives the status of every known model and of the user's own.
func (s *Store) List() ([]Status, error) {
	var out []Status
	seen := map[string]bool{}
	for _, m := range s.manifest.Models {
		st, err := s.Status(m.Name)
		if err != nil {
			return nil, err
		}
		out, seen[m.Name] = append(out, st), true
	}
	entries, err := os.ReadDir(s.Dir)
	if err != nil && !os.IsNotExist(err) {
		return nil, fmt.Errorf("list models: %w", err)
	}
	sort.Slice(entries, func(i, j int) bool { return entries[i].Name() < entries[j].Name() })
	for _, e := range entries {
		// A folder without our note is not ours to list.
		rec, _ := s.record(e.Name())
		if seen[e.Name()] || rec == nil || !rec.User {
			continue
		}
		st, err := s.Status(e.Name())
		if err != nil {
			return nil, err
		}
		out = append(out, st)
	}
	return out, nil
}

// Installed is a model that can be used.
type Installed struct {
	Name   string
	Kind   Kind
	Path   string // a file, or the folder of an ONNX model
	SHA256 string // identifies the weights
}

// Path gives the file (or the folder) of a model that has been verified. A
// model inside the binary is written out when it is first asked for.
func (s *Store) Path(name string) (string, error) {
	in, err := s.Get(context.Background(), name)
	return in.Path, err
}

// Get is Path with the model's digest and kind. Where the files changed since
// they were verified, they are hashed again, which takes a second for a
// gigabyte.
func (s *Store) Get(ctx context.Context, name string) (Installed, error) {
	st, err := s.Status(name)
	if err != nil {
		return Installed{}, err
	}
	switch st.State {
	case StateInstalled:
	case StateBuiltIn:
		err = s.Pull(ctx, name, nil)
	case StateUnverified:
		err = s.Verify(ctx, name, nil)
	case StateDamaged:
		err = fmt.Errorf("%w: %s (%s)", ErrDamaged, name, again(name, st.User))
	case StateOllama:
		err = fmt.Errorf("%w as a file: %s is kept by Ollama as %s", ErrNotInstalled, name, st.OllamaRef)
	case StateMissing, StatePartial:
		err = fmt.Errorf("%w: %s (run: veristream models pull %s)", ErrNotInstalled, name, name)
	}
	if err != nil {
		return Installed{}, err
	}
	rec, dir := s.record(name)
	if rec == nil {
		return Installed{}, fmt.Errorf("%w: %s", ErrNotInstalled, name)
	}
	return Installed{Name: name, Kind: rec.Kind, Path: filepath.Join(dir, rec.Main), SHA256: rec.digest()}, nil
}

// Verify hashes a model's files again. A file that is not what it was loses
// its standing at once: Get refuses it until it is pulled or imported anew.
func (s *Store) Verify(ctx context.Context, name string, fn ProgressFunc) error {
	rec, dir := s.record(name)
	m, err := s.manifest.Find(name)
	if err != nil && (rec == nil || !rec.User) {
		return s.unknown(name)
	}
	if m != nil && m.OllamaRef() != "" {
		return fmt.Errorf("%w as a file: Ollama keeps and checks %s itself", ErrNotInstalled, name)
	}
	if m != nil && rec == nil && !s.present(m, dir) {
		return fmt.Errorf("%w: %s (run: veristream models pull %s)", ErrNotInstalled, name, name)
	}
	next := &record{Name: name, Verified: s.now().UTC().Truncate(time.Second)}
	var names []string
	if m != nil {
		next.Kind, next.Main, next.Source = m.Kind, m.File, "found in the models folder"
		for _, f := range m.AllFiles() {
			names = append(names, f.Name)
		}
	}
	if rec != nil {
		next.Kind, next.Main, next.Source, next.User = rec.Kind, rec.Main, rec.Source, rec.User
		if rec.User {
			names = nil
			for _, f := range rec.Files {
				names = append(names, f.Name)
			}
		}
	}
	var total, before int64
	for _, f := range names {
		if st, err := os.Stat(filepath.Join(dir, f)); err == nil {
			total += st.Size()
		}
	}
	meter := newMeter(fn, s.now, name, StageVerify, "", total)
	for _, f := range names {
		got, err := hashFile(ctx, filepath.Join(dir, f), func(n int64) { meter.set(before + n) })
		if errors.Is(err, os.ErrNotExist) {
			return fmt.Errorf("%w: %s has no %s (%s)", ErrDamaged, name, f, again(name, next.User))
		}
		if err != nil {
			return err
		}
		want, ok := wanted(m, rec, f, got)
		if !ok {
			if rec != nil {
				next = rec // keeps what an imported model looked like
			}
			next.Damaged = true
			if err := next.write(dir); err != nil {
				return err
			}
			return fmt.Errorf("%w (%s): %w", ErrDamaged, again(name, next.User), &DigestError{File: f, Got: got, Want: want})
		}
		if err := next.add(dir, f, got); err != nil {
			return err
		}
		before += next.Files[len(next.Files)-1].Size
	}
	return next.write(dir)
}

// wanted reports whether got is a digest that the file may have: one of the
// manifest's, or for a user's model the one it had when it was imported.
func wanted(m *Model, rec *record, file, got string) (want string, ok bool) {
	if rec != nil && rec.User {
		for _, f := range rec.Files {
			if f.Name == file {
				return f.SHA256, f.SHA256 == got
			}
		}
		return "", false
	}
	for _, f := range m.AllFiles() {
		if f.Name == file {
			want = f.SHA256
		}
	}
	return want, m.accepts(file, got)
}

// Remove deletes a model's files and what was downloaded of it.
func (s *Store) Remove(ctx context.Context, name string) error {
	rec, dir := s.record(name)
	if _, err := s.manifest.Find(name); err != nil && (rec == nil || !rec.User) {
		return s.unknown(name)
	}
	unlock, err := s.lock(ctx, name, nil)
	if err != nil {
		return err
	}
	defer unlock()
	// The note goes first: a removal that is cut short leaves no model that
	// looks whole.
	if err := os.Remove(filepath.Join(dir, recordFile)); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("remove %s: %w", name, err)
	}
	for _, d := range []string{dir, s.cacheDir(name)} {
		if err := os.RemoveAll(d); err != nil {
			return fmt.Errorf("remove %s: %w", name, err)
		}
	}
	return nil
}

// record reads the note of a model; nil where there is none that can be read.
func (s *Store) record(name string) (*record, string) {
	dir := filepath.Join(s.Dir, name)
	if !nameRE.MatchString(name) {
		return nil, dir
	}
	rec, err := readRecord(dir)
	if err != nil || rec.Name != name {
		return nil, dir
	}
	return rec, dir
}

func (s *Store) cacheDir(name string) string { return filepath.Join(s.Cache, name) }

// meant reports whether the files of a note are those that the manifest means
// today; a newer program may bring newer weights under the same name.
func (s *Store) meant(m *Model, rec *record) bool {
	have := map[string]string{}
	for _, f := range rec.Files {
		have[f.Name] = f.SHA256
	}
	for _, f := range m.AllFiles() {
		if !m.accepts(f.Name, have[f.Name]) {
			return false
		}
	}
	return true
}

// present reports whether all files of a model are there in a plausible size.
func (s *Store) present(m *Model, dir string) bool {
	for _, f := range m.AllFiles() {
		if st, err := os.Stat(filepath.Join(dir, f.Name)); err != nil || !m.sized(f.Name, st.Size()) {
			return false
		}
	}
	return true
}

func (m *Model) sized(file string, size int64) bool {
	for i := range m.Sources {
		files, err := m.expected(&m.Sources[i])
		for _, f := range files {
			if err == nil && f.Name == file && f.Size == size {
				return true
			}
		}
	}
	return false
}

func (m *Model) embeddedSource() *Source {
	for i := range m.Sources {
		if m.Sources[i].Type == SourceEmbedded {
			return &m.Sources[i]
		}
	}
	return nil
}

func hasPartial(dir string) bool {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".part") {
			return true
		}
	}
	return false
}

// again says how to get a sound copy of a model.
func again(name string, user bool) string {
	if user {
		return "import it again: veristream models import FILE"
	}
	return "run: veristream models pull " + name
}

// unknown says which names there are, the user's own included.
func (s *Store) unknown(name string) error {
	e := &UnknownError{Name: name}
	if all, err := s.List(); err == nil {
		for _, st := range all {
			e.Known = append(e.Known, st.Name)
		}
	}
	return e
}
