package models_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"veristream/models"
)

func TestUnknownNameListsTheKnown(t *testing.T) {
	s := newStore(t, shipped(t))
	for _, err := range []error{
		s.Pull(t.Context(), "whisper-bas", nil), s.Verify(t.Context(), "../x", nil), s.Remove(t.Context(), "nope"),
	} {
		if !errors.Is(err, models.ErrUnknown) || !strings.Contains(err.Error(), "whisper-base, ") {
			t.Errorf("error %v, want the names there are", err)
		}
	}
}

func shipped(t *testing.T) *models.Manifest {
	t.Helper()
	m, err := models.Load()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func installed(t *testing.T, content []byte) (*models.Store, *server) {
	t.Helper()
	srv := &server{content: content}
	ts := httptest.NewServer(srv)
	t.Cleanup(ts.Close)
	s := newStore(t, oneFile(content, from(ts.URL+"/m")))
	if err := s.Pull(t.Context(), "m", nil); err != nil {
		t.Fatal(err)
	}
	return s, srv
}

func state(t *testing.T, s *models.Store) models.State {
	t.Helper()
	st, err := s.Status("m")
	if err != nil {
		t.Fatal(err)
	}
	return st.State
}

func TestPullTwiceAsksOnce(t *testing.T) {
	content := blob(1000, 1)
	s, srv := installed(t, content)
	if err := s.Pull(t.Context(), "m", nil); err != nil {
		t.Fatal(err)
	}
	if n := len(srv.ranges()); n != 1 {
		t.Errorf("%d requests for an installed model", n)
	}
	in, err := s.Get(t.Context(), "m")
	if err != nil || in.SHA256 != digest(content) || in.Kind != models.KindLLM {
		t.Errorf("Get = %+v, %v", in, err)
	}
}

func TestChangedFile(t *testing.T) {
	content := blob(1000, 1)
	t.Run("touched: hashed again and fine", func(t *testing.T) {
		s, _ := installed(t, content)
		path := filepath.Join(s.Dir, "m", "m.bin")
		if err := os.Chtimes(path, time.Now(), time.Unix(1, 0)); err != nil {
			t.Fatal(err)
		}
		if got := state(t, s); got != models.StateUnverified {
			t.Errorf("state %s before", got)
		}
		mustHold(t, s, content)
		if got := state(t, s); got != models.StateInstalled {
			t.Errorf("state %s after", got)
		}
	})
	t.Run("other bytes of the same length: refused until pulled again", func(t *testing.T) {
		s, _ := installed(t, content)
		path := filepath.Join(s.Dir, "m", "m.bin")
		if err := os.WriteFile(path, blob(1000, 2), 0o644); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			_, err := s.Path("m")
			if !errors.Is(err, models.ErrDamaged) || !strings.Contains(err.Error(), "veristream models pull m") {
				t.Fatalf("error %v, want damaged and what to run", err)
			}
		}
		if got := state(t, s); got != models.StateDamaged {
			t.Errorf("state %s", got)
		}
		if err := s.Pull(t.Context(), "m", nil); err != nil {
			t.Fatal(err)
		}
		mustHold(t, s, content)
	})
	t.Run("cut short", func(t *testing.T) {
		s, _ := installed(t, content)
		if err := os.Truncate(filepath.Join(s.Dir, "m", "m.bin"), 10); err != nil {
			t.Fatal(err)
		}
		if got := state(t, s); got != models.StateDamaged {
			t.Errorf("state %s", got)
		}
		mustNotHave(t, s)
	})
	t.Run("verify notices what size and time hide", func(t *testing.T) {
		s, _ := installed(t, content)
		path := filepath.Join(s.Dir, "m", "m.bin")
		st, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, blob(1000, 2), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, st.ModTime(), st.ModTime()); err != nil {
			t.Fatal(err)
		}
		if err := s.Verify(t.Context(), "m", nil); !errors.Is(err, models.ErrDigest) {
			t.Errorf("error %v, want a wrong digest", err)
		}
		mustNotHave(t, s)
	})
}

