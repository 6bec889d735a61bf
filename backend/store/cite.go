package store

import (
	"strings"
	"unicode"

	"veristream/backend/audit"
)

// citeToken spells a citation as one token of the full-text index:
// "12 CFR 1026.54(b)" is c_12_cfr_1026_54_b_0. The digit at its end keeps the
// stemmer off: it only takes suffixes of letters.
func citeToken(c audit.Citation) string { return facetToken("c_", c.String()) }

// The facets of a passage that are tokens of the full-text index.
const (
	facetCorpus    = "f_corpus_"
	facetKind      = "f_kind_"
	facetRegulator = "f_regulator_"
)

// facetToken spells a value as one token, which begins with what it is.
func facetToken(of, value string) string {
	var b strings.Builder
	b.WriteString(of)
	gap := false
	for _, r := range strings.ToLower(value) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if gap && b.Len() > len(of) {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
			continue
		}
		gap = true
	}
	b.WriteString("_0")
	return b.String()
}

// paragraph is a citation that a passage answers to.
type paragraph struct {
	citation audit.Citation
	own      bool // it is in the passage, not only above it
}

// paragraphs gives what a passage holds, with all parents, each once.
func paragraphs(p audit.Passage) []paragraph {
	var out []paragraph
	at := map[string]int{}
	add := func(c audit.Citation, own bool) {
		key := c.String()
		if i, ok := at[key]; ok {
			out[i].own = out[i].own || own
			return
		}
		at[key] = len(out)
		out = append(out, paragraph{c, own})
	}
	for _, text := range append([]string{p.Citation}, p.Citations...) {
		c, err := audit.ParseCitation(text)
		if err != nil {
			continue // a document's section has no citation of this grammar
		}
		add(c, true)
		for _, up := range c.Parents() {
			add(up, false)
		}
		if part, ok := partOf(c); ok {
			add(part, false)
		}
	}
	return out
}

// partOf gives the part of the CFR in which a section stands.
func partOf(c audit.Citation) (audit.Citation, bool) {
	part, _, ok := strings.Cut(c.Section, ".")
	if c.Code != audit.CodeCFR || !ok {
		return audit.Citation{}, false
	}
	return audit.Citation{Code: c.Code, Title: c.Title, Section: part}, true
}
