package retrieve

import (
	"context"
	"slices"

	"veristream/backend/audit"
)

// Bounds on what a citation brings with it.
const (
	maxPinsEach   = 3 // paragraphs shown first for one citation
	maxPins       = 6 // and for all together
	maxRelated    = 8 // of one citation, that join the pool
	maxRelatedAll = 16
)

// pin puts the cited paragraphs first. Their parents, their children and the
// comments on them join the pool, where they are read like the others.
func (b *builder) pin(ctx context.Context, citations []audit.Citation) error {
	var around []audit.Citation
	for _, c := range citations {
		exact, err := b.exact(ctx, c)
		if err != nil {
			return err
		}
		pins := 0
		for _, p := range exact {
			cand, err := b.place(ctx, p)
			if err != nil {
				return err
			}
			if !cand.pinned && pins < maxPinsEach && len(b.list) <= maxPins {
				cand.pinned = true
				cand.why = append(cand.why, "the question cites "+c.String())
			}
			pins++
			// A comment says little without the paragraph that it is on.
			rule, err := b.interpreted(ctx, p)
			if err != nil {
				return err
			}
			if rule == nil || len(b.filter.Kinds) > 0 || !b.allowsRules() {
				continue
			}
			on, err := b.place(ctx, *rule)
			if err != nil {
				return err
			}
			if !on.pinned && len(b.list) <= maxPins {
				on.pinned = true
				on.why = append(on.why, c.String()+" is on it")
			}
		}
		around = append(around, c)
	}
	for _, c := range around {
		if err := b.relate(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// exact gives the passages that hold a cited paragraph: itself; else, where the
// text has it only in pieces, what stands below; else the nearest above.
func (b *builder) exact(ctx context.Context, c audit.Citation) ([]audit.Passage, error) {
	found, err := b.s.index.PassagesByCitation(ctx, c, false, b.filter)
	if err != nil || len(found) > 0 {
		return shown(found), err
	}
	if found, err = b.s.index.PassagesByCitation(ctx, c, true, b.filter); err != nil || len(found) > 0 {
		return shown(found), err
	}
	for _, up := range c.Parents() {
		if len(up.Path) == 0 && len(up.Comment) == 0 && up.Note == "" {
			break // a whole section is no answer to a paragraph that does not exist
		}
		if found, err = b.s.index.PassagesByCitation(ctx, up, false, b.filter); err != nil || len(found) > 0 {
			return shown(found), err
		}
	}
	return nil, nil
}

// shown orders what a citation names: official text before cards, and the
// passage that begins with the paragraph before one that only contains it.
func shown(found []audit.Passage) []audit.Passage {
	slices.SortStableFunc(found, func(a, b audit.Passage) int {
		return rankOfShown(a) - rankOfShown(b)
	})
	return found
}

func rankOfShown(p audit.Passage) int {
	switch {
	case p.Corpus == audit.CorpusCards:
		return 2
	case p.Kind == audit.KindCommentary:
		return 1
	}
	return 0
}

// relate brings what stands around a cited paragraph into the pool.
func (b *builder) relate(ctx context.Context, c audit.Citation) error {
	f := b.filter
	n := 0
	join := func(list []audit.Passage) error {
		for _, p := range list {
			if n >= maxRelated || len(b.list) >= maxRelatedAll {
				return nil
			}
			cand, err := b.place(ctx, p)
			if err != nil {
				return err
			}
			if !cand.pinned && !cand.related {
				cand.related = true
				cand.why = append(cand.why, "stands around "+c.String())
				n++
			}
		}
		return nil
	}
	for _, up := range c.Parents() {
		found, err := b.s.index.PassagesByCitation(ctx, up, false, f)
		if err != nil {
			return err
		}
		if err := join(shown(found)[:min(1, len(found))]); err != nil {
			return err
		}
	}
	below, err := b.s.index.PassagesByCitation(ctx, c, true, f)
	if err != nil {
		return err
	}
	return join(below)
}
