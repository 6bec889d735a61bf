package retrieve

import (
	"context"
	"fmt"

	"veristream/backend/audit"
)

// Vectors embeds texts of the program's own, which may be kept by their hash.
type Vectors interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// away gives how near a question comes to those that are known to be out of scope:
// other bodies of rules, prices, everything else. A question about Regulation B
// shares its words with Regulation Z, so that nearness to the rules alone does
// not tell it from one that they answer.
//
// With leaveOut the question itself does not count.
func (s *Searcher) away(ctx context.Context, vector []float32, leaveOut bool) (float64, error) {
	if vector == nil {
		return 0, nil
	}
	known, err := s.awayVectors(ctx)
	if err != nil {
		return 0, err
	}
	var best [nearest]float64 // the greatest first
	n := 0
	for _, v := range known {
		x := float64(dot(v, vector))
		if leaveOut && x >= same {
			continue
		}
		n++
		for i := range best {
			if x > best[i] {
				best[i], x = x, best[i]
			}
		}
	}
	return mean(best[:min(n, nearest)]), nil
}

// dot is the cosine of two vectors of unit length. Four sums at once keep the
// processor busy.
func dot(v, w []float32) float32 {
	w = w[:len(v)]
	var a, b, c, d float32
	i := 0
	for ; i+4 <= len(v); i += 4 {
		a += v[i] * w[i]
		b += v[i+1] * w[i+1]
		c += v[i+2] * w[i+2]
		d += v[i+3] * w[i+3]
	}
	for ; i < len(v); i++ {
		a += v[i] * w[i]
	}
	return a + b + c + d
}

// same is the cosine from which two questions are one.
const same = 0.999

// AwayQuestions gives the questions that are known to be out of scope.
func AwayQuestions() []string { return loadTables().away }

func (s *Searcher) awayVectors(ctx context.Context) ([][]float32, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known != nil {
		return s.known, nil
	}
	texts := loadTables().away
	var err error
	if s.Vectors != nil {
		s.known, err = s.Vectors.Embed(ctx, texts)
	} else {
		s.known, err = s.embed.Embed(ctx, audit.RoleQuery, texts)
	}
	if err != nil {
		return nil, fmt.Errorf("embed questions out of scope: %w", err)
	}
	return s.known, nil
}
