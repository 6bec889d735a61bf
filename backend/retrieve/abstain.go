package retrieve

import (
	"context"
	"fmt"
	"strings"
	"sync"

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
	for _, p := range u.parts {
		for _, c := range p.may {
			ok, err := s.index.Covers(ctx, c)
			if err != nil {
				return "", err
			}
			if ok {
				return "", nil
			}
		}
		missing = append(missing, p.text)
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

// overlapFrom is how many of the first passages are looked through for the
// question's words, and overlapStem how much of a word must be there.
const (
	overlapFrom = 5
	overlapStem = 5
)

// nearness measures how well the best of the pool answers the question.
func nearness(u understanding, pool []*candidate) Nearness {
	var n Nearness
	read := false
	for _, c := range pool {
		n.Cosine = max(n.Cosine, c.dense)
		if c.reread && (!read || c.rerank > n.Rerank) {
			n.Rerank, read = c.rerank, true
		}
	}
	var text strings.Builder
	for _, c := range pool[:min(len(pool), overlapFrom)] {
		for _, t := range c.texts() {
			text.WriteString(strings.ToLower(t))
		}
	}
	found, all := 0, 0
	for _, w := range u.words {
		if len(w) < overlapStem-1 {
			continue
		}
		all++
		if strings.Contains(text.String(), w[:min(len(w), overlapStem)]) {
			found++
		}
	}
	if all > 0 {
		n.Overlap = float64(found) / float64(all)
	}
	return n
}

// nearest is how many questions are looked at to tell what a question is like:
// a single one may be near by chance.
const nearest = 3

// asked gives how near the question is to everyday questions that the rules answer.
func asked(lists []list) float64 {
	for _, l := range lists {
		if l.name == listAsksDense {
			var cosines []float64
			for _, h := range l.hits[:min(len(l.hits), nearest)] {
				cosines = append(cosines, h.Score)
			}
			return mean(cosines)
		}
	}
	return 0
}

func mean(xs []float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	var sum float64
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}

// Score weighs the parts of nearness; without a cross-encoder its part is 0.
func (r Refusal) Score(n Nearness) float64 {
	score := r.Rerank*n.Rerank + r.Cosine*n.Cosine + r.Overlap*n.Overlap
	if n.Paper {
		return score + r.Asked*r.PaperAsked - r.Away*r.PaperAway
	}
	return score + r.Asked*n.Asked - r.Away*n.Away
}

// unknownGround says whether what is nearest to the question is nothing of which
// the project knows what people ask of it: a document of the user's, a rule that
// only the user has installed.
func unknownGround(pool []*candidate) bool {
	var best *candidate
	for _, c := range pool {
		if best == nil || c.dense > best.dense {
			best = c
		}
	}
	if best == nil {
		return false
	}
	p := best.passage()
	return p.Corpus == audit.CorpusDocuments || !askedParts()[partOf(p.Citation)]
}

// askedParts are the parts of the rules that have everyday questions.
var askedParts = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for _, file := range askFiles() {
		for _, row := range rows(file) {
			out[partOf(row[0])] = true
		}
	}
	return out
})

// partOf gives the beginning of a citation that names its part: "12 CFR 1026",
// "Comment 1026", "FINRA 2210".
func partOf(citation string) string {
	words := strings.Fields(citation)
	n := 2
	if len(words) > 1 && words[1] == audit.CodeCFR {
		n = 3
	}
	words = words[:min(n, len(words))]
	if len(words) == 0 {
		return ""
	}
	last := &words[len(words)-1]
	if i := strings.IndexAny(*last, ".("); i >= 0 {
		*last = (*last)[:i]
	}
	return strings.Join(words, " ")
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
