package regs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// Parsed is what a file of official text holds: its paragraphs as citable
// rules, and every piece of it in the order of the file, so that it can be
// shown that nothing is lost.
type Parsed struct {
	Text     audit.Text
	Rules    []audit.Rule
	Pieces   []Piece
	Problems []Problem
	// Document is the Federal Register's number of the document in the file's
	// name, where nothing but its year tells the date.
	Document string
}

// PieceKind says what a piece is.
type PieceKind int

// The kinds of pieces. Headings and notes belong to no paragraph.
const (
	PieceText PieceKind = iota
	PieceHeading
	PieceNote // sources, amendments, editorial notes
	PieceTable
	PieceImage
)

// Piece is a run of the file: a paragraph, a part of one, or a heading.
type Piece struct {
	Rule int // index into Rules; -1 for what belongs to no paragraph
	Kind PieceKind
	Text string
}

// ProblemKind says what a reader should look at.
type ProblemKind string

// The kinds of problems. None of them stops an import.
const (
	ProblemAmbiguous ProblemKind = "ambiguous" // a marker with two readings
	ProblemGap       ProblemKind = "gap"       // (a) is followed by (c)
	ProblemDuplicate ProblemKind = "duplicate" // two paragraphs of one citation
	ProblemSkipped   ProblemKind = "skipped"   // a part of the file that is no rule text
)

// Problem is something in a text that a person should look at.
type Problem struct {
	Kind     ProblemKind `json:"kind"`
	Citation string      `json:"citation"`
	What     string      `json:"what"`
}

// Sections counts the sections, rules and appendices.
func (p *Parsed) Sections() int {
	n := 0
	for _, r := range p.Rules {
		if r.Citation.Depth() == 0 && !r.Citation.IsComment() && r.Citation.Note == "" {
			n++
		}
	}
	return n
}

// Count gives the number of problems of a kind.
func (p *Parsed) Count(kind ProblemKind) int {
	n := 0
	for _, q := range p.Problems {
		if q.Kind == kind {
			n++
		}
	}
	return n
}

// builder collects rules and pieces in the order of the file.
type builder struct {
	out       *Parsed
	regulator string
	pages     map[int][2]int // rule -> first and last page
	seen      map[string]int // citation -> rule
}

func newBuilder(regulator string) *builder {
	return &builder{out: &Parsed{}, regulator: regulator, pages: map[int][2]int{}, seen: map[string]int{}}
}

// open begins a paragraph and gives its index. Where its citation is taken
// already, the text goes on in a paragraph of its own that says so.
func (b *builder) open(r audit.Rule) int {
	r.Regulator = b.regulator
	r.Order = len(b.out.Rules)
	key := r.Citation.String()
	if first, taken := b.seen[key]; taken {
		what := "stands twice; the second begins after " + b.lastCitation()
		b.problem(ProblemDuplicate, key, what)
		r.Ambiguous = joinNotes(r.Ambiguous, "a second paragraph with this citation; the first is number "+fmt.Sprint(first+1))
	} else {
		b.seen[key] = r.Order
	}
	b.out.Rules = append(b.out.Rules, r)
	return r.Order
}

func (b *builder) lastCitation() string {
	if n := len(b.out.Rules); n > 0 {
		return b.out.Rules[n-1].Citation.String()
	}
	return "the beginning"
}

// add appends a piece of text to a paragraph.
func (b *builder) add(rule int, kind PieceKind, text string, page, lastPage int) {
	if text = strings.TrimSpace(text); text == "" {
		return
	}
	b.out.Pieces = append(b.out.Pieces, Piece{rule, kind, text})
	if page > 0 {
		at, ok := b.pages[rule]
		if !ok {
			at[0] = page
		}
		at[1] = max(at[1], lastPage, page)
		b.pages[rule] = at
	}
}

func (b *builder) heading(text string) { b.add(-1, PieceHeading, plainText(text), 0, 0) }
func (b *builder) note(text string)    { b.add(-1, PieceNote, plainText(text), 0, 0) }

func (b *builder) problem(kind ProblemKind, citation, what string) {
	b.out.Problems = append(b.out.Problems, Problem{kind, citation, what})
}

// finish joins the pieces of each paragraph into its text.
func (b *builder) finish() *Parsed {
	texts := make([][]string, len(b.out.Rules))
	for _, p := range b.out.Pieces {
		if p.Rule >= 0 {
			texts[p.Rule] = append(texts[p.Rule], p.Text)
		}
	}
	for i := range b.out.Rules {
		r := &b.out.Rules[i]
		r.Text = strings.Join(texts[i], "\n\n")
		if at, ok := b.pages[i]; ok {
			r.FirstPage, r.LastPage = at[0], at[1]
		}
		r.Kind = kindOf(*r)
	}
	return b.out
}

func joinNotes(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// kindOf decides what a paragraph is by where it stands and how it begins.
func kindOf(r audit.Rule) audit.Kind {
	c := r.Citation
	title := strings.ToLower(r.Title)
	switch {
	case r.Kind != "" && r.Kind != audit.KindRule:
		return r.Kind
	case c.IsComment():
		return audit.KindCommentary
	case c.Appendix != "":
		return audit.KindAppendix
	case c.Term != "":
		return audit.KindDefinition
	case reExampleHead.MatchString(stripMarkers(r.Text)) || c.Example > 0 || underExample(r):
		return audit.KindExample
	case underHeading(r, "definition") || defines(stripMarkers(r.Text)):
		return audit.KindDefinition
	case strings.Contains(title, "exempt") || strings.Contains(title, "exception") || strings.Contains(title, "exclusion"):
		return audit.KindException
	case strings.HasPrefix(title, "scope") || strings.HasPrefix(title, "coverage") || strings.HasPrefix(title, "applicability"):
		return audit.KindScope
	}
	return audit.KindRule
}

var reExampleTitle = regexp.MustCompile(`^Examples?(?: \d+)?$`)

func underExample(r audit.Rule) bool {
	return reExampleTitle.MatchString(r.Title) || slices.ContainsFunc(r.Headings, reExampleTitle.MatchString)
}

// defines says whether a paragraph begins with a definition; "by any means"
// defines nothing.
func defines(text string) bool {
	m := reDefines.FindString(text)
	return m != "" && !strings.HasSuffix(m, " a means") && !strings.HasSuffix(m, " by means") && !strings.HasSuffix(m, " any means")
}

func underHeading(r audit.Rule, word string) bool {
	for _, h := range r.Headings {
		if strings.HasPrefix(strings.ToLower(h), word) {
			return true
		}
	}
	return strings.HasPrefix(strings.ToLower(r.Title), word)
}
