package apptest

import (
	"bytes"
	"fmt"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// The size of a Screen.
const (
	Width  = 1440
	Height = 900
)

// Screen is an X server of the test's own, with nothing but the window on it.
type Screen struct {
	name  string
	shots string
	log   bytes.Buffer
}

// StartScreen starts an X server that ends with the test.
func StartScreen(t *testing.T) *Screen {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.CommandContext(t.Context(), "Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", Width, Height), "-nolisten", "tcp")
	server.ExtraFiles = []*os.File{write}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	_ = write.Close()
	t.Cleanup(func() { _ = server.Wait() }) // the test's context has killed it
	var number int
	if _, err := fmt.Fscan(read, &number); err != nil {
		t.Fatalf("Xvfb did not start: %v", err)
	}
	shots := os.Getenv("VERISTREAM_SHOTS")
	if shots == "" {
		shots = filepath.Join(os.TempDir(), "veristream-window")
	}
	if err := os.MkdirAll(shots, 0o700); err != nil {
		t.Fatal(err)
	}
	return &Screen{name: fmt.Sprintf(":%d", number), shots: shots}
}

// Start runs this test binary again as a window on the screen, with more in its
// environment. It ends with the test, or when the result is called.
func (s *Screen) Start(t *testing.T, env ...string) (stop func()) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(append(os.Environ(), "DISPLAY="+s.name, "GDK_BACKEND=x11", "NO_AT_BRIDGE=1"), env...)
	cmd.Stdout, cmd.Stderr = &s.log, &s.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	stop = func() {
		if ended {
			return
		}
		ended = true
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait() // how a window ends that was told to is no matter
	}
	t.Cleanup(func() {
		stop()
		if t.Failed() {
			t.Log(s.log.String())
		}
	})
	return stop
}

func (s *Screen) do(t *testing.T, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+s.name)
	out, err := cmd.Output()
	return string(out), err
}

// Until waits, a minute at most, and keeps a picture when it was in vain.
func (s *Screen) Until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 240 {
		if ok() {
			return
		}
		time.Sleep(250 * time.Millisecond)
	}
	s.Shot(t, "stuck")
	t.Fatalf("never came: %s", what)
}

// WaitTitle waits for a window whose title has these words.
func (s *Screen) WaitTitle(t *testing.T, title string) {
	t.Helper()
	s.Until(t, "a window with the title "+title, func() bool { return s.HasTitle(t, title) })
}

// HasTitle says whether a window's title has these words.
func (s *Screen) HasTitle(t *testing.T, title string) bool {
	t.Helper()
	_, err := s.do(t, "xdotool", "search", "--onlyvisible", "--name", title)
	return err == nil
}

// Key presses a key, by the name that X gives it.
func (s *Screen) Key(t *testing.T, key string) {
	t.Helper()
	if _, err := s.do(t, "xdotool", "key", key); err != nil {
		t.Fatalf("press %s: %v", key, err)
	}
}

// Click presses the pointer's first button at a place.
func (s *Screen) Click(t *testing.T, x, y int) {
	t.Helper()
	if _, err := s.do(t, "xdotool", "mousemove", strconv.Itoa(x), strconv.Itoa(y), "click", "1"); err != nil {
		t.Fatalf("click at %d, %d: %v", x, y, err)
	}
}

// Shot keeps a picture of the screen, once something is drawn on it.
func (s *Screen) Shot(t *testing.T, name string) {
	t.Helper()
	path := filepath.Join(s.shots, name+".png")
	for range 20 {
		if _, err := s.do(t, "import", "-window", "root", path); err != nil {
			t.Fatalf("take a picture of the screen: %v", err)
		}
		if colours(t, path) > 100 {
			t.Log("picture: " + path)
			return
		}
		time.Sleep(250 * time.Millisecond)
	}
	t.Errorf("nothing is drawn: %s", path)
}

func colours(t *testing.T, path string) int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[color.Color]bool{}
	for y := 0; y < Height; y += 3 {
		for x := 0; x < Width; x += 3 {
			seen[img.At(x, y)] = true
		}
	}
	return len(seen)
}

// Need skips a test where a program is missing, loudly; it fails it where all
// must be there.
func Need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			Skip(t, tool+" is not installed")
		}
	}
}

// NeedWindow skips a test of the real window where the tools for that, or the
// further ones named, or the built front end are missing. The test's package is
// a folder of app.
func NeedWindow(t *testing.T, tools ...string) {
	t.Helper()
	Need(t, append([]string{"Xvfb", "xdotool", "import"}, tools...)...)
	if _, err := os.Stat("../../frontend/dist/index.html"); err != nil {
		Skip(t, "the front end is not built: npm run build in frontend")
	}
}

// Skip skips a test and says why, or fails it where VERISTREAM_REQUIRE_ALL is 1.
func Skip(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("VERISTREAM_REQUIRE_ALL") == "1" {
		t.Fatal(why)
	}
	t.Skip("SKIPPED: " + why)
}

// Film makes a small H.264/AAC video with ffmpeg.
func Film(t *testing.T, path string, seconds int) {
	t.Helper()
	d := strconv.Itoa(seconds)
	out, err := exec.CommandContext(t.Context(), "ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d="+d,
		"-f", "lavfi", "-i", "sine=d="+d, "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac",
		"-movflags", "+faststart", path).CombinedOutput()
	if err != nil {
		t.Fatalf("make a film: %v\n%s", err, strings.TrimSpace(string(out)))
	}
}
