package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// SearchBM25 finds passages by their words, their phrases and their citations;
// any of them may match. A citation also matches what stands below it.
func (s *Store) SearchBM25(ctx context.Context, q audit.LexicalQuery, f audit.Filter, k int) ([]audit.ScoredID, error) {
	terms, err := s.tellingWords(ctx, quoted(slices.Concat(q.Words, q.Phrases)))
	if err != nil {
		return nil, err
	}
	match := matchExpression(terms, q.Citations)
	if match == "" || k <= 0 {
		return nil, nil
	}
	match, rest := narrowWords(match, f)
	where, args, err := s.where(ctx, rest)
	if err != nil {
		return nil, err
	}
	join := ""
	if where != "" {
		join, where = " JOIN passages p ON p.id = t.rowid", " AND "+where
	}
	rank := fmt.Sprintf("bm25(%g, %g, %g, %g, 0)", q.Weights.Header, q.Weights.Body, q.Weights.Extra, q.Weights.Cites)
	return queryAll(ctx, s, "search words", func(rows *sql.Rows) (h audit.ScoredID, err error) {
		err = rows.Scan(&h.ID, &h.Score)
		h.Score = -h.Score // SQLite's bm25 is better when smaller
		return h, err
	}, `SELECT t.rowid, t.rank FROM passages_fts t`+join+
		` WHERE t.passages_fts MATCH ? AND t.rank MATCH ?`+where+` ORDER BY t.rank LIMIT ?`,
		append(append([]any{match, rank}, args...), k)...)
}

// quoted writes words and phrases as terms of FTS5's language, none of which is
// an operator.
func quoted(words []string) (terms []string) {
	for _, w := range words {
		if w = strings.TrimSpace(strings.ReplaceAll(w, `"`, " ")); w != "" && strings.IndexByte(w, 0) < 0 {
			terms = append(terms, `"`+w+`"`)
		}
	}
	return terms
}

// matchExpression writes a query in FTS5's language (SQLite's documentation,
// "FTS5", section 3).
func matchExpression(terms []string, citations []audit.Citation) string {
	for _, c := range citations {
		terms = append(terms, `cites : "`+citeToken(c)+`"`)
	}
	return strings.Join(terms, " OR ")
}

// narrowWords adds to an expression what the full-text index itself can narrow
// to, and gives the rest of the filter.
func narrowWords(match string, f audit.Filter) (string, audit.Filter) {
	all := "(" + match + ")"
	and := func(tokens []string) {
		if len(tokens) > 0 {
			all += ` AND facets : ("` + strings.Join(tokens, `" OR "`) + `")`
		}
	}
	tokens := func(of string, values []string) (out []string) {
		for _, v := range values {
			out = append(out, facetToken(of, v))
		}
		return out
	}
	if hidden := notAmong(f.Corpora); hidden != nil {
		// Next to everything is let in: it is cheaper to walk what is not.
		all += ` NOT facets : ("` + strings.Join(tokens(facetCorpus, hidden), `" OR "`) + `")`
	} else {
		and(tokens(facetCorpus, f.Corpora))
	}
	and(tokens(facetRegulator, f.Regulators))
	var kinds, within []string
	for _, k := range f.Kinds {
		kinds = append(kinds, string(k))
	}
	and(tokens(facetKind, kinds))
	for _, c := range f.Within {
		within = append(within, citeToken(c))
	}
	and(within)
	f.Corpora, f.Regulators, f.Kinds, f.Within = nil, nil, nil, nil
	return all, f
}

// notAmong gives the few corpora that are left out where all that hold results
// are let in; nil where the choice is narrower.
func notAmong(corpora []string) []string {
	for _, c := range []string{audit.CorpusRules, audit.CorpusCards, audit.CorpusDocuments} {
		if !slices.Contains(corpora, c) {
			return nil
		}
	}
	var out []string
	for _, c := range []string{audit.CorpusSections, audit.CorpusAsks} {
		if !slices.Contains(corpora, c) {
			out = append(out, c)
		}
	}
	return out
}

