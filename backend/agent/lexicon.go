package agent

import "strings"

// Match is what a behaviour's lexicon found in a claim.
type Match struct {
	Score float64 // 1 strong, 0.5 weak, 0 nothing
	About string  // the words that matched, normalised
	// Cues round the match that turn it into a look-alike. Each is a fact about
	// the text; what it does to the score is decided in one place (score.go).
	Negated, Vetoed, Warned, Retracted, Reported, Illustrated, Question bool
}

// Plain says whether nothing round the match turns it round.
func (m Match) Plain() bool {
	return !m.Negated && !m.Vetoed && !m.Warned && !m.Retracted && !m.Reported && !m.Illustrated && !m.Question
}

// Lexicon matches one behaviour against a claim and its neighbours. It needs no
// model.
func (d *Data) Lexicon(b *Behaviour, claims []Claim, i int) Match {
	return d.match(b, claims[i], d.context(claims, i))
}

// match matches one behaviour against a claim whose context is known.
func (d *Data) match(b *Behaviour, c Claim, m Match) Match {
	at := matchAny(b.strong, c.Norm)
	switch {
	case at != nil:
		m.Score = 1
	default:
		if at = matchAny(b.weak, c.Norm); at == nil {
			return m
		}
		m.Score = 0.5
	}
	m.About = c.Norm[at[0]:at[1]]
	m.Negated = d.negated(c.Norm, at[0])
	m.Vetoed = matchAny(b.veto, c.Norm) != nil
	return m
}

// negated says whether a negation stands just before the match, in the same
// clause.
func (d *Data) negated(norm string, start int) bool {
	before := norm[:start]
	if cut := strings.LastIndexAny(before, ".,;:!?"); cut >= 0 {
		before = before[cut+1:]
	}
	return d.Cues.In("negation", before)
}

// context gives the cues that stand in the claim or beside it in its channel:
// they are the same for every behaviour.
func (d *Data) context(claims []Claim, i int) Match {
	var m Match
	c := claims[i]
	prev, next := neighbour(claims, i, -1), neighbour(claims, i, +1)
	m.Warned = d.Cues.In("warning", c.Norm)
	m.Reported = d.Cues.In("reported", c.Norm)
	m.Illustrated = d.Cues.In("illustration", c.Norm)
	m.Question = d.Cues.In("question", c.Norm)
	m.Retracted = d.Cues.In("retraction", c.Norm)
	if prev != nil {
		// "If someone tells you this: 'You will double your money.' Run."
		m.Warned = m.Warned || (d.Cues.In("warning", prev.Norm) && strings.ContainsAny(prev.Text, `:"“`))
	}
	if next != nil {
		m.Retracted = m.Retracted || (d.Cues.In("retraction", next.Norm) && len(strings.Fields(next.Norm)) <= 12)
	}
	return m
}

// neighbour gives the claim before (-1) or after (+1) in the same channel.
func neighbour(claims []Claim, i, step int) *Claim {
	for j := i + step; j >= 0 && j < len(claims); j += step {
		if claims[j].Source == claims[i].Source {
			return &claims[j]
		}
	}
	return nil
}
