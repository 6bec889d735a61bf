package storage_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"veristream/app/dirs"
	"veristream/app/storage"
	"veristream/backend/audit"
	"veristream/backend/store"
)

func home(t *testing.T) dirs.Dirs {
	t.Helper()
	dir := t.TempDir()
	return dirs.Dirs{Data: filepath.Join(dir, "data"), Cache: filepath.Join(dir, "cache")}
}

// file writes n bytes that are some days old.
func file(t *testing.T, path string, n, days int) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, make([]byte, n), 0o600); err != nil {
		t.Fatal(err)
	}
	at := time.Now().Add(-time.Duration(days) * 24 * time.Hour)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
	return path
}

func there(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// A temporary folder goes with its work, and at the next start where the work
// was cut off.
func TestTemporaryFolders(t *testing.T) {
	d := home(t)
	a, err := storage.Begin(d, "a")
	if err != nil {
		t.Fatal(err)
	}
	file(t, filepath.Join(a.Dir, "half.wav"), 10, 0)
	dead := file(t, filepath.Join(d.Cache, "tmp", "dead", "half.wav"), 10, 0)
	half := file(t, filepath.Join(d.Work("ab"), ".veristream-x.wav"), 10, 2)
	young := file(t, filepath.Join(d.Work("ab"), ".veristream-y.wav"), 10, 0)
	if err := storage.Sweep(d); err != nil {
		t.Fatal(err)
	}
	if there(filepath.Dir(dead)) || there(half) || !there(young) || !there(a.Dir) {
		t.Errorf("after sweeping: dead %v, half %v, young %v, living %v", there(dead), there(half), there(young), there(a.Dir))
	}
	if _, err := storage.Begin(d, "a"); audit.CodeOf(err) != audit.CodeStorage {
		t.Errorf("begun twice: %v", err)
	}
	if err := a.End(); err != nil || there(a.Dir) {
		t.Errorf("ended: %v, there %v", err, there(a.Dir))
	}
}

// The quota takes the oldest first, downloads last, and never what a running
// audit needs or what is not the cache's.
func TestQuota(t *testing.T) {
	d := home(t)
	st, err := store.Open(t.Context(), d.Database())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	film := file(t, filepath.Join(t.TempDir(), "film.mp4"), 1000, 99)
	oldest := file(t, filepath.Join(d.Work("aa"), "player-0.mp4"), 100, 9)
	running := file(t, filepath.Join(d.Work("bb"), "sound-0.wav"), 100, 8)
	older := file(t, filepath.Join(d.Work("cc"), "pictures", "1.jpg"), 100, 7)
	newer := file(t, filepath.Join(d.Work("cc"), "sound-0.wav"), 100, 1)
	fetched := file(t, filepath.Join(d.Fetched("k"), "video.mp4"), 100, 30)
	unknown := file(t, filepath.Join(d.Work("cc"), "notes.txt"), 100, 50)
	if err := os.Symlink(filepath.Dir(film), filepath.Join(d.Cache, "fetched", "link")); err != nil {
		t.Fatal(err)
	}
	run, err := storage.Begin(d, "run")
	if err != nil {
		t.Fatal(err)
	}
	defer run.End()
	if err := run.Use(d.Work("bb")); err != nil {
		t.Fatal(err)
	}
	r, err := storage.Measure(t.Context(), d, st)
	if err != nil || r.Cache != 500 || r.Quota != storage.DefaultQuota || r.Free == 0 {
		t.Errorf("%+v, %v", r, err)
	}
	state := func(why string, quota, freed int64, gone ...string) {
		t.Helper()
		got, err := storage.Enforce(t.Context(), d, quota)
		if err != nil || got != freed {
			t.Errorf("%s: freed %d, want %d, %v", why, got, freed, err)
		}
		missing := map[string]bool{}
		for _, path := range gone {
			missing[path] = true
		}
		for _, path := range []string{film, oldest, running, older, newer, fetched, unknown} {
			if there(path) == missing[path] {
				t.Errorf("%s: %s is there: %v", why, path, there(path))
			}
		}
	}
	state("no bound", 0, 0)
	state("within it", 500, 0)
	state("one over it", 499, 100, oldest)
	state("the running one is left alone", 250, 200, oldest, older, newer)
	state("downloads last", 150, 100, oldest, older, newer, fetched)
	state("only what is in use is left", 1, 0, oldest, older, newer, fetched)
	if err := run.End(); err != nil {
		t.Fatal(err)
	}
	if freed, err := storage.Clean(t.Context(), d, storage.Sound); err != nil || freed != 100 || there(running) {
		t.Errorf("cleaned %d, %v", freed, err)
	}
	if _, err := storage.Clean(t.Context(), d, storage.Models); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("models were cleaned: %v", err)
	}
	if err := storage.SetQuota(t.Context(), st, -1); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("a negative quota: %v", err)
	}
	if err := storage.SetQuota(t.Context(), st, 7); err != nil {
		t.Fatal(err)
	}
	if n, err := storage.Quota(t.Context(), st); err != nil || n != 7 {
		t.Errorf("quota %d, %v", n, err)
	}
}
