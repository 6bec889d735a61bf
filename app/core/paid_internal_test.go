package core

import (
	"testing"

	"veristream/backend/audit"
	"veristream/backend/media"
)

func TestPaidHint(t *testing.T) {
	chapter := func(title string) media.Remote {
		return media.Remote{Chapters: []media.Chapter{{Title: "Intro"}, {StartMS: 135_000, Title: title}}}
	}
	for _, tt := range []struct {
		remote media.Remote
		want   string
	}{
		{media.Remote{}, ""},
		{media.Remote{Paid: true, Tags: []string{"ad"}}, "marked as paid promotion"},
		{chapter("Today's sponsor: Harbor Pine"), `the chapter at 2:15 is called "Today's sponsor: Harbor Pine"`},
		{chapter("Ad: Harbor Pine"), `the chapter at 2:15 is called "Ad: Harbor Pine"`},
		{chapter("A word from our partner"), `the chapter at 2:15 is called "A word from our partner"`},
		{chapter("Ad break"), `the chapter at 2:15 is called "Ad break"`},
		{chapter("Why this is not sponsored"), ""},
		{chapter("How to find a sponsor"), ""},
		{chapter("Ad hoc questions"), ""},
		{chapter("Adding to a position"), ""},
		{media.Remote{Tags: []string{"bonds", "Sponsored"}}, `tagged "Sponsored"`},
		{media.Remote{Tags: []string{"bonds", "adviser", "paid off debt"}}, ""},
	} {
		got := ""
		for _, p := range proposals(tt.remote, audit.Facts{}) {
			if p.Fact != "paid" || p.Value != "yes" || p.SegmentID != "" {
				t.Errorf("%+v", p)
			}
			got = p.Excerpt
		}
		if got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.remote, got, tt.want)
		}
	}
	// What a person has said is not proposed again.
	if p := proposals(chapter("Sponsor"), audit.Facts{Paid: "yes"}); len(p) != 0 {
		t.Errorf("%+v", p)
	}
}
