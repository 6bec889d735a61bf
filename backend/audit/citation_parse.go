package audit

import (
	"regexp"
	"slices"
	"strings"
)

// FoundCitation is a citation in a running text, with its place in bytes. A
// citation that a list or a range implies stands where the list ends it.
type FoundCitation struct {
	Citation   Citation
	Start, End int
}

// ParseCitation reads one citation in any spelling that people use; the text
// must hold nothing else.
func ParseCitation(s string) (Citation, error) {
	text := strings.TrimSpace(strings.ReplaceAll(s, "\u00a0", " "))
	if len(text) <= maxCitation {
		rest, term := cutTerm(text)
		for _, f := range findCitations(rest, false) {
			if bare(rest[:f.Start]) == "" && strings.Trim(rest[f.End:], " .,;") == "" {
				f.Citation.Term = term
				return f.Citation, nil
			}
		}
		if c, ok := parseHouse(text); ok {
			return c, nil
		}
	}
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:60], "") + "..."
	}
	return Citation{}, Errorf(CodeUsage, "%q is not a citation such as \"16 CFR 255.5(a)\" or \"FINRA 2210(d)(1)(B)\".", text)
}

// maxCitation is far above the longest citation; what is longer is not one.
const maxCitation = 300

// ParseCitations reads a citation, a list or a range of them: "255.5(a)-(c)",
// "206(4)-1(a)(1) and (2)", "comments 54(a)(1)-1 through -3".
func ParseCitations(s string) ([]Citation, error) {
	text := strings.TrimSpace(strings.ReplaceAll(s, "\u00a0", " "))
	if c, err := ParseCitation(text); err == nil {
		return []Citation{c}, nil
	}
	var out []Citation
	end := 0
	for _, f := range findCitations(text, true) {
		// Between two citations only the words of a list and names may stand.
		if bare(strings.TrimLeft(reListWords.ReplaceAllString(text[min(end, f.Start):f.Start]+" ", " "), " ")) != "" {
			break
		}
		out = append(out, f.Citation)
		end = max(end, f.End)
	}
	if len(out) == 0 || strings.Trim(text[end:], " .,;") != "" {
		_, err := ParseCitation(text)
		return nil, err
	}
	return out, nil
}

var reListWords = regexp.MustCompile(`(?i)\b(?:and|or|through|thru|to)\b|[\s,;&–—-]+`)

// MustParseCitation is ParseCitation for citations in the program's own text.
func MustParseCitation(s string) Citation {
	c, err := ParseCitation(s)
	if err != nil {
		panic(err)
	}
	return c
}

// FindCitations finds the citations in a running text, from left to right,
// with those that lists and ranges imply.
func FindCitations(text string) []FoundCitation { return findCitations(text, true) }

func findCitations(text string, lists bool) []FoundCitation {
	if !strings.ContainsAny(text, "0123456789") {
		return nil
	}
	// Each form's next match is kept until the search has passed it: looking
	// for every form anew after every citation would be quadratic.
	next := make([]match, len(citationForms))
	for i := range next {
		next[i] = citationForms[i].find(text, 0)
	}
	var out []FoundCitation
	for at := 0; at < len(text); {
		best := match{start: -1}
		for i := range next {
			if next[i].start >= 0 && next[i].start < at {
				next[i] = citationForms[i].find(text, at)
			}
			if next[i].start >= 0 && (best.start < 0 || next[i].start < best.start) {
				best = next[i]
			}
		}
		if best.start < 0 {
			break
		}
		best = best.withLead(text, at)
		out = append(out, FoundCitation{best.citation, best.start, best.end})
		at = best.end
		if lists {
			var more []FoundCitation
			more, at = continueList(text, best)
			out = append(out, more...)
		}
	}
	return out
}

type match struct {
	citation   Citation
	start, end int
	plural     bool // "Rules", "§§": bare numbers after it may be rules
}

// A form is one way of writing the head of a citation. Its tail, the markers
// and what follows them, is read by hand: a regular expression cannot tell a
// marker from a word in parentheses.
type form struct {
	head *regexp.Regexp
	tail func(head []string, t *scanner) (Citation, bool)
}

func (f form) find(text string, from int) match {
	for from < len(text) {
		// The start of a word must be seen with what stands before it, so the
		// search begins one character early.
		back := from
		if back > 0 {
			back--
		}
		idx := f.head.FindStringSubmatchIndex(text[back:])
		if idx == nil {
			break
		}
		start := back + idx[0]
		if start < from {
			from++
			continue
		}
		if start > 0 && strings.ContainsRune("$.,", rune(text[start-1])) && isDigit(text[start]) && !spaced(text, start) {
			from = start + 1
			continue
		}
		t := &scanner{text: text, pos: back + idx[1]}
		head := submatches(text[back:], idx)
		if c, ok := f.tail(head, t); ok && !strings.HasPrefix(text[t.pos:], "%") {
			return match{c, start, t.pos, strings.Contains(strings.ToLower(head[0]), "rules") || strings.Contains(head[0], "§§")}
		}
		from = start + 1
	}
	return match{start: -1}
}

