package texts

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"veristream/backend/audit"
	"veristream/backend/regs"
)

// RuleNode is a paragraph as the tree of a rule shows it.
type RuleNode struct {
	Citation string     `json:"citation"`
	Parent   string     `json:"parent"` // empty: directly below the rule
	Mark     string     `json:"mark"`   // what it adds to its parent's name: "(a)", "255.5", "Comment 2"
	Label    string     `json:"label"`  // its heading, its card's title, or its first words
	Kind     audit.Kind `json:"kind"`
	Text     bool       `json:"text"`    // the official text is installed
	Card     bool       `json:"card"`    //
	Without  string     `json:"without"` // why it deliberately has no card
}

// Book is a set with all its paragraphs, to be read.
type Book struct {
	Set   RuleSet
	Nodes []RuleNode // a paragraph before those below it

	at      map[string]int // by citation
	rules   map[string]audit.Rule
	cards   map[string]audit.Card
	without map[string]string
	below   []int // how many nodes stand below each
	checked regs.Checked
	all     []audit.Rule
}

// OpenBook reads the paragraphs of a set: those of its text, those of its
// cards, and those that deliberately have no card.
func OpenBook(ctx context.Context, r Reader, set RuleSet, cards regs.CardSet, checked regs.Checked) (*Book, error) {
	b := &Book{
		Set: set, at: map[string]int{}, rules: map[string]audit.Rule{}, cards: map[string]audit.Card{}, without: map[string]string{}, checked: checked,
	}
	if set.Text != nil {
		var err error
		if b.all, err = r.TextRules(ctx, set.Text.ID); err != nil {
			return nil, fmt.Errorf("read %s: %w", set.Text.ID, err)
		}
	}
	found := map[string]audit.Citation{}
	for _, rule := range b.all {
		name := rule.Citation.String()
		if first, twice := b.rules[name]; twice { // told by the verification; here its words are kept
			first.Text += "\n" + rule.Text
			b.rules[name] = first
			continue
		}
		b.rules[name], found[name] = rule, rule.Citation
	}
	for _, src := range set.sources {
		for _, c := range cards.Cards {
			if c.Source != src.ID {
				continue
			}
			cite, err := audit.ParseCitation(c.Citation)
			if err != nil {
				return nil, fmt.Errorf("read the citation of a card: %w", err)
			}
			b.cards[c.Citation], found[c.Citation] = c, cite
		}
		for _, w := range src.Without {
			cite, err := audit.ParseCitation(w.Citation)
			if err != nil {
				return nil, fmt.Errorf("read the head of the cards %s: %w", src.ID, err)
			}
			b.without[w.Citation], found[w.Citation] = w.Reason, cite
		}
	}
	b.arrange(found)
	return b, nil
}

// arrange puts the paragraphs into their order and below each other. What
// stands between two of them and is not there itself gets a place.
func (b *Book) arrange(found map[string]audit.Citation) {
	for _, c := range found {
		for _, p := range c.Parents() {
			if name := p.String(); name != b.Set.ID && holds(b.Set.ID, name) {
				found[name] = p
			}
		}
	}
	order := make([]audit.Citation, 0, len(found))
	for _, c := range found {
		order = append(order, c)
	}
	slices.SortFunc(order, audit.CompareCitations)
	below := map[string][]audit.Citation{}
	for _, c := range order {
		below[b.parentOf(c, found)] = append(below[b.parentOf(c, found)], c)
	}
	b.walk("", below)
	b.below = make([]int, len(b.Nodes))
	for i := len(b.Nodes) - 1; i >= 0; i-- {
		if p, ok := b.at[b.Nodes[i].Parent]; ok {
			b.below[p] += b.below[i] + 1
		}
	}
}

func (b *Book) parentOf(c audit.Citation, found map[string]audit.Citation) string {
	for _, p := range c.Parents() {
		if name := p.String(); name != b.Set.ID {
			if _, ok := found[name]; ok {
				return name
			}
		}
	}
	return ""
}

func (b *Book) walk(parent string, below map[string][]audit.Citation) {
	for _, c := range below[parent] {
		name := c.String()
		rule, text := b.rules[name]
		_, card := b.cards[name]
		if name == b.Set.ID && strings.TrimSpace(rule.Text) == "" && !card && b.without[name] == "" {
			continue // the name of the whole, which says nothing of its own
		}
		n := RuleNode{
			Citation: name, Parent: parent, Mark: b.mark(c, parent), Label: b.label(c, parent), Kind: rule.Kind,
			Text: text && strings.TrimSpace(rule.Text) != "", Card: card, Without: b.without[name],
		}
		if n.Kind == "" && card {
			n.Kind = b.cards[name].Kind
		}
		b.at[name] = len(b.Nodes)
		b.Nodes = append(b.Nodes, n)
		b.walk(name, below)
	}
}

// mark is what a citation adds to that of the paragraph above it.
func (b *Book) mark(c audit.Citation, parent string) string {
	switch {
	case c.Term != "":
		return "“" + c.Term + "”"
	case c.Example > 0:
		return "Example " + strconv.Itoa(c.Example)
	case len(c.Comment) > 0:
		if len(c.Comment) == 1 {
			return "Comment " + c.Comment[0]
		}
		return c.Comment[len(c.Comment)-1] + "."
	case len(c.Path) > 0 && parent != "":
		above, err := audit.ParseCitation(parent)
		if err == nil && len(above.Path) < len(c.Path) {
			return "(" + strings.Join(c.Path[len(above.Path):], ")(") + ")"
		}
	case c.Appendix != "":
		return "Appendix " + c.Appendix
	}
	if rest, ok := strings.CutPrefix(c.String(), b.Set.ID); ok && strings.HasPrefix(rest, "(") {
		return rest
	}
	if c.Code == audit.CodeCFR || c.Code == audit.CodeFINRA {
		return strings.TrimPrefix(strings.TrimPrefix(c.String(), c.Code+" "), strconv.Itoa(c.Title)+" CFR ")
	}
	return strings.TrimPrefix(c.String(), c.Code+" ")
}

// label names a paragraph in a few words.
func (b *Book) label(c audit.Citation, parent string) string {
	name := c.String()
	rule := b.rules[name]
	own := b.heading(rule, parent)
	card, ok := b.cards[name]
	switch {
	case own != "" && (!ok || !reNumberOnly.MatchString(own)):
		return own
	case ok:
		return card.Title
	}
	return firstWords(bare(rule), 60)
}

// reNumberOnly matches headings that only count: "Example 3".
var reNumberOnly = regexp.MustCompile(`^Example \d+$`)

// heading is a paragraph's own heading; empty where it only bears the one
// above it.
func (b *Book) heading(r audit.Rule, parent string) string {
	if r.Title == "" || r.Title == b.rules[parent].Title || r.Title == b.Set.Title {
		return ""
	}
	return strings.TrimRight(r.Title, ".")
}

// bare is a paragraph's text without its marker.
func bare(r audit.Rule) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(r.Text), r.Marker))
}

func firstWords(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if len([]rune(text)) <= most {
		return text
	}
	cut := string([]rune(text)[:most])
	if at := strings.LastIndex(cut, " "); at > most/2 {
		cut = cut[:at]
	}
	return strings.TrimRight(cut, " ,;:.") + "…"
}
