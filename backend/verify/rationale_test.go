package verify_test

import (
	"slices"
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/verify"
)

// Whoever writes a sentence of a rationale, it says no more than the rule, its
// card and the words; what does is taken out and listed.
func TestRationale(t *testing.T) {
	const (
		card  = "No statement may be untrue, overblown or a promise of results. Results of one, five and ten years stand side by side."
		text  = "No member may make any false, exaggerated, unwarranted, promissory or misleading statement or claim."
		words = "You cannot lose with this note, it pays 8.5 percent."
	)
	ours := audit.Say("{=0}: these words may be a violation of {1}.", "Promise of a result or of safety", "FINRA 2210(d)(1)(B)")
	for _, tt := range []struct {
		name string
		by   audit.Messages // what stands after the program's own sentence
		lost []string
	}{
		{"nothing else", nil, nil},
		{"the card", audit.Quote("en", card), nil},
		{"a model's, in the rule's words", audit.Quote("en", "A member's statements may not be exaggerated."), nil},
		{"a model's, with the video's number", audit.Quote("en", "The note pays 8.5 percent."), nil},
		{"a model's, with another number", audit.Quote("en", "The note pays 9.5 percent."), []string{"The note pays 9.5 percent."}},
		{"a model's, with a number in words", audit.Quote("en", "Results of five years stand there."), nil},
		{"a model's, with a law of its own", audit.Quote("en", "The statement is exaggerated. It also breaches the Securities Act."), []string{"It also breaches the Securities Act."}},
		{"all of it made up", audit.Quote("en", "Prison follows."), []string{"Prison follows."}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			said := audit.Said{}
			f := audit.Finding{
				ID: "f1", Category: "c", Citation: "FINRA 2210(d)(1)(B)", SegmentID: "s1", EndMS: 3000, Excerpt: words,
				Rule: audit.RuleRef{Text: text}, Rationale: said.Say(ours.And(tt.by)),
			}
			passed, dropped := verify.Findings([]audit.Finding{f}, verify.Input{
				Segments: []audit.Segment{{ID: "s1", Source: audit.Speech, EndMS: 3000, Text: words}}, DurationMS: 3000,
				Retrieved: map[string][]string{"f1": {"FINRA 2210(d)(1)(B)"}}, Card: func(string) string { return card }, Said: said,
			})
			if len(passed) != 1 || len(dropped) != len(tt.lost) {
				t.Fatalf("passed %+v, dropped %+v", passed, dropped)
			}
			got := passed[0].Rationale
			if !strings.HasPrefix(got, ours.String()) {
				t.Errorf("the program's own sentence is gone: %q", got)
			}
			for i, s := range tt.lost {
				if strings.Contains(got, s) || !strings.Contains(dropped[i].Reason, s) {
					t.Errorf("%q stands in %q, or not in %q", s, got, dropped[i].Reason)
				}
			}
			if _, ok := said[got]; !ok {
				t.Errorf("nobody can say %q in another language", got)
			}
		})
	}
}

// A rationale of which nobody knows who wrote it is held to the same.
func TestRationaleOfNobody(t *testing.T) {
	f := audit.Finding{ID: "f1", Citation: "FINRA 2210(e)", EndMS: 10, Evidence: "none", Rationale: "FINRA approved it. The seal is a forgery."}
	f.Rule.Text = "No member may imply that FINRA has approved it."
	passed, dropped := verify.Findings([]audit.Finding{f}, verify.Input{DurationMS: 10, Retrieved: map[string][]string{"f1": {"FINRA 2210(e)"}}})
	if len(passed) != 1 || passed[0].Rationale != "FINRA approved it." || len(dropped) != 1 {
		t.Errorf("passed %+v, dropped %+v", passed, dropped)
	}
}

func TestUnsupported(t *testing.T) {
	for _, tt := range []struct {
		text, source string
		want         []string
	}{
		{"Guarantees and guaranteed returns", "It guarantees a return.", nil},
		{"promissory statements", "No promissory statement.", nil},
		{"1,000 dollars", "1000 dollars", nil},
		{"ten years", "a span of 10 years", nil},
		{"20 years", "a span of 10 years", []string{"20"}},
		{"twenty years", "a span of 10 years", []string{"20"}},
		{"viewer’s trust", "viewers' trust", nil},
		{"Über die Grenze", "die grenze", []string{"über"}},
		{"", "", nil},
		{"They would have been there, and you may not say so", "", nil},
		{"A tax and fees", "taxes, a fee", nil},
		{"tax", "a fee", []string{"tax"}},
	} {
		if got := verify.Unsupported(tt.text, tt.source); !slices.Equal(got, tt.want) {
			t.Errorf("%q in %q: %v, want %v", tt.text, tt.source, got, tt.want)
		}
	}
}
