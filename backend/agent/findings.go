package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"veristream/backend/agent/applicability"
	"veristream/backend/audit"
)

// RuleSource gives the rule to show with a finding: the official text in force,
// where it is installed, else the project's card.
type RuleSource interface {
	RuleRef(ctx context.Context, citation, asOf string) (audit.RuleRef, error)
}

// Decided is what an audit decided, before verification.
type Decided struct {
	Findings      []audit.Finding
	NotApplicable []audit.NotApplicable
	Checked       []audit.Checked
	Dropped       []audit.Dropped
	// Retrieved holds, for each finding, the citations that were retrieved for it.
	Retrieved map[string][]string
	// Said is what the sentences in all of this were made of.
	Said audit.Said
}

// Decide makes findings of the candidates. Verdict, severity and status come
// from code.
func (a *Auditor) Decide(ctx context.Context, in Input, s *Screened, rules RuleSource) (*Decided, error) {
	d := &Decided{Retrieved: map[string][]string{}, Said: audit.Said{}}
	kept := a.keep(in, s, d)
	drafts := a.With(nil)
	for _, c := range kept {
		f, err := a.finding(ctx, in, s, c, rules, d.Said)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(d.Findings, func(g audit.Finding) bool { return g.ID == f.ID }) {
			continue
		}
		draft, err := drafts.suggest(ctx, in, s, c)
		if err != nil {
			return nil, err
		}
		f.Remedy = d.Said.Say(c.Category.remedy().And(draft))
		d.Findings = append(d.Findings, f)
		for _, h := range c.Hits {
			d.Retrieved[f.ID] = append(d.Retrieved[f.ID], h.Passage.Citation)
			d.Retrieved[f.ID] = append(d.Retrieved[f.ID], h.Passage.Citations...)
		}
	}
	sortStable(d.Findings, func(x, y audit.Finding) bool {
		if x.StartMS != y.StartMS {
			return x.StartMS < y.StartMS
		}
		return x.Severity.Rank() < y.Severity.Rank()
	})
	d.NotApplicable = a.notApplicable(s, d.Said)
	d.Checked = a.checked(s, d)
	return d, nil
}

// keep picks the candidates that become findings, merges those on the same
// words under one regulator, and lists what it drops.
func (a *Auditor) keep(in Input, s *Screened, d *Decided) []Candidate {
	type place struct {
		claim     int
		regulator string
	}
	byPlace := map[place][]Candidate{}
	var places []place
	var kept []Candidate
	for _, i := range s.Open() {
		c := s.Candidates[i]
		score := c.final()
		if score < c.lines().keep {
			if score >= c.lines().near || c.Signal.Match.Score == 1 {
				d.Dropped = append(d.Dropped, a.dropped(in, s, c, reasonNot(c)))
			}
			continue
		}
		if c.Category.Mode == ModeAbsence {
			kept = append(kept, c)
			continue
		}
		p := place{c.Claim, c.Category.Regulator}
		if byPlace[p] == nil {
			places = append(places, p)
		}
		byPlace[p] = append(byPlace[p], c)
	}
	for _, p := range places {
		list := byPlace[p]
		sortStable(list, func(x, y Candidate) bool { return precedence(x) > precedence(y) })
		first := list[0]
		for _, c := range list[1:] {
			if c.final() >= c.lines().second && c.Signal.Behaviour != first.Signal.Behaviour && !covers(first, c) {
				kept = append(kept, c)
				continue
			}
			first.Category.Related = append(slices.Clone(first.Category.Related), c.Citation)
		}
		kept = append(kept, first)
	}
	return kept
}

// precedence: the surer, then the more specific paragraph, then the graver.
func precedence(c Candidate) float64 {
	cite, _ := audit.ParseCitation(c.Citation)
	return c.final()*10 + float64(cite.Depth())*0.01 - float64(c.Category.Severity.Rank())*0.005
}

// covers: what a second category would say of the same words is said by the
// first: a promise is also an exaggeration, options in the options rule also in
// the general one.
func covers(first, second Candidate) bool {
	if first.Category.Group == "finra_options" && second.Category.Group == "finra_member" {
		return true
	}
	return first.Citation == second.Citation
}

func reasonNot(c Candidate) string {
	m := c.Signal.Match
	switch {
	case c.Tested && c.Outcome.Cured:
		return "What the rule asks for was found."
	case m.Negated || m.Vetoed:
		return "The words deny or limit what a careless reading would find."
	case m.Warned || m.Retracted:
		return "The words warn of or take back somebody's claim."
	case m.Reported:
		return "The words report what somebody else says."
	case m.Illustrated:
		return "The words explain or calculate an example."
	case m.Question:
		return "The words ask a question."
	case c.Judge.Asked && c.Judge.Triggered < judgeCentre:
		return "The language model did not see the rule triggered, and the other signals were weak."
	}
	return "The signals were too weak."
}

