package verify_test

import (
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/verify"
)

func TestFindings(t *testing.T) {
	segments := []audit.Segment{
		{ID: "s1", Source: audit.Speech, StartMS: 0, EndMS: 3000, Text: "You cannot lose with this."},
		{ID: "s2", Source: audit.Speech, StartMS: 3000, EndMS: 6000, Text: "Thanks for watching.", Flag: "stock phrase"},
		{ID: "d1", Source: audit.Description, Text: "You cannot lose with this."},
	}
	good := audit.Finding{
		ID: "f1", Category: "c", Citation: "FINRA Rule 2210 (d)(1)(B)", SegmentID: "s1",
		StartMS: 0, EndMS: 3000, Excerpt: "you CANNOT lose", Evidence: "words",
	}
	for _, tt := range []struct {
		name   string
		change func(*audit.Finding)
		reason string
	}{
		{"good", func(*audit.Finding) {}, ""},
		{"words of the rule", func(f *audit.Finding) { f.Excerpt = "false, exaggerated, unwarranted" }, "do not stand"},
		{"no such rule", func(f *audit.Finding) { f.Citation = "FINRA 2210(z)" }, "names no paragraph"},
		{"not retrieved", func(f *audit.Finding) { f.Citation = "FINRA 2210(d)(1)(A)" }, "not among"},
		{"unreadable", func(f *audit.Finding) { f.Citation = "the rule" }, "cannot be read"},
		{"after the end", func(f *audit.Finding) { f.EndMS = 99_000 }, "do not lie"},
		{"backwards", func(f *audit.Finding) { f.EndMS = 0 }, "do not lie"},
		{"under the video", func(f *audit.Finding) { f.SegmentID, f.EndMS = "d1", 0 }, ""},
		{"another segment", func(f *audit.Finding) { f.SegmentID = "s9" }, "does not exist"},
		{"flagged", func(f *audit.Finding) { f.SegmentID, f.Excerpt = "s2", "Thanks" }, "not trusted"},
		{"nothing", func(f *audit.Finding) { f.Excerpt, f.Evidence = "", "" }, "neither"},
		{"missing thing", func(f *audit.Finding) { f.Excerpt = "" }, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := good
			tt.change(&f)
			passed, dropped := verify.Findings([]audit.Finding{f}, verify.Input{
				Segments: segments, DurationMS: 6000,
				Retrieved: map[string][]string{"f1": {"FINRA 2210(d)(1)(B)", "FINRA 2210(z)"}},
				Resolves:  func(c string) bool { return c != "FINRA 2210(z)" },
			})
			if tt.reason == "" {
				if len(passed) != 1 || len(dropped) != 0 {
					t.Fatalf("dropped: %+v", dropped)
				}
				if passed[0].Citation != "FINRA 2210(d)(1)(B)" {
					t.Errorf("citation %q", passed[0].Citation)
				}
				if passed[0].Excerpt != "" && !strings.Contains(segments[0].Text, passed[0].Excerpt) {
					t.Errorf("excerpt %q is not the segment's", passed[0].Excerpt)
				}
				return
			}
			if len(dropped) != 1 || !strings.Contains(dropped[0].Reason, tt.reason) {
				t.Fatalf("passed %+v, dropped %+v, want reason %q", passed, dropped, tt.reason)
			}
		})
	}
}
