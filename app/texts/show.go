package texts

import (
	"context"
	"errors"
	"fmt"

	"veristream/backend/audit"
	"veristream/backend/regs"
	"veristream/backend/store"
)

// Shown is a paragraph with all that is known of it.
type Shown struct {
	Citation string       `json:"citation"`
	Rule     *audit.Rule  `json:"rule,omitempty"`
	Text     *audit.Text  `json:"source,omitempty"`
	Parents  []audit.Rule `json:"parents"` // outermost first
	Children []audit.Rule `json:"children"`
	Card     *audit.Card  `json:"card,omitempty"`
	Note     string       `json:"note,omitempty"`    // what holds for all cards of the source
	Without  string       `json:"without,omitempty"` // why it deliberately has no card
	Missing  string       `json:"missing,omitempty"` // why no official text is shown
}

// RuleReader is what showing a paragraph needs of the database.
type RuleReader interface {
	Reader
	Rule(ctx context.Context, c audit.Citation, asOf string) (audit.Rule, error)
	Children(ctx context.Context, c audit.Citation, asOf string) ([]audit.Rule, error)
}

// Show finds a paragraph in the installed texts and among the cards. A
// paragraph that neither has is an error that says what is missing.
func Show(ctx context.Context, r RuleReader, cards regs.CardSet, c audit.Citation, asOf string) (Shown, error) {
	out := Shown{Parents: []audit.Rule{}, Children: []audit.Rule{}}
	if card, ok := cards.Card(c.String()); ok {
		out.Card = &card
		// The guides' examples have two names; the card knows both.
		own, err := audit.ParseCitation(card.Citation)
		if err != nil {
			return out, fmt.Errorf("read the citation of a card: %w", err)
		}
		c = own
		if src, ok := cards.Source(card.Source); ok {
			out.Note = src.Note
		}
	}
	out.Without = cards.WithoutCard(c.String())
	rule, err := r.Rule(ctx, c, asOf)
	if notFound(err) && c.Example > 0 {
		rule, err = example(ctx, r, c, asOf)
	}
	switch {
	case err == nil:
		c = rule.Citation
		out.Rule = &rule
	case !notFound(err):
		return out, err
	default:
		if out.Missing, err = missing(ctx, r, c, asOf); err != nil {
			return out, err
		}
		if out.Card == nil {
			return out, audit.Errorf(audit.CodeInput, "%s, and no card.", out.Missing)
		}
	}
	out.Citation = c.String()
	return out, out.surround(ctx, r, c, asOf)
}

// missing says why a paragraph is in no text: none is installed, or the one in
// force does not have it; then the nearest that it has is named.
func missing(ctx context.Context, r RuleReader, c audit.Citation, asOf string) (string, error) {
	all, err := r.Texts(ctx)
	if err != nil {
		return "", err
	}
	for _, p := range c.Parents() {
		rule, err := r.Rule(ctx, p, asOf)
		if notFound(err) {
			continue
		}
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("The installed text (%s) has %s, but no %s", rule.Source, p, c), nil
	}
	for _, t := range all {
		part, err := audit.ParseCitation(t.Part)
		if err == nil && (c.Within(part) || c.IsComment() && audit.Citation{Code: c.Code, Title: part.Title, Section: c.Section}.Within(part)) {
			return fmt.Sprintf("The installed text of %s has no %s", t.Part, c), nil
		}
	}
	return fmt.Sprintf("No text that has %s is installed (veristream regs pull, or veristream regs import FILE)", c), nil
}

func (s *Shown) surround(ctx context.Context, r RuleReader, c audit.Citation, asOf string) error {
	parents := c.Parents()
	for i := len(parents) - 1; i >= 0; i-- {
		p, err := r.Rule(ctx, parents[i], asOf)
		if err == nil {
			s.Parents = append(s.Parents, p)
		} else if !notFound(err) {
			return err
		}
	}
	children, err := r.Children(ctx, c, asOf)
	if err != nil {
		return err
	}
	s.Children = append(s.Children, children...)
	if s.Rule == nil {
		return nil
	}
	texts, err := r.Texts(ctx)
	if err != nil {
		return err
	}
	for _, t := range texts {
		if t.ID == s.Rule.Source {
			s.Text = &t
		}
	}
	return nil
}

// example finds "Example 11" of a section by its name.
func example(ctx context.Context, r RuleReader, c audit.Citation, asOf string) (audit.Rule, error) {
	name := fmt.Sprintf("Example %d", c.Example)
	above := c
	above.Example = 0
	queue := []audit.Citation{above}
	for len(queue) > 0 {
		children, err := r.Children(ctx, queue[0], asOf)
		if err != nil {
			return audit.Rule{}, err
		}
		queue = queue[1:]
		for _, k := range children {
			if k.Kind == audit.KindExample && k.Title == name {
				return k, nil
			}
			queue = append(queue, k.Citation)
		}
	}
	return audit.Rule{}, store.ErrNotFound
}

func notFound(err error) bool { return errors.Is(err, store.ErrNotFound) }
