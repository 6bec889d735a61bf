package regs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"veristream/backend/audit"
)

// partOf gives the part of the CFR or the rule in which a paragraph stands.
func partOf(c audit.Citation) string {
	if c.Code != audit.CodeCFR {
		return c.Code + " " + c.Section
	}
	part, _, _ := strings.Cut(c.Section, ".")
	return fmt.Sprintf("%d CFR %s", c.Title, part)
}

// checkCitations says when a paragraph could not be found again by its own
// citation, as where the file does not tell the title of the CFR.
func (p *Parsed) checkCitations() error {
	for _, r := range p.Rules {
		if r.Citation.Code == audit.CodeCFR && r.Citation.Title == 0 {
			return audit.Errorf(audit.CodeInput, "The text does not tell to which title of the CFR § %s belongs; give it with --title.", r.Citation.Section)
		}
		again, err := audit.ParseCitation(r.Citation.String())
		if err != nil || !again.Equal(r.Citation) {
			return audit.Errorf(audit.CodeInput, "%q is not a citation that can be used; the text is not of a shape that is read here.", clip(r.Citation.String(), 60))
		}
	}
	return nil
}

// split takes a file with several parts or rules apart; what stands before a
// part goes with it.
func (p *Parsed) split() []*Parsed {
	var parts []string
	for _, r := range p.Rules {
		if part := partOf(r.Citation); !slices.Contains(parts, part) {
			parts = append(parts, part)
		}
	}
	if len(parts) < 2 {
		return []*Parsed{p}
	}
	out := make([]*Parsed, len(parts))
	moved := make([]int, len(p.Rules))
	for i := range out {
		out[i] = &Parsed{Text: p.Text}
	}
	for i, r := range p.Rules {
		to := out[slices.Index(parts, partOf(r.Citation))]
		moved[i] = len(to.Rules)
		r.Order = moved[i]
		to.Rules = append(to.Rules, r)
	}
	var waiting []Piece // headings and notes wait for the rule that follows
	to := out[0]
	for _, piece := range p.Pieces {
		if piece.Rule < 0 {
			waiting = append(waiting, piece)
			continue
		}
		to = out[slices.Index(parts, partOf(p.Rules[piece.Rule].Citation))]
		piece.Rule = moved[piece.Rule]
		to.Pieces = append(append(to.Pieces, waiting...), piece)
		waiting = nil
	}
	to.Pieces = append(to.Pieces, waiting...)
	for _, q := range p.Problems {
		to := out[0]
		if c, err := audit.ParseCitation(q.Citation); err == nil {
			if i := slices.Index(parts, partOf(c)); i >= 0 {
				to = out[i]
			}
		}
		to.Problems = append(to.Problems, q)
	}
	return out
}

// describe says which text this is: its id, regulator, title and date.
func (p *Parsed) describe(opts Options) {
	first := p.Rules[0].Citation
	p.Text.Part = partOf(first)
	p.Text.Regulator = regulatorOf(first)
	p.Text.Title = p.titleOfPart()
	id := strings.Trim(reNotID.ReplaceAllString(strings.ToLower(p.Text.Part), "-"), "-")
	for _, o := range opts.Known {
		if o.holds(p) {
			id, p.Text.Regulator, p.Text.Part, p.Text.Title = o.ID, o.Regulator, o.Covers, o.Title
			p.repairTitle(o)
			break
		}
	}
	if opts.Regulator != "" {
		p.Text.Regulator = opts.Regulator
	}
	if opts.AsOf != "" {
		p.Text.AsOf = opts.AsOf
	}
	if p.Text.AsOf == "" {
		p.Text.AsOf = reDate.FindString(opts.Name)
	}
	if m := reDocument.FindStringSubmatch(opts.Name); m != nil && p.Text.AsOf == "" {
		// The Bureau names its files by the Federal Register's document that made
		// the text: published in that year, so out by its last day.
		p.Document, p.Text.AsOf = m[1], m[2]+"-12-31"
	}
	p.Text.ID = id + "@" + p.Text.AsOf
	for i := range p.Rules {
		p.Rules[i].Regulator = p.Text.Regulator
		p.Rules[i].Source = p.Text.ID
	}
}

var (
	reNotID = regexp.MustCompile(`[^a-z0-9]+`)
	reDate  = regexp.MustCompile(`(?:19|20)\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`)
)

// The number of a document of the Federal Register: "2018-01305".
var reDocument = regexp.MustCompile(`(?:^|[^\d-])(((?:19|20)\d{2})-\d{5})(?:[^\d-]|$)`)

// holds says whether the text is the one that a source covers: every section
// of it, so that a whole part is not taken for its one audited section.
func (o Official) holds(p *Parsed) bool {
	covers, err := audit.ParseCitation(o.Covers)
	if err != nil {
		return false
	}
	for _, r := range p.Rules {
		if !r.Citation.Within(covers) && partOf(r.Citation) != o.Covers {
			return false
		}
	}
	return true
}

// SetDate gives the text a date that neither the file nor its name tells.
func (p *Parsed) SetDate(date string) {
	id, _, _ := strings.Cut(p.Text.ID, "@")
	p.Text.AsOf, p.Text.ID = date, id+"@"+date
	for i := range p.Rules {
		p.Rules[i].Source = p.Text.ID
	}
}

func (p *Parsed) titleOfPart() string {
	for _, piece := range p.Pieces {
		if piece.Kind == PieceHeading {
			return piece.Text
		}
	}
	return p.Rules[0].Title
}

// repairTitle replaces the title of a rule whose words a PDF has run together
// or set in capitals.
func (p *Parsed) repairTitle(o Official) {
	root := &p.Rules[0]
	if root.Citation.Depth() > 0 || !strings.EqualFold(squash(root.Title), squash(o.Title)) {
		return
	}
	old := root.Title
	root.Title = o.Title
	for i := range p.Rules {
		r := &p.Rules[i]
		if r.Title == old {
			r.Title = o.Title
		}
		for j, h := range r.Headings {
			if h == old {
				r.Headings = slices.Clone(r.Headings)
				r.Headings[j] = o.Title
			}
		}
	}
}

func squash(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

func regulatorOf(c audit.Citation) string {
	if c.Code == audit.CodeFINRA {
		return audit.FINRA
	}
	switch c.Title {
	case 12:
		return "CFPB"
	case 16:
		return audit.FTC
	case 17:
		return audit.SEC
	case 31:
		return "FinCEN"
	}
	return audit.CodeCFR
}
