package agent

import (
	"context"
	"fmt"
	"math"

	"veristream/backend/audit"
)

// Signal is what the cheap signals say about one behaviour in one claim.
type Signal struct {
	Claim     int
	Behaviour string
	Match     Match
	// Similarity is the cosine of the claim with the nearest example, Contrast
	// that with the nearest look-alike; both 0 without an embedder.
	Similarity float64
	Contrast   float64
	// Screener is the classifier's probability that the behaviour is there, -1
	// without one; LookAlike that a careless reader would think so.
	Screener  float64
	Alone     float64 // the same without its neighbours
	LookAlike float64
	Score     float64 // 0..1, see score
}

// exampleVectors are the embedded examples of one behaviour.
type exampleVectors struct{ yes, no [][]float32 }

// screen looks at every claim for every behaviour and keeps the signals that
// are worth a second look. It works with no model at all: then only the lexicon
// speaks.
func (a *Auditor) screen(ctx context.Context, s *Screened) error {
	claims := s.Claims
	examples, err := a.embed(ctx, s)
	if err != nil {
		return err
	}
	var alone []map[string]float64
	if s.classes, alone, err = a.classify(ctx, claims); err != nil {
		return err
	}
	for i := range claims {
		if err := ctx.Err(); err != nil {
			return err
		}
		cues := a.Data.context(claims, i)
		for j := range a.Data.Behaviours {
			b := &a.Data.Behaviours[j]
			x := Signal{Claim: i, Behaviour: b.ID, Match: a.Data.match(b, claims[i], cues), Screener: -1}
			if s.vectors != nil {
				x.Similarity = nearest(s.vectors[i], examples[b.ID].yes)
				x.Contrast = nearest(s.vectors[i], examples[b.ID].no)
			}
			if s.classes != nil {
				if p, ok := s.classes[i][b.ID]; ok {
					x.Screener, x.Alone, x.LookAlike = p, alone[i][b.ID], s.classes[i][b.ID+lookAlikeLabel]
				}
			}
			if x.Score = score(x); x.Score >= candidateFloor(x.Screener >= 0) {
				s.Signals = append(s.Signals, x)
			}
		}
	}
	return nil
}

// lookAlikeLabel ends the label of a behaviour's look-alike.
const lookAlikeLabel = "#look_alike"

// classify asks the screener about every claim twice, where one is there: in
// its context, which may turn it round or complete it, and alone, so that a
// greeting is not taken for the claim that follows it.
func (a *Auditor) classify(ctx context.Context, claims []Claim) (inContext, alone []map[string]float64, err error) {
	if a.Screener == nil || len(claims) == 0 {
		return nil, nil, nil
	}
	texts := make([]audit.TextInContext, 2*len(claims))
	for i, c := range claims {
		texts[i].Text, texts[len(claims)+i].Text = c.Text, c.Text
		if p := neighbour(claims, i, -1); p != nil {
			texts[i].Before = p.Text
		}
		if n := neighbour(claims, i, +1); n != nil {
			texts[i].After = n.Text
		}
	}
	classes, err := a.Screener.Classify(ctx, texts)
	if err != nil {
		return nil, nil, fmt.Errorf("screen claims: %w", err)
	}
	return classes[:len(claims)], classes[len(claims):], nil
}

// embed embeds the claims and, once, the examples of every behaviour.
func (a *Auditor) embed(ctx context.Context, s *Screened) (map[string]exampleVectors, error) {
	if a.Embedder == nil || len(s.Claims) == 0 {
		return nil, nil
	}
	examples, err := a.exampleVectors(ctx)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(s.Claims))
	for i, c := range s.Claims {
		texts[i] = c.Text
	}
	if s.vectors, err = a.Embedder.Embed(ctx, audit.RoleQuery, texts); err != nil {
		return nil, fmt.Errorf("embed claims: %w", err)
	}
	return examples, nil
}

func (a *Auditor) exampleVectors(ctx context.Context) (map[string]exampleVectors, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.examples != nil {
		return a.examples, nil
	}
	var texts []string
	type place struct {
		id  string
		yes bool
	}
	var places []place
	for _, b := range a.Data.Behaviours {
		for _, t := range b.Examples {
			texts, places = append(texts, t), append(places, place{b.ID, true})
		}
		for _, t := range b.LookAlikes {
			texts, places = append(texts, t), append(places, place{b.ID, false})
		}
	}
	vectors, err := a.Vectors.Embed(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("embed examples of behaviours: %w", err)
	}
	out := map[string]exampleVectors{}
	for i, p := range places {
		v := out[p.id]
		if p.yes {
			v.yes = append(v.yes, vectors[i])
		} else {
			v.no = append(v.no, vectors[i])
		}
		out[p.id] = v
	}
	a.examples = out
	return out, nil
}

// nearest is the highest cosine with any of the examples, which have unit
// length.
func nearest(v []float32, examples [][]float32) float64 {
	best := 0.0
	for _, e := range examples {
		var dot float64
		for k := range v {
			dot += float64(v[k]) * float64(e[k])
		}
		best = math.Max(best, dot)
	}
	return best
}
