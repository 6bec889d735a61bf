package regs

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"veristream/backend/audit"
)

// cardLines are the lines in the file on which things stand, for messages.
type cardLines struct {
	source int
	cards  []map[string]int // key "" is the card itself
}

func linesOf(doc *yaml.Node) cardLines {
	lines := cardLines{source: 1}
	if len(doc.Content) == 0 {
		return lines
	}
	top := doc.Content[0]
	for i := 0; i+1 < len(top.Content); i += 2 {
		switch top.Content[i].Value {
		case "source":
			lines.source = top.Content[i].Line
		case "cards":
			for _, card := range top.Content[i+1].Content {
				at := map[string]int{"": card.Line}
				for j := 0; j+1 < len(card.Content); j += 2 {
					at[card.Content[j].Value] = card.Content[j].Line
				}
				lines.cards = append(lines.cards, at)
			}
		}
	}
	return lines
}

func (l cardLines) of(card int, field string) int {
	if card >= len(l.cards) {
		return l.source
	}
	if n, ok := l.cards[card][field]; ok {
		return n
	}
	return l.cards[card][""]
}

// The words that a card may use; card.schema.json says the same, and a test
// holds the two together.
var (
	cardKinds = []audit.Kind{
		audit.KindRule, audit.KindDefinition, audit.KindExample, audit.KindScope,
		audit.KindException, audit.KindCompanion,
	}
	cardWho = []string{
		"finra_member", "registered_adviser", "state_adviser", "paid_endorser", "unpaid_consumer",
		"issuer", "publisher", "private_person", "employee", "advertiser",
	}
	cardSponsors  = []string{"finra_member", "registered_adviser", "other_business"}
	cardAudiences = []string{"any", "retail", "institutional"}
	cardNeeds     = []string{
		"paid", "options", "performance", "hypothetical", "testimonial", "third_party_rating",
		"recommendation", "comparison", "ranking", "tax", "fund", "private_fund", "children",
	}
	ownRegulators = []string{audit.FTC, audit.SEC, audit.FINRA, "CFPB", "FinCEN"}
)

type cardChecker struct {
	file     string
	problems []string
}

func (k *cardChecker) add(line int, format string, args ...any) {
	k.problems = append(k.problems, fmt.Sprintf("%s:%d: %s.", k.file, line, fmt.Sprintf(format, args...)))
}

// checkCards says everything that is wrong with a file's content. Beyond the
// schema it checks what a schema cannot: that citations parse to themselves
// and belong to the file's part.
func checkCards(name string, lines cardLines, src Source, cards []audit.Card) []string {
	k := &cardChecker{file: name}
	k.source(lines.source, src)
	if len(cards) == 0 {
		k.add(lines.source, "there is no card under \"cards\"")
	}
	seen := map[string]int{}
	for i, c := range cards {
		k.card(i, lines, src, c)
		for _, cite := range append([]string{c.Citation}, c.Aliases...) {
			if first, ok := seen[cite]; ok {
				k.add(lines.of(i, "citation"), "%s already has a card on line %d", cite, first)
			}
			seen[cite] = lines.of(i, "citation")
		}
	}
	for _, w := range src.Without {
		if line, ok := seen[w.Citation]; ok {
			k.add(line, "%s has a card and is listed as deliberately without", w.Citation)
		}
	}
	return k.problems
}

func (k *cardChecker) source(line int, src Source) {
	for _, f := range []struct{ name, value string }{
		{"id", src.ID},
		{"regulator", src.Regulator},
		{"part", src.Part},
		{"title", src.Title},
		{"in_force_from", src.InForceFrom},
		{"nature", src.Nature},
		{"wording", src.Wording},
		{"note", src.Note},
	} {
		if strings.TrimSpace(f.value) == "" {
			k.add(line, "source.%s is missing", f.name)
		}
	}
	k.date(line, "source.in_force_from", src.InForceFrom)
	k.oneOf(line, "source.nature", src.Nature, []string{"interpretive", "binding"})
	k.oneOf(line, "source.wording", src.Wording, []string{"inconsistent with", "may violate"})
	if src.House && slices.ContainsFunc(ownRegulators, func(r string) bool { return strings.EqualFold(r, src.Regulator) }) {
		k.add(line, "house rules cannot speak as %s; give source.regulator the name of your firm", src.Regulator)
	}
}

