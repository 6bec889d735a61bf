package agent

import (
	"math"
	"strings"

	"veristream/backend/agent/applicability"
	"veristream/backend/audit"
)

// Feature is one number about a candidate that the weights of data/keep.yaml
// count. They are plain: what each signal says, what stands beside the words,
// and how the words compare with the rest of the video.
type Feature struct {
	Name  string
	Value float64
}

// Behaviours whose presence speaks against a finding.
const (
	namesRisk     = "names_risk"
	warnsOfOthers = "warns_of_others"
	disclosesTie  = "discloses_tie"
)

// Features gives the features of a candidate, in a fixed order.
func (s *Screened) Features(c Candidate) []Feature {
	sig, claim := c.Signal, s.Claims[c.Claim]
	var out []Feature
	add := func(name string, v float64) { out = append(out, Feature{name, v}) }
	flag := func(name string, on bool) {
		v := 0.0
		if on {
			v = 1
		}
		add(name, v)
	}
	flag("plain", c.plain())
	bare := sig
	bare.Screener = -1
	add("words", score(bare))
	add("lexicon", sig.Match.Score)
	add("keep", sig.Match.keep())
	add("similarity", sig.Similarity)
	add("contrast", sig.Similarity-sig.Contrast)
	flag("assumed", sig.Screener < 0)
	add("in context", logit(sig.Screener))
	add("alone", logit(sig.Alone))
	add("look-alike", math.Max(0, sig.LookAlike))
	for _, b := range []string{namesRisk, warnsOfOthers, disclosesTie} {
		add(b, s.class(c.Claim, b))
		add(b+" before", s.class(s.beside(c.Claim, -1), b))
		add(b+" after", s.class(s.beside(c.Claim, +1), b))
	}
	for _, b := range []string{namesRisk, warnsOfOthers, disclosesTie} {
		most := 0.0
		for i := range s.Claims {
			most = math.Max(most, s.class(i, b))
		}
		add(b+" anywhere", most)
	}
	other, top, count := 0.0, 0.0, 0
	for b, p := range s.Classes(c.Claim) {
		if b != sig.Behaviour && !strings.HasSuffix(b, lookAlikeLabel) && b != namesRisk && b != warnsOfOthers && b != disclosesTie {
			other = math.Max(other, p)
		}
	}
	for i := range s.Claims {
		p := s.class(i, sig.Behaviour)
		if p >= 0.5 {
			count++
		}
		if i != c.Claim {
			top = math.Max(top, p)
		}
	}
	beside := math.Max(s.class(s.beside(c.Claim, -1), sig.Behaviour), s.class(s.beside(c.Claim, +1), sig.Behaviour))
	add("beside", beside)
	add("only beside", beside*(1-sig.Alone)) // the neighbour says it, and these words alone do not
	add("others here", other)
	own := math.Max(sig.Screener, sig.Alone)
	add("others ahead", ahead(c, other, own)) // it is more plainly something else
	add("risk ahead", ahead(c, s.class(c.Claim, namesRisk), sig.Screener))
	add("ahead of the video", math.Max(0, sig.Screener)-top)
	add("share of the video", float64(count)/float64(max(1, len(s.Claims))))
	flag("on screen", claim.Source == audit.Screen)
	flag("in the description", claim.Source == audit.Description)
	add("length", math.Log(float64(1+len(strings.Fields(claim.Norm)))))
	flag("depends", c.Answer.Verdict == applicability.Depends)
	facts := audit.Facts{}
	if s.view != nil {
		facts = s.view.Facts
	}
	flag("paid", facts.Paid == "yes")
	flag("endorser", facts.Speaker == "paid_endorser" || facts.Speaker == "employee")
	flag("unless", c.Category.Mode == ModeUnless)
	flag("absence", c.Category.Mode == ModeAbsence)
	flag("cured", c.Outcome.Cured)
	flag("uncertain", c.Outcome.Uncertain)
	add("missing", float64(len(c.Outcome.Missing)))
	flag("elsewhere", c.Outcome.At >= 0 && c.Tested)
	return out
}

// plain says whether strong words with nothing against them stand there and the
// screener says so, too.
func (c Candidate) plain() bool {
	m := c.Signal.Match
	return c.Category.Mode == ModeClaim && m.Score == 1 && m.Plain() && math.Max(c.Signal.Screener, c.Signal.Alone) >= plainlySeen
}

// plainlySeen is what the screener has to give such words.
const plainlySeen = 0.70

// ahead is by how much another behaviour stands out in a claim more than the
// candidate's own; where something is missing in a whole video it says nothing.
func ahead(c Candidate, other, own float64) float64 {
	if c.Category.Mode == ModeAbsence {
		return 0
	}
	return math.Max(0, other-math.Max(0, own))
}

// Classes gives what the screener said of a claim in its context.
func (s *Screened) Classes(claim int) map[string]float64 {
	if claim < 0 || claim >= len(s.classes) {
		return nil
	}
	return s.classes[claim]
}

func (s *Screened) class(claim int, label string) float64 { return s.Classes(claim)[label] }

// beside gives the claim before or after in the same channel, or -1.
func (s *Screened) beside(claim, step int) int {
	if n := neighbour(s.Claims, claim, step); n != nil {
		return n.Index
	}
	return -1
}

func logit(p float64) float64 {
	if p < 0 {
		return 0
	}
	p = math.Max(0.005, math.Min(0.995, p))
	return math.Log(p / (1 - p))
}
