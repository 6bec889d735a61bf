package agent_test

import (
	"testing"

	"veristream/backend/agent"
	"veristream/backend/audit"
)

// Words that say that somebody paid are proposed as that fact, with their place;
// words that deny it are not.
func TestProposedPaid(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"This video includes paid promotion.", "yes"},
		{"Today's sponsor is Harbor Pine.", "yes"},
		{"Thanks to Harbor Pine for sponsoring this episode.", "yes"},
		{"Some links are affiliate links and I may earn a commission.", "yes"},
		{"Use code HARBOR20 for a month free.", "yes"},
		{"A talk about bonds #paidpartnership", "yes"},
		{"This video is not sponsored by anyone.", "no"},
		{"There are no affiliate links here.", ""},
		{"The sponsor of the bill spoke in the Senate.", ""},
		{"Your broker earns a commission.", ""},
	} {
		got := agent.ProposeFacts([]audit.Segment{{ID: "d1", Source: audit.Description, Text: tt.text}})
		value := ""
		for _, p := range got {
			if p.Fact == "paid" {
				value += p.Value
				if p.SegmentID != "d1" || p.Excerpt == "" {
					t.Errorf("%q has no place: %+v", tt.text, p)
				}
			}
		}
		if value != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, value, tt.want)
		}
	}
}
