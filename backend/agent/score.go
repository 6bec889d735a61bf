package agent

import "math"

// Below this score a claim is no candidate for a behaviour at all; the fitted
// weights look at more than the plain lines can sort out.
func candidateFloor(screened bool) float64 {
	if screened {
		return 0.10
	}
	return 0.20
}

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

// Lines between what counts and what does not among the cheap signals.
const (
	strongSignal = 0.70 // a behaviour is plainly there
	promotes     = 0.55 // a claim counts as praise or promotion
	plainWords   = 0.60 // what a strong pattern with nothing against it is worth
)

// lines are those between candidates and findings.
type lines struct {
	keep   float64 // below it a candidate is dropped
	near   float64 // at or above it, a dropped one is listed
	sure   float64 // at or above it, with every check passed, a finding is confirmed
	second float64 // a second finding on the same words needs this much
	ask    float64 // below it the language model is not asked
	plain  float64 // nor at or above it
}

// With the fitted weights a score is a probability; without a screener it is
// the signals' own. Both were chosen on training videos and on the tune half of
// eval/audit (eval/AUDIT.md).
var (
	fittedLines = lines{keep: 0.21, near: 0.10, sure: 0.45, second: 0.55, ask: 0.10, plain: 0.65}
	plainLines  = lines{keep: 0.53, near: 0.38, sure: 0.70, second: 0.78, ask: 0.42, plain: 1.01}
)

func (c Candidate) lines() lines {
	if c.Chance >= 0 {
		return fittedLines
	}
	return plainLines
}

// What the language model's answer counts for: small ones say yes too readily,
// hence the centre.
const (
	judgeCentre = 0.55
	judgeWeight = 0.20 // of a plain score
	judgeLogits = 1.00 // of a fitted probability, in logits
)

// final is a candidate's score after the language model was asked.
func (c Candidate) final() float64 {
	if c.Chance >= 0 {
		if !c.Judge.Asked {
			return c.Chance
		}
		return sigmoid(logit(c.Chance) + judgeLogits*(c.Judge.Triggered-judgeCentre))
	}
	s := c.Signal.Score
	if c.Category.Mode == ModeAbsence && c.Outcome.At >= 0 {
		s = math.Max(s, strongSignal) // a disclosure that is there and falls short was measured in code
	}
	if !c.Judge.Asked {
		return s
	}
	return clamp(s + judgeWeight*(c.Judge.Triggered-judgeCentre))
}
