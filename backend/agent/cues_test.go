package agent_test

import (
	"testing"

	"veristream/backend/agent"
)

// Cues know a matter in the words that people use for it, and not its denial.
func TestCues(t *testing.T) {
	d := load(t)
	for _, c := range []struct {
		cue, text string
		want      bool
	}{
		{"disclosure", "This story is a paid message from a dealer in silver.", true},
		{"disclosure", "they cut me a check for this so ears open", true},
		{"disclosure", "The broker gives me a thousand dollars a year for mentioning it.", true},
		{"disclosure", "AD - Harbor Exchange", true},
		{"disclosure", "The company signs my paycheck.", true},
		{"disclosure", "Well, nobody's paying me for this.", false},
		{"disclosure", "You pay us one percent a year.", false},
		{"disclosure", "Put your first paycheck to work.", false},
		{"disclosure", "The lawyers are paid by the hour.", false},
		{"year_5", "nine point eight over five and nine over ten after fees", true},
		{"year_10", "nine point eight over five and nine over ten after fees", true},
		{"year_5", "It yields over five percent.", false},
		{"year_1", "Net of fees it was six percent for the year.", true},
		{"options_documents", "Any backup for what we say is there for the asking.", true},
		{"options_documents", "You get the disclosure document before your first trade.", false},
		{"conflict", "They pay me, which gives me a reason to be kind.", true},
		{"client", "A word by a current customer.", true},
	} {
		if got := d.Cues.In(c.cue, agent.Normalise(c.text)); got != c.want {
			t.Errorf("%s in %q (%s): %v, want %v", c.cue, c.text, agent.Normalise(c.text), got, c.want)
		}
	}
}
