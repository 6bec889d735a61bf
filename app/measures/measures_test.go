package measures_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"veristream/app/measures"
	"veristream/backend/agent"
)

// Wilson's interval against values that R's binom.confint(method = "wilson")
// and the formula worked by hand give.
func TestOf(t *testing.T) {
	for _, tt := range []struct {
		k, n            int
		value, low, top float64
	}{
		{0, 10, 0, 0, 0.2775},
		{10, 10, 1, 0.7225, 1},
		{5, 10, 0.5, 0.2366, 0.7634},
		{44, 100, 0.44, 0.3467, 0.5377},
	} {
		got := measures.Of(tt.k, tt.n)
		if *got != (measures.Share{Value: tt.value, Low: tt.low, High: tt.top, N: tt.n}) {
			t.Errorf("%d of %d: %+v", tt.k, tt.n, *got)
		}
	}
	if measures.Of(0, 0) != nil {
		t.Error("nothing of nothing has a share")
	}
}

func TestAdd(t *testing.T) {
	at := time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	run := func(llm string, right int) measures.Run {
		return measures.Run{
			At: at, Half: "test", Cases: 9, LLM: llm,
			Total:      measures.Figures{Right: right, Wrong: 1, Found: right},
			Categories: []measures.Figures{{Category: "b", Right: right, Wrong: 1}, {Category: "a", Missed: 2}},
		}
	}
	var data []byte
	for _, r := range []measures.Run{run("qwen", 3), run("none", 2), run("qwen", 4)} {
		var err error
		if data, err = measures.Add(data, r); err != nil {
			t.Fatal(err)
		}
	}
	var f measures.File
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	if len(f.Runs) != 2 {
		t.Fatalf("%d runs", len(f.Runs))
	}
	r, ok := f.For("qwen")
	if !ok || r.Total.Right != 4 || r.Total.Precision.Value != 0.8 || r.Total.Recall.N != 4 {
		t.Errorf("qwen: %+v", r.Total)
	}
	if c := r.Categories[0]; c.Category != "a" || c.Precision != nil || c.Recall.Value != 0 || c.Recall.N != 2 {
		t.Errorf("a category with no finding: %+v", c)
	}
	if r, ok := f.For(""); !ok || r.LLM != measures.NoLLM {
		t.Error("an audit without a model does not find its run")
	}
	if _, ok := f.For("another"); ok {
		t.Error("another model's figures are taken")
	}
	if _, err := measures.Add([]byte(`{"schema": 9}`), run("none", 1)); err == nil {
		t.Error("a file of another kind is overwritten")
	}
}

// The figures that are built in are sound: their shares follow from their
// counts, the categories exist, and the total is no less than its parts.
func TestEmbedded(t *testing.T) {
	f, err := measures.Load()
	if err != nil {
		t.Fatal(err)
	}
	data, err := agent.LoadData()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, c := range data.Categories {
		known[c.ID] = true
	}
	for _, r := range f.Runs {
		var sum measures.Figures
		for _, c := range append(r.Categories, r.Total) {
			if !reflect.DeepEqual(c, c.Filled()) {
				t.Errorf("%s %s: the shares are not those of the counts", r.LLM, c.Category)
			}
			if c.Category != "" {
				if !known[c.Category] {
					t.Errorf("%s: there is no category %s; count again: veristream eval audit --measures", r.LLM, c.Category)
				}
				sum.Right, sum.Wrong, sum.Found, sum.Missed = sum.Right+c.Right, sum.Wrong+c.Wrong, sum.Found+c.Found, sum.Missed+c.Missed
			}
		}
		if sum.Right != r.Total.Right || sum.Wrong != r.Total.Wrong || sum.Found > r.Total.Found || sum.Missed > r.Total.Missed {
			t.Errorf("%s: the categories give %+v, the total is %+v", r.LLM, sum, r.Total)
		}
	}
}
