package regs

import (
	"regexp"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// unit is a section, a rule or a part of an appendix: what is numbered from
// one beginning.
type unit struct {
	base     audit.Citation
	title    string
	heading  string   // its heading as it stands in the file
	headings []string // those above it
	kind     audit.Kind
	blocks   []block
	split    splitter
	scheme   scheme
}

var (
	cfrScheme   = scheme{levels: []audit.Numbering{audit.Letters, audit.Digits, audit.Romans, audit.BigLetters, audit.Digits, audit.Romans}}
	finraScheme = scheme{levels: []audit.Numbering{audit.Letters, audit.Digits, audit.BigLetters, audit.Romans, audit.Letters, audit.Digits}}
	noteScheme  = scheme{levels: []audit.Numbering{audit.Letters, audit.Digits, audit.Romans, audit.BigLetters}}
)

// withItalics gives the scheme of a source that shows italics: from the fifth
// level on the CFR sets its markers in italics.
func (s scheme) withItalics() scheme {
	s.italicFrom = 4
	return s
}

// stretch is a part of a block: under one marker, or under none.
type stretch struct {
	part  part
	block *block
	first bool // the block begins with it
}

// addUnit turns a unit into rules.
func (b *builder) addUnit(u unit) {
	stretches, items := u.stretches()
	places := u.scheme.place(items)
	root := b.open(audit.Rule{
		Citation: u.base, Title: u.title, Headings: slices.Clone(u.headings), Kind: u.kind,
	})
	if u.heading != "" {
		b.heading(u.heading)
	}
	t := &tree{b: b, unit: u, root: root, open: []opened{{rule: root, title: u.title, headings: slices.Clone(u.headings)}}}
	next := 0
	for _, s := range stretches {
		switch {
		case s.block.kind == blockNote:
			b.note(s.block.text)
		case s.block.kind == blockHeading && s.part.marker == "":
			b.heading(s.block.text)
			t.under = plainText(s.block.text)
		case s.block.kind == blockTable:
			b.add(t.current().rule, PieceTable, s.block.text, s.block.page, s.block.lastPage)
		case s.block.kind == blockImage:
			b.add(t.current().rule, PieceImage, s.block.text, s.block.page, s.block.lastPage)
		case s.part.marker != "":
			t.marked(s, places[next])
			next++
		default:
			t.unmarked(s)
		}
	}
}

// stretches takes every block apart and lists the markers for the scheme.
func (u unit) stretches() ([]stretch, []item) {
	var (
		out      []stretch
		items    []item
		previous string
	)
	definitions := u.definesTerms()
	for i := range u.blocks {
		blk := &u.blocks[i]
		if blk.kind == blockTable || blk.kind == blockNote || blk.kind == blockImage {
			out = append(out, stretch{block: blk, first: true})
			continue
		}
		parts := u.split.split(blk.text)
		if blk.kind == blockHeading && parts[0].marker == "" {
			parts = parts[:1]
			parts[0].text = blk.text
		}
		for j, p := range parts {
			if definitions {
				p.marker = ""
			}
			if p.marker != "" {
				items = append(items, item{p, previous})
			}
			if blk.kind != blockHeading || p.marker != "" {
				previous = plainText(p.text)
			}
			out = append(out, stretch{p, blk, j == 0})
		}
	}
	return out, items
}

var reTermHead = regexp.MustCompile(`^(?:\x{E000}([^\x{E001}]{2,80})\x{E001}|["“]([^"”]{2,80})["”]|([A-Z][A-Za-z -]{2,60}?))[.,]?\s+(?:means|has the (?:same )?meaning|have the meanings?|includes?|refers? to)\b`)

// definesTerms says whether the unit is an alphabetical list of definitions
// without markers of its own: then terms are its first level.
func (u unit) definesTerms() bool {
	if !strings.Contains(strings.ToLower(u.title), "definition") {
		return false
	}
	terms := 0
	for _, blk := range u.blocks {
		if blk.kind != blockPara {
			continue
		}
		if reTermHead.MatchString(blk.text) {
			terms++
		} else if terms == 0 && u.split.split(blk.text)[0].marker != "" {
			return false
		}
	}
	return terms >= 2
}

// opened is a paragraph below which more can stand.
type opened struct {
	rule     int
	title    string
	headings []string
	path     []string
	last     string // its last words so far
}

type tree struct {
	b     *builder
	unit  unit
	root  int
	open  []opened
	under string // an unnumbered heading above the paragraphs that follow
}

func (t *tree) current() *opened { return &t.open[len(t.open)-1] }

func (t *tree) marked(s stretch, at placed) {
	if len(at.path) == 0 { // deeper than any rule goes: keep the words
		t.unmarked(s)
		return
	}
	for len(t.open) > 1 && !isPrefix(t.current().path, at.path[:len(at.path)-1]) {
		t.open = t.open[:len(t.open)-1]
	}
	above := t.current()
	cite := t.unit.base
	for _, m := range at.path {
		cite = cite.Child(m)
	}
	r := audit.Rule{
		Citation: cite,
		Title:    s.part.heading,
		Headings: above.headings,
		Marker:   markerText(s.part),
	}
	if above.title != "" && (len(r.Headings) == 0 || r.Headings[len(r.Headings)-1] != above.title) {
		r.Headings = append(slices.Clone(r.Headings), above.title)
	}
	if t.under != "" && len(at.path) == 1 {
		r.Headings = append(slices.Clone(r.Headings), t.under)
	}
	if r.Title == "" {
		r.Title = above.title
	}
	if at.ambiguous != "" {
		other := t.unit.base.String() + at.ambiguous
		r.Ambiguous = "may also be " + other
		t.b.problem(ProblemAmbiguous, cite.String(), "may also be "+other)
	}
	if at.gap != "" && !strings.Contains(s.part.text, "[Reserved]") {
		t.b.problem(ProblemGap, cite.String(), at.gap)
	}
	rule := t.b.open(r)
	t.open = append(t.open, opened{rule: rule, title: r.Title, headings: r.Headings, path: at.path})
	t.say(t.current(), s)
	t.reserve(s.part, at.path, cite, r)
}

// reserve opens the paragraphs of "(c)-(e) [Reserved]" that have no words of
// their own.
func (t *tree) reserve(p part, path []string, cite audit.Citation, like audit.Rule) {
	if p.upTo == "" {
		return
	}
	parent, _ := cite.Parent()
	for _, n := range []audit.Numbering{audit.Digits, audit.Letters, audit.Romans, audit.BigLetters} {
		from, ok := n.Value(p.marker)
		to, also := n.Value(p.upTo)
		if !ok || !also || to-from > 26 {
			continue
		}
		for v := from + 1; v <= to; v++ {
			like.Citation, like.Marker, like.Title = parent.Child(n.Marker(v)), "("+n.Marker(v)+")", "[Reserved]"
			rule := t.b.open(like)
			if v == to { // what follows is its sibling
				last := slices.Clone(path)
				last[len(last)-1] = n.Marker(v)
				t.open[len(t.open)-1] = opened{rule: rule, headings: like.Headings, path: last}
			}
		}
		return
	}
}

// unmarked puts a paragraph without a marker where it belongs.
func (t *tree) unmarked(s stretch) {
	text := plainText(s.part.text)
	if text == "" {
		return
	}
	if t.unit.definesTerms() {
		if m := reTermHead.FindStringSubmatch(s.part.text); m != nil {
			t.defined(strings.Trim(m[1]+m[2]+m[3], " .,"), s)
			return
		}
	}
	if s.part.sameLine && !s.first {
		// What follows an inline list belongs to the paragraph that has the list.
		if len(t.open) > 1 {
			t.open = t.open[:len(t.open)-1]
		}
		t.say(t.current(), s)
		return
	}
	if len(t.open) > 2 && t.closesList(text) {
		t.open = t.open[:len(t.open)-1]
	}
	t.say(t.current(), s)
}

// closesList says whether an unmarked paragraph goes on where a list's lead
// left off: the lead ends with a colon, and the last item is complete.
func (t *tree) closesList(text string) bool {
	above, last := t.open[len(t.open)-2], t.current().last
	if !endsWithLead(above.last) || endsWithLead(last) {
		return false
	}
	// An item cut in two (by a page, by a formula) goes on in lower case
	// without having ended.
	ended := strings.HasSuffix(last, ".") || strings.HasSuffix(last, ";") || strings.HasSuffix(last, ".”") || strings.HasSuffix(last, `."`)
	return ended || !startsLower(text)
}

func (t *tree) defined(term string, s stretch) {
	t.open = t.open[:1]
	cite := t.unit.base
	cite.Term = term
	rule := t.b.open(audit.Rule{
		Citation: cite, Title: term, Kind: audit.KindDefinition,
		Headings: append(slices.Clone(t.unit.headings), t.unit.title),
	})
	t.open = append(t.open, opened{rule: rule, title: term, path: []string{"\x00"}})
	t.say(t.current(), s)
}

func (t *tree) say(to *opened, s stretch) {
	text := plainText(s.part.text)
	t.b.add(to.rule, PieceText, text, s.block.page, s.block.lastPage)
	if text != "" {
		to.last = text
	}
}

func markerText(p part) string {
	if p.dotted {
		return p.marker + "."
	}
	return "(" + p.marker + ")"
}

func isPrefix(prefix, path []string) bool {
	return len(prefix) <= len(path) && slices.Equal(prefix, path[:len(prefix)])
}
