package regs

import (
	"regexp"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// The Official Interpretations number their comments anew under each heading,
// which names the paragraph that they interpret: "54(a)(1) Limitations",
// "Paragraph 5(a)(1)(ii)(A)", "Appendix H", or the section alone.
var commentScheme = scheme{
	levels:     []audit.Numbering{audit.Digits, audit.Romans, audit.BigLetters, audit.Digits, audit.Romans},
	italicFrom: 3,
}

var (
	reCommentSection  = regexp.MustCompile(`(?i)^Section\s+(\d{3,4}\.\d{1,4}[a-z]?)\s*[—–-]*\s*(.*)$`)
	reCommentAppendix = regexp.MustCompile(`(?i)^Appendi(?:x|ces)\s+([A-Z]\d{0,2}(?:\s+and\s+[A-Z]\d{0,2})?)\b\s*[—–:.-]*\s*(.*)$`)
	// "54(a)(1) Heading", "Paragraphs 43(e)(4) and (5)", "3(d)-1"
	reCommentTarget = regexp.MustCompile(`^(?:Paragraphs?\s+)?(\d{1,4})((?:\s?\([A-Za-z0-9]{1,5}\))*)(\s*(?:,|and|through|–|—|-|or)\s*(?:\d{1,4})?(?:\([A-Za-z0-9]{1,5}\))+)*[.\s—–-]*(.*)$`)
	reSubTarget     = regexp.MustCompile(`^((?:\([A-Za-z0-9]{1,5}\))+)\s+(.+)$`)
)

// commentGroup is what stands under one heading of the commentary.
type commentGroup struct {
	base     audit.Citation
	title    string
	headings []string
}

// commentary walks the headings of a supplement.
type commentary struct {
	b       *builder
	a       appendixUnit
	section string
	group   commentGroup
	head    string // the section's or appendix' heading
	blocks  []block
}

// addCommentary turns a supplement of Official Interpretations into rules.
func (b *builder) addCommentary(a appendixUnit) {
	b.heading(a.heading)
	c := &commentary{b: b, a: a}
	c.group = c.introduction()
	for _, blk := range a.blocks {
		plain := plainText(blk.text)
		if blk.kind == blockHeading || blk.kind == blockPara && isBareHeading(blk.text, plain) {
			if g, ok := c.target(plain); ok {
				c.end()
				c.group = g
				b.heading(plain)
				continue
			}
			if blk.kind == blockPara {
				blk.kind = blockPara // italics that are no heading: a comment's own words
			}
		}
		c.blocks = append(c.blocks, blk)
	}
	c.end()
}

// isBareHeading says whether a paragraph is nothing but italics, or nothing
// but a paragraph's name: the commentary sets many headings so.
func isBareHeading(text, plain string) bool {
	if len(plain) > 240 || strings.ContainsAny(firstWord(plain), ".") && !strings.HasPrefix(text, string(italOn)) {
		return false
	}
	inner := strings.TrimSpace(text)
	if strings.HasPrefix(inner, string(italOn)) {
		rest := strings.TrimRight(strings.TrimSuffix(strings.TrimRight(inner, ". "), string(italOff)), ". ")
		return !strings.ContainsRune(rest[1:], italOff) || isAllItalic(inner)
	}
	return strings.HasPrefix(plain, "Paragraph ") || reBareTarget.MatchString(plain)
}

var reBareTarget = regexp.MustCompile(`^\d{1,3}\([a-z]\)(?:\([A-Za-z0-9]{1,5}\))*\s+[A-Z][^.]{2,120}\.?$`)

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

// isAllItalic says whether only markers and spaces stand outside of italics.
func isAllItalic(text string) bool {
	outside, in := 0, false
	for _, r := range text {
		switch {
		case r == italOn:
			in = true
		case r == italOff:
			in = false
		case !in && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'):
			outside++
		}
	}
	return outside <= 4
}

func (c *commentary) introduction() commentGroup {
	return commentGroup{
		base:     audit.Citation{Code: audit.CodeCFR, Title: c.a.title, Section: c.a.part},
		title:    "Introduction",
		headings: append(slices.Clone(c.a.headings), c.a.heading),
	}
}

// target reads a heading that names what the comments under it interpret.
func (c *commentary) target(plain string) (commentGroup, bool) {
	above := append(slices.Clone(c.a.headings), c.a.heading)
	base := audit.Citation{Code: audit.CodeCFR, Title: c.a.title}
	if m := reCommentSection.FindStringSubmatch(plain); m != nil {
		c.section = m[1]
		c.head = plain
		base.Section = m[1]
		return commentGroup{base, strings.TrimSuffix(m[2], "."), append(above, plain)}, true
	}
	if m := reCommentAppendix.FindStringSubmatch(plain); m != nil {
		c.section, c.head = "", plain
		base.Section, base.Appendix = c.a.part, m[1]
		return commentGroup{base, strings.TrimSuffix(m[2], "."), append(above, plain)}, true
	}
	if strings.HasPrefix(plain, "Subpart ") {
		c.section, c.head = "", plain
		return c.introduction(), true
	}
	if m := reCommentTarget.FindStringSubmatch(plain); m != nil && c.section != "" {
		_, number, _ := strings.Cut(c.section, ".")
		if m[1] == number && (m[2] != "" || m[4] != "") {
			base.Section = c.section
			base.Path = markersIn(m[2])
			title := strings.Trim(m[4], " .")
			if title == "" {
				title = strings.TrimSuffix(plain, ".")
			}
			return commentGroup{base, title, append(above, c.head)}, true
		}
	}
	if m := reSubTarget.FindStringSubmatch(plain); m != nil && c.group.base.Appendix != "" {
		path := markersIn(m[1])
		if slices.ContainsFunc(path, func(p string) bool { return !audit.IsMarker(p) }) {
			return commentGroup{}, false
		}
		base = c.group.base
		base.Path = path
		// "(5)" alone goes on below the "(b)" before it.
		if _, digit := audit.Digits.Value(path[0]); digit && len(c.group.base.Path) > 0 {
			base.Path = append(slices.Clone(c.group.base.Path[:1]), path...)
		}
		return commentGroup{base, strings.TrimSuffix(m[2], "."), append(above, c.head)}, true
	}
	return commentGroup{}, false
}

func markersIn(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == '(' || r == ')' || r == ' ' })
}

