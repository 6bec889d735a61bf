package agent

import (
	"fmt"
	"strings"

	"veristream/backend/audit"
)

// Outcome is what a test over the whole video found.
type Outcome struct {
	// Cured means that what the rule asks for is there: no finding.
	Cured bool
	// Missing names what is not there, by the keys of a category's `misses`, the
	// most telling first.
	Missing []string
	// Evidence says what was looked at, where, and what was (not) there.
	Evidence audit.Messages
	// Uncertain means that code cannot settle it: the finding needs review.
	Uncertain bool
	// At is the claim that the outcome is about, where it is another one than
	// the candidate's (a disclosure that comes too late); -1 otherwise.
	At int
	// Looked lists the claims that count as evidence.
	Looked []int
}

// View is a video as the tests see it.
type View struct {
	Segments   []audit.Segment
	Claims     []Claim
	Facts      audit.Facts
	DurationMS int64
	// Promoting are the claims that endorse, praise or promote, in order.
	Promoting []int

	cues *Cues
}

// A test looks over the whole video about one candidate claim.
type test func(v *View, claim int) Outcome

// tests are the tests that categories name.
var tests = map[string]test{
	"connection_disclosed":          connectionDisclosed,
	"connection_clear":              connectionClear,
	"risk_beside":                   riskBeside,
	"differences_given":             differencesGiven,
	"typical_result_given":          typicalResultGiven,
	"testimonial_disclosures":       testimonialDisclosures,
	"finra_testimonial_disclosures": finraTestimonialDisclosures,
	"rating_particulars":            ratingParticulars,
	"net_beside_gross":              netBesideGross,
	"periods_given":                 periodsGiven,
	"total_portfolio_offered":       totalPortfolioOffered,
	"hypothetical_explained":        hypotheticalExplained,
	"recommendation_basis":          recommendationBasis,
	"fund_figures":                  fundFigures,
	"firm_named":                    firmNamed,
	"options_warning":               optionsWarning,
	"options_documents":             optionsDocuments,
}

// Beside means within this time before or after, or in the neighbouring claim.
const besideMS = 20_000

// within gives the claims within a time of a claim, itself included. A text
// that is shown too briefly to be read tells nobody anything.
func (v *View) within(claim int, ms int64) []int {
	c := v.Claims[claim]
	var out []int
	for i, d := range v.Claims {
		if d.Source == audit.Description || i != claim && d.Source == audit.Screen && d.EndMS-d.StartMS < readingMS(d.Text) {
			continue
		}
		if d.StartMS <= c.EndMS+ms && d.EndMS >= c.StartMS-ms {
			out = append(out, i)
		}
	}
	return out
}

// everywhere gives all claims that are said or shown.
func (v *View) everywhere() []int {
	var out []int
	for i, d := range v.Claims {
		if d.Source != audit.Description {
			out = append(out, i)
		}
	}
	return out
}

// having gives those of the claims in which a cue stands.
func (v *View) having(cue string, among []int) []int {
	var out []int
	for _, i := range among {
		if v.cues.In(cue, v.Claims[i].Norm) {
			out = append(out, i)
		}
	}
	return out
}

// looked writes evidence: how much was read, and what of it was there.
func (v *View) looked(what, where string, found []int) audit.Messages {
	if len(found) == 0 {
		return audit.Say("Looked for {=0} {=1}: nothing of the kind was found.", what, where)
	}
	c := v.Claims[found[0]]
	return audit.Say("Looked for {=0} {=1}: found at {2} ({=3}): “{4}”.", what, where, stamp(c.StartMS), string(c.Source), c.Text)
}

func stamp(ms int64) string {
	s := ms / 1000
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d.%d", s/3600, s/60%60, s%60, ms%1000/100)
	}
	return fmt.Sprintf("%02d:%02d.%d", s/60, s%60, ms%1000/100)
}

// riskBeside looks for a named risk beside a benefit. A phrase such as "all
// investing involves risk" balances nothing: FINRA 2210(d)(1)(D) and
// 275.206(4)-1(a)(4) ask for the risks of this benefit.
func riskBeside(v *View, claim int) Outcome {
	var specific, generic []int
	for _, i := range v.within(claim, besideMS) {
		n := withoutPromises(v.Claims[i].Norm)
		switch {
		case v.cues.In("generic_risk", n):
			generic = append(generic, i)
		case v.cues.In("risk", n):
			specific = append(specific, i)
		}
	}
	o := Outcome{At: -1, Looked: specific, Cured: len(specific) > 0}
	o.Evidence = v.looked("a specific risk", "within 20 s of the words", specific)
	if len(specific) == 0 && len(generic) > 0 {
		o.Evidence = o.Evidence.And(v.looked("a general caution", "there", generic), audit.Say("A general caution does not balance a specific benefit."))
		o.Uncertain = true
	}
	return o
}

