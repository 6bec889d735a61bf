package agent

import (
	"fmt"
	"regexp"
)

// Cues are named sets of patterns over normalised words. Where a set has a
// fellow whose name ends in deniedCue, words that match that one do not count.
type Cues struct {
	Patterns map[string][]string `yaml:"cues"`

	compiled map[string][]*regexp.Regexp
}

func (c *Cues) compile() error {
	c.compiled = map[string][]*regexp.Regexp{}
	for name, patterns := range c.Patterns {
		res, err := compileAll(patterns)
		if err != nil {
			return fmt.Errorf("cue %s: %w", name, err)
		}
		c.compiled[name] = res
	}
	for _, name := range cueNames {
		if len(c.compiled[name]) == 0 {
			return fmt.Errorf("cue %s is missing", name)
		}
	}
	return nil
}

// In says whether the cue stands in the normalised text.
func (c *Cues) In(name, norm string) bool { return c.Find(name, norm) != nil }

// Find gives the place of the cue in the normalised text, or nil.
func (c *Cues) Find(name, norm string) []int {
	if matchAny(c.compiled[name+deniedCue], norm) != nil {
		return nil
	}
	return matchAny(c.compiled[name], norm)
}

// deniedCue ends the name of what turns a cue round: "nobody pays me" tells of
// no tie.
const deniedCue = "_denied"

// cueNames lists every cue that code asks for, so that a misspelt name in the
// data is found at start and not as a test that is always clear.
var cueNames = []string{
	"negation", "warning", "retraction", "reported", "illustration", "question", "risk", "generic_risk",
	"disclosure", "vague", "behind_link", "net", "gross", "year_1", "year_5", "year_10", "client",
	"conflict", "rating_date", "rating_rater", "rating_pay", "total_portfolio", "hypothetical_criteria",
	"hypothetical_limits", "not_representative", "no_guarantee", "paid_testimonial", "typical_results",
	"differences", "basis", "position", "price", "tax_deferred", "fund_standardised", "fund_fees",
	"options_warning", "options_documents", "firm_name", "private_fund", "registered_fund",
}
