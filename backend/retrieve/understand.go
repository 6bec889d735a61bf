package retrieve

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"veristream/backend/audit"
)

// understanding is what can be read from a question before anything is
// searched.
type understanding struct {
	text       string           // the question, with spaces made even
	citations  []audit.Citation // explicit ones, in order
	scopes     []audit.Citation // bodies of rules named by what people call them
	named      []name           // the same, with the words used
	parts      []part           // "Part 1026", without the title
	regulators []string         // named in the text
	words      []string         // content words, for the full-text index
	phrases    []string         // expansions, for the full-text index
	defines    bool             // it asks what something is
	expanded   string           // the question with its abbreviations written out behind it, for the embedder
	written    string           // the question with their long forms in the place of its abbreviations
}

// understand reads a question.
func understand(q Query) understanding {
	t := loadTables()
	u := understanding{text: strings.Join(strings.Fields(strings.ToValidUTF8(q.Text, " ")), " ")}
	plain := u.text
	for _, f := range audit.FindCitations(u.text) {
		u.citations = appendNew(u.citations, f.Citation)
		if f.End > f.Start && f.Start >= 0 && f.End <= len(u.text) {
			// Their digits are no words: the index has tokens for citations.
			plain = plain[:f.Start] + strings.Repeat(" ", f.End-f.Start) + plain[f.End:]
		}
	}
	for _, c := range q.Citations {
		u.citations = appendNew(u.citations, c)
	}
	for _, n := range t.names {
		if n.re.MatchString(u.text) {
			u.named = append(u.named, n)
			if !n.citation.IsZero() {
				u.scopes = appendNew(u.scopes, n.citation)
			}
		}
	}
	if len(u.citations) == 0 {
		for _, m := range rePart.FindAllStringSubmatch(u.text, -1) {
			p := part{text: "Part " + m[1]}
			for _, title := range partTitles {
				p.may = append(p.may, audit.Citation{Code: audit.CodeCFR, Title: title, Section: m[1]})
			}
			u.parts, u.scopes = append(u.parts, p), append(u.scopes, p.may...)
		}
	}
	for _, n := range t.regulators {
		if n.re.MatchString(u.text) && !slices.Contains(u.regulators, n.regulator) {
			u.regulators = append(u.regulators, n.regulator)
		}
	}
	u.words = contentWords(plain, t.stop)
	u.defines = reDefines.MatchString(u.text)
	u.expand(t)
	return u
}

// part is a part of the Code of Federal Regulations as people name it, and what
// that may be.
type part struct {
	text string
	may  []audit.Citation
}

var (
	rePart     = regexp.MustCompile(`(?i)\bpart\s+(\d{3,4})\b`)
	partTitles = []int{12, 16, 17, 31} // banks, trade, securities, the Treasury
)

// reDefines tells a question for a definition.
var reDefines = regexp.MustCompile(`(?i)^\s*(?:what(?:'s| is| are| counts? as| does .{2,40} (?:mean|cover))|who (?:is|are|counts? as)|defin|meaning of|when (?:is|are|does)|how is .{2,60} defined|what makes)\b|\bdefin(?:e|ed|ition)\b|\bmean(?:s|ing)?\b|\bdifference between\b|\bversus\b|\bcompare`)

// reAskingWords are words with which one asks for a text itself.
var reAskingWords = regexp.MustCompile(`^(?:comments?|explain\w*|paragraphs?|part|quote\w*|read\w*|requires?|rules?|says?|section|show\w*|states?|summar\w*|tell\w*|text|ask|asks|cfr|ftc|sec|finra|cfpb|reg|regulation|official|interpretation|entire|full|whole|content|contents|provides?)$`)

// onlyCites says whether the question asks for what it cites, and for nothing
// else: then nothing else answers it.
func (u understanding) onlyCites() bool {
	if len(u.citations) == 0 {
		return false
	}
	return !slices.ContainsFunc(u.words, func(w string) bool { return !reAskingWords.MatchString(w) })
}

// expand adds what the rules call the abbreviations and the everyday phrases
// of the question.
func (u *understanding) expand(t tables) {
	var added []string
	for _, x := range t.terms {
		switch {
		case x.re.MatchString(u.text):
			u.phrases = append(u.phrases, x.long...)
			added = append(added, x.long...)
		case x.abbr && slices.ContainsFunc(x.longForm, func(re *regexp.Regexp) bool { return re.MatchString(u.text) }):
			u.phrases = append(u.phrases, x.short)
		}
	}
	u.written = u.text
	for _, x := range t.terms {
		if x.abbr {
			u.written = x.re.ReplaceAllLiteralString(u.written, strings.Join(t.longForms(x.short), ", "))
		}
	}
	u.expanded = u.text
	if len(added) > 0 {
		u.expanded += " (" + strings.Join(slices.Compact(added), ", ") + ")"
	}
}

// contentWords gives the words of a text that can tell passages apart, each
// once, in lower case. The index stems them itself.
func contentWords(text string, stop map[string]bool) []string {
	var out []string
	seen := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if len(w) < 2 && !unicode.IsDigit(rune(w[0])) || stop[w] || seen[w] {
			continue
		}
		seen[w] = true
		out = append(out, w)
	}
	return out
}

func appendNew(list []audit.Citation, c audit.Citation) []audit.Citation {
	if slices.ContainsFunc(list, c.Equal) {
		return list
	}
	return append(list, c)
}
