package core_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"veristream/app/core"
	"veristream/app/demo"
	"veristream/app/dirs"
	"veristream/backend/audit"
	"veristream/backend/said"
)

// Whoever may speak in the demo, what its audit says is German in German but for
// the words of the video and those of cards.
func TestWhatAnAuditSaysHasGerman(t *testing.T) {
	t.Setenv("VERISTREAM_HOME", t.TempDir())
	c, err := core.Open(t.Context(), core.Options{Dirs: dirs.Find(), NoLLM: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	path, facts, err := demo.Lay(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, speaker := range []string{"finra_member", "registered_adviser", "unpaid_consumer", audit.Unknown} {
		facts.Speaker = speaker
		facts.Sponsor, facts.Paid = audit.Unknown, audit.Unknown
		r, err := c.Audit(t.Context(), core.Job{Path: path, Facts: &facts, NoLLM: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		quoted := map[string]bool{}
		for messages := range maps.Values(r.Said) {
			for _, m := range messages {
				quoted[m.Key] = quoted[m.Key] || m.Quoted != ""
				for _, arg := range m.Args {
					quoted[arg] = quoted[arg] || strings.HasPrefix(m.Key, "Draft wording") ||
						slices.ContainsFunc(r.Segments, func(s audit.Segment) bool { return strings.Contains(s.Text, arg) })
				}
			}
		}
		shown, foreign := said.InLanguage(r, "de")
		for _, parts := range foreign {
			for _, p := range parts {
				if p.Language != "" && !quoted[p.Text] {
					t.Errorf("%s: no German for %q", speaker, p.Text)
				}
			}
		}
		if len(shown.Findings)+len(shown.NotApplicable) == 0 || len(shown.Checked) < 20 {
			t.Errorf("%s: only %d findings and %d categories were looked at", speaker, len(shown.Findings), len(shown.Checked))
		}
	}
}
