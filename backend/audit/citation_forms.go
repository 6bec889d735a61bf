package audit

import (
	"regexp"
	"strconv"
	"strings"
)

const (
	reLead  = `(?:§{1,2}\s*|\bsections?\s+|\bsec\.\s*|\brules?\s+|\bguides?\s+)?`
	reTitle = `(?:\b(\d{1,2})\s*C\.?\s?F\.?\s?R\.?\s*(?:part\s+|parts\s+)?)`
	reApp   = `app(?:endix|endices|\.)\s*`
	// A form of an appendix: "G-25" of Reg Z; its "(B)" is a marker.
	reForm = `([A-Z]\d{0,2}(?:-\d{1,2}[A-Z]?\b)?)`
)

// Each form that people write. Where two match at the same place the first
// wins, so the more telling ones stand first.
var citationForms = []form{
	{
		// Comment 1026.54(a)(1)-2.i.A, comments 54(a)(1)-2
		regexp.MustCompile(`(?i)\b(?:official\s+)?(?:comments?|commentary|interpretations?|cmts?\.?)\s+(?:to\s+|on\s+)?(?:§\s*)?(?:(\d{4})\.)?(\d{1,3})`),
		func(m []string, t *scanner) (Citation, bool) {
			c := cfr(0, orBureau(m[1])+"."+m[2], t.markers())
			c.Title = titleOf(m[1])
			c.Comment = t.comment()
			return asComment(c)
		},
	},
	{
		// Comment 1026-1, of the commentary's introduction
		regexp.MustCompile(`(?i)\b(?:comments?|commentary|interpretations?|cmts?\.?)\s+(\d{4})`),
		func(m []string, t *scanner) (Citation, bool) {
			c := cfr(0, m[1], nil)
			c.Comment = t.comment()
			return asComment(c)
		},
	},
	{
		// Comment 1026 Appendix G-1, comment app. G and H-1
		regexp.MustCompile(`(?i)\b(?:comments?|commentary|interpretations?|cmts?\.?)\s+(?:(\d{4})\s+)?(?:to\s+)?` + reApp + `([A-Z]\d{0,2}(?:\s+and\s+[A-Z]\d{0,2})?)\b`),
		func(m []string, t *scanner) (Citation, bool) {
			c := cfr(0, orBureau(m[1]), t.markers())
			c.Appendix = appendixName(m[2])
			c.Comment = t.comment()
			return asComment(c)
		},
	},
	{
		// 17 CFR 275.206(4)-1(a)(1), Rule 206(4)-1(a)(1)
		regexp.MustCompile(`(?i)` + reTitle + `?` + reLead + `(?:\b275\.|\b)(206\(4\)-\d{1,2})\b`),
		func(m []string, t *scanner) (Citation, bool) {
			return cfr(17, "275."+m[2], t.markers()), m[1] == "" || m[1] == "17"
		},
	},
	{
		// 12 CFR 1026 Appendix M1(a), 12 CFR part 1026, App. G-25(B)
		regexp.MustCompile(`(?i)` + reTitle + `(\d{3,4}),?\s+` + reApp + reForm + `\b`),
		func(m []string, t *scanner) (Citation, bool) {
			c := cfr(number(m[1]), m[2], t.markers())
			c.Appendix = appendixName(m[3])
			return c, c.Title > 0
		},
	},
	{
		// Appendix G-25(B) to part 1026
		regexp.MustCompile(`(?i)\b` + reApp + reForm + `((?:\([A-Za-z0-9]{1,4}\))*)\s+to\s+(?:12\s+CFR\s+)?part\s+(\d{4})\b`),
		func(m []string, _ *scanner) (Citation, bool) {
			path := strings.FieldsFunc(m[2], func(r rune) bool { return r == '(' || r == ')' })
			c := cfr(titleOf(m[3]), m[3], path)
			c.Appendix = appendixName(m[1])
			for _, marker := range path {
				if !IsMarker(marker) {
					return c, false
				}
			}
			return c, c.Title > 0
		},
	},
	{
		// 17 CFR 240.10b-5(b), 275.204A-1, 270.34b-1: only there has a section's number a hyphen
		regexp.MustCompile(`(?i)` + reTitle + `?` + reLead + `\b(2[0-9]{2})\.(\d{1,4}[A-Za-z]{0,2}\d{0,3}(?:(?:\(\w{1,3}\))+)?-\d{1,3}[A-Z]?)\b`),
		func(m []string, t *scanner) (Citation, bool) {
			if m[1] != "" && m[1] != "17" || m[1] == "" && titleOf(m[2]) != 17 {
				return Citation{}, false
			}
			return cfr(17, m[2]+"."+m[3], t.markers()), true
		},
	},
	{
		// 16 CFR 255.5(a) Example 3, section 255.5, § 1026.54(b)
		regexp.MustCompile(`(?i)(?:` + reTitle + reLead + `|` + reLead + `\b)(\d{3,4})\.(\d{1,4}[a-z]?)\b`),
		func(m []string, t *scanner) (Citation, bool) {
			title := number(m[1])
			if m[1] == "" {
				title = titleOf(m[2])
			}
			c := cfr(title, m[2]+"."+m[3], t.markers())
			if c.Comment = t.commentAfter(); title == 12 && c.IsComment() {
				return c, true
			}
			c.Comment = nil
			c.Example = number(t.number(reExample))
			return c, title > 0
		},
	},
	{
		// 16 CFR 255, 12 CFR part 1026
		regexp.MustCompile(`(?i)` + reTitle + `(\d{3,4})\b`),
		func(m []string, _ *scanner) (Citation, bool) {
			return cfr(number(m[1]), m[2], nil), number(m[1]) > 0
		},
	},
	{
		// Supplementary Material .01 of Rule 2210
		regexp.MustCompile(`(?i)\bsupplementary\s+material\s+\.(\d{2})\s+(?:of|to|under)\s+(?:FINRA\s+)?(?:rule\s+)?(\d{4})\b`),
		func(m []string, _ *scanner) (Citation, bool) {
			return Citation{Code: CodeFINRA, Section: m[2], Note: m[1]}, true
		},
	},
	{
		// FINRA Rule 2210.01, FINRA 2210(d)(1)(B)
		regexp.MustCompile(`(?i)\bFINRA(?:'s)?\s*(?:rules?\s+)?(\d{4,5})\b`),
		func(m []string, t *scanner) (Citation, bool) {
			return Citation{Code: CodeFINRA, Section: m[1], Note: t.number(reNote), Path: t.markers()}, true
		},
	},
	{
		// Rule 2210(d)(1)(B), 2210(d), Rule 2010: FINRA's numbers have four digits and no dot
		regexp.MustCompile(`(?i)(?:\b(rules?)\s+|\b)([2-9]\d{3})\b`),
		func(m []string, t *scanner) (Citation, bool) {
			if m[1] == "" && strings.HasPrefix(t.text[t.pos:], ".") && reNote.MatchString(t.text[t.pos:]) {
				return Citation{}, false // an amount: 2210.50
			}
			c := Citation{Code: CodeFINRA, Section: m[2], Note: t.number(reNote), Path: t.markers()}
			return c, m[1] != "" || len(c.Path) > 0 // a bare number is a year or an amount
		},
	},
}

