package apptest

import (
	"strconv"
	"strings"
	"testing"
)

// Type types letters, as on a keyboard.
func (s *Screen) Type(t *testing.T, text string) {
	t.Helper()
	if _, err := s.do(t, "xdotool", "type", "--delay", "15", text); err != nil {
		t.Fatalf("type %q: %v", text, err)
	}
}

// PointAt moves the pointer onto the window with that title: without a window
// manager, the keys go to the window under it.
func (s *Screen) PointAt(t *testing.T, title string) {
	t.Helper()
	out, err := s.do(t, "xdotool", "search", "--onlyvisible", "--name", title)
	if err != nil {
		t.Fatalf("look for the window %s: %v", title, err)
	}
	id := strings.Fields(out)[0]
	out, err = s.do(t, "xdotool", "getwindowgeometry", "--shell", id)
	if err != nil {
		t.Fatalf("ask where the window %s is: %v", title, err)
	}
	at := map[string]int{}
	for _, line := range strings.Fields(out) {
		name, value, _ := strings.Cut(line, "=")
		at[name], _ = strconv.Atoi(value)
	}
	if _, err := s.do(t, "xdotool", "mousemove", strconv.Itoa(at["X"]+at["WIDTH"]/2), strconv.Itoa(at["Y"]+at["HEIGHT"]/2)); err != nil {
		t.Fatalf("move the pointer onto %s: %v", title, err)
	}
}
