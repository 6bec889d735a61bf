package eval

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"veristream/backend/retrieve"
)

// RefusalFit is the line that was fitted on the tune half, and what it does on
// each half.
type RefusalFit struct {
	Refusal  retrieve.Refusal `json:"refusal"`
	TuneGood float64          `json:"tune_good"` // share of good questions refused
	TuneOut  float64          `json:"tune_out"`  // share of out-of-scope questions refused
	TestGood float64          `json:"test_good"`
	TestOut  float64          `json:"test_out"`
}

// goodRefused is the largest share of good questions that may be refused.
const goodRefused = 0.02

// fitRefusal looks for the weights and the line that refuse the most questions
// out of scope on the tune half while they refuse next to no good one, and says
// what they do on the test half.
func fitRefusal(w io.Writer, outcomes []Outcome) RefusalFit {
	var best RefusalFit
	for _, rerank := range []float64{0, 0.05, 0.1, 0.15, 0.2, 0.3} {
		for _, overlap := range []float64{0, 0.1, 0.2, 0.3, 0.5, 0.8} {
			r := retrieve.Refusal{Rerank: rerank, Cosine: 1, Overlap: overlap}
			var good []float64
			for _, o := range outcomes {
				if o.Question.Half == Tune && !o.Question.Out && o.Fits {
					good = append(good, r.Score(o.Near))
				}
			}
			if len(good) == 0 {
				continue
			}
			slices.Sort(good)
			// Half way between the last that is given up and the next.
			k := int(goodRefused * float64(len(good)))
			r.Least = good[k] - 0.01
			fit := refusalRates(r, outcomes)
			if cmp.Compare(fit.TuneOut, best.TuneOut) > 0 || best.Refusal.Least == 0 {
				best = fit
			}
		}
	}
	fmt.Fprintf(w, "refusal fitted on tune: %+v good %.3f out %.3f; on test: good %.3f out %.3f\n",
		best.Refusal, best.TuneGood, best.TuneOut, best.TestGood, best.TestOut)
	return best
}

// refusalRates applies a line to both halves. What was refused for its
// citation or its name stays refused.
func refusalRates(r retrieve.Refusal, outcomes []Outcome) RefusalFit {
	fit := RefusalFit{Refusal: r}
	for _, x := range []struct {
		half Half
		out  bool
		to   *float64
	}{{Tune, false, &fit.TuneGood}, {Tune, true, &fit.TuneOut}, {Test, false, &fit.TestGood}, {Test, true, &fit.TestOut}} {
		n, refused := 0, 0
		for _, o := range outcomes {
			if o.Question.Half != x.half || o.Question.Out != x.out {
				continue
			}
			n++
			if o.Fits && r.Score(o.Near) < r.Least || !o.Fits && o.Refused {
				refused++
			}
		}
		if n > 0 {
			*x.to = float64(refused) / float64(n)
		}
	}
	return fit
}
