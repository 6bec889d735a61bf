package desk_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"veristream/app/apptest"
	"veristream/app/dirs"
	"veristream/backend/store"
)

// TestDrop drops a video on the real window, as from a file manager: the window
// asks about that file, and Return audits it.
func TestDrop(t *testing.T) {
	apptest.NeedWindow(t, "ffmpeg")
	apptest.NeedDrag(t)
	home := t.TempDir()
	t.Setenv("VERISTREAM_HOME", home)
	d := dirs.Find()
	folder := filepath.Join(home, "a folder with ümlauts & spaces")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	film := filepath.Join(folder, "50% of a film.mp4")
	apptest.Film(t, film, 5)
	s := apptest.StartScreen(t)
	s.Start(t, asWindow+"=1")
	s.WaitTitle(t, "Set up")
	time.Sleep(2 * time.Second) // the checks come in
	s.Drag(t, 700, 400, film)
	s.WaitTitle(t, "New audit")
	s.Until(t, "an audit of the dropped file", func() bool {
		s.Key(t, "Return") // once the file has been looked at
		time.Sleep(time.Second)
		return slices.ContainsFunc(audits(t, d), func(a store.Audit) bool { return a.Path == film })
	})
	s.Shot(t, "drop-working")
}
