package texts

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"veristream/backend/audit"
	"veristream/backend/regs"
)

// RuleSet is a body of rules as a reader looks for it: a part of the CFR, a
// rule of a rulebook, a firm's own policy. It has an official text, rule cards
// or both.
type RuleSet struct {
	ID        string       `json:"id"` // what its citations begin with: "16 CFR 255"
	Regulator string       `json:"regulator"`
	Title     string       `json:"title"`
	House     bool         `json:"house"`
	Text      *audit.Text  `json:"text,omitempty"` // the one in force; none: cards alone
	Versions  []audit.Text `json:"versions"`       // every installed date, the newest first
	Texts     int          `json:"paragraphs"`     // of the text in force
	Cards     int          `json:"cards"`
	Unchecked int          `json:"unchecked"` // cards that nobody has compared with the text

	sources []regs.Source
}

// Sources are the heads of the set's card files.
func (s RuleSet) Sources() []regs.Source { return s.sources }

// Counter counts the paragraphs of each installed text.
type Counter interface {
	Reader
	CountRules(ctx context.Context) (map[string]int, error)
}

// RuleSets lists what is installed, as it stands on a date.
func RuleSets(ctx context.Context, r Counter, cards regs.CardSet, asOf string) ([]RuleSet, error) {
	all, err := r.Texts(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the installed texts: %w", err)
	}
	counts, err := r.CountRules(ctx)
	if err != nil {
		return nil, fmt.Errorf("count the paragraphs: %w", err)
	}
	var sets []RuleSet
	for _, t := range all {
		at := slices.IndexFunc(sets, func(s RuleSet) bool { return s.ID == t.Part })
		if at < 0 {
			sets = append(sets, RuleSet{ID: t.Part, Regulator: t.Regulator, Title: t.Title})
			at = len(sets) - 1
		}
		sets[at].Versions = append(sets[at].Versions, t)
	}
	for i := range sets {
		sets[i].pick(asOf, counts)
	}
	for _, src := range cards.Sources {
		sets = addCards(sets, src, cards.Cards)
	}
	slices.SortFunc(sets, compareSets)
	return sets, nil
}

// pick chooses the text in force on a date: the latest that is not later, else
// the earliest, as a search does.
func (s *RuleSet) pick(asOf string, counts map[string]int) {
	slices.SortFunc(s.Versions, func(a, b audit.Text) int { return cmp.Compare(b.AsOf, a.AsOf) })
	at := slices.IndexFunc(s.Versions, func(t audit.Text) bool { return t.AsOf <= asOf })
	if at < 0 {
		at = len(s.Versions) - 1
	}
	t := s.Versions[at]
	s.Text, s.Title, s.Texts = &t, t.Title, counts[t.ID]
}

// addCards puts a card file to the set that holds its rule, or makes one.
func addCards(sets []RuleSet, src regs.Source, cards []audit.Card) []RuleSet {
	at := slices.IndexFunc(sets, func(s RuleSet) bool { return s.ID == src.Part })
	if at < 0 {
		at = slices.IndexFunc(sets, func(s RuleSet) bool { return holds(s.ID, src.Part) })
	}
	if at < 0 {
		sets = append(sets, RuleSet{ID: src.Part, Regulator: src.Regulator, Title: src.Title, House: src.House, Versions: []audit.Text{}})
		at = len(sets) - 1
	}
	s := &sets[at]
	s.sources = append(s.sources, src)
	for _, c := range cards {
		if c.Source == src.ID {
			s.Cards++
			if !c.Checked {
				s.Unchecked++
			}
		}
	}
	return sets
}

// holds says whether a part, or a section, holds a paragraph by its name.
func holds(part, citation string) bool {
	rest, ok := strings.CutPrefix(citation, part)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], `(. -"`))
}

func compareSets(a, b RuleSet) int {
	if a.House != b.House { // a firm's own rules stand last
		return map[bool]int{false: -1, true: 1}[a.House]
	}
	x, errX := audit.ParseCitation(a.ID)
	y, errY := audit.ParseCitation(b.ID)
	if errX != nil || errY != nil {
		return cmp.Compare(a.ID, b.ID)
	}
	return audit.CompareCitations(x, y)
}

// SetOf finds the set in which a paragraph stands.
func SetOf(sets []RuleSet, c audit.Citation) (RuleSet, bool) {
	names := []string{c.String()}
	if c.IsComment() { // "Comment 1026.54(a)-1" is of 12 CFR 1026
		plain := c
		plain.Comment = nil
		names = append(names, plain.String())
	}
	best := -1
	for i, s := range sets {
		for _, n := range names {
			if holds(s.ID, n) && (best < 0 || len(s.ID) > len(sets[best].ID)) {
				best = i
			}
		}
	}
	if best < 0 {
		return RuleSet{}, false
	}
	return sets[best], true
}
