package apptest

import (
	_ "embed" // the program that is dragged from
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

//go:embed testdata/drag.c
var dragSource []byte

// NeedDrag skips a test that drags files where a C compiler or GTK is missing;
// both are needed to build the window at all.
func NeedDrag(t *testing.T) {
	t.Helper()
	Need(t, "cc", "pkg-config")
	if err := exec.CommandContext(t.Context(), "pkg-config", "--exists", "gtk+-3.0").Run(); err != nil {
		Skip(t, "the headers of GTK 3 are not installed")
	}
}

// Drag drags files from another program's window to a place and lets them fall
// there. The pointer goes in steps, as a hand does: what is dragged over is
// asked at each whether it takes files, and answers when it can.
func (s *Screen) Drag(t *testing.T, x, y int, files ...string) {
	t.Helper()
	source := exec.CommandContext(t.Context(), buildDrag(t), files...)
	source.Env = append(os.Environ(), "DISPLAY="+s.name, "GDK_BACKEND=x11", "NO_AT_BRIDGE=1")
	source.Stderr = &s.log
	if err := source.Start(); err != nil {
		t.Fatal(err)
	}
	s.WaitTitle(t, "Files to drag")
	time.Sleep(500 * time.Millisecond) // it is drawn
	const fromX, fromY, steps = 1340, 850, 12
	s.pointer(t, "mousemove", strconv.Itoa(fromX), strconv.Itoa(fromY), "mousedown", "1")
	for i := 1; i <= steps; i++ {
		time.Sleep(100 * time.Millisecond)
		s.pointer(t, "mousemove", strconv.Itoa(fromX+(x-fromX)*i/steps), strconv.Itoa(fromY+(y-fromY)*i/steps))
	}
	for range 4 { // and rests there
		time.Sleep(250 * time.Millisecond)
		s.pointer(t, "mousemove_relative", "1", "1")
	}
	s.Shot(t, "drag-over")
	s.pointer(t, "mouseup", "1")
	if err := source.Wait(); err != nil {
		s.Shot(t, "drag-failed")
		t.Fatalf("nobody took the files: %v", err)
	}
}

func (s *Screen) pointer(t *testing.T, args ...string) {
	t.Helper()
	if _, err := s.do(t, "xdotool", args...); err != nil {
		t.Fatalf("xdotool %s: %v", strings.Join(args, " "), err)
	}
}

// buildDrag builds the program that is dragged from.
func buildDrag(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	source, program := filepath.Join(dir, "drag.c"), filepath.Join(dir, "drag")
	if err := os.WriteFile(source, dragSource, 0o600); err != nil {
		t.Fatal(err)
	}
	flags, err := exec.CommandContext(t.Context(), "pkg-config", "--cflags", "--libs", "gtk+-3.0").Output()
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{source, "-o", program}, strings.Fields(string(flags))...)
	if out, err := exec.CommandContext(t.Context(), "cc", args...).CombinedOutput(); err != nil {
		t.Fatalf("build the program to drag from: %v\n%s", err, out)
	}
	return program
}
