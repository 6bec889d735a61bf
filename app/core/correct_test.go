package core_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"veristream/app/core"
	"veristream/app/dirs"
	"veristream/backend/audit"
)

// What a person corrected is what the next audit judges, under the machine's
// words and with who corrected it and when.
func TestCorrectionIsAudited(t *testing.T) {
	t.Setenv("VERISTREAM_HOME", t.TempDir())
	c, err := core.Open(t.Context(), core.Options{Dirs: dirs.Find(), NoLLM: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	in := filepath.Join(t.TempDir(), "talk.srt")
	if err := os.WriteFile(in, []byte("1\n00:00:01,000 --> 00:00:04,000\nYou simply can knot lose with this note.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	job := core.Job{Path: in, NoLLM: true, Facts: &audit.Facts{Speaker: "finra_member", Audience: "retail"}}
	promises := func(r *audit.Result) (n int) {
		for _, f := range r.Findings {
			if strings.Contains(f.Excerpt, "cannot lose") {
				n++
			}
		}
		return n
	}
	first, err := c.Audit(t.Context(), job, nil)
	if err != nil {
		t.Fatal(err)
	}
	seg := first.Segments[0]
	at := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	correction := audit.Correction{
		Source: seg.Source, StartMS: seg.StartMS, EndMS: seg.EndMS, Machine: seg.Text, Text: "You simply cannot lose with this note.", By: "L. Brandt", At: at,
	}
	if err := c.Store.SaveCorrection(t.Context(), first.Video.SHA256, first.ID, correction); err != nil {
		t.Fatal(err)
	}
	again, err := c.Audit(t.Context(), job, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := again.Segments[0]
	if promises(first) != 0 || promises(again) == 0 {
		t.Errorf("promises before %d, after %d", promises(first), promises(again))
	}
	if got.Text != correction.Text || got.Corrected == nil || got.Corrected.Machine != seg.Text || got.Corrected.By != "L. Brandt" || !got.Corrected.At.Equal(at) {
		t.Errorf("%+v", got)
	}
	kept, err := c.Store.Result(t.Context(), first.ID)
	if err != nil || kept.Segments[0].Text != seg.Text {
		t.Errorf("the earlier audit was changed: %+v, %v", kept.Segments[0], err)
	}
	if err := c.Store.VerifyEvents(t.Context()); err != nil {
		t.Error(err)
	}
}
