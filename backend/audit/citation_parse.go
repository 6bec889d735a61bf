package audit

import (
	"regexp"
	"strconv"
	"strings"
)

// FoundCitation is a citation in a running text, with its place in bytes.
type FoundCitation struct {
	Citation   Citation
	Start, End int
}

const (
	reMarkers = `((?:\s?\((?:[A-Za-z]{1,5}|\d{1,3})\))*)`
	reLead    = `(?:§{1,2}\s*|\bsections?\s+|\bsec\.\s*|\brules?\s+|\bguides?\s+)?`
)

// Each form that people write. The order matters: the first form that matches
// at a place wins, so the more telling ones stand first.
var citationForms = []struct {
	re    *regexp.Regexp
	build func(m []string) (Citation, bool)
}{
	{
		// Comment 1026.54(a)(1)-2.i.A, comment 54(a)(1)-2, Comment 1026 Appendix G-1
		regexp.MustCompile(`(?i)\b(?:official\s+)?(?:comment(?:ary)?|interpretation|cmt\.?)\s+(?:(\d{4})\.)?(\d{1,3})` + reMarkers + `\s?-\s?(\d{1,3})((?:\.[A-Za-z]{1,5}\b|\.\d{1,3}\b)*)`),
		func(m []string) (Citation, bool) {
			part := m[1]
			if part == "" {
				part = "1026"
			}
			c := cfr(titleOf(part), part+"."+m[2], m[3])
			c.Comment = append([]string{m[4]}, splitDots(m[5])...)
			return c, true
		},
	},
	{
		regexp.MustCompile(`(?i)\b(?:comment(?:ary)?|interpretation|cmt\.?)\s+(?:(\d{4})\s+)?(?:to\s+)?app(?:endix|\.)\s*([A-Z]\d{0,2})` + reMarkers + `\s?-\s?(\d{1,3})((?:\.[A-Za-z]{1,5}\b|\.\d{1,3}\b)*)`),
		func(m []string) (Citation, bool) {
			part := m[1]
			if part == "" {
				part = "1026"
			}
			c := cfr(titleOf(part), part, m[3])
			c.Appendix = strings.ToUpper(m[2])
			c.Comment = append([]string{m[4]}, splitDots(m[5])...)
			return c, true
		},
	},
	{
		// 17 CFR 275.206(4)-1(a)(1), Rule 206(4)-1(a)(1)
		regexp.MustCompile(`(?i)(?:\b17\s*C\.?F\.?R\.?\s*(?:part\s+)?)?` + reLead + `(?:\b275\.|\b)206\(4\)-1` + reMarkers),
		func(m []string) (Citation, bool) { return cfr(17, "275.206(4)-1", m[1]), true },
	},
	{
		// 12 CFR 1026 Appendix M1(a), 12 CFR part 1026, App. A
		regexp.MustCompile(`(?i)\b(?:(\d{1,2})\s*C\.?F\.?R\.?\s*(?:part\s+)?)(\d{3,4}),?\s+app(?:endix|\.)\s*([A-Z]\d{0,2})\b` + reMarkers),
		func(m []string) (Citation, bool) {
			title, _ := strconv.Atoi(m[1])
			c := cfr(title, m[2], m[4])
			c.Appendix = strings.ToUpper(m[3])
			return c, true
		},
	},
	{
		// 16 CFR 255.5(a) Example 3, section 255.5, § 1026.54(b)
		regexp.MustCompile(`(?i)(?:\b(\d{1,2})\s*C\.?F\.?R\.?\s*(?:part\s+)?)?` + reLead + `\b(\d{3,4})\.(\d{1,4}[a-z]?)\b` + reMarkers + `(?:,?\s*\bexample\s+(\d{1,2})\b)?`),
		func(m []string) (Citation, bool) {
			title, _ := strconv.Atoi(m[1])
			if title == 0 {
				if title = titleOf(m[2]); title == 0 {
					return Citation{}, false
				}
			}
			c := cfr(title, m[2]+"."+m[3], m[4])
			c.Example, _ = strconv.Atoi(m[5])
			return c, true
		},
	},
	{
		// 16 CFR 255, 12 CFR part 1026
		regexp.MustCompile(`(?i)\b(\d{1,2})\s*C\.?F\.?R\.?\s*(?:part\s+)?(\d{3,4})\b`),
		func(m []string) (Citation, bool) {
			title, _ := strconv.Atoi(m[1])
			return cfr(title, m[2], ""), true
		},
	},
	{
		// FINRA Rule 2210.01, FINRA 2210(d)(1)(B)
		regexp.MustCompile(`(?i)\bFINRA\s+(?:rules?\s+)?(\d{4})(?:\.(\d{2})\b)?` + reMarkers),
		func(m []string) (Citation, bool) {
			return Citation{Code: CodeFINRA, Section: m[1], Note: m[2], Path: splitMarkers(m[3])}, true
		},
	},
	{
		// Rule 2210(d)(1)(B), 2210(d), Rule 2010: FINRA's numbers have four digits and no dot
		regexp.MustCompile(`(?i)(?:\b(rules?)\s+|\b)([2-9]\d{3})` + reMarkers),
		func(m []string) (Citation, bool) {
			if m[1] == "" && m[3] == "" {
				return Citation{}, false // a bare number is a year or an amount
			}
			return Citation{Code: CodeFINRA, Section: m[2], Path: splitMarkers(m[3])}, true
		},
	},
}

