package regs

import (
	"regexp"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// labelled is a node of the Bureau's own formats, RegML and eRegs JSON: they
// label every paragraph, so that nothing has to be inferred.
type labelled struct {
	label    []string // 1005, 2, a, 1 or 1005, 2, a, Interp, 1, i
	kind     string   // regtext, subpart, appendix, interp
	title    string
	marker   string
	text     string
	children []*labelled
}

// labelWalk emits the nodes of a regulation in their order.
type labelWalk struct {
	b        *builder
	title    int // of the CFR
	part     string
	headings []string
	at       []labelOpen // the paragraphs above, innermost last
}

type labelOpen struct {
	rule  int
	title string
}

// addLabelled turns a tree of labelled nodes into rules.
func (b *builder) addLabelled(root *labelled, title int) {
	w := &labelWalk{b: b, title: title, part: root.label[0]}
	w.walk(root)
}

var (
	reGenerated = regexp.MustCompile(`^[ph]\d+$`)             // "p3": a paragraph without a marker
	reFormLabel = regexp.MustCompile(`^(\d+)\(?([a-z])?\)?$`) // "30a", "30(a)"
)

func (w *labelWalk) walk(n *labelled) {
	headings, depth := len(w.headings), len(w.at)
	cite, ok := w.cite(n.label)
	switch {
	case !ok:
		// A heading: the part, a subpart, the commentary of a paragraph.
		w.head(n)
	case len(n.label) > 0 && reGenerated.MatchString(n.label[len(n.label)-1]):
		w.unmarked(n)
	default:
		w.paragraph(n, cite)
	}
	for _, c := range n.children {
		w.walk(c)
	}
	w.headings, w.at = w.headings[:headings], w.at[:depth]
}

func (w *labelWalk) head(n *labelled) {
	if n.title != "" {
		w.b.heading(joinWords(missing(n.marker, n.title), n.title))
		w.headings = append(slices.Clip(w.headings), strings.TrimSuffix(n.title, "."))
	}
	if n.text != "" {
		if len(w.at) > 0 {
			w.say(n.text)
		} else {
			w.b.note(n.text)
		}
	}
}

func (w *labelWalk) unmarked(n *labelled) {
	if n.title != "" {
		w.b.heading(n.title)
	}
	if len(w.at) == 0 {
		w.b.note(n.text)
		return
	}
	w.say(joinWords(missing(n.marker, n.text), n.text))
}

func (w *labelWalk) say(text string) {
	kind := PieceText
	if strings.HasPrefix(text, "![") {
		kind = PieceImage
	}
	w.b.add(w.at[len(w.at)-1].rule, kind, plainText(text), 0, 0)
}

func (w *labelWalk) paragraph(n *labelled, cite audit.Citation) {
	title, text := n.title, plainText(n.text)
	top := cite.Depth() == 0 || cite.Appendix != "" && len(cite.Comment) == 0 && strings.Contains(cite.Appendix, "-") && n.marker == ""
	r := audit.Rule{Citation: cite, Marker: n.marker, Headings: slices.Clone(w.headings)}
	if cite.Appendix != "" {
		r.Kind = audit.KindAppendix
	}
	switch {
	case cite.IsComment():
		r.Kind = audit.KindCommentary
		text = plainText(joinWords(n.marker, n.title, n.text))
	case top:
		_, title = splitSectionHeading(n.title)
		title = strings.TrimSuffix(title, ".")
		if m := reAppendixHead.FindStringSubmatch(title); m != nil && m[2] != "" {
			title = m[2]
		}
		if _, name, ok := formOf(audit.Citation{Appendix: w.appendixLetter(cite)}, n.title); ok {
			title = name
		}
	default:
		text = plainText(joinWords(n.marker, n.title, withoutMarker(n.marker, n.text)))
		if title == "" {
			p := splitter{paren: true, plainHeads: true}.split(unglue(text))
			title = p[0].heading
		}
	}
	r.Title = strings.Trim(title, " .")
	if r.Title == "" {
		r.Title = w.nearest()
	}
	rule := w.b.open(r)
	if top && n.title != "" {
		w.b.heading(n.title)
	}
	w.b.add(rule, PieceText, unglue(text), 0, 0)
	w.at = append(w.at, labelOpen{rule, r.Title})
	if r.Title != "" && (len(w.headings) == 0 || w.headings[len(w.headings)-1] != r.Title) {
		w.headings = append(slices.Clip(w.headings), r.Title)
	}
}

func (w *labelWalk) appendixLetter(c audit.Citation) string {
	letter, _, _ := strings.Cut(c.Appendix, "-")
	return letter
}

func (w *labelWalk) nearest() string {
	if n := len(w.headings); n > 0 {
		return w.headings[n-1]
	}
	return ""
}

// withoutMarker gives a text without the marker that it may begin with.
func withoutMarker(marker, text string) string {
	return strings.TrimPrefix(strings.TrimSpace(text), marker)
}

// missing gives a marker that a text does not begin with.
func missing(marker, text string) string {
	if strings.HasPrefix(strings.TrimSpace(text), marker) {
		return ""
	}
	return marker
}

func joinWords(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}

var reGlued = regexp.MustCompile(`^((?:\([A-Za-z0-9]+\)\s*)+[A-Z][^.:]{2,140}[.:])([A-Z“"(\[])`)

// unglue puts back the space between a heading and its text that the JSON has
// lost: "(a) Authority.The regulation".
func unglue(text string) string { return reGlued.ReplaceAllString(text, "$1 $2") }

// cite makes a citation of a label. ok is false for what is no paragraph: the
// part, subparts, and the headings of the commentary.
func (w *labelWalk) cite(label []string) (audit.Citation, bool) {
	if len(label) < 2 || slices.Contains(label, "Subpart") || slices.Contains(label, "Appendices") {
		return audit.Citation{}, false
	}
	if slices.Contains(label, "") { // "1005-" names nothing
		return audit.Citation{}, false
	}
	rest := label[1:]
	c := audit.Citation{Code: audit.CodeCFR, Title: w.title, Section: w.part}
	interp := slices.Index(rest, "Interp")
	var comment []string
	if interp >= 0 {
		comment = withoutGenerated(rest[interp+1:])
		rest = rest[:interp]
		if len(comment) == 0 {
			return audit.Citation{}, false
		}
	}
	c.Comment = comment
	if len(rest) > 0 {
		switch first := rest[0]; {
		case first[0] >= '0' && first[0] <= '9':
			c.Section = w.part + "." + first
			c.Path = withoutGenerated(rest[1:])
		default:
			c.Appendix = first
			rest = withoutGenerated(rest[1:])
			if len(rest) > 0 {
				if m := reFormLabel.FindStringSubmatch(rest[0]); m != nil {
					c.Appendix += "-" + m[1]
					if rest = rest[1:]; m[2] != "" {
						rest = append([]string{m[2]}, rest...)
					}
				}
			}
			c.Path = rest
		}
	}
	for _, m := range append(slices.Clone(c.Path), c.Comment...) {
		if !audit.IsMarker(m) {
			w.b.problem(ProblemSkipped, c.String(), "the label "+strings.Join(label, "-")+" has a part that is no marker")
			return audit.Citation{}, false
		}
	}
	return c, true
}

func withoutGenerated(label []string) []string {
	return slices.DeleteFunc(slices.Clone(label), reGenerated.MatchString)
}
