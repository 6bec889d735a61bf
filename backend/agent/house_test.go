package agent_test

import (
	"testing"

	"veristream/backend/agent"
	"veristream/backend/audit"
)

// A firm's own rule makes findings under its own name, for those whom it binds,
// and not on what its card calls a look-alike.
func TestHouseRule(t *testing.T) {
	card := audit.Card{
		Citation: "ACME 3.1", Kind: audit.KindRule, Title: "No crypto tips", Requires: "Our people name no single coin in public videos.",
		Binds: audit.Binds{Who: []string{"employee"}, Audience: "any"}, Effective: audit.Effective{From: "2025-01-01"},
		Triggers:   []string{"I would get some of this token before the weekend", "A colleague lists his three favourite coins"},
		LookAlikes: []string{"We never name a favourite token in public"},
		Severity:   audit.High, Remedy: "Take the name out.", Audited: true, Regulator: "ACME", SHA256: "x",
	}
	words := []string{
		"Hello from the branch.",
		"Honestly I would get some of this token before the weekend is over.",
		"We never name a favourite token in public, as you know.",
		"Have a good one.",
	}
	in := agent.Input{Facts: audit.Facts{Speaker: "employee", Paid: "no", Sponsor: "other_business", Audience: "retail", Published: "2025-05-05"}}
	for i, w := range words {
		in.Segments = append(in.Segments, audit.Segment{
			ID: "s" + string(rune('1'+i)), Source: audit.Speech, StartMS: int64(i) * 5000, EndMS: int64(i)*5000 + 4000, Text: w, Confidence: 1,
		})
	}
	run := func(speaker string) (found []audit.Finding, d *agent.Decided) {
		in.Facts.Speaker = speaker
		a := auditor(t, nil)
		a.Cards = map[string]audit.Card{card.Citation: card}
		d = decide(t, a, in)
		for _, f := range d.Findings {
			if f.Regulator == "ACME" {
				found = append(found, f)
			}
		}
		return found, d
	}
	found, _ := run("employee")
	if len(found) != 1 || found[0].Citation != "ACME 3.1" || found[0].SegmentID != "s2" || found[0].Status != audit.NeedsReview {
		t.Errorf("findings %+v", found)
	}
	found, d := run("publisher")
	said := false
	for _, n := range d.NotApplicable {
		said = said || n.Regulator == "ACME"
	}
	if len(found) != 0 || !said {
		t.Errorf("a publisher is not bound: %+v, %+v", found, d.NotApplicable)
	}
	if found, _ = run("unknown"); len(found) != 1 || found[0].Status != audit.NeedsReview {
		t.Errorf("whom it may bind: %+v", found)
	}
}
