package eval_test

import (
	"testing"

	"veristream/app/measures"
	"veristream/backend/audit"
	"veristream/eval"
)

func TestMeasures(t *testing.T) {
	promise := eval.ExpectedFinding{Citation: "FINRA 2210(d)(1)(B)", Excerpt: "guaranteed", EndMS: 5}
	tie := eval.ExpectedFinding{Citation: "16 CFR 255.5(a)(1)", EndMS: 9}
	strange := eval.ExpectedFinding{Citation: "31 CFR 1010.230(b)"}
	cases := []eval.AuditCase{{ID: "one", Expected: []eval.ExpectedFinding{promise, tie, strange}}}
	rep := eval.AuditReport{
		Half: "test",
		Models: map[string]audit.ModelInfo{
			"screener": {Name: "ours", SHA256: "ab"}, "whisper": {Name: "base"}, "llm": {Name: "qwen"},
		},
		Scores: []eval.CaseScore{{
			ID: "one", Expected: 3, Found: 1, Right: 1, Wrong: []audit.Finding{{}}, Missed: []eval.ExpectedFinding{tie, strange},
			Categories: map[string][2]int{"finra_promissory": {1, 1}},
		}},
	}
	run, err := rep.Measures(cases)
	if err != nil {
		t.Fatal(err)
	}
	if run.LLM != "qwen" || run.Models["screener"] != "ours@ab" || run.Models["whisper"] != "" || run.Cases != 1 {
		t.Errorf("%+v", run)
	}
	if run.Total != (measures.Figures{Right: 1, Wrong: 1, Found: 1, Missed: 2}) {
		t.Errorf("total: %+v", run.Total)
	}
	want := map[string]measures.Figures{
		"finra_promissory":           {Category: "finra_promissory", Right: 1, Wrong: 1, Found: 1},
		"ftc_undisclosed_connection": {Category: "ftc_undisclosed_connection", Missed: 1},
	}
	if len(run.Categories) != len(want) {
		t.Errorf("%d categories: %+v", len(run.Categories), run.Categories)
	}
	for _, c := range run.Categories {
		if c != want[c.Category] {
			t.Errorf("%+v", c)
		}
	}
	if _, err := rep.Measures(nil); err == nil {
		t.Error("figures of cases that are not there")
	}
}