// withoutPromises takes out words that deny a risk, so that "no risk" is not
// taken for one that is named.
func withoutPromises(norm string) string {
	for _, p := range promises {
		norm = p.ReplaceAllString(norm, " ")
	}
	return norm
}

func differencesGiven(v *View, claim int) Outcome {
	var near []int
	for _, i := range v.within(claim, besideMS) {
		n := withoutPromises(v.Claims[i].Norm)
		if v.cues.In("risk", n) || (v.cues.In("differences", n) && i != claim) {
			near = append(near, i)
		}
	}
	return Outcome{
		At: -1, Looked: near, Cured: len(near) > 0,
		Evidence: v.looked("the differences in risk, cost, insurance or liquidity", "within 20 s of the comparison", near),
	}
}

func typicalResultGiven(v *View, claim int) Outcome {
	found := v.having("typical_results", v.within(claim, besideMS))
	o := Outcome{At: -1, Looked: found, Cured: len(found) > 0}
	o.Evidence = v.looked("what people generally get", "beside the story", found)
	return o
}

func netBesideGross(v *View, claim int) Outcome {
	near := v.within(claim, besideMS)
	net := v.having("net", near)
	o := Outcome{At: -1, Looked: net, Cured: len(net) > 0, Missing: []string{"net"}}
	o.Evidence = v.looked("a net figure", "beside the performance", net)
	if !o.Cured && !v.cues.In("gross", v.Claims[claim].Norm) && len(v.having("gross", near)) == 0 {
		// the words do not say whether fees are taken off
		o.Uncertain = true
		o.Evidence = o.Evidence.And(audit.Say("The words do not say whether fees are taken off."))
	}
	return o
}

func periodsGiven(v *View, claim int) Outcome {
	near := v.within(claim, 2*besideMS)
	missing := []string{}
	var found []int
	for _, p := range []string{"year_1", "year_5", "year_10"} {
		has := v.having(p, near)
		found = append(found, has...)
		if len(has) == 0 {
			missing = append(missing, strings.TrimPrefix(p, "year_"))
		}
	}
	o := Outcome{At: -1, Looked: found, Cured: len(missing) == 0}
	if private := v.having("private_fund", near); len(private) > 0 {
		// 275.206(4)-1(d)(2) excepts private funds
		o.Cured, o.Looked = true, private
		o.Evidence = v.looked("the kind of portfolio", "beside the performance", private).And(audit.Say("The periods are not asked for of a private fund."))
		return o
	}
	o.Evidence = audit.Say("Looked for one-, five- and ten-year results beside the performance: missing {*}.", missing...)
	if o.Cured {
		o.Evidence = v.looked("one-, five- and ten-year results", "beside the performance", found)
	}
	return o
}

func totalPortfolioOffered(v *View, claim int) Outcome {
	found := v.having("total_portfolio", v.within(claim, 2*besideMS))
	return Outcome{
		At: -1, Looked: found, Cured: len(found) > 0,
		Evidence: v.looked("the results of the whole portfolio", "beside the extract", found),
	}
}

// hypotheticalExplained: for a general audience, relevance cannot be shown by a
// video at all (275.206(4)-1(d)(6)(i)); criteria and limits can.
func hypotheticalExplained(v *View, claim int) Outcome {
	near := v.within(claim, 2*besideMS)
	criteria := v.having("hypothetical_criteria", near)
	limits := v.having("hypothetical_limits", near)
	o := Outcome{At: -1, Looked: append(criteria, limits...)}
	if v.Facts.Audience != "institutional" {
		o.Missing = append(o.Missing, "relevance")
	}
	if len(criteria) == 0 {
		o.Missing = append(o.Missing, "criteria")
	}
	if len(limits) == 0 {
		o.Missing = append(o.Missing, "limits")
	}
	o.Cured = len(o.Missing) == 0
	o.Uncertain = len(criteria) > 0 && len(limits) > 0
	o.Evidence = v.looked("the criteria and assumptions", "beside the figures", criteria).And(v.looked("the risks and limits of such figures", "there", limits))
	return o
}

