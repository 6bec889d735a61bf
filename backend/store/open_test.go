package store_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/store"
)

func open(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "veristream.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// storageError wants the code and a sentence that holds some words.
func storageError(t *testing.T, err error, words string) {
	t.Helper()
	if audit.CodeOf(err) != audit.CodeStorage || !strings.Contains(audit.SentenceOf(err), words) {
		t.Errorf("got %q (code %q), want a storage error about %q", err, audit.CodeOf(err), words)
	}
}

func TestOpenPaths(t *testing.T) {
	for _, name := range []string{"plain.db", "with space.db", "what?.db", "ha#sh.db", "100%.db", "ünïcode ’quote\".db", "new\nline.db", "deep/er/still.db"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			s, err := store.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(path); err != nil || info.Size() == 0 {
				t.Fatalf("the database is not at %q: %v", path, err)
			}
		})
	}
}

func TestOpenEveryEarlierVersion(t *testing.T) {
	for version := 0; version <= store.Latest(); version++ {
		t.Run(fmt.Sprint(version), func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "old.db")
			if err := store.OpenAt(t.Context(), path, version); err != nil {
				t.Fatal(err)
			}
			s, err := store.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			a, err := s.CreateAudit(t.Context(), store.Audit{Title: "x"})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.SaveResult(t.Context(), &audit.Result{ID: a.ID}); err != nil {
				t.Fatal(err)
			}
			if _, err := s.ReplacePassages(t.Context(), audit.CorpusCards, "c", []audit.Passage{{Header: "[h]", Body: "b"}}); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestOpenKeepsWhatAnEarlierVersionHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "old.db")
	if err := store.OpenAt(t.Context(), path, 1); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		s, err := store.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.SetSetting(t.Context(), "k", 7); err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var n int
	if ok, err := s.Setting(t.Context(), "k", &n); err != nil || !ok || n != 7 {
		t.Fatalf("got %d, %v, %v", n, ok, err)
	}
}

func TestOpenRefuses(t *testing.T) {
	ctx := t.Context()
	t.Run("newer", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "x.db")
		s, err := store.Open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.SetVersion(ctx, store.Latest()+1); err != nil {
			t.Fatal(err)
		}
		s.Close()
		_, err = store.Open(ctx, path)
		storageError(t, err, "newer VeriStream")
	})
	t.Run("not a database", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "x.db")
		if err := os.WriteFile(path, []byte(strings.Repeat("this is a letter\n", 500)), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := store.Open(ctx, path)
		storageError(t, err, "damaged")
	})
	t.Run("cut in half", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "x.db")
		s, err := store.Open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data[:len(data)/2/4096*4096], 0o600); err != nil {
			t.Fatal(err)
		}
		s, err = store.Open(ctx, path)
		if err == nil {
			defer s.Close()
			_, err = s.ReplacePassages(ctx, audit.CorpusCards, "c", []audit.Passage{{Header: "h", Body: "b"}})
			if err == nil {
				_, err = s.ListAudits(ctx, store.AuditFilter{})
			}
		}
		storageError(t, err, "damaged")
	})
	t.Run("folder", func(t *testing.T) {
		_, err := store.Open(ctx, t.TempDir())
		storageError(t, err, "is a folder")
	})
	t.Run("folder that cannot be made", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := store.Open(ctx, filepath.Join(file, "x.db"))
		storageError(t, err, "cannot be made")
	})
}

func TestFullAndReadOnly(t *testing.T) {
	ctx := t.Context()
	big := []byte(`"` + strings.Repeat("x", 1<<20) + `"`)
	key := store.Key{Content: "a", Stage: "s"}

	s := open(t)
	if err := s.SaveStage(ctx, key, []byte(`1`)); err != nil {
		t.Fatal(err)
	}
	if err := s.LimitPages(ctx); err != nil {
		t.Fatal(err)
	}
	storageError(t, s.SaveStage(ctx, key, big), "full")
	if got, ok, err := s.StageResult(ctx, key); err != nil || !ok || string(got) != "1" {
		t.Errorf("after a full disk: %s, %v, %v", got, ok, err)
	}

	s = open(t)
	if err := s.ForbidWriting(ctx); err != nil {
		t.Fatal(err)
	}
	storageError(t, s.SaveStage(ctx, key, big), "cannot be written")
}

func TestCancelledContext(t *testing.T) {
	s := open(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.SetSetting(ctx, "k", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := s.ListAudits(ctx, store.AuditFilter{}); audit.CodeOf(err) != audit.CodeCancelled {
		t.Errorf("got %v", err)
	}
}

// TestTwoProcesses runs this test binary twice more on one database.
func TestTwoProcesses(t *testing.T) {
	if path := os.Getenv("STORE_TEST_CHILD"); path != "" {
		s, err := store.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		for i := range 50 {
			if err := s.AppendEvent(t.Context(), "tick", os.Getenv("STORE_TEST_NAME"), i); err != nil {
				t.Fatal(err)
			}
		}
		return
	}
	path := filepath.Join(t.TempDir(), "shared.db")
	var children []*exec.Cmd
	for _, name := range []string{"a", "b"} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestTwoProcesses$")
		cmd.Env = append(os.Environ(), "STORE_TEST_CHILD="+path, "STORE_TEST_NAME="+name)
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if t.Failed() {
				t.Log(out.String())
			}
		})
		children = append(children, cmd)
	}
	for _, cmd := range children {
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
	}
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	events, err := s.Events(t.Context(), 0, 0)
	if err != nil || len(events) != 100 {
		t.Fatalf("got %d events, %v", len(events), err)
	}
	if err := s.VerifyEvents(t.Context()); err != nil {
		t.Error(err)
	}
}