func (a *Auditor) dropped(in Input, s *Screened, c Candidate, reason string) audit.Dropped {
	claim := s.Claims[c.Claim]
	_, excerpt := claim.Excerpt(in.Segments, c.Signal.Match.About)
	return audit.Dropped{
		Reason: reason, Excerpt: excerpt, Citation: c.Citation, Category: c.Category.ID, StartMS: claim.StartMS,
	}
}

// finding writes one finding. Its rationale is put together from the card and
// from what code measured: every sentence of it has its source.
func (a *Auditor) finding(ctx context.Context, in Input, s *Screened, c Candidate, rules RuleSource, said audit.Said) (audit.Finding, error) {
	ref, err := rules.RuleRef(ctx, c.Citation, in.AsOf)
	if err != nil {
		return audit.Finding{}, fmt.Errorf("find the text of %s: %w", c.Citation, err)
	}
	f := audit.Finding{
		Category: c.Category.ID, Regulator: c.Category.Regulator, Citation: c.Citation, Severity: c.Category.Severity,
		Applies: said.Say(c.Answer.Reason), Rule: ref, Evidence: said.Say(c.Outcome.Evidence),
		Related: related(c), Signals: c.signals(),
	}
	a.place(&f, in, s, c)
	f.Rationale = said.Say(a.rationale(c, f))
	f.Status = c.status(a.LLM != nil)
	f.ID = findingID(f)
	for _, i := range c.Outcome.Looked[:min(5, len(c.Outcome.Looked))] {
		claim := s.Claims[i]
		f.Context = append(f.Context, audit.SegmentRef{
			SegmentID: in.Segments[claim.Parts[0].Segment].ID, StartMS: claim.StartMS, EndMS: claim.EndMS, Why: "looked at",
		})
	}
	if f.Evidence == "" {
		f.Evidence = said.Say(audit.Say("The words at {0} in the {=1}.", stamp(f.StartMS), channel(f.Source)))
	}
	return f, nil
}

// place sets where the finding lies: at the words, or, for something that is
// missing, over the stretch that promotes.
func (a *Auditor) place(f *audit.Finding, in Input, s *Screened, c Candidate) {
	claim := s.Claims[c.Claim]
	if c.Category.Mode == ModeAbsence && c.Outcome.At >= 0 {
		claim = s.Claims[c.Outcome.At]
	}
	f.Source, f.StartMS, f.EndMS = claim.Source, claim.StartMS, claim.EndMS
	if c.Category.Mode == ModeAbsence && c.Outcome.At < 0 {
		f.SegmentID = in.Segments[claim.Parts[0].Segment].ID
		if n := len(s.view.Promoting); n > 0 {
			first, last := s.Claims[s.view.Promoting[0]], s.Claims[s.view.Promoting[n-1]]
			f.StartMS, f.EndMS = min(first.StartMS, claim.StartMS), max(last.EndMS, claim.EndMS)
		} else {
			f.EndMS = max(f.EndMS, in.DurationMS) // nothing stood out: the whole video was looked at
		}
		return
	}
	seg, excerpt := claim.Excerpt(in.Segments, c.Signal.Match.About)
	f.SegmentID, f.Excerpt = seg.ID, excerpt
	if len(claim.Parts) > 1 {
		f.StartMS, f.EndMS = seg.StartMS, seg.EndMS
	}
}

// Where gives a finding with no more than the candidate's citation and place.
func (a *Auditor) Where(in Input, s *Screened, c Candidate) audit.Finding {
	f := audit.Finding{Category: c.Category.ID, Regulator: c.Category.Regulator, Citation: c.Citation}
	a.place(&f, in, s, c)
	return f
}

// remedy is what would help; a firm's own rule says it in the firm's words.
func (c Category) remedy() audit.Messages {
	switch {
	case c.Remedy == "":
		return nil
	case c.House != nil:
		return audit.Quote("und", strings.TrimSpace(c.Remedy))
	}
	return audit.Say(strings.TrimSpace(c.Remedy))
}