func (k *cardChecker) card(i int, lines cardLines, src Source, c audit.Card) {
	at := func(field string) int { return lines.of(i, field) }
	k.citation(at("citation"), src, c.Citation)
	for _, a := range c.Aliases {
		k.citation(at("aliases"), src, a)
	}
	if !slices.Contains(cardKinds, c.Kind) {
		k.add(at("kind"), "kind is %q; it takes one of %v", c.Kind, cardKinds)
	}
	if c.Kind == audit.KindExample && c.Illustrates == "" {
		k.add(at("kind"), "an example must say in \"illustrates\" which paragraph a finding cites")
	}
	for _, f := range []struct{ name, value string }{
		{"title", c.Title},
		{"requires", c.Requires},
		{"remedy", c.Remedy},
		{"gist", c.Gist},
	} {
		if len(strings.TrimSpace(f.value)) < 3 {
			k.add(at(f.name), "%s is missing", f.name)
		}
	}
	for _, f := range []struct {
		name string
		list []string
		min  int
	}{
		{"triggers", c.Triggers, 2},
		{"look_alikes", c.LookAlikes, 2},
		{"satisfied_by", c.SatisfiedBy, 1},
	} {
		if len(f.list) < f.min {
			k.add(at(f.name), "%s needs %d or more", f.name, f.min)
		}
	}
	k.oneOf(at("severity"), "severity", string(c.Severity), []string{"high", "medium", "low"})
	k.binds(at("binds"), c.Binds)
	k.date(at("effective"), "effective.from", c.Effective.From)
	if c.Effective.From == "" {
		k.add(at("effective"), "effective.from is missing")
	}
	if c.Effective.To != "" {
		k.date(at("effective"), "effective.to", c.Effective.To)
		if c.Effective.To <= c.Effective.From {
			k.add(at("effective"), "effective.to is not after effective.from")
		}
	}
}

func (k *cardChecker) binds(line int, b audit.Binds) {
	if len(b.Who) == 0 {
		k.add(line, "binds.who names nobody")
	}
	k.allOf(line, "binds.who", b.Who, cardWho)
	k.allOf(line, "binds.sponsors", b.Sponsors, cardSponsors)
	k.allOf(line, "binds.needs", b.Needs, cardNeeds)
	k.oneOf(line, "binds.audience", b.Audience, cardAudiences)
}

func (k *cardChecker) citation(line int, src Source, cite string) {
	parsed, err := audit.ParseCitation(cite)
	switch {
	case cite == "":
		k.add(line, "the citation is missing")
	case err != nil:
		k.add(line, "%q is not a citation", cite)
	case parsed.String() != cite:
		k.add(line, "%q is spelt %q", cite, parsed)
	case !belongs(cite, src.Part):
		k.add(line, "%s does not belong to %s", cite, src.Part)
	}
}

// belongs says whether a citation is the part or begins with it and goes on
// with a level of its own.
func belongs(cite, part string) bool {
	rest, ok := strings.CutPrefix(cite, part)
	return ok && (rest == "" || strings.ContainsAny(rest[:1], "(. "))
}

func (k *cardChecker) oneOf(line int, name, value string, allowed []string) {
	if value != "" && !slices.Contains(allowed, value) || value == "" && !strings.HasPrefix(name, "source.") {
		k.add(line, "%s is %q; it takes one of %v", name, value, allowed)
	}
}

func (k *cardChecker) allOf(line int, name string, values, allowed []string) {
	for _, v := range values {
		if !slices.Contains(allowed, v) {
			k.add(line, "%s has %q; it takes %v", name, v, allowed)
		}
	}
}

func (k *cardChecker) date(line int, name, value string) {
	if value == "" {
		return
	}
	if _, err := time.Parse(time.DateOnly, value); err != nil {
		k.add(line, "%s is %q, not a date such as 2026-03-01", name, value)
	}
}
