package ask

import (
	"context"
	"strings"
	"testing"

	"veristream/backend/audit"
)

// A paragraph of a list is told with the sentence that leads to it, and one
// that leads to a list with what it leads to; each with its own quote.
func TestSayWhole(t *testing.T) {
	p := audit.Passage{
		Source: "x", Citation: "12 CFR 9999.9(c)", Citations: []string{
			"12 CFR 9999.9(c)", "12 CFR 9999.9(c)(1)", "12 CFR 9999.9(c)(2)", "12 CFR 9999.9(c)(2)(i)", "12 CFR 9999.9(c)(2)(ii)", "12 CFR 9999.9(d)",
		},
		Body: "(c) Ratings. No person may show a rating, unless the person:\n(1) Knows its source;\n(2) Shows:\n(i) Its day;\n(ii) Its giver.\n(d) Records. They are kept.",
	}
	w := &work{asker: &Asker{}, hits: hitsOf(p), units: unitsOf(0, p.Body)}
	outline(w.units, p.Citations)
	for i, u := range w.units {
		want := []string{"12 CFR 9999.9(c)", "12 CFR 9999.9(c)", "12 CFR 9999.9(c)(1)", "12 CFR 9999.9(c)(2)", "12 CFR 9999.9(c)(2)(i)", "12 CFR 9999.9(c)(2)(ii)", "12 CFR 9999.9(d)", "12 CFR 9999.9(d)"}[i]
		if u.paragraph != want {
			t.Errorf("%q stands in %s, want %s", u.text, u.paragraph, want)
		}
	}
	const lead = "No person may show a rating, unless the person:"
	for at, want := range map[int]string{
		1: lead + " (1) Knows its source; (2) Shows:",
		2: lead + " (1) Knows its source;",
		3: lead + " (2) Shows: (i) Its day; (ii) Its giver.",
		5: "(2) Shows: (ii) Its giver.",
		7: "They are kept.",
	} {
		s := w.sayWhole(context.Background(), at)
		if s.Text != want || s.Support[0].Quote != w.units[at].text {
			t.Errorf("%q from %q, want %q", s.Text, s.Support[0].Quote, want)
		}
		for _, sup := range s.Support {
			if !strings.Contains(p.Body, sup.Quote) {
				t.Errorf("%q does not stand in the passage", sup.Quote)
			}
		}
	}
}

func hitsOf(passages ...audit.Passage) []audit.Hit {
	var out []audit.Hit
	for i, p := range passages {
		out = append(out, audit.Hit{Passage: p, Rank: i + 1})
	}
	return out
}