func ratingParticulars(v *View, claim int) Outcome {
	near := v.within(claim, besideMS)
	date, rater, pay := v.having("rating_date", near), v.having("rating_rater", near), v.having("rating_pay", near)
	o := Outcome{At: -1, Looked: append(append(date, rater...), pay...)}
	for _, m := range []struct {
		key   string
		found []int
	}{{"date", date}, {"rater", rater}, {"pay", pay}} {
		if len(m.found) == 0 {
			o.Missing = append(o.Missing, m.key)
		}
	}
	o.Cured = len(o.Missing) == 0
	// Pay is to be told only where there was some: code cannot know.
	o.Uncertain = len(o.Missing) == 1 && o.Missing[0] == "pay"
	o.Evidence = v.looked("the date and period of the rating", "beside it", date).And(v.looked("who made it", "there", rater), v.looked("whether it was paid for", "there", pay))
	return o
}

func recommendationBasis(v *View, claim int) Outcome {
	near := v.within(claim, 2*besideMS)
	if funds := v.having("registered_fund", []int{claim}); len(funds) > 0 {
		return Outcome{
			At: -1, Looked: funds, Cured: true,
			Evidence: v.looked("the kind of security", "in the words", funds).And(audit.Say("FINRA 2210(d)(7)(D) excepts recommendations of registered funds.")),
		}
	}
	basis, position := v.having("basis", near), v.having("position", near)
	return Outcome{
		At: -1, Looked: append(basis, position...), Cured: len(basis) > 0 && len(position) > 0,
		Uncertain: len(basis) > 0,
		Evidence:  v.looked("the basis of the recommendation", "within 40 s", basis).And(v.looked("any interest in the security", "there", position)),
	}
}

func fundFigures(v *View, _ int) Outcome {
	all := v.everywhere()
	std, fees := v.having("fund_standardised", all), v.having("fund_fees", all)
	o := Outcome{At: -1, Looked: append(std, fees...)}
	if len(std) == 0 {
		o.Missing = append(o.Missing, "standardised")
	}
	if len(fees) == 0 {
		o.Missing = append(o.Missing, "fees")
	}
	o.Cured = len(o.Missing) == 0
	o.Evidence = v.looked("standardised performance", "in the video", std).And(v.looked("the sales charge and expense ratio", "in the video", fees))
	return o
}

func optionsWarning(v *View, _ int) Outcome {
	found := v.having("options_warning", v.everywhere())
	return Outcome{
		At: -1, Looked: found, Cured: len(found) > 0,
		Evidence: v.looked("a warning that options are not for every investor", "in the video", found),
	}
}

func optionsDocuments(v *View, _ int) Outcome {
	found := v.having("options_documents", v.everywhere())
	return Outcome{
		At: -1, Looked: found, Cured: len(found) > 0,
		Evidence: v.looked("an offer of supporting documents", "in the video", found),
	}
}

// firmNamed looks for anything that can be a firm's name. Code does not know
// the firm, so what it cannot find is for a person to look at.
func firmNamed(v *View, _ int) Outcome {
	var found []int
	for _, i := range v.everywhere() {
		if v.cues.In("firm_name", v.Claims[i].Norm) || hasName(v.Claims[i].Text) {
			found = append(found, i)
		}
	}
	return Outcome{
		At: -1, Looked: found, Cured: len(found) > 0, Uncertain: true,
		Evidence: v.looked("a firm's name", "in speech and on screen", found),
	}
}

// hasName says whether a capitalised word stands inside a sentence, which in
// English is a name more often than not.
func hasName(text string) bool {
	words := strings.Fields(text)
	for i, w := range words {
		w = strings.Trim(w, `"'“”‘’.,;:!?()`)
		if i == 0 || len(w) < 3 || strings.ToUpper(w) == w || notNames[strings.ToLower(w)] {
			continue
		}
		if w[0] >= 'A' && w[0] <= 'Z' && !endsSentence(words[i-1]) {
			return true
		}
	}
	return false
}

func endsSentence(w string) bool { return strings.ContainsAny(w[len(w)-1:], ".!?:") }

var notNames = map[string]bool{
	"monday": true, "tuesday": true, "wednesday": true, "thursday": true, "friday": true, "saturday": true, "sunday": true,
	"january": true, "february": true, "march": true, "april": true, "may": true, "june": true, "july": true, "august": true,
	"september": true, "october": true, "november": true, "december": true, "christmas": true, "american": true,
	"america": true, "wall": true, "street": true, "roth": true, "medicare": true, "social": true, "i'm": true, "i'll": true, "i've": true,
	"treasury": true, "congress": true, "english": true, "instagram": true, "youtube": true, "tiktok": true,
}
