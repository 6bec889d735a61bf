package eval

import (
	"strings"

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
	TimeErrMS  []int64           `json:"time_err"` // of the found ones
	Calls      int               `json:"calls"`
	MS         int64             `json:"ms"`
	Categories map[string][2]int `json:"categories"` // right, wrong
}

// scoreCase compares findings with what was expected. A finding answers an
// expected one when it cites that paragraph, one below it, or one that is
// equally right, and looks at the same words or the same time.
func scoreCase(c AuditCase, r *audit.Result) CaseScore {
	s := CaseScore{
		ID: c.ID, Kind: c.Kind, Expected: len(c.Expected), Categories: map[string][2]int{},
		Trap: len(c.NotApplicable) > 0, TrapOK: true, Calls: r.Run.LLM.Calls,
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
		if exact >= 0 {
			s.Found++
			s.TimeErrMS = append(s.TimeErrMS, absMS(r.Findings[exact].StartMS-e.StartMS))
		} else {
			s.Missed = append(s.Missed, e)
		}
		if near {
			s.FoundNear++
		}
	}
	texts := map[string]string{}
	for _, seg := range c.Segments {
		texts[seg.ID] = seg.Text
	}
	for i, f := range r.Findings {
		n := s.Categories[f.Category]
		if used[i] {
			s.Right++
			n[0]++
		} else {
			s.Wrong = append(s.Wrong, f)
			n[1]++
		}
		s.Categories[f.Category] = n
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
