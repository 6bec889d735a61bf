package audit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Citation names one paragraph of a rule. The package's doc has its grammar.
// The zero Citation names nothing.
type Citation struct {
	Code     string   // "CFR", "FINRA", or the name of a body of house rules
	Title    int      // of the CFR; 0 elsewhere
	Section  string   // "255.5", "275.206(4)-1", "2210", or a part: "1026"
	Appendix string   // "A", "M1", "G-25" (a form), "G and H": then Section is a part
	Note     string   // FINRA supplementary material: "01"
	Path     []string // markers without parentheses: d, 1, B
	Comment  []string // an Official Interpretation's path: 2, i, A
	Example  int      // a numbered example of the FTC's guides
	Term     string   // a definition in a list without markers
}

// Codes of citations.
const (
	CodeCFR   = "CFR"
	CodeFINRA = "FINRA"
)

// IsZero says whether the citation names nothing.
func (c Citation) IsZero() bool { return c.Code == "" }

// IsComment says whether it names a paragraph of an Official Interpretation.
func (c Citation) IsComment() bool { return len(c.Comment) > 0 }

// String gives the canonical spelling.
func (c Citation) String() string {
	if c.IsZero() {
		return ""
	}
	var b strings.Builder
	switch {
	case c.IsComment():
		b.WriteString("Comment " + c.Section)
	case c.Code == CodeCFR:
		fmt.Fprintf(&b, "%d CFR %s", c.Title, c.Section)
	default:
		b.WriteString(c.Code + " " + c.Section)
	}
	if c.Appendix != "" {
		b.WriteString(" Appendix " + c.Appendix)
	}
	if c.Note != "" {
		b.WriteString("." + c.Note)
	}
	for _, m := range c.Path {
		b.WriteString("(" + m + ")")
	}
	if c.IsComment() {
		b.WriteString("-" + strings.Join(c.Comment, "."))
	}
	if c.Example > 0 {
		b.WriteString(" Example " + strconv.Itoa(c.Example))
	}
	if c.Term != "" {
		b.WriteString(` "` + c.Term + `"`)
	}
	return b.String()
}

// Parent gives the paragraph above: of an example its paragraph, of a comment's
// first level the rule that it interprets, of a form its appendix. ok is false
// at the top.
func (c Citation) Parent() (parent Citation, ok bool) {
	p := c
	p.Path, p.Comment = slices.Clone(c.Path), slices.Clone(c.Comment)
	switch {
	case c.Term != "":
		p.Term = ""
	case c.Example > 0:
		p.Example = 0
	case len(c.Comment) > 0:
		p.Comment = p.Comment[:len(p.Comment)-1]
	case len(c.Path) > 0:
		p.Path = p.Path[:len(p.Path)-1]
	case c.Note != "":
		p.Note = ""
	case c.Appendix != "":
		p.Appendix, _, ok = strings.Cut(c.Appendix, "-")
		if !ok {
			p.Appendix = ""
		}
	default:
		return Citation{}, false
	}
	return p, true
}

// Parents gives every paragraph above, the nearest first.
func (c Citation) Parents() []Citation {
	var out []Citation
	for p, ok := c.Parent(); ok; p, ok = p.Parent() {
		out = append(out, p)
	}
	return out
}

// Child gives the paragraph one level below with a marker. Below a comment it
// is a comment.
func (c Citation) Child(marker string) Citation {
	d := c
	if c.IsComment() {
		d.Comment = append(slices.Clone(c.Comment), marker)
	} else {
		d.Path = append(slices.Clone(c.Path), marker)
	}
	return d
}

// SiblingOf says whether both stand directly below the same paragraph.
func (c Citation) SiblingOf(d Citation) bool {
	p, ok := c.Parent()
	q, also := d.Parent()
	return ok && also && p.Equal(q) && !c.Equal(d) && c.IsComment() == d.IsComment()
}

// SectionCitation gives the section (or rule) in which the paragraph stands.
func (c Citation) SectionCitation() Citation {
	return Citation{Code: c.Code, Title: c.Title, Section: c.Section}
}

// Within says whether c is outer or stands below it. A comment stands within
// the paragraph that it interprets, and a section within its part.
func (c Citation) Within(outer Citation) bool {
	if c.Equal(outer) || slices.ContainsFunc(c.Parents(), outer.Equal) {
		return true
	}
	part, _, ok := strings.Cut(c.Section, ".")
	return ok && c.Code == CodeCFR && outer.Equal(Citation{Code: CodeCFR, Title: c.Title, Section: part})
}

// Equal says whether both name the same paragraph.
func (c Citation) Equal(d Citation) bool {
	return c.Code == d.Code && (c.Title == d.Title || c.IsComment()) && c.Section == d.Section &&
		c.Appendix == d.Appendix && c.Note == d.Note && c.Example == d.Example && c.Term == d.Term &&
		slices.Equal(c.Path, d.Path) && slices.Equal(c.Comment, d.Comment)
}

// Depth counts the levels below the section.
func (c Citation) Depth() int {
	n := len(c.Path) + len(c.Comment)
	if c.Example > 0 || c.Term != "" {
		n++
	}
	return n
}

// MarshalText writes the canonical spelling.
func (c Citation) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads any spelling that ParseCitation takes.
func (c *Citation) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*c = Citation{}
		return nil
	}
	parsed, err := ParseCitation(string(text))
	if err != nil {
		return err
	}
	*c = parsed
	return nil
}
