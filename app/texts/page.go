package texts

import (
	"slices"
	"strings"

	"veristream/backend/audit"
	"veristream/backend/regs"
)

// RulePage is a paragraph to be read: in its place in the official text, with
// its card beside it.
type RulePage struct {
	Set       string          `json:"set"`
	Regulator string          `json:"regulator"`
	Citation  string          `json:"citation"`
	Title     string          `json:"title"`
	Path      []RuleNode      `json:"path"` // from below the set down to it
	Text      *audit.Text     `json:"text,omitempty"`
	Flow      []RuleParagraph `json:"flow"` // the text round it; empty where none is installed
	More      int             `json:"more"` // paragraphs that the flow leaves out
	Card      *audit.Card     `json:"card,omitempty"`
	Head      *CardHead       `json:"head,omitempty"` // of the card's file
	Without   string          `json:"without"`        // why it deliberately has no card
	Changed   bool            `json:"changed"`        // the text differs from the one that the card was compared with
	Before    string          `json:"before"`         // the paragraph before it
	After     string          `json:"after"`
}

// RuleParagraph is a paragraph of an official text.
type RuleParagraph struct {
	Citation  string     `json:"citation"`
	Depth     int        `json:"depth"`
	Kind      audit.Kind `json:"kind"`
	Heading   string     `json:"heading"` // its own
	Text      string     `json:"text"`
	Card      bool       `json:"card"`
	Ambiguous string     `json:"ambiguous"`
}

// CardHead is what the cards of a file have in common.
type CardHead struct {
	ID          string         `json:"id"`
	Regulator   string         `json:"regulator"`
	Part        string         `json:"part"`
	Title       string         `json:"title"`
	InForceFrom string         `json:"in_force_from"`
	Nature      string         `json:"nature"`
	Note        string         `json:"note"`
	House       bool           `json:"house"`
	Without     []regs.Without `json:"without"`
}

// Bounds of what is shown round a paragraph.
const (
	mostRound = 120 // paragraphs of the largest surroundings that are shown whole
	mostFlow  = 400
)

// Page opens a paragraph by its citation, or by another name of its card.
func (b *Book) Page(c audit.Citation) (RulePage, error) {
	at, ok := b.find(c)
	if !ok {
		return RulePage{}, audit.Errorf(audit.CodeInput, "Neither the installed text nor the cards of %s have %s.", b.Set.ID, c)
	}
	n := b.Nodes[at]
	p := RulePage{
		Set: b.Set.ID, Regulator: b.Set.Regulator, Citation: n.Citation, Title: n.Label, Path: b.path(at), Text: b.Set.Text,
		Flow: []RuleParagraph{}, Without: n.Without,
	}
	if card, ok := b.cards[n.Citation]; ok {
		card = whole(card)
		p.Card, p.Title, p.Head = &card, card.Title, b.head(card.Source)
		was := b.checked.Sources[card.Source].Paragraphs[n.Citation]
		p.Changed = card.Checked && was != "" && b.rules[n.Citation].Text != "" && was != regs.WordsHash(b.rules[n.Citation].Text)
	}
	if at > 0 {
		p.Before = b.Nodes[at-1].Citation
	}
	if at+1 < len(b.Nodes) {
		p.After = b.Nodes[at+1].Citation
	}
	if b.Set.Text != nil {
		p.Flow, p.More = b.flow(b.round(at))
	}
	return p, nil
}

// find finds a paragraph; the guides' examples have two names, and the set's
// own name leads to its first paragraph.
func (b *Book) find(c audit.Citation) (int, bool) {
	name := c.String()
	if at, ok := b.at[name]; ok {
		return at, true
	}
	for _, card := range b.cards {
		if slices.Contains(card.Aliases, name) {
			return b.at[card.Citation], true
		}
	}
	if r, ok := regs.Resolve(b.rules, c); ok {
		at, ok := b.at[r.Citation.String()]
		return at, ok
	}
	if name == b.Set.ID && len(b.Nodes) > 0 {
		return 0, true
	}
	return 0, false
}

func (b *Book) path(at int) []RuleNode {
	out := []RuleNode{b.Nodes[at]}
	for p, ok := b.at[b.Nodes[at].Parent]; ok; p, ok = b.at[b.Nodes[p].Parent] {
		out = append(out, b.Nodes[p])
	}
	slices.Reverse(out)
	return out
}

