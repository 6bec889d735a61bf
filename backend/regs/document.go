package regs

import (
	"regexp"
	"strings"

	"veristream/backend/audit"
)

var (
	// "2210. Communications with the Public", "FINRA Rule 2210. ...", "Rule 2210. ..."
	reFINRAHead = regexp.MustCompile(`^(?:#+\s*)?(?:FINRA\s+)?(?:Rule\s+)?([1-9]\d{3,4})\.\s*([A-Z][^()]{3,120})$`)
	// ".01 Title. Text", of FINRA's supplementary material
	reNoteHead = regexp.MustCompile(`^\.(\d{2})\s+(\S.*)$`)
	// What stands below a rule and is none of it.
	reHistory = regexp.MustCompile(`^(?:\[\d+ FR |(?:Adopted|Amended|Renumbered|Deleted|Effective) by SR-|Amended and renumbered by|Cross References?\b|Selected Notices?\b|Authority:|Source:|Editorial Note|Credits?\b\s*\[)`)

	reSupplementary = regexp.MustCompile(`(?i)^[•·.\s]*supplementary material\b[:\s-–—•·]*$`)
	reTitleInText   = regexp.MustCompile(`\b(\d{1,2})\s*C\.?F\.?R\.?\s+(?:Part|§|\d)`)
	reTitleBefore   = regexp.MustCompile(`^(\d{1,2})\s*C\.?F\.?R\.?\s+(§.*)$`)
	reAsOf          = regexp.MustCompile(`(?i)\b(?:as of|current as of|up to date as of)\s+(?:(\d{4}-\d{2}-\d{2})|(\d{1,2})/(\d{1,2})/(\d{4}))`)
	rePartHead      = regexp.MustCompile(`(?i)^(?:\d{1,2}\s*C\.?F\.?R\.?\s*)?part\s+\d+\b|^subpart\s+[A-Z]\b`)
)

// document puts a run of blocks, of a text without any structure of its own,
// under the sections or rules whose headings stand in it.
type document struct {
	b        *builder
	opts     Options
	title    int // of the CFR
	unit     *unit
	appendix *appendixUnit
	above    []string
	rule     audit.Citation // the FINRA rule that is open
	finra    bool
}

// addBlocks turns the blocks of a text into rules.
func (b *builder) addBlocks(blocks []block, opts Options) error {
	d := &document{b: b, opts: opts, title: opts.CFRTitle}
	italics := false
	for _, blk := range blocks {
		if d.title == 0 {
			if m := reTitleInText.FindStringSubmatch(plainText(blk.text)); m != nil {
				d.title = atoi(m[1])
			}
		}
		italics = italics || strings.ContainsRune(blk.text, italOn)
	}
	for _, blk := range blocks {
		d.add(blk)
	}
	d.close()
	if len(b.out.Rules) == 0 {
		return audit.Errorf(audit.CodeInput, "No rule was found in the text: no line begins like \"§ 255.5 Title\" or \"2210. Title\".")
	}
	for _, blk := range blocks[:min(len(blocks), 40)] {
		if m := reAsOf.FindStringSubmatch(plainText(blk.text)); m != nil && b.out.Text.AsOf == "" {
			b.out.Text.AsOf = asOfDate(m)
		}
	}
	return nil
}

func asOfDate(m []string) string {
	if m[1] != "" {
		return m[1]
	}
	pad := func(s string) string { return ("0" + s)[len(s)-1:] }
	return m[4] + "-" + pad(m[2]) + "-" + pad(m[3])
}

func (d *document) add(blk block) {
	plain := plainText(blk.text)
	switch {
	case plain == "":
	case blk.kind == blockNote:
		d.keep(blk)
	case blk.kind == blockPara && reHistory.MatchString(plain):
		blk.kind = blockNote
		d.keep(blk)
	case d.sectionHead(blk, plain), d.ruleHead(plain), d.noteHead(blk, plain), d.appendixHead(blk, plain):
	case d.unit == nil && d.appendix == nil:
		if blk.kind == blockHeading || rePartHead.MatchString(plain) {
			d.b.heading(plain)
			if rePartHead.MatchString(plain) {
				d.above = []string{plain}
			}
			return
		}
		d.b.note(blk.text)
	default:
		d.keep(blk)
	}
}

