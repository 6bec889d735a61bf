package app_test

import (
	"testing"

	"veristream/app"
	"veristream/backend/audit"
)

// Words stand where JavaScript counts them, and what a person changed has none.
func TestTakeWords(t *testing.T) {
	segments := []audit.Segment{
		{ID: "a", StartMS: 1000, Text: "né 😀 gain gain, sure", Words: []audit.Word{
			{Text: " né", StartMS: 1000, EndMS: 1200},
			{Text: "😀", StartMS: 1200, EndMS: 1300},
			{Text: "gain", StartMS: 1300, EndMS: 1500},
			{Text: "lost", StartMS: 1500, EndMS: 1600},
			{Text: "gain,", StartMS: 1600, EndMS: 1700},
			{Text: " ", StartMS: 1700, EndMS: 1700},
		}},
		{ID: "b", Text: "none"},
	}
	got := app.TakeWords(segments)
	if want := "0 2 0 200 3 5 200 300 6 10 300 500 11 16 600 700"; got["a"] != want || len(got) != 1 {
		t.Errorf("got %q, want a: %q", got, want)
	}
	if segments[0].Words != nil || segments[0].Text == "" {
		t.Errorf("what stays is %+v", segments[0])
	}
}
