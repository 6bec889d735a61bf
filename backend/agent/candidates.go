package agent

import (
	"context"
	"fmt"
	"slices"

	"veristream/backend/agent/applicability"
	"veristream/backend/audit"
)

// Examine runs everything that needs no language model: claims, signals,
// applicability, candidates, and the tests over the whole video.
func (a *Auditor) Examine(ctx context.Context, in Input) (*Screened, error) {
	s := &Screened{Claims: Claims(in.Segments)}
	if err := a.screen(ctx, s); err != nil {
		return nil, err
	}
	s.view = a.view(in, s)
	s.Answers = a.Table.Decide(applicability.Input{
		Facts: in.Facts, OptionsShown: s.has("options_mention"), AsOf: in.AsOf,
	})
	s.Proposed = proposeFacts(s.Claims, in.Segments)
	for _, c := range a.Data.Categories {
		if answer := s.Answers[c.Group]; answer.Can() && (answer.Verdict != applicability.Own || bindsAdvertiser(c)) {
			s.Candidates = append(s.Candidates, a.candidates(s, c, answer)...)
		}
	}
	a.weigh(s)
	if err := a.house(ctx, in, s); err != nil {
		return nil, err
	}
	return s, nil
}

// bindsAdvertiser: a firm that speaks for itself answers under the guides for
// what it does with other people's endorsements.
func bindsAdvertiser(c Category) bool { return c.Advertiser }

// has says whether a behaviour has a strong signal anywhere.
func (s *Screened) has(behaviour string) bool {
	return slices.ContainsFunc(s.Signals, func(x Signal) bool {
		return x.Behaviour == behaviour && x.Score >= strongSignal
	})
}

func (a *Auditor) view(in Input, s *Screened) *View {
	v := &View{Segments: in.Segments, Claims: s.Claims, Facts: in.Facts, DurationMS: in.DurationMS, cues: &a.Data.Cues}
	seen := map[int]bool{}
	for _, x := range s.Signals {
		if promoting[x.Behaviour] && x.Score >= promotes && !seen[x.Claim] && s.Claims[x.Claim].Source != audit.Description {
			seen[x.Claim] = true
			v.Promoting = append(v.Promoting, x.Claim)
		}
	}
	slices.Sort(v.Promoting)
	return v
}

// promoting are the behaviours that endorse or sell.
var promoting = map[string]bool{
	"endorsement": true, "testimonial": true, "performance_result_story": true, "recommendation": true,
}

// candidates makes the candidates of one category: one a claim, or one for the
// whole video where something is missing.
func (a *Auditor) candidates(s *Screened, c Category, answer applicability.Answer) []Candidate {
	var found []Candidate
	for _, x := range s.Signals {
		if !slices.Contains(c.Behaviours, x.Behaviour) || s.Claims[x.Claim].Source == audit.Description && c.Mode != ModeClaim {
			continue
		}
		if i := slices.IndexFunc(found, func(f Candidate) bool { return f.Claim == x.Claim }); i >= 0 {
			if x.Score > found[i].Signal.Score {
				found[i].Signal = x
			}
			continue
		}
		found = append(found, Candidate{Category: c, Claim: x.Claim, Signal: x, Answer: answer, Citation: c.Citation})
	}
	if c.Mode == ModeAbsence {
		found = wholeVideo(found)
	}
	if len(found) == 0 && answer.Verdict == applicability.Applies && c.Assumed.holds(s.view.Facts) {
		found = assumed(s, c, answer)
	}
	for i := range found {
		found[i].test(s.view)
	}
	if c.Once && len(found) > 1 {
		found = []Candidate{strongest(found)}
	}
	return found
}

// wholeVideo keeps the strongest candidate: what is missing is missing once.
func wholeVideo(found []Candidate) []Candidate {
	if len(found) == 0 {
		return nil
	}
	best := strongest(found)
	if best.Signal.Score < promotes {
		return nil
	}
	return []Candidate{best}
}

