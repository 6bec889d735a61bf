package agent

import "math"

// Below this score a claim is no candidate for a behaviour at all.
const candidateFloor = 0.20

// How much each cue leaves of the lexicon's score. A veto or a retraction says
// the opposite of the match; a warning or a report usually does; an
// illustration or a question often does.
const (
	keepNegated     = 0.15
	keepVetoed      = 0.10
	keepWarned      = 0.25
	keepRetracted   = 0.25
	keepReported    = 0.60
	keepIllustrated = 0.50
	keepQuestion    = 0.60
)

// score puts the signals of one behaviour in one claim together: the lexicon
// less what its cues take, raised by likeness to examples that look-alikes do
// not share. The pair classifier, where there is one, has the larger say.
func score(s Signal) float64 {
	lex := s.Match.Score * s.Match.keep()
	sim := 0.0
	if s.Similarity > 0 {
		// 0 at a cosine of .40, 1 at .80; look-alikes that are nearer take it away
		sim = clamp((s.Similarity - 0.40) / 0.40)
		sim *= clamp(0.5 + 4*(s.Similarity-s.Contrast))
		sim *= s.Match.keep()
	}
	base := 1 - (1-0.75*lex)*(1-0.60*sim)
	if s.Screener < 0 {
		return base
	}
	screener := 0.7*s.Screener + 0.3*s.Alone
	whole := clamp(0.20*base + 0.80*screener)
	if s.Match.Score == 1 && s.Match.Plain() && math.Max(s.Screener, s.Alone) >= 0.4 {
		return math.Max(whole, plainWords) // plain words, and the screener does not deny them
	}
	return whole
}

func (m Match) keep() float64 {
	k := 1.0
	for _, c := range []struct {
		on   bool
		keep float64
	}{
		{m.Negated, keepNegated},
		{m.Vetoed, keepVetoed},
		{m.Warned, keepWarned},
		{m.Retracted, keepRetracted},
		{m.Reported, keepReported},
		{m.Illustrated, keepIllustrated},
		{m.Question, keepQuestion},
	} {
		if c.on {
			k = math.Min(k, c.keep)
		}
	}
	return k
}

func clamp(v float64) float64 { return math.Max(0, math.Min(1, v)) }

// Lines between what counts and what does not, measured on the tune half of
// eval/audit (see eval/AUDIT.md).
const (
	strongSignal = 0.70 // a behaviour is plainly there
	promotes     = 0.55 // a claim counts as praise or promotion
	keepFinding  = 0.53 // below it a candidate is dropped
	confirmed    = 0.70 // at or above it, with every check passed, a finding is confirmed
	plainWords   = 0.60 // what a strong pattern with nothing against it is worth
	secondOnSame = 0.78 // a second finding on the same words needs this much
	judgeWeight  = 0.20 // what the language model's answer can add or take
	judgeFloor   = 0.42 // below it the language model is not asked
	judgeCentre  = 0.55 // small models say yes too readily: the centre of their answers
)

// final is a candidate's score after the language model was asked.
func (c Candidate) final() float64 {
	s := c.Signal.Score
	if c.Category.Mode == ModeAbsence && c.Outcome.At >= 0 {
		s = math.Max(s, strongSignal) // a disclosure that is there and falls short was measured in code
	}
	if !c.Judge.Asked {
		return s
	}
	return clamp(s + judgeWeight*(c.Judge.Triggered-judgeCentre))
}