// round gives the largest surroundings of a paragraph that can be read at once.
func (b *Book) round(at int) int {
	for p, ok := b.at[b.Nodes[at].Parent]; ok && b.below[p] < mostRound; p, ok = b.at[b.Nodes[p].Parent] {
		at = p
	}
	return at
}

func (b *Book) flow(from int) (out []RuleParagraph, more int) {
	top := len(b.path(from))
	for i := from; i <= from+b.below[from]; i++ {
		n := b.Nodes[i]
		r, ok := b.rules[n.Citation]
		if !ok {
			continue
		}
		if len(out) >= mostFlow {
			more++
			continue
		}
		heading := b.heading(r, n.Parent)
		if strings.HasPrefix(strings.ToLower(bare(r)), strings.ToLower(heading)) {
			heading = "" // the text begins with it
		}
		out = append(out, RuleParagraph{
			Citation: n.Citation, Depth: len(b.path(i)) - top, Kind: r.Kind, Heading: heading, Text: strings.TrimSpace(r.Text), Card: n.Card, Ambiguous: r.Ambiguous,
		})
	}
	return out, more
}

func (b *Book) head(source string) *CardHead {
	for _, s := range b.Set.sources {
		if s.ID == source {
			h := headOf(s)
			return &h
		}
	}
	return nil
}

func headOf(s regs.Source) CardHead {
	h := CardHead{
		ID: s.ID, Regulator: s.Regulator, Part: s.Part, Title: s.Title, InForceFrom: s.InForceFrom, Nature: s.Nature, Note: s.Note,
		House: s.House, Without: s.Without,
	}
	if h.Without == nil {
		h.Without = []regs.Without{}
	}
	return h
}

// whole gives a card whose lists are there, if empty: what reads JSON must not
// find a null.
func whole(c audit.Card) audit.Card {
	for _, list := range []*[]string{&c.Triggers, &c.LookAlikes, &c.SatisfiedBy, &c.Related, &c.Binds.Who, &c.Binds.Needs} {
		if *list == nil {
			*list = []string{}
		}
	}
	return c
}

// RuleSetAbout tells of a set as a whole: what its cards say of themselves, and
// how they agree with its text.
type RuleSetAbout struct {
	Set   RuleSet            `json:"set"`
	Heads []CardHead         `json:"heads"`
	Check []RuleSetAgreement `json:"check"`
}

// RuleSetAgreement says how the cards of one file agree with the text.
type RuleSetAgreement struct {
	Source     string   `json:"source"`
	Unresolved []string `json:"unresolved"` // cards whose paragraph the text does not have
	Uncovered  []string `json:"uncovered"`  // paragraphs without a card that are not listed as such
	Changed    []string `json:"changed"`    // paragraphs whose words differ since the card was checked
	Ambiguous  []string `json:"ambiguous"`
	Gaps       []string `json:"gaps"`
}

// About tells of the set as a whole.
func (b *Book) About() RuleSetAbout {
	out := RuleSetAbout{Set: b.Set, Heads: []CardHead{}, Check: []RuleSetAgreement{}}
	set := regs.CardSet{Sources: b.Set.sources}
	for _, s := range b.Set.sources {
		out.Heads = append(out.Heads, headOf(s))
	}
	for _, c := range b.cards {
		set.Cards = append(set.Cards, c)
	}
	if b.Set.Text == nil {
		return out
	}
	v := regs.Verify(set, []regs.Installed{{Text: *b.Set.Text, Rules: b.all}}, b.checked)
	for _, c := range v.Sources {
		if c.Text == "" {
			continue
		}
		a := RuleSetAgreement{
			Source: c.Source, Unresolved: sorted(c.Unresolved), Uncovered: sorted(c.Uncovered), Changed: sorted(c.Changed),
			Ambiguous: sorted(c.Ambiguous), Gaps: sorted(c.Gaps),
		}
		out.Check = append(out.Check, a)
	}
	return out
}

// sorted gives a list that is never null, in an order that stays.
func sorted(list []string) []string {
	out := append([]string{}, list...)
	slices.Sort(out)
	return out
}
