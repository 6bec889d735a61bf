package eval

import (
	"math"
	"math/rand/v2"
	"slices"

	"veristream/backend/audit"
	"veristream/backend/retrieve"
)

// Outcome is what a search did with one question.
type Outcome struct {
	Question Question
	Refused  bool
	Reason   string
	First    int     // rank of the first passage that answers; 0: none
	Both     int     // rank by which every paragraph asked for was there; 0: not
	NDCG8    float64 //
	Score    float64 // the refusal's measure
	Near     retrieve.Nearness
	Fits     bool // whether the refusal's line applied: no citation, and covered
	MS       float64
	Top      []string // citations of the first passages
}

// judge measures hits against a question.
func judge(q Question, hits []audit.Hit) Outcome {
	o := Outcome{Question: q}
	seen := map[int]bool{}
	need := 1
	if q.All {
		need = len(q.Gold)
	}
	var gain float64
	for i, h := range hits {
		o.Top = append(o.Top, h.Passage.Citation)
		found := q.Answers(h.Passage)
		if h.Card != nil {
			found = append(found, q.Answers(*h.Card)...)
		}
		fresh := false
		for _, g := range found {
			if !seen[g] && len(seen) < need {
				seen[g], fresh = true, true
			}
		}
		if len(found) > 0 && o.First == 0 {
			o.First = i + 1
		}
		if fresh && i < 8 {
			gain += 1 / math.Log2(float64(i)+2)
		}
		if q.All && o.Both == 0 && len(seen) == len(q.Gold) {
			o.Both = i + 1
		}
	}
	var ideal float64
	for i := range need {
		ideal += 1 / math.Log2(float64(i)+2)
	}
	o.NDCG8 = gain / ideal
	return o
}

// Figure is a mean with its 95% bootstrap interval.
type Figure struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	N     int     `json:"n"`
}

// Figures are the measures of one run over one set of questions.
type Figures struct {
	R1, R3, R8   Figure
	R30          Figure // where the run gives thirty results
	MRR, NDCG8   Figure
	Both8        Figure // of the questions that need several paragraphs
	RefusedGood  Figure // questions that have an answer and were refused
	RefusedOut   Figure // questions out of scope that were refused
	CiteR1       Figure // exact citations at rank 1
	P50MS, P95MS float64
}

// measure sums up outcomes. A refused question counts as not found.
func measure(outcomes []Outcome) Figures {
	var f Figures
	var r1, r3, r8, r30, mrr, ndcg, both, good, out, cite, ms []float64
	for _, o := range outcomes {
		ms = append(ms, o.MS)
		if o.Question.Out {
			out = append(out, one(o.Refused))
			continue
		}
		first := o.First
		if o.Refused {
			first = 0
		}
		good = append(good, one(o.Refused))
		r1 = append(r1, one(first == 1))
		r3 = append(r3, one(first > 0 && first <= 3))
		r8 = append(r8, one(first > 0 && first <= 8))
		r30 = append(r30, one(first > 0 && first <= 30))
		if first > 0 {
			mrr = append(mrr, 1/float64(first))
			ndcg = append(ndcg, o.NDCG8)
		} else {
			mrr, ndcg = append(mrr, 0), append(ndcg, 0)
		}
		if o.Question.All {
			both = append(both, one(!o.Refused && o.Both > 0 && o.Both <= 8))
		}
		if o.Question.Style == "cite" {
			cite = append(cite, one(first == 1))
		}
	}
	for _, x := range []struct {
		to   *Figure
		from []float64
	}{
		{&f.R1, r1},
		{&f.R3, r3},
		{&f.R8, r8},
		{&f.R30, r30},
		{&f.MRR, mrr},
		{&f.NDCG8, ndcg},
		{&f.Both8, both},
		{&f.RefusedGood, good},
		{&f.RefusedOut, out},
		{&f.CiteR1, cite},
	} {
		*x.to = bootstrap(x.from)
	}
	f.P50MS, f.P95MS = quantile(ms, 0.5), quantile(ms, 0.95)
	return f
}

func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// bootstrap gives the mean and the 2.5 and 97.5 percentiles of the means of
// resamples (Efron 1979), from a fixed seed.
func bootstrap(xs []float64) Figure {
	if len(xs) == 0 {
		return Figure{}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	means := make([]float64, 2000)
	for i := range means {
		var sum float64
		for range xs {
			sum += xs[rng.IntN(len(xs))]
		}
		means[i] = sum / float64(len(xs))
	}
	var sum float64
	for _, x := range xs {
		sum += x
	}
	return Figure{sum / float64(len(xs)), quantile(means, 0.025), quantile(means, 0.975), len(xs)}
}

func quantile(xs []float64, p float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	xs = slices.Sorted(slices.Values(xs))
	return xs[min(len(xs)-1, int(p*float64(len(xs))))]
}
