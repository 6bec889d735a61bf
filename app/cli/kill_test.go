package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"veristream/app/cli"
	"veristream/app/core"
	"veristream/app/dirs"
	"veristream/backend/audit"
	"veristream/backend/store"
)

// spokenVideo makes a video of a few seconds with speech and a caption.
func spokenVideo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	spoken, video := filepath.Join(dir, "spoken.wav"), filepath.Join(dir, "talk.mp4")
	tool(t, "espeak-ng", "-v", "en-us", "-s", "150", "-w", spoken,
		"Welcome to the channel. You simply cannot lose money with this account. See you next week.")
	tool(t, "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=c=navy:s=640x360:r=10", "-i", spoken,
		"-vf", "drawtext=fontfile=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf:text='9.5 percent a year':fontcolor=white:fontsize=32:x=60:y=150",
		"-shortest", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", video)
	return video
}

// heard is what an audit found, without what differs from run to run.
func heard(t *testing.T, file string) (out struct {
	Segments []audit.Segment `json:"segments"`
	Findings []audit.Finding `json:"findings"`
},
) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Killed at any time, the next start goes on from what was done, ends with what
// an undisturbed run finds, and no record stays open.
func TestKilledAtAnyTime(t *testing.T) {
	speechModel(t)
	models := cli.New("test").Dirs.Models()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	video := spokenVideo(t)
	home := func() string {
		dir := t.TempDir()
		if err := os.MkdirAll(filepath.Join(dir, "data"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(models, filepath.Join(dir, "data", "models")); err != nil {
			t.Fatal(err)
		}
		return dir
	}
	start := func(dir, out string) (*exec.Cmd, *strings.Builder) {
		cmd := exec.Command(exe, "audit", video, "--no-llm", "--quiet", "--as-of", "2026-01-02", "--json", out)
		cmd.Env = append(os.Environ(), "VERISTREAM_TEST_CLI=1", "VERISTREAM_HOME="+dir)
		var text strings.Builder
		cmd.Stdout, cmd.Stderr = &text, &text
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		return cmd, &text
	}
	quiet, want := home(), filepath.Join(t.TempDir(), "want.json")
	begun := time.Now()
	cmd, text := start(quiet, want)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	whole := time.Since(begun)

	dir, got := home(), filepath.Join(t.TempDir(), "got.json")
	killed := 0
	for i := range 9 { // later and later, so that every stage is hit
		cmd, _ := start(dir, got)
		timer := time.AfterFunc(whole*time.Duration(i+1)/10, func() { _ = cmd.Process.Kill() })
		err := cmd.Wait()
		timer.Stop()
		if err == nil {
			break
		}
		killed++
	}
	if killed < 3 {
		t.Fatalf("only %d runs were killed", killed)
	}
	for i := range 4 { // an interrupt is a cancel: its own exit code, and soon
		cmd, text := start(home(), filepath.Join(t.TempDir(), "none.json"))
		time.Sleep(whole * time.Duration(i+1) / 6)
		asked := time.Now()
		_ = cmd.Process.Signal(os.Interrupt)
		err := cmd.Wait()
		if took := time.Since(asked); took > 10*time.Second { // 3 s on a machine that does nothing else
			t.Errorf("interrupted after %d/6: took %v", i+1, took)
		}
		if err != nil && cmd.ProcessState.ExitCode() != cli.ExitCancelled {
			t.Errorf("interrupted after %d/6: %v\n%s", i+1, err, text)
		}
	}
	cmd, text = start(dir, got)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("after %d kills: %v\n%s", killed, err, text)
	}
	a, b := heard(t, want), heard(t, got)
	if len(a.Findings) == 0 || len(a.Segments) < 2 {
		t.Fatalf("the undisturbed run found too little: %+v", a)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("after %d kills: %+v\nundisturbed: %+v", killed, b, a)
	}
	t.Setenv("VERISTREAM_HOME", dir)
	c, err := core.Open(t.Context(), core.Options{Dirs: dirs.Find(), NoLLM: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	open, err := c.Store.ListAudits(t.Context(), store.AuditFilter{State: store.StateRunning})
	if err != nil || len(open) != 0 {
		t.Errorf("records that stay open: %+v, %v", open, err)
	}
	ended, err := c.Store.ListAudits(t.Context(), store.AuditFilter{State: store.StateFailed})
	if err != nil || len(ended) == 0 || ended[0].Error != core.Interrupted {
		t.Errorf("records of killed runs: %+v, %v", ended, err)
	}
}