// strongest gives the candidate with the highest score, the earliest of equals.
func strongest(found []Candidate) Candidate {
	return slices.MaxFunc(found, func(x, y Candidate) int {
		switch {
		case x.Signal.Score < y.Signal.Score:
			return -1
		case x.Signal.Score > y.Signal.Score:
			return 1
		}
		return y.Claim - x.Claim
	})
}

// holds says whether the facts make the whole video a candidate.
func (a Assumed) holds(f audit.Facts) bool {
	switch a {
	case AssumedAlways:
		return true
	case AssumedSpokesperson:
		return f.Speaker == "paid_endorser" || f.Speaker == "employee" || f.Paid == "yes"
	}
	return false
}

// assumed: whoever is paid for a video, or works for the seller, promotes
// with it, even where no single sentence of praise stands out; and a member's
// video has to name the member whatever it says.
func assumed(s *Screened, c Category, answer applicability.Answer) []Candidate {
	for i, claim := range s.Claims {
		if claim.Source == audit.Speech || claim.Source == audit.Screen {
			return []Candidate{{
				Category: c, Claim: i, Answer: answer, Citation: c.Citation,
				Signal: Signal{Claim: i, Behaviour: c.Behaviours[0], Score: strongSignal, Screener: -1},
			}}
		}
	}
	return nil
}

// test runs the category's test over the whole video and picks the paragraph
// that asks for what is missing.
func (c *Candidate) test(v *View) {
	if c.Category.Mode == ModeClaim {
		if c.Category.ID == "finra_tax" && v.cues.In("tax_deferred", v.Claims[c.Claim].Norm) {
			c.Citation = c.Category.Misses["deferred"]
		}
		return
	}
	c.Outcome, c.Tested = tests[c.Category.Test](v, c.Claim), true
	for _, m := range c.Outcome.Missing {
		if cite, ok := c.Category.Misses[m]; ok {
			c.Citation = cite
			break
		}
	}
}

// Attach finds the rules for every candidate that is still open.
func (a *Auditor) Attach(ctx context.Context, in Input, s *Screened, each func(done, total int)) error {
	cache := map[string][]audit.Hit{}
	open := s.Open()
	for n, i := range open {
		if err := ctx.Err(); err != nil {
			return err
		}
		c := &s.Candidates[i]
		if c.final() < min(c.lines().near, c.lines().ask) {
			continue // nobody will read them
		}
		key := c.Category.ID + "|" + c.Signal.Behaviour
		hits, ok := cache[key]
		if !ok {
			var err error
			if hits, err = a.Retriever.Retrieve(ctx, a.ruleQuery(in, s, *c)); err != nil {
				return fmt.Errorf("find rules for %s: %w", c.Category.ID, err)
			}
			cache[key] = hits
		}
		c.Hits = hits
		if each != nil {
			each(n+1, len(open))
		}
	}
	return nil
}

// Open gives the candidates that are still in question. A test knows what cures
// words by a few other words only (a risk that is named near a benefit need not
// be that benefit's), so where there are fitted weights its word is one feature
// among others. That something is missing in the whole video it settles.
func (s *Screened) Open() []int {
	var out []int
	for i, c := range s.Candidates {
		settles := c.Chance < 0 || c.Category.Mode == ModeAbsence
		if !c.Tested || !c.Outcome.Cured || !settles {
			out = append(out, i)
		}
	}
	return out
}

// ruleQuery writes three sentences that name regulator, rule and behaviour.
func (a *Auditor) ruleQuery(in Input, s *Screened, c Candidate) RuleQuery {
	claim := s.Claims[c.Claim]
	b := a.behaviour(c)
	return RuleQuery{
		Sentences: []string{
			fmt.Sprintf("%s rule %s: %s.", c.Category.Regulator, c.Citation, c.Category.Title),
			fmt.Sprintf("A video shows this behaviour: %s.", b.Title),
			fmt.Sprintf("The speaker says: %s", claim.Text),
		},
		Regulator: c.Category.Regulator,
		Citations: c.Category.Citations(),
		AsOf:      in.AsOf,
		Quick:     a.LLM == nil,
		Top:       10,
	}
}
