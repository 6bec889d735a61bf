package agent_test

import (
	"strings"
	"testing"

	"veristream/backend/agent"
	"veristream/backend/audit"
)

// Every category drafts a wording, and no draft says what the lexicon takes for
// an issue.
func TestDraftsAreHarmless(t *testing.T) {
	d := load(t)
	for _, c := range d.Categories {
		w := c.Wording
		text := w.Start + w.Instead + w.After
		if text == "" || strings.Count(w.Start+"|"+w.Instead+"|"+w.After, "|") != 2 {
			t.Errorf("%s drafts nothing", c.ID)
		}
		claims := agent.Claims([]audit.Segment{{ID: "s1", Source: audit.Speech, Text: text, EndMS: 4000, Confidence: 1}})
		for i := range claims {
			for j := range d.Behaviours {
				b := &d.Behaviours[j]
				if m := d.Lexicon(b, claims, i); m.Score == 1 && m.Plain() && b.Cue == "" && !bareFacts[b.ID] {
					t.Errorf("%s: %q looks like %s (%q)", c.ID, text, b.ID, m.About)
				}
			}
		}
	}
}

// bareFacts are behaviours that a proper wording may show.
var bareFacts = map[string]bool{
	"performance_shown": true, "rating": true, "testimonial": true, "options_mention": true, "fund_performance": true,
	"past_recommendations": true, "predecessor": true, "related": true, "recommendation": true, "options_history": true,
}

// A draft stands in a finding only where the audit of the video with the draft
// does not make the finding again.
func TestDraftPassesTheAudit(t *testing.T) {
	in := agent.Input{
		Facts: audit.Facts{Speaker: "finra_member", Paid: "no", Sponsor: "none", Options: "no", Audience: "retail", Published: "2025-05-05"},
		Segments: []audit.Segment{
			{ID: "s1", Source: audit.Speech, StartMS: 0, EndMS: 3000, Text: "Welcome to Harbor Pine Securities.", Confidence: 1},
			{ID: "s2", Source: audit.Speech, StartMS: 3500, EndMS: 7000, Text: "You simply cannot lose money with this note.", Confidence: 1},
			{ID: "s3", Source: audit.Speech, StartMS: 7500, EndMS: 9000, Text: "See you next week.", Confidence: 1},
		},
	}
	found := false
	for _, f := range decide(t, auditor(t, nil), in).Findings {
		if f.Category == "finra_promissory" {
			found = true
			if !strings.Contains(f.Remedy, "Draft wording, instead of these words") || !strings.Contains(f.Remedy, "you may lose money") {
				t.Errorf("remedy: %s", f.Remedy)
			}
		}
	}
	if !found {
		t.Error("the promise was not found")
	}
}
