package window_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"veristream/app/apptest"
	"veristream/app/window"
	"veristream/backend/audit"
)

// The test binary shows the window when this is set: a real webview, real
// media, and machines of the test's.
const asWindow = "VERISTREAM_TEST_WINDOW"

func TestMain(m *testing.M) {
	if dir := os.Getenv(asWindow); dir != "" {
		if err := show(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

func show(dir string) error {
	video := audit.Video{
		Path: filepath.Join(dir, "demo.mp4"), Title: "A small demo", DurationMS: 20000, SHA256: "ab", Width: 640, Height: 360,
		HasVideo: true, HasAudio: true,
	}
	machines := apptest.New(dir, video)
	machines.Step = 20 * time.Millisecond
	return window.Run(context.Background(), machines.Parts(), window.Options{
		Version: "test", Assets: os.DirFS("../../frontend/dist"), DataDir: dir, Dir: dir, Open: []string{video.Path},
	})
}

// TestWindow drives the real window: an audit is started, its review opened,
// a finding clicked, and the player's own time is where the finding begins.
func TestWindow(t *testing.T) {
	apptest.NeedWindow(t, "ffmpeg")
	dir := t.TempDir()
	apptest.Film(t, filepath.Join(dir, "demo.mp4"), 20)
	s := apptest.StartScreen(t)
	s.Start(t, asWindow+"="+dir)

	s.WaitTitle(t, "New audit")
	s.Shot(t, "1-new-audit")
	s.Key(t, "Return") // starts the audit; every fact is unknown
	s.WaitTitle(t, "A small demo")

	// Return opens the review once the audit is done; [ goes to the finding
	// before, which seeks. Until then the keys do nothing.
	machines := apptest.New(dir, audit.Video{DurationMS: 20000})
	first := machines.Findings()[0].StartMS
	s.Until(t, "the player stands at the first finding", func() bool {
		s.Key(t, "Return")
		s.Key(t, "bracketleft")
		time.Sleep(500 * time.Millisecond)
		at, ok := position(dir)
		return ok && near(at, first)
	})
	s.Shot(t, "2-review")

	// The timestamps of the transcript stand in a column; where exactly depends
	// on the fonts, so the pointer tries from top to bottom.
	column := apptest.Width - 440 - 300 + 25
	seen := map[int64]bool{}
	for y := 140; y < 420; y += 9 {
		s.Click(t, column, y)
		time.Sleep(150 * time.Millisecond)
		at, ok := position(dir)
		if !ok {
			t.Fatal("the window no longer says where the player stands")
		}
		for _, seg := range machines.Segments() {
			if near(at, seg.StartMS) {
				seen[seg.StartMS] = true
			}
		}
	}
	if len(seen) < 3 {
		t.Errorf("clicks down the column of timestamps led to %d of 5 places", len(seen))
	}
	s.Key(t, "a")
	time.Sleep(500 * time.Millisecond)
	s.Shot(t, "3-accepted")
}

// near says whether the player is within 0.3 s of a time.
func near(at, want int64) bool { return math.Abs(float64(at-want)) <= 300 }

// position reads where the player's own clock stood when it last told.
func position(dir string) (int64, bool) {
	data, err := os.ReadFile(filepath.Join(dir, "positions.json"))
	if err != nil {
		return 0, false
	}
	var all map[string]int64
	if json.Unmarshal(data, &all) != nil {
		return 0, false
	}
	at, ok := all["a1"]
	return at, ok
}
