package ask

import (
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"veristream/backend/audit"
)

// understanding is what a question's words tell before anything is searched.
type understanding struct {
	text      string           // the question
	search    string           // what is searched: with the question before it where it leans on that
	citations []audit.Citation // paragraphs it names
	terms     []string         // stems of its content words
	direct    bool             // it asks for the text of the paragraphs it names
	list      bool             // it asks which paragraphs speak of something
	numeric   bool             // it asks for a number
	defines   bool             // it asks what something is
	control   string           // the control that it names: "AC-2(1)"
	changed   bool             // it asks what is different between two texts
	asOf      string           // the day in the past of which it asks
	years     []string
}

var (
	reDirect  = regexp.MustCompile(`(?i)^(?:please |can you |could you )*(?:what (?:does|do|did|is|are)|show|read|quote|cite|give|print|tell)?\b(?: me| us)?(?: (?:the|exact|full|text|wording|words|language|content|contents|of|in|for|rule|rules|section|paragraph|regulation|provision|control|subcategory|comment|cfr|finra|sec|ftc|part|and|to|under|say|says|state|states|provide|provides|read|reads|require|requires|mean|means|about))*$`)
	reList    = regexp.MustCompile(`(?i)^(?:which|what|list(?: all)?(?: the)?|where) (?:of the )?(?:rules?|paragraphs?|sections?|provisions?|controls?|passages?|comments?|subcategor(?:y|ies))\b.{0,20}\b(?:mention|speak|talk|cover|address|concern|refer|deal|relate|apply|are about)|^where (?:is|are|do|does) .{3,60} mentioned`)
	reNumber  = regexp.MustCompile(`(?i)\bhow (?:much|many|long|large|big|high|often|old|soon)\b|\bwhat (?:was|were|is|are)\b.{0,60}\b(?:total|net|amount|number|percentage|percent|rate|revenue|sales|income|margin|assets|liabilities|cash|cost|expenses?|eps|earnings|price|limit|threshold|deadline|period)\b|\bwhen (?:must|does|do)\b|\bdays?\b`)
	reDefine  = regexp.MustCompile(`(?i)^(?:what(?:'s| is| are| counts? as| qualif\w+ as| does .{2,40} mean)|who (?:is|are|counts? as)|define|definition of|meaning of)\b`)
	reMeans   = regexp.MustCompile(`(?i)\bmeans?\b|\bis defined\b|\brefers to\b`)
	reControl = regexp.MustCompile(`\b[A-Z]{2}(?:\.[A-Z]{2})?-\d{1,2}(?:\(\d{1,2}\))?`)
	reYear    = regexp.MustCompile(`\b(?:19|20)\d{2}\b`)
	reFollow  = regexp.MustCompile(`(?i)^(?:and|but|so|also|then|what about|how about|what if|why|does (?:it|that|this)|is (?:it|that|this)|do they|are they)\b|\b(?:it|its|they|them|their|that one|this one|those|these)\b`)
)

// reWhen is a date, and what leads to it.
var reWhen = regexp.MustCompile(`(?i)\b(?:as of|back in|in force|on|in|at the end of)? ?(?:\d{1,2} )?(?:january|february|march|april|may|june|july|august|september|october|november|december)? ?(?:\d{1,2} )?(?:19|20)\d{2}(?: \d{2} \d{2})?\b`)

// rePercent asks for a share and not for an amount.
var rePercent = regexp.MustCompile(`(?i)\bpercent(?:age)?s?\b|\brates?\b|%`)

