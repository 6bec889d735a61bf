package cli

import (
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"veristream/backend/audit"
)

// filterFlags narrow what is searched, before it is searched.
type filterFlags struct {
	corpora, regulators, sources []string
	within, kinds                []string
	meta                         map[string]string
	asOf                         string
}

func (f *filterFlags) register(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.corpora, "corpus", nil, "rules, cards, documents (all)")
	flags.StringSliceVar(&f.regulators, "regulator", nil, "FTC, SEC, FINRA, CFPB, FinCEN (all)")
	flags.StringArrayVar(&f.within, "within", nil, "part, section or paragraph, as in --within \"12 CFR 1026\" (repeat for several)")
	flags.StringSliceVar(&f.kinds, "type", nil, "rule, definition, exception, example, commentary, table, appendix, card, document ... (all)")
	flags.StringSliceVar(&f.sources, "source", nil, "ids of texts or documents (all)")
	flags.StringToStringVar(&f.meta, "meta", nil, "metadata of documents, as in --meta year=2025,control_id=ac-2")
	flags.StringVar(&f.asOf, "as-of", "", "date of the texts, YYYY-MM-DD (today)")
}

// filter checks the flags and makes a filter of them.
func (f *filterFlags) filter() (audit.Filter, error) {
	out := audit.Filter{Corpora: f.corpora, Regulators: f.regulators, Sources: f.sources, AsOf: f.asOf}
	if err := checkDate(f.asOf); err != nil {
		return out, err
	}
	for _, c := range f.corpora {
		if all := []string{audit.CorpusRules, audit.CorpusCards, audit.CorpusDocuments}; !slices.Contains(all, c) {
			return out, audit.Errorf(audit.CodeUsage, "--corpus takes %s, not %q.", strings.Join(all, ", "), c)
		}
	}
	for _, w := range f.within {
		c, err := audit.ParseCitation(w)
		if err != nil {
			return out, err
		}
		out.Within = append(out.Within, c)
	}
	for _, k := range f.kinds {
		if !slices.Contains(audit.Kinds, audit.Kind(k)) {
			var names []string
			for _, kind := range audit.Kinds {
				names = append(names, string(kind))
			}
			return out, audit.Errorf(audit.CodeUsage, "--type takes %s, not %q.", strings.Join(names, ", "), k)
		}
		out.Kinds = append(out.Kinds, audit.Kind(k))
	}
	for k, v := range f.meta {
		if out.Meta == nil {
			out.Meta = map[string][]string{}
		}
		out.Meta[k] = []string{v}
	}
	return out, nil
}
