package desk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"veristream/app/apptest"
	"veristream/app/desk"
	"veristream/app/dirs"
	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/store"
	"veristream/models"
)

// The test binary shows the window on its data folder when this is set.
// It can take its list of models from a file, and an empty page for its own.
const (
	asWindow     = "VERISTREAM_TEST_DESK"
	withManifest = "VERISTREAM_TEST_MANIFEST"
	withNothing  = "VERISTREAM_TEST_EMPTY"
)

func TestMain(m *testing.M) {
	if os.Getenv(asWindow) != "" {
		if err := show(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func show() error {
	o := desk.Options{Version: "test", Dirs: dirs.Find(), Assets: os.DirFS("../../frontend/dist")}
	if os.Getenv(withNothing) != "" {
		o.Assets = fstest.MapFS{"index.html": {Data: []byte("<!doctype html><title>Nothing</title>")}}
	}
	if path := os.Getenv(withManifest); path != "" {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		list, err := models.Parse(data)
		if err != nil {
			return err
		}
		o.Models = []models.Option{models.WithManifest(list)}
	}
	return desk.Run(context.Background(), o)
}

// TestDesk drives the real window on a real database and a real video: a
// finding that is clicked moves the player to it, a decision is on the disk,
// and both are there again when the program is started anew.
func TestDesk(t *testing.T) {
	apptest.NeedWindow(t, "ffmpeg")
	home := t.TempDir()
	t.Setenv("VERISTREAM_HOME", home)
	d := dirs.Find()
	id, first := library(t, d, filepath.Join(home, "a film.mp4"))

	s := apptest.StartScreen(t)
	stop := s.Start(t, asWindow+"=1")
	s.WaitTitle(t, "Library")
	openFirst(t, s)
	s.Until(t, "the player stands at the finding", func() bool {
		s.Key(t, "bracketright")
		time.Sleep(time.Second)
		at, ok := position(d, id)
		return ok && math.Abs(float64(at-first)) <= 300
	})
	s.Shot(t, "desk-1-review")
	s.Until(t, "the finding is accepted", func() bool {
		s.Key(t, "a")
		time.Sleep(time.Second)
		return slices.ContainsFunc(decisions(t, d, id), func(x audit.Decision) bool { return x.Action == "accept" && x.FindingID == "f1" })
	})
	stop()

	s.Start(t, asWindow+"=1")
	s.WaitTitle(t, "Library")
	time.Sleep(3 * time.Second)
	s.Shot(t, "desk-2-library")
	openFirst(t, s)
	s.Shot(t, "desk-3-again")
	if at, _ := position(d, id); math.Abs(float64(at-first)) > 300 {
		t.Errorf("started again, the player stands at %d ms, and the finding begins at %d", at, first)
	}
}

// openFirst opens the newest audit: the first row of the list.
func openFirst(t *testing.T, s *apptest.Screen) {
	t.Helper()
	for range 60 {
		s.Click(t, 600, 165)
		time.Sleep(time.Second)
		if s.HasTitle(t, "A film") {
			time.Sleep(3 * time.Second) // the video loads
			return
		}
	}
	t.Fatal("the first row does not open")
}

// library makes a database with one audit of a small film.
func library(t *testing.T, d dirs.Dirs, film string) (id string, first int64) {
	t.Helper()
	apptest.Film(t, film, 20)
	if err := d.Make(); err != nil {
		t.Fatal(err)
	}
	v, _, err := media.Probe(t.Context(), film)
	if err != nil {
		t.Fatal(err)
	}
	v.SHA256, v.Title = "ab", "A film"
	m := apptest.New(t.TempDir(), v)
	st := openStore(t, d)
	defer st.Close()
	rec, err := st.CreateAudit(t.Context(), store.Audit{Path: film, Title: "A film", VideoSHA256: v.SHA256, State: store.StateRunning})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.SaveVideo(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	r := &audit.Result{
		Schema: audit.SchemaVersion, ID: rec.ID, Video: v, Facts: audit.Facts{}.WithDefaults(), AsOf: "2026-11-24",
		Segments: m.Segments(), Findings: m.Findings()[:1],
	}
	if err := st.SaveResult(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	return rec.ID, r.Findings[0].StartMS
}

func openStore(t *testing.T, d dirs.Dirs) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), d.Database())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func decisions(t *testing.T, d dirs.Dirs, id string) []audit.Decision {
	t.Helper()
	st := openStore(t, d)
	defer st.Close()
	list, err := st.Decisions(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func position(d dirs.Dirs, id string) (int64, bool) {
	data, err := os.ReadFile(filepath.Join(d.Data, "window", "positions.json"))
	if err != nil {
		return 0, false
	}
	var all map[string]int64
	if json.Unmarshal(data, &all) != nil {
		return 0, false
	}
	at, ok := all[id]
	return at, ok
}
