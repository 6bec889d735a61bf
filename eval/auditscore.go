package eval

import (
	"strings"

	"veristream/backend/agent"
	"veristream/backend/audit"
	"veristream/backend/words"
)

// CaseScore is how an audit of one case compares with what was expected.
type CaseScore struct {
	ID         string            `json:"id"`
	Kind       string            `json:"kind"`
	Expected   int               `json:"expected"`
	Found      int               `json:"found"`      // expected ones found at the sub-paragraph
	FoundNear  int               `json:"found_near"` // at the section
	Right      int               `json:"right"`      // findings that were expected
	Wrong      []audit.Finding   `json:"wrong"`
	Missed     []ExpectedFinding `json:"missed"`
	Trap       bool              `json:"trap"`     // has regulators that cannot bind
	TrapOK     bool              `json:"trap_ok"`  // and no finding lies under one
	Invalid    int               `json:"invalid"`  // excerpts that are not in the text
	Unknown    int               `json:"unknown"`  // citations that name no rule
	TimeErrMS  []int64           `json:"time_err"` // of the found ones
	Calls      int               `json:"calls"`
	MS         int64             `json:"ms"`
	Categories map[string]Counts `json:"categories"`
	Regulators map[string]Counts `json:"regulators"`
}

// Counts are what was expected and found, and what was made and was right, of
// one category or under one regulator.
type Counts struct {
	Expected int `json:"expected"`
	Found    int `json:"found"`
	Right    int `json:"right"`
	Wrong    int `json:"wrong"`
}

func (c Counts) plus(d Counts) Counts {
	return Counts{c.Expected + d.Expected, c.Found + d.Found, c.Right + d.Right, c.Wrong + d.Wrong}
}

// scorer compares audits with labels. An expected finding counts under the
// category whose paragraph is nearest to the one that the label names.
type scorer struct {
	categories []agent.Category
	resolves   func(citation string) bool
}

// score compares findings with what was expected. A finding answers an
// expected one when it cites that paragraph, one below it, or one that is
// equally right, and looks at the same words or the same time.
func (sc scorer) score(c AuditCase, r *audit.Result) CaseScore {
	s := CaseScore{
		ID: c.ID, Kind: c.Kind, Expected: len(c.Expected), Categories: map[string]Counts{}, Regulators: map[string]Counts{},
		Trap: len(c.NotApplicable) > 0, TrapOK: true, Calls: r.Run.LLM.Calls,
	}
	count := func(category, regulator string, n Counts) {
		if category != "" {
			s.Categories[category] = s.Categories[category].plus(n)
		}
		s.Regulators[regulator] = s.Regulators[regulator].plus(n)
	}
	used := make([]bool, len(r.Findings))
	for _, e := range c.Expected {
		exact, near := -1, false
		for i, f := range r.Findings {
			if !sameWords(e, f) {
				continue
			}
			if citesSection(e, f) {
				near = true
			}
			if cites(e, f) {
				used[i] = true
				if exact < 0 {
					exact = i
				}
			}
		}
		expected := Counts{Expected: 1}
		if exact >= 0 {
			expected.Found = 1
			s.Found++
			s.TimeErrMS = append(s.TimeErrMS, absMS(r.Findings[exact].StartMS-e.StartMS))
		} else {
			s.Missed = append(s.Missed, e)
		}
		if near {
			s.FoundNear++
		}
		count(categoryOf(sc.categories, e.Citation), regulatorOf(e.Citation), expected)
	}
	texts := map[string]string{}
	for _, seg := range c.Segments {
		texts[seg.ID] = seg.Text
	}
	for i, f := range r.Findings {
		if used[i] {
			s.Right++
			count(f.Category, f.Regulator, Counts{Right: 1})
		} else {
			s.Wrong = append(s.Wrong, f)
			count(f.Category, f.Regulator, Counts{Wrong: 1})
		}
		if !sc.resolves(f.Citation) {
			s.Unknown++
		}
		if f.Excerpt != "" && !strings.Contains(texts[f.SegmentID], f.Excerpt) {
			s.Invalid++
		}
		for _, no := range c.NotApplicable {
			if under(f, no) {
				s.TrapOK = false
			}
		}
	}
	return s
}

// regulatorOf gives the regulator whose rule a label names.
func regulatorOf(citation string) string {
	c, err := audit.ParseCitation(citation)
	switch {
	case err != nil:
		return citation
	case c.Code == audit.CodeCFR && c.Title == 16:
		return audit.FTC
	case c.Code == audit.CodeCFR && c.Title == 17:
		return audit.SEC
	}
	return c.Code
}

// under says whether a finding lies under a regulator or within a citation.
func under(f audit.Finding, prefix string) bool {
	if f.Regulator == prefix {
		return true
	}
	outer, err := audit.ParseCitation(prefix)
	if err != nil {
		return strings.HasPrefix(f.Citation, prefix)
	}
	cite, err := audit.ParseCitation(f.Citation)
	return err == nil && (cite.Within(outer) || strings.HasPrefix(f.Citation, prefix+"."))
}

func cites(e ExpectedFinding, f audit.Finding) bool {
	got, err := audit.ParseCitation(f.Citation)
	if err != nil {
		return false
	}
	for _, want := range append([]string{e.Citation}, e.Also...) {
		if w, err := audit.ParseCitation(want); err == nil && got.Within(w) {
			return true
		}
	}
	return false
}

func citesSection(e ExpectedFinding, f audit.Finding) bool {
	got, err := audit.ParseCitation(f.Citation)
	if err != nil {
		return false
	}
	for _, want := range append([]string{e.Citation}, e.Also...) {
		if w, err := audit.ParseCitation(want); err == nil && got.SectionCitation().Equal(w.SectionCitation()) {
			return true
		}
	}
	return false
}

// sameWords says whether a finding is about what was expected: words that
// overlap, or, where either has none, times that do.
func sameWords(e ExpectedFinding, f audit.Finding) bool {
	if e.Excerpt != "" && f.Excerpt != "" {
		if _, _, ok := words.Find(f.Excerpt, e.Excerpt); ok {
			return true
		}
		_, _, ok := words.Find(e.Excerpt, f.Excerpt)
		return ok
	}
	const slack = 5000
	return f.StartMS <= e.EndMS+slack && f.EndMS >= e.StartMS-slack
}

func absMS(v int64) int64 {
	if v < 0 {
		return -v
	}
	return v
}