func (a *Auditor) rationale(c Candidate, f audit.Finding) audit.Messages {
	var out audit.Messages
	title := a.behaviour(c).Title
	switch {
	case f.Excerpt == "":
		out = audit.Say("{=0}. The video promotes ({=1}, from {2} on) and what {3} asks for was not found.",
			c.Category.Title, strings.ToLower(title), stamp(f.StartMS), f.Citation)
	case c.Category.Regulator == audit.FTC:
		out = audit.Say("{=0}: these words may be inconsistent with {1}.", title, f.Citation)
	default:
		out = audit.Say("{=0}: these words may be a violation of {1}.", title, f.Citation)
	}
	if card, ok := a.Cards[c.Citation]; ok && card.Requires != "" {
		language := "en"
		if c.Category.House != nil {
			language = "und"
		}
		out = out.And(audit.Quote(language, strings.TrimSpace(card.Requires)))
	}
	if c.Answer.Verdict == applicability.Depends {
		out = out.And(audit.Say("Whether it binds here is open:"), c.Answer.Reason)
	}
	return out
}

func (c Candidate) status(judged bool) audit.Status {
	switch {
	case !judged, c.Answer.Verdict == applicability.Depends, c.Outcome.Uncertain, c.Outcome.Cured:
		return audit.NeedsReview
	case c.final() < c.lines().sure:
		return audit.NeedsReview
	case c.Judge.Asked && c.Judge.Met > 0.8 && c.Category.Mode == ModeUnless:
		return audit.NeedsReview
	}
	return audit.Confirmed
}

func (c Candidate) signals() audit.Signals {
	sig := audit.Signals{
		Lexicon: c.Signal.Match.Score, Similarity: c.Signal.Similarity, Screener: max(0, c.Signal.Screener), Judge: "not asked",
	}
	if c.Chance >= 0 {
		sig.Chance = math.Round(c.final()*1000) / 1000
	}
	if len(c.Hits) > 0 && c.Hits[0].Scores.Rerank != nil {
		sig.Rerank = *c.Hits[0].Scores.Rerank
	}
	if c.Judge.Asked {
		switch {
		case c.Judge.Triggered >= 0.65:
			sig.Judge = "yes"
		case c.Judge.Triggered <= 0.45:
			sig.Judge = "no"
		default:
			sig.Judge = "unsure"
		}
	}
	return sig
}

func related(c Candidate) []string {
	var out []string
	for _, r := range append(slices.Clone(c.Category.Related), c.Category.Companion) {
		if r != "" && r != c.Citation && !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	for _, m := range c.Outcome.Missing {
		if r := c.Category.Misses[m]; r != "" && r != c.Citation && !slices.Contains(out, r) {
			out = append(out, r)
		}
	}
	return out
}

// findingID is the same for the same words under the same category, so that a
// second run keeps a person's decisions.
func findingID(f audit.Finding) string {
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Category, f.Citation, Normalise(f.Excerpt), fmt.Sprint(f.StartMS / 100)}, "|")))
	return "f" + hex.EncodeToString(sum[:6])
}

func (a *Auditor) notApplicable(s *Screened, said audit.Said) []audit.NotApplicable {
	out := []audit.NotApplicable{}
	for _, id := range sortedKeys(s.Answers) {
		if n := s.Answers[id]; n.Verdict == applicability.No {
			out = append(out, audit.NotApplicable{Regulator: n.Regulator, Citation: n.Scope, Reason: said.Say(n.Reason)})
		}
	}
	return out
}

func (a *Auditor) checked(s *Screened, d *Decided) []audit.Checked {
	out := []audit.Checked{}
	categories := slices.Clone(a.Data.Categories)
	for _, card := range a.houseCards() {
		categories = append(categories, houseCategory(&card, "house "+card.Citation))
	}
	for _, c := range categories {
		k := audit.Checked{Category: c.ID, Result: audit.ResultClear}
		answer := s.Answers[c.Group]
		switch {
		case answer.Verdict == applicability.No:
			k.Result, k.Note = audit.ResultNotApplicable, d.Said.Say(answer.Reason)
		case answer.Verdict == applicability.Own && !bindsAdvertiser(c):
			k.Result, k.Note = audit.ResultNotApplicable, d.Said.Say(answer.Reason)
		case slices.ContainsFunc(d.Findings, func(f audit.Finding) bool { return f.Category == c.ID }):
			k.Result = audit.ResultFinding
		case len(s.Claims) == 0:
			k.Result, k.Note = audit.ResultNotChecked, "There is no text to check."
		default:
			k.Note = d.Said.Say(clearNote(s, c))
		}
		out = append(out, k)
	}
	return out
}

// clearNote gives the evidence for a category that is clear.
func clearNote(s *Screened, c Category) audit.Messages {
	for _, x := range s.Candidates {
		if x.Category.ID == c.ID && x.Tested && x.Outcome.Cured {
			return x.Outcome.Evidence
		}
	}
	return audit.Say("{0} sentences were screened; nothing was found.", strconv.Itoa(len(s.Claims)))
}

func channel(src audit.Source) string {
	switch src {
	case audit.Screen:
		return "picture"
	case audit.Description:
		return "description"
	}
	return "speech"
}
