package app

import (
	"context"
	"fmt"
	"strings"

	"veristream/app/texts"
	"veristream/backend/audit"
)

// Rulebook shows the installed rules: official texts and rule cards. asOf is a
// day; empty is today.
type Rulebook interface {
	RuleSets(ctx context.Context, asOf string) ([]texts.RuleSet, error)
	OpenRules(ctx context.Context, set, asOf string) (*texts.Book, error)
	// OpenRule opens the set that holds a paragraph.
	OpenRule(ctx context.Context, c audit.Citation, asOf string) (*texts.Book, error)
	FindRules(ctx context.Context, query, asOf string) ([]RuleHit, error)
}

// RuleHit is a paragraph that a search in the rules found.
type RuleHit struct {
	Citation string     `json:"citation"`
	Title    string     `json:"title"`
	Set      string     `json:"set"`
	Kind     audit.Kind `json:"kind"`
	Official bool       `json:"official"`
	Snippet  string     `json:"snippet"`
}

// RuleList is what is installed.
type RuleList struct {
	AsOf string          `json:"as_of"` // as it was asked; empty: today
	Sets []texts.RuleSet `json:"sets"`
}

// RulesService shows the installed rules.
type RulesService struct {
	ctx  context.Context
	book Rulebook
}

// List gives every rule that has a text or cards.
func (s *RulesService) List(asOf string) (RuleList, error) {
	out := RuleList{AsOf: asOf, Sets: []texts.RuleSet{}}
	if err := s.ready(asOf); err != nil {
		return out, err
	}
	sets, err := s.book.RuleSets(s.ctx, asOf)
	if err != nil {
		return out, fmt.Errorf("list the rules: %w", err)
	}
	if sets != nil {
		out.Sets = sets
	}
	return out, nil
}

// Outline gives the paragraphs of a rule for its tree.
func (s *RulesService) Outline(set, asOf string) ([]texts.RuleNode, error) {
	b, err := s.open(set, asOf)
	if err != nil {
		return nil, err
	}
	if b.Nodes == nil {
		return []texts.RuleNode{}, nil
	}
	return b.Nodes, nil
}

// About tells of a rule as a whole.
func (s *RulesService) About(set, asOf string) (texts.RuleSetAbout, error) {
	b, err := s.open(set, asOf)
	if err != nil {
		return texts.RuleSetAbout{}, err
	}
	return b.About(), nil
}

func (s *RulesService) open(set, asOf string) (*texts.Book, error) {
	if err := s.ready(asOf); err != nil {
		return nil, err
	}
	b, err := s.book.OpenRules(s.ctx, set, asOf)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", set, err)
	}
	return b, nil
}

// Show opens a paragraph.
func (s *RulesService) Show(citation, asOf string) (texts.RulePage, error) {
	if err := s.ready(asOf); err != nil {
		return texts.RulePage{}, err
	}
	c, err := audit.ParseCitation(citation)
	if err != nil {
		return texts.RulePage{}, fmt.Errorf("read the citation: %w", err)
	}
	b, err := s.book.OpenRule(s.ctx, c, asOf)
	if err != nil {
		return texts.RulePage{}, fmt.Errorf("open %s: %w", citation, err)
	}
	return b.Page(c)
}

// Find finds paragraphs by their citation or by words.
func (s *RulesService) Find(query, asOf string) ([]RuleHit, error) {
	query = strings.TrimSpace(query)
	if err := s.ready(asOf); err != nil || query == "" {
		return []RuleHit{}, err
	}
	hits, err := s.book.FindRules(s.ctx, query, asOf)
	if err != nil {
		return nil, fmt.Errorf("search the rules: %w", err)
	}
	if hits == nil {
		hits = []RuleHit{}
	}
	return hits, nil
}

func (s *RulesService) ready(asOf string) error {
	if s.book == nil {
		return audit.Errorf(audit.CodeUsage, "The rules cannot be shown here.")
	}
	return checkDay(asOf)
}