// TestFoundFile: a file laid into the folder by hand counts after a check.
func TestFoundFile(t *testing.T) {
	content := blob(1000, 1)
	s := newStore(t, oneFile(content, from("http://127.0.0.1:1/")))
	path := filepath.Join(s.Dir, "m", "m.bin")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, blob(1000, 2), 0o644); err != nil {
		t.Fatal(err)
	}
	mustNotHave(t, s)
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.Pull(t.Context(), "m", nil); err != nil {
		t.Fatal(err)
	}
	mustHold(t, s, content)
}

func TestRemove(t *testing.T) {
	s, _ := installed(t, blob(1000, 1))
	if err := s.Remove(t.Context(), "m"); err != nil {
		t.Fatal(err)
	}
	if got := state(t, s); got != models.StateMissing {
		t.Errorf("state %s", got)
	}
	if _, err := s.Path("m"); !errors.Is(err, models.ErrNotInstalled) {
		t.Errorf("error %v", err)
	}
}

// TestTwoPullsAtOnce: two stores on one folder, as two processes would be.
func TestTwoPullsAtOnce(t *testing.T) {
	content := blob(300_000, 1)
	srv := &server{content: content}
	ts := httptest.NewServer(srv)
	defer ts.Close()
	a := newStore(t, oneFile(content, from(ts.URL+"/m")))
	b, err := models.Open(a.Dir, a.Cache, models.WithManifest(a.Manifest()))
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	errs := make([]error, 2)
	for i, s := range []*models.Store{a, b} {
		wg.Go(func() { errs[i] = s.Pull(context.Background(), "m", nil) })
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if n := len(srv.ranges()); n != 1 {
		t.Errorf("%d downloads, want one", n)
	}
	mustHold(t, a, content)
}

func TestBuiltIn(t *testing.T) {
	m := shipped(t)
	s := newStore(t, m)
	for _, name := range []string{"regulation-embedder", "regulation-reranker"} {
		if st, err := s.Status(name); err != nil || st.State != models.StateBuiltIn {
			t.Errorf("%s before use: %+v, %v", name, st, err)
		}
		in, err := s.Get(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range []string{"model.onnx", "tokenizer.json", "config.json"} {
			if _, err := os.Stat(filepath.Join(in.Path, f)); err != nil {
				t.Error(err)
			}
		}
		if in.SHA256 == "" {
			t.Errorf("%s has no digest", name)
		}
		// Damaged on the disk, it comes again out of the binary.
		if err := os.WriteFile(filepath.Join(in.Path, "model.onnx"), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := s.Pull(t.Context(), name, nil); err != nil {
			t.Fatal(err)
		}
		if err := s.Verify(t.Context(), name, nil); err != nil {
			t.Error(err)
		}
	}
}

// fakeOllama is a server with one model.
type fakeOllama struct{ pulled string }

func (f *fakeOllama) Has(context.Context, string) (bool, error) { return f.pulled != "", nil }
func (f *fakeOllama) Pull(_ context.Context, ref string, report func(done, total int64)) error {
	report(1, 2)
	f.pulled = ref
	return nil
}

func TestOllamaModel(t *testing.T) {
	m := &models.Manifest{Schema: 1, Models: []models.Model{{
		Name: "big", Kind: models.KindLLM, Licence: "MIT", Description: "d", Size: 2,
		Sources: []models.Source{{Type: models.SourceOllama, Ref: "big:7b"}},
	}}}
	s := newStore(t, m)
	if err := s.Pull(t.Context(), "big", nil); !errors.Is(err, models.ErrNoOllama) || !strings.Contains(err.Error(), "ollama pull big:7b") {
		t.Errorf("error %v, want what to run", err)
	}
	o := &fakeOllama{}
	s = newStore(t, m, models.WithOllama(o))
	if err := s.Pull(t.Context(), "big", nil); err != nil || o.pulled != "big:7b" {
		t.Errorf("pulled %q, %v", o.pulled, err)
	}
	if _, err := s.Path("big"); !errors.Is(err, models.ErrNotInstalled) {
		t.Errorf("error %v, want: not a file", err)
	}
}
