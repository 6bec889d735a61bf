package docs

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"veristream/backend/audit"
)

// block is a paragraph, a heading or a table, in the order of the document.
type block struct {
	text  string
	level int  // of a heading that says so; 0: none
	bold  bool // all of it is
	table *grid
	page  int
}

var (
	rePart = regexp.MustCompile(`(?i)^part\s+(i{1,3}v?|iv|[1-4])\b[\s.:—–-]*$`)
	reItem = regexp.MustCompile(`(?i)^items?\s+(\d{1,2}[A-C]?)\b\s*(?:and\s+\d{1,2}[A-C]?\s*)?[.:—–-]*\s*(.{0,180})$`)
	reNote = regexp.MustCompile(`(?i)^(?:note\s+(\d{1,2})\b\s*[.:—–-]*\s*|\((\d{1,2})\)\s+)(.{0,120})$`)
	reWord = regexp.MustCompile(`(?i)\bexact name of (?:the )?registrant\b`)
)

// outline keeps the headings under which the reader stands.
type outline struct {
	path   []string
	levels []int
}

func (o *outline) set(level int, text string) {
	for len(o.levels) > 0 && o.levels[len(o.levels)-1] >= level {
		o.levels, o.path = o.levels[:len(o.levels)-1], o.path[:len(o.path)-1]
	}
	o.levels, o.path = append(o.levels, level), append(o.path, text)
}

func (o *outline) copy() []string { return append([]string{}, o.path...) }

// sections puts blocks under their headings.
func (p *Parsed) sections(blocks []block) {
	report := isAnnualReport(blocks)
	if report {
		p.annualReport(blocks)
	}
	var o outline
	item, last := "", ""
	for i, b := range blocks {
		if b.table != nil {
			if report && (isContents(b.table) || p.tableHeading(b.table, &o, &item)) {
				continue
			}
			p.addTable(b, &o, item, last)
			last = ""
			continue
		}
		text := strings.Join(strings.Fields(b.text), " ")
		if text == "" || isFurniture(text) {
			continue
		}
		if level, title := headingOf(b, text, report, next(blocks, i)); level > 0 {
			if m := reItem.FindStringSubmatch(text); report && level == levelItem && m != nil {
				item = m[1]
			}
			o.set(level, title)
			last = title
			continue
		}
		last = text
		p.Sections = append(p.Sections, audit.Section{
			Path: o.copy(), Kind: audit.SectionProse, Text: text, Type: typeOf(item, o.path), Meta: itemMeta(item), First: b.page, Last: b.page,
		})
	}
}

func next(blocks []block, i int) *block {
	if i+1 < len(blocks) {
		return &blocks[i+1]
	}
	return nil
}

// Levels of headings.
const (
	levelPart  = 1
	levelItem  = 2
	levelNote  = 4
	levelBold  = 5
	levelMinor = 6
)

// headingOf says whether a block is a heading, and at which level.
func headingOf(b block, text string, report bool, after *block) (int, string) {
	words := len(strings.Fields(text))
	if report {
		if rePart.MatchString(text) {
			return levelPart, strings.ToUpper(strings.TrimRight(text, " .:—–-"))
		}
		if m := reItem.FindStringSubmatch(text); m != nil && words < 30 && !strings.Contains(m[2], " of this ") && (m[2] == "" || startsUpper(m[2])) {
			return levelItem, strings.TrimSpace("Item " + strings.ToUpper(m[1]) + ". " + strings.TrimSpace(m[2]))
		}
	}
	if b.level > 0 {
		return b.level + map[bool]int{true: levelItem, false: 0}[report], text
	}
	if words > 18 || strings.HasSuffix(text, ".") && words > 8 || !strings.ContainsFunc(text, unicode.IsLetter) || after == nil {
		return 0, ""
	}
	if b.bold && strings.HasPrefix(strings.ToLower(text), "report of independent") {
		return levelNote, text
	}
	if m := reNote.FindStringSubmatch(text); m != nil && (b.bold || isCapitals(text)) && m[3] != "" {
		return levelNote, text
	}
	switch {
	case isCapitals(text) && words <= 14:
		return levelNote, text
	case b.bold:
		return levelBold, text
	}
	return 0, ""
}

