package regs

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"veristream/backend/audit"
)

// appendixUnit is an appendix as a reader found it.
type appendixUnit struct {
	title    int // of the CFR
	part     string
	heading  string
	headings []string
	blocks   []block
	scheme   scheme
}

var (
	reAppendixHead = regexp.MustCompile(`(?i)^appendix(?:es)?\s+([A-Z]\d{0,2})\b(?:\s+to\s+(?:sub)?part\s+\d+)?\s*[—–:.-]*\s*(.*)$`)
	// "G-25(B)—Revocation Notice", "H-24(C) Mortgage Loan", "A-1—Model Clauses"
	reFormHead = regexp.MustCompile(`^\s*([A-Z]\d{0,2})-(\d{1,2}[A-Z]?)((?:\([A-Za-z0-9]{1,4}\))*)\s*[—–:.-]*\s*(.*)$`)
)

func isCommentary(heading string) bool {
	h := strings.ToLower(heading)
	return strings.HasPrefix(h, "supplement") && (strings.Contains(h, "interpretation") || strings.Contains(h, "commentary"))
}

// addAppendix turns an appendix into rules. The forms of an appendix ("G-25(B)")
// are numbered each on its own.
func (b *builder) addAppendix(a appendixUnit) {
	base := audit.Citation{Code: audit.CodeCFR, Title: a.title, Section: a.part}
	title := a.heading
	if m := reAppendixHead.FindStringSubmatch(a.heading); m != nil {
		base.Appendix, title = strings.ToUpper(m[1]), strings.TrimSpace(m[2])
	} else {
		base.Appendix = "A"
		b.problem(ProblemSkipped, base.String(), "the appendix \""+a.heading+"\" has no letter")
	}
	a.scheme.free = true
	u := unit{
		base: base, title: title, heading: a.heading, headings: a.headings,
		kind: audit.KindAppendix, split: splitter{paren: true}, scheme: a.scheme,
	}
	// Once one form has been announced by a heading, others are announced by
	// plain lines; before it such lines are the list of forms.
	inForms, seen := false, map[string]bool{}
	for _, blk := range a.blocks {
		if blk.kind == blockHeading || inForms && blk.kind == blockPara {
			form, name, ok := formOf(base, plainText(blk.text))
			if ok && (blk.kind == blockHeading || !seen[form.String()] && isFormTitle(name)) {
				inForms = true
				seen[form.String()] = true
				b.addUnit(u)
				u = unit{
					base: form, title: name, heading: plainText(blk.text),
					headings: append(slices.Clone(a.headings), a.heading),
					kind:     audit.KindAppendix, split: u.split, scheme: a.scheme,
				}
				continue
			}
		}
		u.blocks = append(u.blocks, blk)
	}
	b.addUnit(u)
}

// isFormTitle says whether the words after a form's number are its title and
// not a sentence about it.
func isFormTitle(name string) bool {
	return name != "" && len(name) < 200 && !strings.HasSuffix(name, ".") && !startsLower(name) && isTitleCase(name)
}

// formOf reads the heading of a form of an appendix.
func formOf(base audit.Citation, heading string) (form audit.Citation, title string, ok bool) {
	m := reFormHead.FindStringSubmatch(heading)
	if m == nil || m[1] != base.Appendix {
		return form, "", false
	}
	form = base
	form.Appendix = m[1] + "-" + m[2]
	for _, marker := range strings.FieldsFunc(m[3], func(r rune) bool { return r == '(' || r == ')' }) {
		if !audit.IsMarker(marker) {
			return form, "", false
		}
		form.Path = append(form.Path, marker)
	}
	return form, strings.TrimSpace(m[4]), true
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}

var reSectionHead = regexp.MustCompile(`^(?:#+\s*)?(?:§{1,2}\s*|(?i:sec(?:tion|\.)?)\s+)(\d{1,4}\.\d[\dA-Za-z]*(?:(?:\([A-Za-z0-9]{1,4}\))*-\d{1,3}[A-Za-z]?\b)?)\.?\s*[—–-]?\s*(.*)$`)

var reSecondNumber = regexp.MustCompile(`^\d{1,4}\.\d+\s+`)

// splitSectionHeading takes "§ 1026.54 Limitations on charges." apart.
func splitSectionHeading(heading string) (number, title string) {
	m := reSectionHead.FindStringSubmatch(heading)
	if m == nil {
		return "", strings.TrimSuffix(heading, ".")
	}
	// "§§ 1026.44-1026.45 [Reserved]" keeps the first of its numbers.
	title = reSecondNumber.ReplaceAllString(strings.TrimSpace(m[2]), "")
	return m[1], strings.TrimSuffix(title, ".")
}

// guessTitle gives the title of the CFR that a section's number suggests.
func guessTitle(section string) int {
	if !strings.Contains(section, ".") {
		section += ".1"
	}
	c, err := audit.ParseCitation("§ " + section)
	if err != nil {
		return 0
	}
	return c.Title
}
