package agent

import "testing"

// Plain words that the screener sees, too, are found however rare they were
// among what the weights were fitted on; words that are taken back are not.
func TestPlainWordsCount(t *testing.T) {
	w := &Weights{Bias: -6}
	c := Candidate{Category: Category{Mode: ModeClaim}, Signal: Signal{Match: Match{Score: 1}, Screener: 0.3, Alone: 0.75}}
	if got := w.chance(c, nil, nil); got != plainChance {
		t.Errorf("plain words have a chance of %.2f, want %.2f", got, plainChance)
	}
	for name, change := range map[string]func(*Candidate){
		"a warning":                  func(c *Candidate) { c.Signal.Match.Warned = true },
		"weaker words":               func(c *Candidate) { c.Signal.Match.Score = 0.6 },
		"words the screener denies":  func(c *Candidate) { c.Signal.Alone = 0.5 },
		"what a whole video lacks":   func(c *Candidate) { c.Category.Mode = ModeAbsence },
		"words that may be balanced": func(c *Candidate) { c.Category.Mode = ModeUnless },
	} {
		x := c
		change(&x)
		if got := w.chance(x, nil, nil); got > 0.1 {
			t.Errorf("%s: a chance of %.2f", name, got)
		}
	}
}