// ParseCitation reads one citation in any spelling that people use; the text
// must hold nothing else.
func ParseCitation(s string) (Citation, error) {
	text := strings.TrimSpace(strings.ReplaceAll(s, "\u00a0", " "))
	for _, f := range FindCitations(text) {
		if f.Start == 0 && strings.Trim(text[f.End:], " .,;") == "" {
			return f.Citation, nil
		}
	}
	if c, ok := parseHouse(text); ok {
		return c, nil
	}
	return Citation{}, Errorf(CodeUsage, "%q is not a citation such as \"16 CFR 255.5(a)\" or \"FINRA 2210(d)(1)(B)\".", s)
}

// MustParseCitation is ParseCitation for citations in the program's own text.
func MustParseCitation(s string) Citation {
	c, err := ParseCitation(s)
	if err != nil {
		panic(err)
	}
	return c
}

// FindCitations finds the citations in a running text, from left to right.
func FindCitations(text string) []FoundCitation {
	var out []FoundCitation
	for at := 0; at < len(text); {
		best, end := FoundCitation{Start: -1}, 0
		for _, form := range citationForms {
			m := form.re.FindStringSubmatchIndex(text[at:])
			if m == nil || (best.Start >= 0 && at+m[0] >= best.Start) {
				continue
			}
			c, ok := form.build(submatches(text[at:], m))
			if !ok {
				continue
			}
			best, end = FoundCitation{Citation: c, Start: at + m[0], End: at + m[1]}, at+m[1]
		}
		if best.Start < 0 {
			break
		}
		best.End = best.Start + len(strings.TrimRight(text[best.Start:best.End], " "))
		out = append(out, best)
		at = end
	}
	return out
}

var reHouse = regexp.MustCompile(`^([A-Z][A-Za-z0-9 _&-]*?) (\d+(?:\.\d+)*)$`)

// parseHouse reads a citation of a user's own rules: "Acme Policy 3.1".
func parseHouse(text string) (Citation, bool) {
	m := reHouse.FindStringSubmatch(text)
	if m == nil || strings.HasSuffix(m[1], " CFR") || m[1] == CodeFINRA || m[1] == "Comment" {
		return Citation{}, false
	}
	return Citation{Code: m[1], Section: m[2]}, true
}

func cfr(title int, section, markers string) Citation {
	return Citation{Code: CodeCFR, Title: title, Section: section, Path: splitMarkers(markers)}
}

// titleOf gives the CFR title that people mean when they write a part alone.
func titleOf(part string) int {
	switch {
	case part == "255":
		return 16
	case part == "275" || part == "240" || part == "270" || part == "230":
		return 17
	case part == "1010" || part == "1020" || part == "1022" || part == "1023":
		return 31
	case len(part) == 4 && part[:2] == "10":
		return 12
	}
	return 0
}

func splitMarkers(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == '(' || r == ')' || r == ' ' })
}

func splitDots(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == '.' })
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
