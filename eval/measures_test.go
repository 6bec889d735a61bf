package eval_test

import (
	"testing"

	"veristream/app/measures"
	"veristream/backend/audit"
	"veristream/eval"
)

func TestMeasures(t *testing.T) {
	rep := eval.AuditReport{
		Half: "test",
		Models: map[string]audit.ModelInfo{
			"screener": {Name: "ours", SHA256: "ab"}, "whisper": {Name: "base"}, "llm": {Name: "qwen"},
		},
		Scores: []eval.CaseScore{{
			ID: "one", Expected: 3, Found: 1, Right: 1, Wrong: []audit.Finding{{}}, // one expected under no category
			Categories: map[string]eval.Counts{
				"finra_promissory": {Expected: 1, Found: 1, Right: 1, Wrong: 1}, "ftc_undisclosed_connection": {Expected: 1},
			},
		}},
	}
	run := rep.Measures()
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
}
