package audit

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	reSeparator   = regexp.MustCompile(`(?i)^\s*(?:,\s*(?:and\s+|or\s+)?|;\s*(?:and\s+|or\s+)?|and\s+|or\s+|&\s*|(?:through|thru|to)\s+|[-–—]\s*)(?:paragraphs?\s+|comments?\s+|rules?\s+|§{1,2}\s*)?`)
	reRange       = regexp.MustCompile(`(?i)^\s*(?:through|thru|to|[-–—])`)
	reMoreSection = regexp.MustCompile(`^(\d{3,4}\.\d{1,4}[a-z]?)\b`)
	reMoreRule    = regexp.MustCompile(`^(\d{4})\b`)
	reMoreComment = regexp.MustCompile(`^[-–]?\s?(\d{1,3})\b`)
	reExampleMore = regexp.MustCompile(`^(?:(?i:example)\s+)?(\d{1,2})\b`)
)

// maxRange bounds what a range can imply: "(a) through (z)" is the longest
// that makes sense.
const maxRange = 60

// continueList reads what a list adds to a citation: "and (2)", "-(c)",
// "through -3", ", 255.2(b)". It gives the implied citations and the place at
// which the search goes on.
func continueList(text string, m match) ([]FoundCitation, int) {
	var out []FoundCitation
	last, end := m.citation, m.end
	for {
		sep := reSeparator.FindString(text[end:])
		if sep == "" {
			return out, end
		}
		t := &scanner{text: text, pos: end + len(sep)}
		start := t.pos
		ranged := reRange.MatchString(sep)
		next, ok := continuation(last, t, m.plural, ranged)
		if !ok || next.Equal(last) {
			return out, end
		}
		if ranged {
			for _, between := range rangeBetween(last, next) {
				out = append(out, FoundCitation{between, start, t.pos})
			}
		}
		out = append(out, FoundCitation{next, start, t.pos})
		last, end = next, t.pos
	}
}

// continuation reads the next member of a list after last.
func continuation(last Citation, t *scanner, plural, ranged bool) (Citation, bool) {
	rest := t.text[t.pos:]
	next := last
	switch {
	case last.IsComment():
		// Without its hyphen a bare number may be anything.
		if m := reMoreComment.FindString(rest); strings.HasPrefix(m, "-") || strings.HasPrefix(m, "–") {
			next.Comment = t.comment()
			return next, next.IsComment()
		}
		return t.nextMarker(last, ranged)
	case last.Example > 0:
		m := reExampleMore.FindStringSubmatch(rest)
		if m == nil {
			return next, false
		}
		next.Example = number(m[1])
		t.pos += len(m[0])
		return next, next.Example > 0
	}
	if strings.HasPrefix(rest, "(") {
		path := t.markers()
		if len(path) == 0 || len(last.Path) == 0 {
			return next, false
		}
		at := attachLevel(last, path[0])
		if at < 0 {
			return next, false
		}
		next.Path = append(slices.Clone(last.Path[:at]), path...)
		return next, true
	}
	if m := reMoreSection.FindStringSubmatch(rest); m != nil && last.Code == CodeCFR && last.Appendix == "" {
		part, _, _ := strings.Cut(m[1], ".")
		lastPart, _, _ := strings.Cut(last.Section, ".")
		if part != lastPart {
			return next, false // a citation of its own, or an amount
		}
		t.pos += len(m[0])
		next = Citation{Code: last.Code, Title: last.Title, Section: m[1], Path: t.markers()}
		next.Example = number(t.number(reExample))
		return next, true
	}
	if m := reMoreRule.FindStringSubmatch(rest); m != nil && last.Code == CodeFINRA && plural {
		t.pos += len(m[0])
		return Citation{Code: CodeFINRA, Section: m[1], Note: t.number(reNote), Path: t.markers()}, true
	}
	return next, false
}

var reMoreMarker = regexp.MustCompile(`^([ivx]{1,6}|[A-Z])\b`)