// understand reads a question.
func understand(text string, earlier []string, now time.Time) understanding {
	u := understanding{text: text, search: text}
	plain := text
	for _, f := range audit.FindCitations(text) {
		u.citations = append(u.citations, f.Citation)
		if f.Start >= 0 && f.End <= len(text) && f.End > f.Start {
			plain = plain[:f.Start] + strings.Repeat(" ", f.End-f.Start) + plain[f.End:]
		}
	}
	if n := len(earlier); n > 0 && len(u.citations) == 0 && reFollow.MatchString(text) {
		u.search = earlier[n-1] + " " + text
	}
	if u.control = reControl.FindString(plain); u.control != "" {
		plain = strings.Replace(plain, u.control, " ", 1)
	}
	u.defines = reDefine.MatchString(text)
	rest := strings.Join(strings.FieldsFunc(plain, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }), " ")
	u.direct = (len(u.citations) > 0 || u.control != "") && (rest == "" || reDirect.MatchString(rest))
	u.changed = len(u.citations) > 0 && reChanged.MatchString(text)
	if !u.changed {
		u.asOf = pastDate(text, len(u.citations), now)
	}
	if u.asOf != "" && !u.direct && len(u.citations) > 0 {
		// "what did 1005.6(b) say in January 2017": the date is no part of what is asked.
		bare := reWhen.ReplaceAllString(rest, " ")
		u.direct = reDirect.MatchString(strings.Join(strings.Fields(bare), " "))
	}
	u.list = reList.MatchString(text)
	u.numeric = reNumber.MatchString(text)
	u.years = reYear.FindAllString(text, -1)
	u.terms = terms(plain)
	if u.search != text {
		u.terms = append(u.terms, terms(earlier[len(earlier)-1])...)
	}
	return u
}

// stops are words that tell nothing about what is asked.
var stops = map[string]bool{}

func init() {
	for _, w := range strings.Fields(`a about after all also am an and any are as at be because been before being between both but by can could
		did do does doing down each else for from further get give had has have having he her here hers him his how i if in into is it
		its itself just me more most must my need no nor not of off on once one only or other our out over own please same say she
		should so some such tell than that the their them then there these they this those through to too under until up us use
		very was we were what when where which while who whom why will with would you your yours yes there's what's does doesn't
		rule rules section paragraph regulation control controls compare comparison difference according long much many mean means count counts`) {
		stops[w] = true
	}
}

// terms gives the stems of a text's content words, each once.
func terms(text string) []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range tokens(text) {
		if stops[w] || len(w) < 2 && !unicode.IsDigit(rune(w[0])) {
			continue
		}
		if s := stem(w); !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// tokens gives the words of a text in lower case; a number keeps its point and
// its commas are taken out.
func tokens(text string) []string {
	var out []string
	runes := []rune(strings.ToLower(text))
	var w []rune
	flush := func() {
		if len(w) > 0 {
			out = append(out, strings.TrimRight(string(w), ".'"))
			w = w[:0]
		}
	}
	digit := func(i int) bool { return i >= 0 && i < len(runes) && unicode.IsDigit(runes[i]) }
	for i, r := range runes {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			w = append(w, r)
		case r == '.' && digit(i-1) && digit(i+1):
			w = append(w, r)
		case r == ',' && digit(i-1) && digit(i+1):
		case (r == '\'' || r == '’') && len(w) > 0:
			w = append(w, '\'')
		default:
			flush()
		}
	}
	flush()
	return out
}

// stem takes off the commonest endings, the same for a question and a passage.
func stem(w string) string {
	w = strings.TrimSuffix(w, "'s")
	if len(w) < 4 || w[len(w)-1] >= '0' && w[len(w)-1] <= '9' {
		return w
	}
	for _, e := range []string{"ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ies", "ied", "ers", "ed", "es", "er", "ly", "s", "e", "y"} {
		if rest, ok := strings.CutSuffix(w, e); ok && len(rest) >= 3 {
			if e == "s" && strings.HasSuffix(rest, "s") {
				return w
			}
			if n := len(rest); n > 3 && rest[n-1] == rest[n-2] && (e == "ing" || e == "ed" || e == "er") {
				rest = rest[:n-1] // stopped, stopping
			}
			return rest
		}
	}
	return w
}

// pairs gives the stems of content words that follow each other, each pair once.
func pairs(text string) []string {
	var out []string
	last := ""
	for _, word := range tokens(text) {
		if stops[word] {
			continue
		}
		s := stem(word)
		if pair := last + " " + s; last != "" && !slices.Contains(out, pair) {
			out = append(out, pair)
		}
		last = s
	}
	return out
}
