package agent

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"veristream/backend/agent/applicability"
	"veristream/backend/audit"
)

// A firm's own rules are cards and nothing more: no screener was trained for
// them and no pattern written. What a card lists as triggers and look-alikes is
// compared with every claim, by meaning where an embedder is installed and by
// words in any case, and what comes near enough needs review.

// Lines of likeness between a claim and a card's triggers.
const (
	houseFar    = 0.45 // a cosine at or below it says nothing
	houseNear   = 0.80 // at or above it, the claim says the same
	houseShared = 0.60 // share of a trigger's words that makes a claim like it
)

// behaviour gives what a candidate's signal is about; for a house rule, what
// its card says.
func (a *Auditor) behaviour(c Candidate) *Behaviour {
	if card := c.Category.House; card != nil {
		return &Behaviour{
			ID: card.Citation, Title: card.Title, Examples: card.Triggers, LookAlikes: card.LookAlikes,
			Question: "Do these words go against this rule of the firm: " + strings.TrimSpace(card.Requires),
		}
	}
	return a.Data.behaviour[c.Signal.Behaviour]
}

// houseCards gives the audited cards of the firm's own, in a fixed order.
func (a *Auditor) houseCards() []audit.Card {
	var out []audit.Card
	for _, id := range sortedKeys(a.Cards) {
		card := a.Cards[id]
		cite, err := audit.ParseCitation(card.Citation)
		if err == nil && card.Audited && cite.Code != audit.CodeCFR && cite.Code != audit.CodeFINRA && len(card.Triggers) > 0 {
			out = append(out, card)
		}
	}
	return out
}

// house adds the candidates and the answers of the house rules.
func (a *Auditor) house(ctx context.Context, in Input, s *Screened) error {
	cards := a.houseCards()
	if len(cards) == 0 || len(s.Claims) == 0 {
		return nil
	}
	for i := range cards {
		card := &cards[i]
		answer := houseAnswer(*card, in)
		s.Answers[answer.Group] = answer
		if !answer.Can() {
			continue
		}
		category := houseCategory(card, answer.Group)
		var yes, no [][]float32
		if s.vectors != nil {
			vectors, err := a.Vectors.Embed(ctx, append(slices.Clone(card.Triggers), card.LookAlikes...))
			if err != nil {
				return fmt.Errorf("embed the triggers of %s: %w", card.Citation, err)
			}
			yes, no = vectors[:len(card.Triggers)], vectors[len(card.Triggers):]
		}
		for n, claim := range s.Claims {
			sig := Signal{Claim: n, Behaviour: card.Citation, Screener: -1}
			shared, against := sharedWords(claim.Norm, card.Triggers), sharedWords(claim.Norm, card.LookAlikes)
			if s.vectors != nil {
				sig.Similarity, sig.Contrast = nearest(s.vectors[n], yes), nearest(s.vectors[n], no)
				near := clamp((sig.Similarity - houseFar) / (houseNear - houseFar))
				sig.Score = near * clamp(0.5+4*(sig.Similarity-sig.Contrast))
			}
			if shared >= houseShared && shared > against {
				sig.Match.Score = 1
				sig.Score = math.Max(sig.Score, shared)
			}
			if sig.Score >= candidateFloor(false) {
				s.Candidates = append(s.Candidates, Candidate{
					Category: category, Claim: n, Signal: sig, Answer: answer, Citation: card.Citation, Chance: -1,
				})
			}
		}
	}
	return nil
}

func houseCategory(card *audit.Card, group string) Category {
	return Category{
		ID: group, Regulator: card.Regulator, Title: card.Title, Citation: card.Citation, Related: card.Related, Group: group,
		Severity: card.Severity, Mode: ModeClaim, Behaviours: []string{card.Citation}, Remedy: card.Remedy, House: card,
	}
}

// houseAnswer decides from a card's own `binds` and dates.
func houseAnswer(card audit.Card, in Input) applicability.Answer {
	f := in.Facts.WithDefaults()
	out := applicability.Answer{
		Group: "house " + card.Citation, Regulator: card.Regulator, Scope: card.Citation, Verdict: applicability.Applies,
		Reason: audit.Say("A rule of {0}'s own.", card.Regulator),
	}
	refuse := func(key string, args ...string) { out.Verdict, out.Reason = applicability.No, audit.Say(key, args...) }
	depend := func(fact string) {
		if out.Verdict == applicability.Applies {
			out.Verdict, out.Reason = applicability.Depends, audit.Say("It depends on: {=*}.", fact)
		}
		out.On = append(out.On, fact)
	}
	e := card.Effective
	switch {
	case e.From != "" && in.AsOf != "" && in.AsOf < e.From:
		refuse("The rule is in force from {0}.", e.From)
		return out
	case e.To != "" && in.AsOf > e.To:
		refuse("The rule was in force until {0}.", e.To)
		return out
	}
	if who := card.Binds.Who; len(who) > 0 && !slices.Contains(who, f.Speaker) && !slices.Contains(card.Binds.Sponsors, f.Sponsor) {
		if f.Speaker != "unknown" {
			refuse("The rule binds other speakers: {=*}.", strings.Split(strings.ReplaceAll(strings.Join(who, ","), "_", " "), ",")...)
			return out
		}
		depend("speaker")
	}
	if want := card.Binds.Audience; want != "" && want != "any" && want != f.Audience {
		if f.Audience != "unknown" {
			refuse("The rule is about another audience: {=0}.", want)
			return out
		}
		depend("audience")
	}
	for _, need := range card.Binds.Needs {
		have, known := map[string]string{"paid": f.Paid, "options": f.Options}[need]
		switch {
		case !known || have == "yes": // what a claim shows is not a fact about the speaker
		case have == "no":
			refuse("The rule is about videos with {=0}: yes.", need)
			return out
		default:
			depend(need)
		}
	}
	return out
}

// sharedWords is the largest share of a text's words of four letters or more
// that stand in a claim.
func sharedWords(norm string, texts []string) float64 {
	have := map[string]bool{}
	for _, w := range strings.Fields(norm) {
		have[strings.Trim(w, ".,!?;:")] = true
	}
	best := 0.0
	for _, t := range texts {
		n, all := 0, 0
		for _, w := range strings.Fields(Normalise(t)) {
			if w = strings.Trim(w, ".,!?;:"); len(w) < 4 {
				continue
			}
			if all++; have[w] {
				n++
			}
		}
		if all >= 2 {
			best = math.Max(best, float64(n)/float64(all))
		}
	}
	return best
}
