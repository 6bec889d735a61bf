package cli

import (
	"strings"
	"testing"

	"veristream/backend/ask"
)

// An answer begins with the passages' own words; the model's are marked. What
// two sentences rest on has one number, and a quote that was told as a sentence
// is not written again.
func TestToldAnswer(t *testing.T) {
	keeps := ask.Support{Citation: "12 CFR 9999.4", Source: "reg-x", Quote: "A creditor keeps its records for three years.", Passage: 1}
	sends := ask.Support{Citation: "12 CFR 9999.9", Source: "reg-x", Quote: "A creditor shall send a notice.", Passage: 2}
	var b strings.Builder
	told := &toldAnswer{out: &b}
	for _, s := range []ask.Sentence{
		{Text: keeps.Quote, Verbatim: true, Support: []ask.Support{keeps}},
		{Text: "Three years.", Support: []ask.Support{keeps}},
		{Text: "It sends a notice.", Support: []ask.Support{sends}},
	} {
		told.say(s)
	}
	told.rests()
	const want = `A creditor keeps its records for three years. [1]
In the language model's words, checked against the quotes:
Three years. [1]
It sends a notice. [2]

[1] 12 CFR 9999.4  reg-x
[2] 12 CFR 9999.9  reg-x
    “A creditor shall send a notice.”
`
	if b.String() != want {
		t.Errorf("written was\n%s", b.String())
	}
}
