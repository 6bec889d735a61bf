package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"slices"

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
	cosines := make([]float64, 0, len(known))
	for _, v := range known {
		var dot float64
		for i := range v {
			dot += float64(v[i]) * float64(vector[i])
		}
		if !leaveOut || dot < same {
			cosines = append(cosines, dot)
		}
	}
	slices.SortFunc(cosines, func(a, b float64) int { return cmp.Compare(b, a) })
	return mean(cosines[:min(len(cosines), nearest)]), nil
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