func cfr(title int, section string, path []string) Citation {
	return Citation{Code: CodeCFR, Title: title, Section: section, Path: path}
}

func asComment(c Citation) (Citation, bool) {
	part, _, _ := strings.Cut(c.Section, ".")
	if c.Title = titleOf(part); c.Title == 0 {
		c.Title = 12 // only the Bureau's and the Board's regulations have comments
	}
	return c, c.IsComment()
}

// orBureau gives the part that people mean who write "comment 54(a)(1)-2".
func orBureau(part string) string {
	if part == "" {
		return "1026"
	}
	return part
}

// appendixName writes "g-25" as "G-25" and keeps the "and" of "G and H".
func appendixName(s string) string {
	words := strings.Fields(strings.ToUpper(s))
	for i, w := range words {
		if w == "AND" {
			words[i] = "and"
		}
	}
	return strings.Join(words, " ")
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

// titleOf gives the CFR title that people mean when they write a part alone.
func titleOf(part string) int {
	switch part {
	case "255":
		return 16
	case "230", "240", "270", "275":
		return 17
	case "1010", "1020", "1021", "1023", "1025", "1027", "1028", "1029":
		return 31 // the Bureau has no regulation under these numbers that is audited here
	}
	if len(part) == 4 && part[:2] == "10" {
		return 12
	}
	return 0
}
