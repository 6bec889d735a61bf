package audit

import (
	"regexp"
	"strings"
)

// What people put before a citation: the paragraph first ("paragraph (b) of
// § 1026.54", "Example 11 of § 255.5"), and the name of the rule or of whose it
// is ("SEC Rule 206(4)-1", "Reg. Z, § 1026.54(b)").
var (
	rePathBefore    = regexp.MustCompile(`(?i)\b(?:sub)?paragraph\s+((?:\([A-Za-z0-9]{1,8}\)\s?)+)\s*(?:of|in|under|to)\s+(?:the\s+)?$`)
	reExampleBefore = regexp.MustCompile(`(?i)\bexample\s+(\d{1,2})\s+(?:of|in|to|under)\s+(?:the\s+)?$`)
	reBureauBefore  = regexp.MustCompile(`(?i)\breg(?:ulation|\.)?\s+([A-Z]{1,2})\b[\s,:(]*$`)
	reNames         = regexp.MustCompile(`(?i)^(?:(?:the|FTC(?:'s)?|SEC(?:'s)?|CFPB(?:'s)?|FinCEN(?:'s)?|reg(?:ulation|\.)?\s+[A-Z]{1,2}\b|(?:investment\s+)?advisers\s+act|(?:adviser\s+)?marketing|endorsement|official)[\s,:]+)+`)
)

// bureauParts are the parts of the Bureau's regulations that have official
// interpretations, by the letter that people call them by.
var bureauParts = map[string]string{
	"B": "1002", "C": "1003", "E": "1005", "F": "1006", "M": "1013", "O": "1015", "V": "1022", "X": "1024", "Z": "1026", "DD": "1030",
}

// maxLead is how far before a citation its paragraph may be named.
const maxLead = 60

// withLead adds to a citation what stands before it, but not before from.
func (m match) withLead(text string, from int) match {
	before := text[max(from, m.start-maxLead):m.start]
	c := &m.citation
	if c.IsComment() {
		// "Reg. E comment 6(b)-2" is of part 1005; alone it would be of Reg. Z.
		found := reBureauBefore.FindStringSubmatch(before)
		_, number, hasNumber := strings.Cut(c.Section, ".")
		if found != nil && hasNumber && !strings.Contains(text[m.start:m.end], c.Section) {
			if part := bureauParts[strings.ToUpper(found[1])]; part != "" {
				c.Section = part + "." + number
			}
		}
		return m
	}
	if len(c.Path) > 0 || c.Example > 0 || c.Appendix != "" || c.Section == "" {
		return m
	}
	if found := reExampleBefore.FindStringSubmatch(before); found != nil && c.Code == CodeCFR && strings.Contains(c.Section, ".") {
		c.Example = number(found[1])
		m.start -= len(found[0])
		return m
	}
	if found := rePathBefore.FindStringSubmatch(before); found != nil && (c.Code == CodeFINRA || strings.Contains(c.Section, ".")) {
		path := strings.FieldsFunc(found[1], func(r rune) bool { return r == '(' || r == ')' || r == ' ' })
		for _, marker := range path {
			if !IsMarker(marker) {
				return m
			}
		}
		c.Path = path
		m.start -= len(found[0])
	}
	return m
}

// bare gives a citation without the names before it.
func bare(text string) string { return text[len(reNames.FindString(text)):] }
