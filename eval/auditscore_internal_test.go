package eval

import (
	"testing"

	"veristream/backend/agent"
	"veristream/backend/audit"
)

// What is expected counts under the category and the regulator of the label,
// what was made under those of the finding; a citation that names nothing shows.
func TestScore(t *testing.T) {
	data, err := agent.LoadData()
	if err != nil {
		t.Fatal(err)
	}
	c := AuditCase{
		ID: "one", Kind: "violating", NotApplicable: []string{audit.SEC},
		Segments: []audit.Segment{{ID: "s1", Source: audit.Speech, EndMS: 4000, Text: "You cannot lose with this note."}},
		Expected: []ExpectedFinding{
			{Citation: "FINRA 2210(d)(1)(B)", Excerpt: "cannot lose", StartMS: 500, EndMS: 4000},
			{Citation: "16 CFR 255.5(a)", EndMS: 4000},
		},
	}
	r := &audit.Result{Findings: []audit.Finding{
		{Category: "finra_promissory", Regulator: audit.FINRA, Citation: "FINRA 2210(d)(1)(B)", SegmentID: "s1", EndMS: 4000, Excerpt: "You cannot lose"},
		{Category: "sec_untrue", Regulator: audit.SEC, Citation: "17 CFR 275.206(4)-1(z)", SegmentID: "s1", EndMS: 4000, Excerpt: "You never lose"},
	}}
	s := scorer{data.Categories, func(citation string) bool { return citation != "17 CFR 275.206(4)-1(z)" }}.score(c, r)
	if s.Found != 1 || len(s.Missed) != 1 || s.Right != 1 || len(s.Wrong) != 1 || s.TrapOK || s.Invalid != 1 || s.Unknown != 1 {
		t.Errorf("%+v", s)
	}
	if len(s.TimeErrMS) != 1 || s.TimeErrMS[0] != 500 {
		t.Errorf("times %v", s.TimeErrMS)
	}
	for id, want := range map[string]Counts{
		"finra_promissory": {Expected: 1, Found: 1, Right: 1}, "ftc_undisclosed_connection": {Expected: 1}, "sec_untrue": {Wrong: 1},
	} {
		if s.Categories[id] != want {
			t.Errorf("%s: %+v, want %+v", id, s.Categories[id], want)
		}
	}
	for id, want := range map[string]Counts{audit.FINRA: {1, 1, 1, 0}, audit.FTC: {Expected: 1}, audit.SEC: {Wrong: 1}} {
		if s.Regulators[id] != want {
			t.Errorf("%s: %+v, want %+v", id, s.Regulators[id], want)
		}
	}
}
