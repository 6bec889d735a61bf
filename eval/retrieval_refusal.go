package eval

import (
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
//
// The halves have few questions, and the line lies at a quantile. So questions
// that are not measured with join the tune half: more that the texts answer, and
// some of those that are known to be out of scope.
func fitRefusal(w io.Writer, outcomes []Outcome, moreGood, moreOut []retrieve.Nearness) RefusalFit {
	var best RefusalFit
	bestValue := -1.0
	for _, r := range refusalGrid() {
		var good, out []float64
		for _, n := range moreGood {
			good = append(good, r.Score(n))
		}
		for _, n := range moreOut {
			out = append(out, r.Score(n))
		}
		for _, o := range outcomes {
			switch {
			case o.Question.Half != Tune || !o.Fits:
			case o.Question.Out:
				out = append(out, r.Score(o.Near))
			default:
				good = append(good, r.Score(o.Near))
			}
		}
		if len(good) == 0 {
			continue
		}
		slices.Sort(good)
		r.Least = good[int(goodRefused*float64(len(good)))] - 0.003
		refused := 0
		for _, x := range out {
			if x < r.Least {
				refused++
			}
		}
		if value := float64(refused) / float64(max(1, len(out))); value > bestValue {
			best, bestValue = refusalRates(r, outcomes), value
		}
	}
	fmt.Fprintf(w, "refusal fitted on tune, %d more good and %d more out of scope (%.3f of all out refused): %+v good %.3f out %.3f; on test: good %.3f out %.3f\n",
		len(moreGood), len(moreOut), bestValue, best.Refusal, best.TuneGood, best.TuneOut, best.TestGood, best.TestOut)
	return best
}

// refusalGrid lists the weights that are tried.
func refusalGrid() []retrieve.Refusal {
	var out []retrieve.Refusal
	for _, rerank := range []float64{0, 0.03, 0.06, 0.1} {
		for _, overlap := range []float64{0, 0.1, 0.2, 0.3} {
			for _, away := range []float64{0, 0.5, 1, 2, 3, 4} {
				for _, asked := range []float64{0, 0.5, 1, 2, 3, 4, 5} {
					out = append(out, retrieve.Refusal{
						Rerank: rerank, Cosine: 1, Overlap: overlap, Away: away, Asked: asked, PaperAway: 0.45, PaperAsked: 0.55,
					})
				}
			}
		}
	}
	return out
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
