package align

import (
	"regexp"
	"slices"
	"strings"

	"veristream/backend/audit"
)

var (
	reWord   = regexp.MustCompile(`[a-z][a-z0-9-]{2,}`)
	reAssign = regexp.MustCompile(`\[(?:Assignment|Selection)[^\]]*\]`)
)

// stops tell nothing about what a control or an element is of: the small words,
// and those that stand in every control.
var stops = map[string]bool{}

func init() {
	for _, w := range strings.Fields(`the and for are with that this from any all its has have not but may must shall will can each when where which
who whom into onto over under their there they them than then other such only also more most between within without through during after before
organization organizations organizational organization-defined system systems component components information control controls security use uses used using based
including include includes following develop document documented assignment selection personnel roles role procedures procedure policy
our your via per one two was were been being does required require requires ensure provide provides appropriate applicable`) {
		stops[w] = true
	}
}

// plain takes out what an organisation has to fill in.
func plain(text string) string { return reAssign.ReplaceAllString(text, " ") }

// terms gives the stems of a text's content words, each once.
func terms(text string) []string {
	var out []string
	for _, w := range reWord.FindAllString(strings.ToLower(text), -1) {
		if stops[w] {
			continue
		}
		if s := stem(w); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

func stem(w string) string {
	for _, e := range []string{"ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ies", "ied", "ers", "als", "al", "ed", "es", "er", "ly", "s", "e", "y"} {
		if rest, ok := strings.CutSuffix(w, e); ok && len(rest) >= 4 {
			return rest
		}
	}
	return w
}

func common(a, b []string) []string {
	var out []string
	for _, t := range a {
		if slices.Contains(b, t) {
			out = append(out, t)
		}
	}
	return out
}

// reDenies tells a sentence that says what is not there: it speaks of a thing and
// covers nothing of it.
var reDenies = regexp.MustCompile(`(?i)\b(?:says?|speaks?|tells?|contains?|gives?|holds?|has|have)\s+nothing\b` +
	`|\b(?:is|are|was|were|does|do|did|has|have)\s+not\s+(?:yet\s+)?(?:been\s+)?(?:cover|address|describ|speak|treat|regulat|deal|dealt|implement|defin|document|establish|decid|writ)\w*` +
	`|\bout(?:side)?\s+(?:of\s+)?(?:the\s+|its\s+)?scope\b` +
	`|\bno\s+(?:polic(?:y|ies)|procedures?|rules?|process(?:es)?|controls?)\s+(?:exists?|for|on|about|is|are|has|have)\b` +
	`|\bto\s+be\s+(?:defined|decided|written|done|determined)\b`)

// affirmed gives a text without the sentences that say what is not there.
func affirmed(text string) string {
	if !reDenies.MatchString(text) {
		return text
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		var keep []string
		for _, s := range audit.Sentences(strings.TrimSpace(line)) {
			if !reDenies.MatchString(s) {
				keep = append(keep, s)
			}
		}
		out.WriteString(strings.Join(keep, " ") + "\n")
	}
	return out.String()
}

// closest gives the sentence of a text with most of some words, as it stands
// there, and which of them the whole text has.
func closest(text string, want []string) (quote string, shared []string) {
	most := -1
	for line := range strings.Lines(text) {
		for _, s := range audit.Sentences(strings.TrimSpace(line)) {
			if n := len(common(terms(s), want)); n > most {
				quote, most = s, n
			}
		}
	}
	return quote, common(terms(text), want)
}