func startsUpper(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

func startsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

func isCapitals(s string) bool {
	upper := 0
	for _, r := range s {
		if unicode.IsLower(r) {
			return false
		}
		if unicode.IsUpper(r) {
			upper++
		}
	}
	return upper > 3
}

var (
	reFurniture = regexp.MustCompile(`(?i)^(?:table of contents|-?\s*\d{1,3}\s*-?|page \d+(?: of \d+)?|[A-Z][\w.& ]{2,40} \| \d{4} Form 10-K \| \d+)$`)
	reRomanPage = regexp.MustCompile(`^[ivxlc]{1,6}$`)
)

// isFurniture says whether a line belongs to the page and not to the text.
func isFurniture(text string) bool {
	return reFurniture.MatchString(text) || reRomanPage.MatchString(text)
}

// isAnnualReport says whether the document is a 10-K.
func isAnnualReport(blocks []block) bool {
	seen := false
	for _, b := range blocks[:min(len(blocks), 80)] {
		text := strings.ToUpper(strings.Join(strings.Fields(b.text), " "))
		if b.table != nil {
			text = strings.ToUpper(b.table.plain())
		}
		seen = seen || strings.Contains(text, "FORM 10-K") || strings.Contains(text, "FORM 10K")
		if seen && (strings.Contains(text, "SECURITIES AND EXCHANGE") || strings.Contains(text, "FISCAL YEAR")) {
			return true
		}
	}
	return seen
}

// typeOf names what kind of section of an annual report this is.
func typeOf(item string, path []string) string {
	all := strings.ToLower(strings.Join(path, " > "))
	switch {
	case strings.Contains(all, "critical audit matter"):
		return "audit_matter"
	case item == "1A" || item == "" && strings.Contains(all, "risk factors"):
		return "risk_factor"
	case item == "7" || strings.Contains(all, "management’s discussion") || strings.Contains(all, "management's discussion"):
		return "discussion"
	case strings.Contains(all, "notes to ") && strings.Contains(all, "financial statements"), regexp.MustCompile(`(?:^| > )note \d`).MatchString(all):
		return "note"
	case item == "1":
		return "business"
	}
	return ""
}

func itemMeta(item string) map[string]string {
	if item == "" {
		return nil
	}
	return map[string]string{"item": "Item " + strings.ToUpper(item)}
}

// isContents says whether a table is the list of a report's items.
func isContents(g *grid) bool {
	n := 0
	for _, r := range g.rows {
		for _, c := range r {
			if reItem.MatchString(c.text) {
				n++
			}
		}
	}
	return n > 4
}

// tableHeading reads "Item 7." and its title where they stand in a table of
// their own, as many filers set them.
func (p *Parsed) tableHeading(g *grid, o *outline, item *string) bool {
	if len(g.rows) > 2 {
		return false
	}
	text := strings.Join(strings.Fields(g.plain()), " ")
	if m := reItem.FindStringSubmatch(text); m != nil && len(strings.Fields(text)) < 30 {
		*item = m[1]
		o.set(levelItem, strings.TrimSpace("Item "+strings.ToUpper(m[1])+". "+strings.TrimSpace(m[2])))
		return true
	}
	if rePart.MatchString(text) {
		o.set(levelPart, strings.ToUpper(text))
		return true
	}
	return false
}

// addTable adds a table with the line above it as its caption; a table that
// only sets prose becomes prose.
func (p *Parsed) addTable(b block, o *outline, item, above string) {
	s := audit.Section{Path: o.copy(), Type: typeOf(item, o.path), Meta: itemMeta(item), First: b.page, Last: b.page}
	if b.table.isLayout() {
		s.Kind, s.Text = audit.SectionProse, strings.Join(strings.Fields(b.table.plain()), " ")
		if s.Text != "" && !isFurniture(s.Text) {
			p.Sections = append(p.Sections, s)
		}
		return
	}
	md, odd := b.table.markdown()
	if md == "" {
		return
	}
	if odd != "" {
		p.note("Page %d, table under %q: %s", b.page, strings.Join(o.path, " > "), odd)
	}
	s.Kind, s.Text = audit.SectionTable, md
	if above != "" && len(strings.Fields(above)) <= 60 {
		s.Text = above + "\n" + md
	}
	p.Sections = append(p.Sections, s)
}

var (
	reFiscal = regexp.MustCompile(`(?i)for the (?:fiscal )?year ended:?\s+((?:January|February|March|April|May|June|July|August|September|October|November|December)\s+\d{1,2},?\s+((?:19|20)\d{2}))`)
	reName   = regexp.MustCompile(`^[A-Z0-9][\w.,&'’\- ]{2,80}$`)
)

// annualReport reads who reports, and on which year.
func (p *Parsed) annualReport(blocks []block) {
	p.Document.Type = "10-K"
	m := p.Document.Meta
	before := ""
	for _, b := range blocks[:min(len(blocks), 120)] {
		text := strings.Join(strings.Fields(b.text), " ")
		if b.table != nil {
			text = strings.Join(strings.Fields(b.table.plain()), " ")
		}
		if f := reFiscal.FindStringSubmatch(text); f != nil && m[audit.MetaYear] == "" {
			m["period_end"], m[audit.MetaYear] = f[1], f[2]
		}
		if at := reWord.FindStringIndex(text); at != nil && m[audit.MetaCompany] == "" {
			name := strings.Trim(text[:at[0]], " (*_-")
			if name == "" {
				name = before
			}
			if reName.MatchString(name) {
				m[audit.MetaCompany] = name
			}
		}
		if text != "" && strings.ContainsFunc(text, unicode.IsLetter) {
			before = strings.Trim(text, "*_- ")
		}
	}
	if m[audit.MetaCompany] == "" {
		p.note("The name of the company was not found.")
	}
	if m[audit.MetaYear] == "" {
		p.note("The fiscal year was not found.")
	}
	name := m[audit.MetaCompany]
	if name == "" {
		name = p.Document.Title
	}
	p.Document.Title = strings.TrimSpace(name + " 10-K " + m[audit.MetaYear])
}