// nextMarker reads a sibling of a comment by its last marker alone: "-2.i
// through iii". Behind "and" it must be the next one; "I" may be a word.
func (t *scanner) nextMarker(last Citation, ranged bool) (Citation, bool) {
	at := len(last.Comment) - 1
	m := reMoreMarker.FindString(t.text[t.pos:])
	if m == "" || at < 1 || at >= len(commentLevels) {
		return last, false
	}
	from, ok := commentLevels[at].Value(last.Comment[at])
	to, also := commentLevels[at].Value(m)
	if !ok || !also || to <= from || !ranged && to != from+1 {
		return last, false
	}
	t.pos += len(m)
	next := last
	next.Comment = append(slices.Clone(last.Comment[:at]), m)
	return next, true
}

// attachLevel gives the level of last's path at which a marker goes on: the
// deepest whose numbering both fit. In "(a)(1) and (2)" that is the second, in
// "(a)(1) and (b)" the first.
func attachLevel(last Citation, marker string) int {
	levels := last.Levels()
	for i := len(last.Path) - 1; i >= 0; i-- {
		if i >= len(levels) {
			if last.Path[i] != "" && sameKind(last.Path[i], marker) {
				return i
			}
			continue
		}
		_, ok := levels[i].Value(last.Path[i])
		_, also := levels[i].Value(marker)
		if ok && also {
			return i
		}
	}
	for i := len(last.Path) - 1; i >= 0; i-- {
		if sameKind(last.Path[i], marker) {
			return i
		}
	}
	return -1
}

func sameKind(a, b string) bool {
	for n := Digits; n <= BigRomans; n++ {
		_, ok := n.Value(a)
		_, also := n.Value(b)
		if ok && also {
			return true
		}
	}
	return false
}

// rangeBetween gives the citations strictly between two siblings of a range;
// none where the two are not siblings.
func rangeBetween(from, to Citation) []Citation {
	a, b := from.Path, to.Path
	comment := from.IsComment()
	if comment {
		a, b = from.Comment, to.Comment
	}
	if from.Example > 0 && to.Example > from.Example && to.Example-from.Example < maxRange {
		var out []Citation
		for e := from.Example + 1; e < to.Example; e++ {
			c := from
			c.Example = e
			out = append(out, c)
		}
		return out
	}
	if len(a) == 0 && len(b) == 0 {
		return sectionsBetween(from, to)
	}
	last := len(a) - 1
	if last < 0 || len(b) != len(a) || !slices.Equal(a[:last], b[:last]) || from.Section != to.Section {
		return nil
	}
	numbering, low, high, ok := numberingOf(from, last, a[last], b[last])
	if !ok || high-low > maxRange {
		return nil
	}
	var out []Citation
	for v := low + 1; v < high; v++ {
		c := from
		path := append(slices.Clone(a[:last]), numbering.Marker(v))
		if comment {
			c.Comment = path
		} else {
			c.Path = path
		}
		out = append(out, c)
	}
	return out
}

// sectionsBetween gives the sections strictly between two of a part: "255.0 to
// 255.6".
func sectionsBetween(from, to Citation) []Citation {
	part, low, ok := strings.Cut(from.Section, ".")
	other, high, also := strings.Cut(to.Section, ".")
	v, err := strconv.Atoi(low)
	w, errTo := strconv.Atoi(high)
	if !ok || !also || part != other || err != nil || errTo != nil || w-v > maxRange || from.Code != CodeCFR {
		return nil
	}
	var out []Citation
	for n := v + 1; n < w; n++ {
		out = append(out, Citation{Code: from.Code, Title: from.Title, Section: part + "." + strconv.Itoa(n)})
	}
	return out
}

// numberingOf finds the numbering in which two markers of a level make a
// range: that of the level first, then any other.
func numberingOf(c Citation, level int, from, to string) (n Numbering, low, high int, ok bool) {
	candidates := []Numbering{Digits, Letters, Romans, BigLetters, BigRomans}
	if levels := c.Levels(); level < len(levels) {
		candidates = append([]Numbering{levels[level]}, candidates...)
	}
	for _, n := range candidates {
		low, ok := n.Value(from)
		high, also := n.Value(to)
		if ok && also && low < high {
			return n, low, high, true
		}
	}
	return 0, 0, 0, false
}
