package regs_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/regs"
)

type citedParagraph struct {
	Cite, Citation, Source, Begins string
}

func citedParagraphs(t testing.TB) []citedParagraph {
	t.Helper()
	raw, err := os.ReadFile("../../eval/citations.json")
	if err != nil {
		t.Fatal(err)
	}
	var list struct{ Citations []citedParagraph }
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	return list.Citations
}

// 150 citations, checked by hand, name exactly the right paragraph.
func TestHandCheckedCitationsResolve(t *testing.T) {
	list := citedParagraphs(t)
	if len(list) != 150 {
		t.Errorf("the list has %d citations", len(list))
	}
	texts := map[string]map[string]audit.Rule{}
	right := 0
	for _, c := range list {
		if texts[c.Source] == nil {
			texts[c.Source] = map[string]audit.Rule{}
			for _, r := range parseReal(t, c.Source).Rules {
				if _, twice := texts[c.Source][r.Citation.String()]; !twice {
					texts[c.Source][r.Citation.String()] = r
				}
			}
		}
		parsed, err := audit.ParseCitation(c.Cite)
		if err != nil {
			t.Errorf("%q: %v", c.Cite, err)
			continue
		}
		r, ok := regs.Resolve(texts[c.Source], parsed)
		switch {
		case !ok:
			t.Errorf("%q names nothing", c.Cite)
		case r.Citation.String() != c.Citation:
			t.Errorf("%q names %s, and should name %s", c.Cite, r.Citation, c.Citation)
		case !strings.HasPrefix(strings.Join(strings.Fields(r.Text), " "), c.Begins):
			t.Errorf("%s begins %.60q, and should begin %q", r.Citation, r.Text, c.Begins)
		default:
			right++
		}
	}
	t.Logf("%d of %d citations resolve", right, len(list))
}