// spaced says whether a comma or point before a place ends a clause rather
// than standing within a number.
func spaced(text string, at int) bool { return text[at-1] != '$' && at > 1 && !isDigit(text[at-2]) }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// scanner reads the tail of a citation.
type scanner struct {
	text string
	pos  int
}

var (
	reMarker  = regexp.MustCompile(`^\s{0,2}\(\s?([A-Za-z]{1,8}|\d{1,3})\s?\)`)
	reComment = regexp.MustCompile(`^\s?[-–]\s?(\d{1,3})((?:\.(?:[A-Za-z]{1,8}|\d{1,3})\b)*)`)
	reExample = regexp.MustCompile(`(?i)^,?\s*(?:example|ex\.?)\s+(\d{1,2})\b`)
	// "§ 1026.54(a)(1), comment 2.i"; "comment 54(a)(1)-2" is a citation of its own.
	reCommentAfter = regexp.MustCompile(`(?i)^,?\s*(?:(?:official\s+)?(?:comments?|interpretations?)|cmts?\.?)\s+(\d{1,3}(?:\.(?:[A-Za-z]{1,8}|\d{1,3})\b)*)(?:[^\w(\-–]|$)`)
	reNote         = regexp.MustCompile(`^\.(\d{2})\b`)
)

// markers reads "(d)(1)(B)", with blanks around each if need be.
func (t *scanner) markers() []string {
	var path []string
	for {
		m := reMarker.FindStringSubmatch(t.text[t.pos:])
		if m == nil || !IsMarker(m[1]) {
			return path
		}
		path = append(path, m[1])
		t.pos += len(m[0])
	}
}

// comment reads "-2.i.A". A part that is no marker ends it: "54(a)-2.The".
func (t *scanner) comment() []string {
	m := reComment.FindStringSubmatch(t.text[t.pos:])
	if m == nil || !IsMarker(m[1]) {
		return nil
	}
	path := []string{m[1]}
	t.pos += len(m[0]) - len(m[2])
	for _, marker := range strings.Split(m[2], ".")[1:] {
		if !IsMarker(marker) {
			break
		}
		path = append(path, marker)
		t.pos += 1 + len(marker)
	}
	return path
}

// commentAfter reads the comment that follows the paragraph that it interprets.
func (t *scanner) commentAfter() []string {
	m := reCommentAfter.FindStringSubmatchIndex(t.text[t.pos:])
	if m == nil {
		return nil
	}
	path := strings.Split(t.text[t.pos+m[2]:t.pos+m[3]], ".")
	if slices.ContainsFunc(path, func(marker string) bool { return !IsMarker(marker) }) {
		return nil
	}
	t.pos += m[3]
	return path
}

func (t *scanner) number(re *regexp.Regexp) string {
	m := re.FindStringSubmatch(t.text[t.pos:])
	if m == nil {
		return ""
	}
	t.pos += len(m[0])
	return m[1]
}

var reTerm = regexp.MustCompile(`^(.*\S),?\s+["“]([^"“”]{1,80})["”]$`)

// cutTerm cuts the defined word off a citation: `17 CFR 230.405 "Affiliate"`.
func cutTerm(text string) (rest, term string) {
	m := reTerm.FindStringSubmatch(text)
	if m == nil || strings.TrimSpace(m[2]) != m[2] {
		return text, ""
	}
	return m[1], m[2]
}

var reHouse = regexp.MustCompile(`^([A-Z][A-Za-z0-9 _&-]*?) (\d+(?:\.\d+)*)((?:\((?:[A-Za-z]{1,8}|\d{1,3})\))*)$`)

// parseHouse reads a citation of a user's own rules: "Acme Policy 3.1(b)".
func parseHouse(text string) (Citation, bool) {
	m := reHouse.FindStringSubmatch(text)
	if m == nil || strings.HasSuffix(" "+m[1], " "+CodeCFR) || strings.HasPrefix(m[1], CodeFINRA) || strings.HasPrefix(m[1], "Comment") {
		return Citation{}, false
	}
	path := strings.FieldsFunc(m[3], func(r rune) bool { return r == '(' || r == ')' })
	for _, marker := range path {
		if !IsMarker(marker) {
			return Citation{}, false
		}
	}
	return Citation{Code: m[1], Section: m[2], Path: path}, true
}

func submatches(text string, idx []int) []string {
	out := make([]string, len(idx)/2)
	for i := range out {
		if idx[2*i] >= 0 {
			out[i] = text[idx[2*i]:idx[2*i+1]]
		}
	}
	return out
}
