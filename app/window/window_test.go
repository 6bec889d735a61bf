package window_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/color"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"veristream/app/apptest"
	"veristream/app/window"
	"veristream/backend/audit"
)

// The test binary shows the window when this is set: a real webview, real
// media, and machines of the test's.
const asWindow = "VERISTREAM_TEST_WINDOW"

const (
	width  = 1440
	height = 900
)

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
	machines := apptest.New(video)
	machines.Step = 20 * time.Millisecond
	return window.Run(context.Background(), machines.Parts(), window.Options{
		Version: "test", Assets: os.DirFS("../../frontend/dist"), DataDir: dir, Dir: dir, Open: []string{video.Path},
	})
}

// TestWindow drives the real window: an audit is started, its review opened,
// a finding clicked, and the player's own time is where the finding begins.
func TestWindow(t *testing.T) {
	for _, tool := range []string{"Xvfb", "xdotool", "import", "ffmpeg"} {
		if _, err := exec.LookPath(tool); err != nil {
			skip(t, tool+" is not installed")
		}
	}
	if _, err := os.Stat("../../frontend/dist/index.html"); err != nil {
		skip(t, "the front end is not built: npm run build in frontend")
	}
	dir := t.TempDir()
	run(t, "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=20", "-f", "lavfi", "-i", "sine=d=20",
		"-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "+faststart",
		filepath.Join(dir, "demo.mp4"))
	s := startScreen(t)
	s.start(t, dir)

	s.waitTitle(t, "New audit")
	s.shot(t, "1-new-audit")
	s.key(t, "Return") // starts the audit; every fact is unknown
	s.waitTitle(t, "A small demo")

	// Return opens the review once the audit is done; [ goes to the finding
	// before, which seeks. Until then the keys do nothing.
	machines := apptest.New(audit.Video{DurationMS: 20000})
	first := machines.Findings()[0].StartMS
	s.until(t, "the player stands at the first finding", func() bool {
		s.key(t, "Return")
		s.key(t, "bracketleft")
		time.Sleep(500 * time.Millisecond)
		at, ok := position(dir)
		return ok && near(at, first)
	})
	s.shot(t, "2-review")

	// The timestamps of the transcript stand in a column; where exactly depends
	// on the fonts, so the pointer tries from top to bottom.
	column := width - 440 - 300 + 25
	seen := map[int64]bool{}
	for y := 140; y < 420; y += 9 {
		s.click(t, column, y)
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
	s.key(t, "a")
	time.Sleep(500 * time.Millisecond)
	s.shot(t, "3-accepted")
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

// screen is an X server of the test's own, with nothing but the window on it.
type screen struct {
	name  string
	shots string
	log   bytes.Buffer
}

func startScreen(t *testing.T) *screen {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	server := exec.CommandContext(t.Context(), "Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", width, height), "-nolisten", "tcp")
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
	return &screen{name: fmt.Sprintf(":%d", number), shots: shots}
}

// start shows the window: this test binary, run as one.
func (s *screen) start(t *testing.T, dir string) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe)
	cmd.Env = append(os.Environ(), asWindow+"="+dir, "DISPLAY="+s.name, "GDK_BACKEND=x11", "NO_AT_BRIDGE=1")
	cmd.Stdout, cmd.Stderr = &s.log, &s.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Wait() // the test's context has killed it
		if t.Failed() {
			t.Log(s.log.String())
		}
	})
}

func (s *screen) do(t *testing.T, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+s.name)
	out, err := cmd.Output()
	return string(out), err
}

func (s *screen) until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 120 {
		if ok() {
			return
		}
		time.Sleep(250 * time.Millisecond)
	}
	s.shot(t, "stuck")
	t.Fatalf("never came: %s", what)
}

func (s *screen) waitTitle(t *testing.T, title string) {
	t.Helper()
	s.until(t, "a window with the title "+title, func() bool {
		_, err := s.do(t, "xdotool", "search", "--onlyvisible", "--name", title)
		return err == nil
	})
}

func (s *screen) key(t *testing.T, key string) {
	t.Helper()
	if _, err := s.do(t, "xdotool", "key", key); err != nil {
		t.Fatalf("press %s: %v", key, err)
	}
}

func (s *screen) click(t *testing.T, x, y int) {
	t.Helper()
	if _, err := s.do(t, "xdotool", "mousemove", strconv.Itoa(x), strconv.Itoa(y), "click", "1"); err != nil {
		t.Fatalf("click at %d, %d: %v", x, y, err)
	}
}

// shot keeps a picture of the screen, once something is drawn on it.
func (s *screen) shot(t *testing.T, name string) {
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
	for y := 0; y < height; y += 3 {
		for x := 0; x < width; x += 3 {
			seen[img.At(x, y)] = true
		}
	}
	return len(seen)
}

func skip(t *testing.T, why string) {
	t.Helper()
	if os.Getenv("VERISTREAM_REQUIRE_ALL") == "1" {
		t.Fatal(why)
	}
	t.Skip(why)
}

func run(t *testing.T, name string, args ...string) string {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}
