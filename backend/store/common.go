package store

import (
	"context"
	"sync"
)

// A word that stands in more than this share of the passages tells little of
// them, and costs the most: every passage that holds it is scored.
const commonShare = 0.1

// fewPassagesAll is up to how many passages no word is common.
const fewPassagesAll = 2000

// commonWords knows which words stand in many passages. A word is counted once
// in the life of a process: a share moves slowly.
type commonWords struct {
	mu    sync.Mutex
	limit int // passages from which a word is common; 0: not counted yet
	is    map[string]bool
}

// common says whether a term of the full-text index stands in many passages.
func (s *Store) common(ctx context.Context, term string) (bool, error) {
	c := &s.words
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.limit == 0 {
		var n int
		if err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM passages`).Scan(&n); err != nil {
			return false, s.fail(ctx, "count passages", err)
		}
		if n < fewPassagesAll {
			return false, nil // and it may grow
		}
		c.limit, c.is = int(float64(n)*commonShare), map[string]bool{}
	}
	if is, ok := c.is[term]; ok {
		return is, nil
	}
	var n int
	err := s.read.QueryRowContext(ctx, `SELECT count(*) FROM (SELECT 1 FROM passages_fts WHERE passages_fts MATCH ? LIMIT ?)`, term, c.limit).Scan(&n)
	if err != nil {
		return false, s.fail(ctx, "count passages", err)
	}
	c.is[term] = n >= c.limit
	return c.is[term], nil
}

// tellingWords leaves out the common ones of a query's terms where enough
// others are there to find passages by.
func (s *Store) tellingWords(ctx context.Context, terms []string) ([]string, error) {
	const enough = 2
	var telling []string
	for _, t := range terms {
		common, err := s.common(ctx, t)
		if err != nil {
			return nil, err
		}
		if !common {
			telling = append(telling, t)
		}
	}
	if len(telling) < enough {
		return terms, nil
	}
	return telling, nil
}
