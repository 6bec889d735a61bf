package retrieve

import (
	"context"
	"fmt"
	"strings"

	"veristream/backend/audit"
)

// uncovered says which body of rules the question is about, where it is about
// one that is not installed; empty when the search may go on. A question that
// also names something installed goes on.
func (s *Searcher) uncovered(ctx context.Context, q Query, u understanding) (string, error) {
	var missing []string
	for _, c := range u.citations {
		ok, err := s.covers(ctx, c)
		if err != nil {
			return "", err
		}
		if ok {
			return "", nil
		}
		missing = append(missing, c.String())
	}
	for _, n := range u.named {
		if !n.citation.IsZero() {
			ok, err := s.index.Covers(ctx, n.citation)
			if err != nil {
				return "", err
			}
			if ok {
				return "", nil
			}
		}
		missing = append(missing, n.text)
	}
	if len(missing) == 0 || len(q.Citations) > 0 {
		return "", nil
	}
	// A word such as "EFTA" or "Dodd-Frank" beside an installed regulator is no
	// proof that the question is about it; with a citation it is.
	return fmt.Sprintf("The installed rules have no %s.", strings.Join(missing, ", ")), nil
}

// covers says whether a citation, or at least the section in which it stands,
// is installed.
func (s *Searcher) covers(ctx context.Context, c audit.Citation) (bool, error) {
	for _, x := range append([]audit.Citation{c}, c.Parents()...) {
		if ok, err := s.index.Covers(ctx, x); ok || err != nil {
			return ok, err
		}
	}
	return false, nil
}

// nearness measures how well the best of the pool answers the question.
func (s *Searcher) nearness(pool []*candidate) float64 {
	var rerank, dense float64
	first := true
	read := false
	for _, c := range pool {
		dense = max(dense, c.dense)
		if c.reread && (first || c.rerank > rerank) {
			rerank, first, read = c.rerank, false, true
		}
	}
	r := s.opts.Refusal
	if read {
		return r.Rerank*rerank + r.Cosine*dense
	}
	return dense
}

// refuses applies the measured line.
func (s *Searcher) refuses(r Result, pool []*candidate) (bool, string) {
	if len(pool) == 0 {
		return true, "Nothing in the installed rules and documents has these words."
	}
	if r.Dense == NotInstalled || r.Dense == Off {
		return false, "" // words alone do not tell what answers a question
	}
	least := s.opts.Refusal.Least
	if r.Rerank == NotInstalled || r.Rerank == Off {
		least = s.opts.Refusal.PlainLeast
	}
	if r.Score < least {
		return true, "Nothing in the installed rules and documents is near enough to this question."
	}
	return false, ""
}