// PassagesByCitation gives the passages that hold a paragraph and, with
// within, those that hold anything below it, in the order of their texts.
func (s *Store) PassagesByCitation(ctx context.Context, c audit.Citation, within bool, f audit.Filter) ([]audit.Passage, error) {
	if !within {
		held, err := s.PassagesByCitations(ctx, []audit.Citation{c}, f)
		return held[c.String()], err
	}
	where, args, err := s.andWhere(ctx, f)
	if err != nil {
		return nil, err
	}
	return queryAll(ctx, s, "find "+c.String(), scanPassage,
		`SELECT p.id, p.parent_id, p.ord, p.json FROM passages p JOIN passage_citations c ON c.passage_id = p.id
		 WHERE c.citation = ?`+where+` GROUP BY p.id ORDER BY p.corpus DESC, p.source, p.ord`,
		append([]any{c.String()}, args...)...)
}

// PassagesByCitations gives for each of several paragraphs, by its name, the
// passages that hold it, official text first.
func (s *Store) PassagesByCitations(ctx context.Context, cs []audit.Citation, f audit.Filter) (map[string][]audit.Passage, error) {
	if len(cs) == 0 {
		return nil, nil
	}
	where, args, err := s.andWhere(ctx, f)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, c := range cs {
		names = append(names, c.String())
	}
	list, in := in(names)
	type held struct {
		name string
		audit.Passage
	}
	found, err := queryAll(ctx, s, "find paragraphs", func(rows *sql.Rows) (h held, err error) {
		h.Passage, err = scanPassageWith(rows, &h.name)
		return h, err
	}, `SELECT p.id, p.parent_id, p.ord, p.json, c.citation FROM passage_citations c CROSS JOIN passages p ON p.id = c.passage_id
		 WHERE c.own = 1 AND c.citation IN `+list+where+` ORDER BY p.corpus DESC, p.source, p.ord`, append(in, args...)...)
	out := map[string][]audit.Passage{}
	for _, h := range found {
		out[h.name] = append(out[h.name], h.Passage)
	}
	return out, err
}

// Covers says whether anything of a paragraph, or below it, is indexed as a
// card, an official text or a document; a description alone does not count.
func (s *Store) Covers(ctx context.Context, c audit.Citation) (ok bool, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM passage_citations c
		JOIN passages p ON p.id = c.passage_id WHERE c.citation = ? AND p.corpus NOT IN (?, ?))`, c.String(), audit.CorpusSections, audit.CorpusAsks).Scan(&ok)
	return ok, s.fail(ctx, "look for "+c.String(), err)
}

// where writes a filter as conditions on passages p; empty when nothing is
// narrowed.
func (s *Store) where(ctx context.Context, f audit.Filter) (string, []any, error) {
	where, args := narrow(f)
	texts, err := s.Texts(ctx)
	if err != nil {
		return "", nil, err
	}
	if _, superseded := inForce(texts, f.AsOf, s.now()); len(superseded) > 0 {
		list, more := in(superseded)
		if where != "" {
			where += " AND "
		}
		where, args = where+"p.source NOT IN "+list, append(args, more...)
	}
	return where, args, nil
}

// andWhere is where, to stand behind another condition.
func (s *Store) andWhere(ctx context.Context, f audit.Filter) (string, []any, error) {
	where, args, err := s.where(ctx, f)
	if where != "" {
		where = " AND " + where
	}
	return where, args, err
}

// narrow is where without the dates.
func narrow(f audit.Filter) (string, []any) {
	var conds []string
	var args []any
	add := func(column string, list string, more []any) {
		if len(more) > 0 {
			conds, args = append(conds, column+list), append(args, more...)
		}
	}
	for _, c := range []struct {
		column string
		values []string
	}{{"+p.corpus IN ", f.Corpora} /* never by its index: a corpus is half of all */, {"p.regulator IN ", f.Regulators}, {"p.source IN ", f.Sources}} {
		list, more := in(c.values)
		add(c.column, list, more)
	}
	list, more := in(f.Kinds)
	add("p.kind IN ", list, more)
	if len(f.Within) > 0 {
		var names []string
		for _, c := range f.Within {
			names = append(names, c.String())
		}
		list, more := in(names)
		add("p.id IN (SELECT passage_id FROM passage_citations WHERE citation IN ", list+")", more)
	}
	for key, values := range f.Meta {
		list, more := in(values)
		if len(more) > 0 {
			conds = append(conds, "p.id IN (SELECT passage_id FROM passage_meta WHERE key = ? AND value IN "+list+")")
			args = append(append(args, key), more...)
		}
	}
	return strings.Join(conds, " AND "), args
}
