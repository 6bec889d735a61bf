package retrieve

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// linkFrom is how many of the first results are read for references.
const linkFrom = 4

// reRelative finds "paragraph (b)(2) of this section": the markers are
// relative to the section of the text in which they stand.
var reRelative = regexp.MustCompile(`(?i)\bparagraphs?\s+((?:\([A-Za-z0-9]{1,5}\))+)`)

// link fetches what the first results refer to: paragraphs that they cite and
// the definition of a term of the question that they use. They take the last
// places, or the places of results that are already there are kept.
func (s *Searcher) link(ctx context.Context, q Query, u understanding, chosen, pool []*candidate) ([]*candidate, error) {
	have := map[string]bool{}
	for _, c := range chosen {
		have[c.key] = true
	}
	var extra []*candidate
	for _, c := range chosen[:min(linkFrom, len(chosen))] {
		if c.text == nil || c.text.Corpus != audit.CorpusRules {
			continue
		}
		for _, ref := range references(*c.text) {
			if len(extra) >= s.opts.Links {
				break
			}
			linked, err := s.fetch(ctx, q, ref, have, pool)
			if err != nil {
				return nil, err
			}
			if linked != nil {
				linked.why = append(linked.why, c.text.Citation+" refers to it")
				extra = append(extra, linked)
			}
		}
	}
	if len(extra) < s.opts.Links && len(chosen) > 0 && len(q.Filter.Kinds) == 0 {
		def, err := s.definition(ctx, q, u, chosen[0], have, pool)
		if err != nil {
			return nil, err
		}
		if def != nil {
			extra = append(extra, def)
		}
	}
	keep := chosen[:min(len(chosen), max(q.Top-len(extra), 1))]
	return append(slices.Clone(keep), extra...), nil
}

// fetch gives the candidate of a paragraph that is not among the results yet.
func (s *Searcher) fetch(ctx context.Context, q Query, ref audit.Citation, have map[string]bool, pool []*candidate) (*candidate, error) {
	f := q.Filter
	f.Corpora, f.Within = []string{audit.CorpusRules}, nil
	found, err := s.index.PassagesByCitation(ctx, ref, false, f)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	p := shown(found)[0]
	key := paragraphKey(p)
	if have[key] {
		return nil, nil
	}
	have[key] = true
	for _, c := range pool {
		if c.key == key {
			return c, nil
		}
	}
	return &candidate{key: key, text: &p, ranks: map[string]int{}}, nil
}

// references gives the paragraphs that a text refers to, without those that it
// holds itself or stands in.
func references(p audit.Passage) []audit.Citation {
	home, err := audit.ParseCitation(p.Citation)
	if err != nil {
		return nil
	}
	var out []audit.Citation
	add := func(c audit.Citation) {
		if !home.Within(c) && !c.Within(home) && !slices.Contains(p.Citations, c.String()) {
			out = appendNew(out, c)
		}
	}
	var cited []audit.FoundCitation
	if mayCite(p.Body) {
		cited = audit.FindCitations(p.Body)
	}
	for _, f := range cited {
		if len(f.Citation.Path) > 0 || len(f.Citation.Comment) > 0 {
			add(f.Citation)
		}
	}
	if len(home.Comment) == 0 {
		for _, m := range reRelative.FindAllStringSubmatch(p.Body, -1) {
			c := home.SectionCitation()
			c.Path = strings.FieldsFunc(m[1], func(r rune) bool { return r == '(' || r == ')' })
			add(c)
		}
	}
	return out
}

// mayCite says whether a text can hold a citation of another section: a look
// that costs next to nothing, before one that tries every form.
func mayCite(text string) bool {
	for _, sign := range []string{"§", "CFR", "FINRA", "omment ", "206(4)"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	digit := func(b byte) bool { return b >= '0' && b <= '9' }
	for i := 1; i+1 < len(text); i++ { // 1026.5
		if text[i] == '.' && digit(text[i-1]) && digit(text[i+1]) {
			return true
		}
	}
	return false
}

// definition gives the definition of a term of the question that stands in the
// same part as the best result.
func (s *Searcher) definition(ctx context.Context, q Query, u understanding, best *candidate, have map[string]bool, pool []*candidate) (*candidate, error) {
	home, err := audit.ParseCitation(best.passage().Citation)
	if err != nil || len(u.words) == 0 {
		return nil, nil //nolint:nilerr // a document's section has no definitions of its own
	}
	part, _, _ := strings.Cut(home.Section, ".")
	f := audit.Filter{
		Corpora: []string{audit.CorpusRules}, Kinds: []audit.Kind{audit.KindDefinition},
		Within: []audit.Citation{{Code: home.Code, Title: home.Title, Section: part}}, AsOf: q.Filter.AsOf,
	}
	if home.Code != audit.CodeCFR {
		f.Within[0].Section = home.Section
	}
	hits, err := s.index.SearchBM25(ctx, audit.LexicalQuery{Words: u.words, Phrases: u.phrases, Weights: s.opts.Columns}, f, 3)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, h := range hits {
		ids = append(ids, h.ID)
	}
	found, err := s.index.Passages(ctx, ids)
	if err != nil {
		return nil, err
	}
	text := strings.ToLower(u.text)
	for _, p := range found {
		term := definedTerm(p)
		key := paragraphKey(p)
		if term == "" || have[key] || !strings.Contains(text, term) {
			continue
		}
		have[key] = true
		why := "it defines " + term
		for _, c := range pool {
			if c.key == key {
				c.why = append(c.why, why)
				return c, nil
			}
		}
		return &candidate{key: key, text: &p, ranks: map[string]int{}, why: []string{why}}, nil
	}
	return nil, nil
}

var reDefined = regexp.MustCompile(`^(?:\([A-Za-z0-9]{1,5}\)\s*)*(?:The term\s+)?["“]?([A-Za-z][A-Za-z\- ]{2,50}?)["”]?(?:\.|\s+(?:means|includes|consists?)\b)`)

// definedTerm gives the term that a definition begins with, in lower case.
func definedTerm(p audit.Passage) string {
	m := reDefined.FindStringSubmatch(strings.TrimSpace(p.Body))
	if m == nil {
		return ""
	}
	return strings.ToLower(strings.TrimSpace(m[1]))
}
