package agent_test

import (
	"testing"

	"veristream/backend/agent"
	"veristream/backend/audit"
)

// Words that say that somebody paid are proposed as that fact, with their place;
// words that deny it are not.
func TestProposedPaid(t *testing.T) {
	for _, tt := range []struct{ text, want, excerpt string }{
		{"This video includes paid promotion.", "yes", "paid promotion"},
		{"Today's sponsor is Harbor Pine.", "yes", "Today's sponsor"},
		{"Thanks to Harbor Pine for sponsoring this episode.", "yes", "for sponsoring this"},
		{"Some links are affiliate links and I may earn a commission.", "yes", "affiliate link"},
		{"Use code HARBOR20 for a month free.", "yes", "Use code HARBOR20 for"},
		{"A talk about bonds #paidpartnership", "yes", "#paidpartnership"},
		{"This video is not sponsored by anyone.", "no", "not sponsored"},
		{"There are no affiliate links here.", "", ""},
		{"The sponsor of the bill spoke in the Senate.", "", ""},
		{"Your broker earns a commission.", "", ""},
	} {
		got := agent.ProposeFacts([]audit.Segment{{ID: "d1", Source: audit.Description, Text: tt.text}})
		value, excerpt := "", ""
		for _, p := range got {
			if p.Fact == "paid" {
				value, excerpt = value+p.Value, p.Excerpt
				if p.SegmentID != "d1" {
					t.Errorf("%q has no place: %+v", tt.text, p)
				}
			}
		}
		if value != tt.want || excerpt != tt.excerpt {
			t.Errorf("%q: %q for %q, want %q for %q", tt.text, value, excerpt, tt.want, tt.excerpt)
		}
	}
}