// end turns the paragraphs under a heading into comments.
func (c *commentary) end() {
	if len(c.blocks) == 0 {
		return
	}
	u := unit{
		base: c.group.base, title: c.group.title, headings: c.group.headings,
		blocks: c.blocks, split: splitter{dots: true}, scheme: commentScheme,
	}
	c.blocks = nil
	stretches, items := u.stretches()
	items = c.numberFirst(stretches, items)
	places := u.scheme.place(items)
	t := &commentTree{b: c.b, group: c.group}
	next := 0
	for _, s := range stretches {
		switch {
		case s.block.kind == blockNote:
			c.b.note(s.block.text)
		case s.block.kind == blockHeading && s.part.marker == "":
			c.b.heading(s.block.text)
		case s.block.kind == blockTable || s.block.kind == blockImage:
			kind := PieceTable
			if s.block.kind == blockImage {
				kind = PieceImage
			}
			t.plain(kind, s)
		case s.part.marker != "" && len(places[next].path) > 0:
			t.marked(s, places[next])
			next++
		case s.part.marker != "":
			next++
			t.plain(PieceText, s)
		default:
			t.plain(PieceText, s)
		}
	}
}

// numberFirst gives the first comment back a number that it has lost: a
// paragraph that stands before comment 2 is comment 1.
func (c *commentary) numberFirst(stretches []stretch, items []item) []item {
	if len(items) == 0 || items[0].part.marker != "2" || stretches[0].part.marker != "" || stretches[0].block.kind != blockPara {
		return items
	}
	p := &stretches[0].part
	p.marker, p.dotted = "1", true
	one := c.group.base
	one.Comment = []string{"1"}
	c.b.problem(ProblemGap, one.String(), "the number is missing in the file")
	return append([]item{{part: *p}}, items...)
}

// commentTree places comments below what they interpret.
type commentTree struct {
	b     *builder
	group commentGroup
	open  []opened
}

func (t *commentTree) marked(s stretch, at placed) {
	for len(t.open) > 0 && !isPrefix(t.open[len(t.open)-1].path, at.path[:len(at.path)-1]) {
		t.open = t.open[:len(t.open)-1]
	}
	cite := t.group.base
	cite.Comment = slices.Clone(at.path)
	r := audit.Rule{
		Citation: cite, Kind: audit.KindCommentary, Title: s.part.heading, Marker: markerText(s.part),
		Headings: append(slices.Clone(t.group.headings), t.group.title),
	}
	if r.Title == "" {
		r.Title = t.group.title
	}
	if n := len(t.open); n > 0 {
		r.Headings = t.open[n-1].headings
		if t.open[n-1].title != r.Headings[len(r.Headings)-1] {
			r.Headings = append(slices.Clone(r.Headings), t.open[n-1].title)
		}
		if s.part.heading == "" {
			r.Title = t.open[n-1].title
		}
	}
	if at.ambiguous != "" {
		other := cite
		other.Comment = markersIn(at.ambiguous)
		r.Ambiguous = "may also be " + other.String()
		t.b.problem(ProblemAmbiguous, cite.String(), r.Ambiguous)
	}
	if at.gap != "" {
		t.b.problem(ProblemGap, cite.String(), at.gap)
	}
	rule := t.b.open(r)
	text := plainText(s.part.text)
	t.b.add(rule, PieceText, text, s.block.page, s.block.lastPage)
	t.open = append(t.open, opened{rule: rule, title: r.Title, headings: r.Headings, path: at.path, last: text})
}

// plain puts words without a marker into the comment that is open; before the
// first comment they are a heading's own.
func (t *commentTree) plain(kind PieceKind, s stretch) {
	text := s.block.text
	if kind == PieceText {
		text = plainText(s.part.text)
	}
	if len(t.open) == 0 {
		t.b.note(text)
		if text != "" {
			t.b.problem(ProblemSkipped, t.group.base.String(), "a paragraph of the commentary has no number: \""+clip(text, 80)+"\"")
		}
		return
	}
	t.b.add(t.open[len(t.open)-1].rule, kind, text, s.block.page, s.block.lastPage)
}

func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}
