package finder

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// regulators are those that the program has rules of, whether installed or not.
var regulators = []string{"FTC", "SEC", "FINRA", "CFPB", "FinCEN"}

// Known holds a filter against what there is. A name in other letters is
// written as it is known; one that nothing has is a usage error that names the
// known ones: it would find nothing, which reads as if there were nothing to find.
func (f *Finder) Known(ctx context.Context, filter audit.Filter) (audit.Filter, error) {
	if len(filter.Regulators) == 0 && len(filter.Sources) == 0 && len(filter.Corpora) == 0 {
		return filter, nil
	}
	of, sources := slices.Clone(regulators), []string{}
	for _, s := range f.Cards.Sources {
		of, sources = append(of, s.Regulator), append(sources, s.ID)
	}
	texts, err := f.Store.Texts(ctx)
	if err != nil {
		return filter, fmt.Errorf("list the installed texts: %w", err)
	}
	for _, t := range texts {
		of, sources = append(of, t.Regulator), append(sources, t.ID)
	}
	documents, err := f.Store.Documents(ctx)
	if err != nil {
		return filter, fmt.Errorf("list the documents: %w", err)
	}
	for _, d := range documents {
		sources = append(sources, d.ID)
	}
	for _, c := range []struct {
		what, hint    string
		values, known []string
		to            *[]string
	}{
		{"corpus", "", filter.Corpora, []string{audit.CorpusRules, audit.CorpusCards, audit.CorpusDocuments}, &filter.Corpora},
		{"regulator", "", filter.Regulators, of, &filter.Regulators},
		{"source", " See: veristream regs list, veristream docs list", filter.Sources, sources, &filter.Sources},
	} {
		var out []string
		for _, v := range c.values {
			i := slices.IndexFunc(c.known, func(k string) bool { return strings.EqualFold(k, v) })
			if i < 0 {
				return filter, audit.Errorf(audit.CodeUsage, "There is no %s %q. Known are: %s.%s", c.what, v, named(c.known), c.hint)
			}
			out = append(out, c.known[i])
		}
		*c.to = out
	}
	return filter, nil
}

// named lists names, each once, the first dozen of them.
func named(names []string) string {
	const most = 12
	var out []string
	for _, n := range names {
		if n != "" && !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	if n := len(out) - most; n > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(out[:most], ", "), n)
	}
	return strings.Join(out, ", ")
}