func (d *document) keep(blk block) {
	switch {
	case d.appendix != nil:
		d.appendix.blocks = append(d.appendix.blocks, blk)
	case d.unit != nil:
		d.unit.blocks = append(d.unit.blocks, blk)
	default:
		d.b.note(blk.text)
	}
}

func (d *document) close() {
	switch {
	case d.appendix != nil && isCommentary(d.appendix.heading):
		d.b.addCommentary(*d.appendix)
	case d.appendix != nil:
		d.b.addAppendix(*d.appendix)
	case d.unit != nil:
		d.b.addUnit(*d.unit)
	}
	d.unit, d.appendix = nil, nil
}

// sectionHead begins a section of the CFR: "§ 255.5 Disclosure of material
// connections." A sentence that begins so goes on for longer.
func (d *document) sectionHead(blk block, plain string) bool {
	if m := reTitleBefore.FindStringSubmatch(plain); m != nil && blk.kind == blockHeading {
		// "16 CFR § 255.5 - Title", as Cornell heads its pages
		d.title, plain = atoi(m[1]), m[2]
	}
	number, title := splitSectionHeading(plain)
	if number == "" || len(title) > 250 || title != "" && startsLower(title) {
		return false
	}
	if blk.kind != blockHeading && (strings.Contains(title, ". ") || !strings.HasPrefix(plain, "§")) {
		return false
	}
	d.close()
	if d.title == 0 {
		d.title = guessTitle(number)
	}
	d.finra = false
	d.unit = &unit{
		base:  audit.Citation{Code: audit.CodeCFR, Title: d.title, Section: number},
		title: title, heading: plain, headings: d.above,
		split: splitter{paren: true, plainHeads: true}, scheme: cfrScheme,
	}
	return true
}

// ruleHead begins a FINRA rule: "2210. Communications with the Public".
func (d *document) ruleHead(plain string) bool {
	m := reFINRAHead.FindStringSubmatch(plain)
	if m == nil || d.unit != nil && !d.finra {
		return false
	}
	d.close()
	d.finra = true
	d.rule = audit.Citation{Code: audit.CodeFINRA, Section: m[1]}
	d.unit = &unit{
		base: d.rule, title: strings.TrimSpace(m[2]), heading: plain, headings: d.above,
		split: splitter{paren: true, letterDots: true, inline: true, plainHeads: true}, scheme: finraScheme,
	}
	return true
}

// noteHead begins a paragraph of FINRA's supplementary material.
func (d *document) noteHead(blk block, plain string) bool {
	if !d.finra {
		return false
	}
	if reSupplementary.MatchString(plain) {
		d.close()
		d.b.heading(plain)
		return true
	}
	m := reNoteHead.FindStringSubmatch(plain)
	if m == nil {
		return false
	}
	d.close()
	base := d.rule
	base.Note = m[1]
	title := ""
	if h := rePlainHead.FindStringSubmatch(m[2]); h != nil {
		title = h[1]
	}
	d.unit = &unit{
		base: base, title: title, headings: append([]string{}, "Supplementary Material"),
		split: splitter{paren: true, letterDots: true, inline: true, plainHeads: true}, scheme: noteScheme,
		blocks: []block{blk},
	}
	return true
}

func (d *document) appendixHead(blk block, plain string) bool {
	if d.finra || blk.kind != blockHeading && !rePartTo.MatchString(plain) || len(plain) > 250 {
		return false
	}
	if !reAppendixHead.MatchString(plain) && !isCommentary(plain) {
		return false
	}
	part := ""
	if m := rePartTo.FindStringSubmatch(plain); m != nil {
		part = m[1]
	} else if d.unit != nil {
		part, _, _ = strings.Cut(d.unit.base.Section, ".")
	}
	if part == "" {
		return false
	}
	d.close()
	d.appendix = &appendixUnit{title: d.title, part: part, heading: plain, headings: d.above, scheme: cfrScheme}
	return true
}
