package ask

import (
	"context"
	"strings"

	"veristream/backend/audit"
)

// Weighed is one unit of a question's passages with what its score is made of.
type Weighed struct {
	Text     string             `json:"text"`
	Citation string             `json:"citation"`
	Kind     audit.Kind         `json:"kind"`
	Features map[string]float64 `json:"features"`
	Score    float64            `json:"score"`
}

// Weigh gives the units among which an answer without a language model chooses,
// so that the weights can be fitted (veristream eval ask --units).
func (a *Asker) Weigh(ctx context.Context, q Question) ([]Weighed, error) {
	text := strings.Join(strings.Fields(q.Text), " ")
	u := understand(text, nil, a.now())
	found, err := a.Search.Search(ctx, Query{Text: u.search, Filter: q.Filter, Fast: q.Fast})
	if err != nil {
		return nil, err
	}
	w := &work{asker: a, q: q, u: u, hits: found.Hits}
	if err := w.gather(ctx, found.Reranked); err != nil {
		return nil, err
	}
	out := make([]Weighed, 0, len(w.units))
	for _, x := range w.units {
		p := w.hits[x.hit].Passage
		flag := func(on bool) float64 {
			if on {
				return 1
			}
			return 0
		}
		out = append(out, Weighed{
			Text: x.text, Citation: w.support(ctx, x.hit, x.text).Citation, Kind: p.Kind, Score: x.score,
			Features: map[string]float64{
				"words": x.reads.words, "reread": x.reads.reread, "read": x.reads.read, "place": x.reads.place, "found": x.reads.found,
				"pairs": x.reads.pairs, "figure": x.reads.figure, "leads": flag(x.leads()), "depth": x.depth(),
				"pinned": flag(w.hits[x.hit].Pinned), "form": w.fit(x), "short": flag(len(strings.Fields(x.text)) < 4),
				"first": flag(x.order == 0), "defines": flag(u.defines), "numeric": flag(u.numeric), "length": float64(len(strings.Fields(x.text))),
			},
		})
	}
	return out, nil
}
