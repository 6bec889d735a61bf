package retrieve_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/audit/audittest"
	"veristream/backend/retrieve"
)

// memory is an index in memory: it scores a passage by the words in common.
type memory struct {
	passages []audit.Passage
	vectors  [][]float32
	err      error
}

func (m *memory) match(p audit.Passage, f audit.Filter) bool {
	if p.Meta["role"] == "parent" {
		return false
	}
	if len(f.Corpora) > 0 && !slices.Contains(f.Corpora, p.Corpus) ||
		len(f.Regulators) > 0 && !slices.Contains(f.Regulators, p.Regulator) ||
		len(f.Kinds) > 0 && !slices.Contains(f.Kinds, p.Kind) {
		return false
	}
	return len(f.Within) == 0 || slices.ContainsFunc(f.Within, func(c audit.Citation) bool { return holds(p, c, true) })
}

func holds(p audit.Passage, c audit.Citation, within bool) bool {
	for _, text := range append([]string{p.Citation}, p.Citations...) {
		own, err := audit.ParseCitation(text)
		if err != nil {
			continue
		}
		part, _, _ := strings.Cut(own.Section, ".")
		if own.Equal(c) || within && (own.Within(c) || c.Section == part) {
			return true
		}
	}
	return false
}

func top(scores map[int64]float64, k int) []audit.ScoredID {
	var out []audit.ScoredID
	for id, s := range scores {
		if s > 0 {
			out = append(out, audit.ScoredID{ID: id, Score: s})
		}
	}
	slices.SortFunc(out, func(a, b audit.ScoredID) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID)) })
	return out[:min(k, len(out))]
}

func (m *memory) SearchBM25(_ context.Context, q audit.LexicalQuery, f audit.Filter, k int) ([]audit.ScoredID, error) {
	scores := map[int64]float64{}
	for _, p := range m.passages {
		if !m.match(p, f) {
			continue
		}
		text := strings.ToLower(p.Text() + " " + p.Extra)
		for _, w := range append(slices.Clone(q.Words), q.Phrases...) {
			if strings.Contains(text, strings.ToLower(w)) {
				scores[p.ID]++
			}
		}
		for _, c := range q.Citations {
			if holds(p, c, true) {
				scores[p.ID]++
			}
		}
	}
	return top(scores, k), m.err
}

func (m *memory) SearchDense(_ context.Context, _ string, v []float32, f audit.Filter, k int) ([]audit.ScoredID, error) {
	scores := map[int64]float64{}
	for i, p := range m.passages {
		if m.match(p, f) {
			scores[p.ID] = cosine(m.vectors[i], v)
		}
	}
	return top(scores, k), m.err
}

func (m *memory) Cosines(_ context.Context, _ string, v []float32, ids []int64) (map[int64]float64, error) {
	out := map[int64]float64{}
	for i, p := range m.passages {
		if slices.Contains(ids, p.ID) {
			out[p.ID] = cosine(m.vectors[i], v)
		}
	}
	return out, m.err
}

func cosine(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func (m *memory) Passages(_ context.Context, ids []int64) ([]audit.Passage, error) {
	var out []audit.Passage
	for _, id := range ids {
		for _, p := range m.passages {
			if p.ID == id {
				out = append(out, p)
			}
		}
	}
	return out, m.err
}

func (m *memory) Citations(ctx context.Context, ids []int64) (map[int64]string, error) {
	out := map[int64]string{}
	found, err := m.Passages(ctx, ids)
	for _, p := range found {
		out[p.ID] = p.Citation
	}
	return out, err
}

func (m *memory) PassagesByCitation(_ context.Context, c audit.Citation, within bool, f audit.Filter) ([]audit.Passage, error) {
	var out []audit.Passage
	for _, p := range m.passages {
		if holds(p, c, within) && m.match(p, f) {
			out = append(out, p)
		}
	}
	return out, m.err
}

func (m *memory) PassagesByCitations(ctx context.Context, cs []audit.Citation, f audit.Filter) (map[string][]audit.Passage, error) {
	out := map[string][]audit.Passage{}
	for _, c := range cs {
		held, err := m.PassagesByCitation(ctx, c, false, f)
		if err != nil {
			return nil, err
		}
		slices.SortStableFunc(held, func(a, b audit.Passage) int { return cmp.Compare(b.Corpus, a.Corpus) })
		out[c.String()] = held
	}
	return out, nil
}

func (m *memory) Covers(_ context.Context, c audit.Citation) (bool, error) {
	return slices.ContainsFunc(m.passages, func(p audit.Passage) bool { return holds(p, c, true) }), m.err
}

// rule makes a passage of invented official text.
func rule(citation string, kind audit.Kind, title, body string) audit.Passage {
	regulator := audit.FTC
	if strings.Contains(citation, "1026") {
		regulator = "CFPB"
	}
	return audit.Passage{
		Corpus: audit.CorpusRules, Source: "text", Regulator: regulator, Kind: kind, Citation: citation,
		Citations: []string{citation}, Title: title,
		Header: "[" + regulator + " " + citation + " - " + title + " | Type: " + string(kind) + "]", Body: body,
	}
}

func card(citation, title, body, extra string) audit.Passage {
	p := rule(citation, audit.KindCard, title, body)
	p.Corpus, p.Source, p.Extra = audit.CorpusCards, "cards", extra
	return p
}

func index(t *testing.T, passages ...audit.Passage) *memory {
	t.Helper()
	m := &memory{passages: passages}
	var texts []string
	for i := range m.passages {
		m.passages[i].ID = int64(i + 1)
		texts = append(texts, m.passages[i].Text())
	}
	var err error
	if m.vectors, err = (audittest.Embedder{}).Embed(t.Context(), audit.RolePassage, texts); err != nil {
		t.Fatal(err)
	}
	return m
}

func sample(t *testing.T) *memory {
	return index(t,
		rule("16 CFR 255.5(a)", audit.KindRule, "Material ties", "An endorser who is paid by the seller says so clearly. See paragraph (b) of this section."),
		rule("16 CFR 255.5(b)", audit.KindRule, "Manner", "What is said must be hard to miss."),
		rule("16 CFR 255.0(b)", audit.KindDefinition, "Definitions", "Endorsement means a message that people take for another's opinion."),
		rule("16 CFR 255.1(a)", audit.KindRule, "Honest opinions", "An endorsement states an honest opinion."),
		card("16 CFR 255.5(a)", "Say that you are paid", "A paid endorser has to tell.", "they gave me the phone for free"),
		rule("12 CFR 1026.54(a)(1)", audit.KindRule, "Limits", "A card issuer must not charge for earlier cycles."),
		rule("12 CFR 1026.54(b)", audit.KindException, "Exceptions", "Paragraph (a) does not apply after a dispute."),
		rule("Comment 1026.54(b)-1", audit.KindCommentary, "Disputes", "A dispute begins with a letter to the issuer."),
		rule("Comment 1026.54(b)-2", audit.KindCommentary, "Returned payments", "A returned payment is no dispute."),
	)
}

func options() retrieve.Options {
	o := retrieve.Defaults()
	o.Refusal.Least, o.Refusal.PlainLeast = -100, -100 // the fakes' scores mean nothing
	return o
}

func search(t *testing.T, m *memory, q retrieve.Query) retrieve.Result {
	t.Helper()
	s := retrieve.New(m, audittest.Embedder{}, audittest.Reranker{}, options())
	r, err := s.Search(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	for i, h := range r.Hits {
		if h.Rank != i+1 {
			t.Errorf("hit %d has rank %d", i+1, h.Rank)
		}
	}
	return r
}

func citations(r retrieve.Result) []string {
	var out []string
	for _, h := range r.Hits {
		out = append(out, h.Passage.Citation)
	}
	return out
}

func TestCitedParagraphComesFirst(t *testing.T) {
	m := sample(t)
	for query, want := range map[string]string{
		"What does § 1026.54(b) say about honest opinions?": "12 CFR 1026.54(b)",
		"comment 54(b)-2": "Comment 1026.54(b)-2",
		"16 CFR 255.5(a)": "16 CFR 255.5(a)",
		"explain section 255.1(a) to a paid endorser":        "16 CFR 255.1(a)",
		"12 CFR 1026.54(b)(9), which the text does not have": "12 CFR 1026.54(b)",
		"12 CFR 1026.54(a), which it has only in its pieces": "12 CFR 1026.54(a)(1)",
	} {
		r := search(t, m, retrieve.Query{Text: query})
		if r.Refused || len(r.Hits) == 0 || r.Hits[0].Passage.Citation != want || !r.Hits[0].Pinned {
			t.Errorf("%q: got %q (refused %v: %s), want %s pinned first", query, citations(r), r.Refused, r.Reason, want)
		}
	}
	r := search(t, m, retrieve.Query{Text: "12 CFR 1026.54(b)"})
	for _, want := range []string{"Comment 1026.54(b)-1", "Comment 1026.54(b)-2"} {
		if !slices.Contains(citations(r), want) {
			t.Errorf("the comments do not come with the paragraph: %q", citations(r))
		}
	}
	r = search(t, m, retrieve.Query{Text: "Compare 255.5(a) with 1026.54(b)"})
	if got := citations(r); len(got) < 2 || got[0] != "16 CFR 255.5(a)" || got[1] != "12 CFR 1026.54(b)" {
		t.Errorf("two citations: %q", got)
	}
}

func TestCardAndTextAreOneResult(t *testing.T) {
	r := search(t, sample(t), retrieve.Query{Text: "Does a paid endorser have to tell?"})
	n := 0
	for _, h := range r.Hits {
		if h.Passage.Citation == "16 CFR 255.5(a)" {
			n++
			if h.Passage.Corpus != audit.CorpusRules || h.Card == nil {
				t.Errorf("the official text is not shown with its card: %+v", h)
			}
		}
	}
	if n != 1 || r.Hits[0].Passage.Citation != "16 CFR 255.5(a)" {
		t.Errorf("the paragraph is there %d times: %q", n, citations(r))
	}
	r = search(t, sample(t), retrieve.Query{Text: "phone for free", Filter: audit.Filter{Corpora: []string{audit.CorpusCards}}})
	if len(r.Hits) != 1 || r.Hits[0].Passage.Kind != audit.KindCard {
		t.Errorf("cards alone: %q", citations(r))
	}
}

func TestCardsAlone(t *testing.T) {
	m := index(t, card("16 CFR 255.5(a)", "Say that you are paid", "A paid endorser has to tell.", ""))
	r := search(t, m, retrieve.Query{Text: "paid endorser"})
	if len(r.Hits) != 1 || r.Hits[0].Passage.Kind != audit.KindCard || r.Hits[0].Card != nil {
		t.Errorf("got %+v", r.Hits)
	}
}

func TestReferencesAreFetched(t *testing.T) {
	r := search(t, sample(t), retrieve.Query{Text: "says clearly that seller paid", Top: 3})
	if !slices.Contains(citations(r), "16 CFR 255.5(b)") {
		t.Errorf("paragraph (b), to which the first result refers, is missing: %q", citations(r))
	}
	r = search(t, sample(t), retrieve.Query{Text: "is an endorsement paid by the seller", Top: 4})
	if !slices.Contains(citations(r), "16 CFR 255.0(b)") {
		t.Errorf("the definition is missing: %q", citations(r))
	}
}

func TestRuleTextIsNotCrowdedOut(t *testing.T) {
	var all []audit.Passage
	for _, n := range []string{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"} {
		all = append(all, rule("Comment 1026.13(a)-"+n, audit.KindCommentary, "Billing error", "A billing error on a statement, error and billing, again billing error."))
	}
	all = append(all,
		rule("12 CFR 1026.13(a)", audit.KindRule, "Definition", "An error."),
		rule("12 CFR 1026.13(b)", audit.KindRule, "Notice", "A billing notice."),
		rule("12 CFR 1026.13(c)", audit.KindRule, "Time", "An error is resolved."),
	)
	r := search(t, index(t, all...), retrieve.Query{Text: "billing error statement"})
	n := 0
	for _, h := range r.Hits {
		if h.Passage.Kind == audit.KindRule {
			n++
		}
	}
	if len(r.Hits) != 10 || n < 3 {
		t.Errorf("%d of %d results are rule text: %q", n, len(r.Hits), citations(r))
	}
}

func TestRefusals(t *testing.T) {
	m := sample(t)
	for query, want := range map[string]string{
		"What does 12 CFR 1003.4(a) require?":   "1003.4(a)",
		"What does Part 1003 require?":          "Part 1003",
		"Which records does HMDA ask for?":      "HMDA",
		"Does the GDPR apply to my newsletter?": "GDPR",
		"What is in Reg DD about interest?":     "Reg DD",
		"FINRA Rule 3110(a)":                    "FINRA 3110(a)",
		"":                                      "no question",
	} {
		r := search(t, m, retrieve.Query{Text: query})
		if !r.Refused || !strings.Contains(r.Reason, want) {
			t.Errorf("%q: refused %v, %q; want %q in the reason", query, r.Refused, r.Reason, want)
		}
	}
	for _, query := range []string{
		"Does Reg Z limit charges as the FCRA does?", "compare 12 CFR 1003.4 with 16 CFR 255.5(a)", "what is in part 1026",
		"regulation a bank follows on disputes", "in 30 sec of video", "the arm of the endorser",
	} {
		if r := search(t, m, retrieve.Query{Text: query}); r.Refused {
			t.Errorf("%q was refused: %s", query, r.Reason)
		}
	}
	s := retrieve.New(m, audittest.Embedder{}, audittest.Reranker{}, func() retrieve.Options {
		o := options()
		o.Refusal.Least = 100
		return o
	}())
	r, err := s.Search(t.Context(), retrieve.Query{Text: "paid endorser"})
	if err != nil || !r.Refused || r.Reason == "" {
		t.Errorf("below the line: %+v, %v", r, err)
	}
	if r, err = s.Search(t.Context(), retrieve.Query{Text: "paid endorser", NoRefuse: true}); err != nil || r.Refused || len(r.Hits) == 0 {
		t.Errorf("NoRefuse: %+v, %v", r, err)
	}
}

// A trade's shorthand is near to nothing: before it is refused it is asked again,
// written out.
func TestShorthandIsWrittenOut(t *testing.T) {
	m := index(t, rule("FINRA 2210(b)", audit.KindRule, "Letters", "A broker-dealer that is a member keeps its letters."))
	o := options()
	o.Refusal = retrieve.Refusal{Overlap: 1, Least: 0.5}
	s := retrieve.New(m, audittest.Embedder{}, audittest.Reranker{}, o)
	for query, refused := range map[string]bool{"duty of a BD": false, "a BD's duty": false, "duty of an XQ": true, "duty of a bd": true, "duty of a CTR": true} {
		r, err := s.Search(t.Context(), retrieve.Query{Text: query})
		if err != nil || r.Refused != refused {
			t.Errorf("%q: refused %v, %d hits, %v", query, r.Refused, len(r.Hits), err)
		}
	}
}

func TestWithoutModels(t *testing.T) {
	m := sample(t)
	for _, tt := range []struct {
		name          string
		s             *retrieve.Searcher
		q             retrieve.Query
		rerank, dense string
	}{
		{"both", retrieve.New(m, audittest.Embedder{}, audittest.Reranker{}, options()), retrieve.Query{}, "fake", "fake"},
		{"no reranker", retrieve.New(m, audittest.Embedder{}, nil, options()), retrieve.Query{}, retrieve.NotInstalled, "fake"},
		{"none", retrieve.New(m, nil, nil, options()), retrieve.Query{}, retrieve.NotInstalled, retrieve.NotInstalled},
		{"off", retrieve.New(m, audittest.Embedder{}, audittest.Reranker{}, options()), retrieve.Query{NoRerank: true}, retrieve.Off, "fake"},
		{"words", retrieve.New(m, audittest.Embedder{}, audittest.Reranker{}, options()), retrieve.Query{BM25Only: true}, retrieve.Off, retrieve.Off},
		{"vectors", retrieve.New(m, audittest.Embedder{}, audittest.Reranker{}, options()), retrieve.Query{DenseOnly: true}, retrieve.Off, "fake"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.q.Text = "paid endorser says so"
			r, err := tt.s.Search(t.Context(), tt.q)
			if err != nil || r.Rerank != tt.rerank || r.Dense != tt.dense || len(r.Hits) == 0 {
				t.Fatalf("got rerank %q, dense %q, %d hits, %v", r.Rerank, r.Dense, len(r.Hits), err)
			}
			if reread := r.Hits[0].Scores.Rerank != nil; reread != (tt.rerank == "fake") {
				t.Errorf("the rerank score is there: %v", reread)
			}
		})
	}
}

func TestParentIsReadOnce(t *testing.T) {
	parent := audit.Passage{Corpus: audit.CorpusDocuments, Source: "10-k", Header: "[10-K Item 1A]", Body: "Risks of many kinds, with liquidity among them, and funding too.", Kind: audit.KindDocument, Meta: map[string]string{"role": "parent"}}
	child := func(body string) audit.Passage {
		p := parent
		p.Body, p.ParentID, p.Meta = body, 1, nil
		return p
	}
	m := index(t, parent, child("liquidity among them"), child("and funding too with liquidity"))
	r := search(t, m, retrieve.Query{Text: "liquidity funding", Filter: audit.Filter{Corpora: []string{audit.CorpusDocuments}}})
	if len(r.Hits) != 1 || r.Hits[0].Passage.ID != 1 || !strings.Contains(r.Hits[0].Matched, "liquidity") {
		t.Errorf("got %+v, want the parent, once, with the part that was found", r.Hits)
	}
}

func TestSectionGistsNameSectionsInPlainWords(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range retrieve.SectionGists() {
		if seen[p.Citation] || p.Title == "" || p.Extra == "" {
			t.Errorf("%s is there twice or says nothing", p.Citation)
		}
		seen[p.Citation] = true
	}
	if len(seen) < 100 {
		t.Errorf("%d sections", len(seen))
	}
}

func TestAsksArePlainQuestionsOfOneParagraph(t *testing.T) {
	cited := map[string]bool{}
	for _, p := range retrieve.Asks() {
		if cited[p.Citation] {
			t.Errorf("%s is there twice", p.Citation)
		}
		cited[p.Citation] = true
		for question := range strings.SplitSeq(strings.TrimSuffix(p.Body+"\n"+p.Extra, "\n"), "\n") { // some have one only
			if strings.TrimSpace(question) != question || len(question) < 8 || strings.ContainsAny(question, "|\t") || strings.Contains(question, "CFR") {
				t.Errorf("%s asks %q", p.Citation, question)
			}
		}
	}
	if len(cited) < 2000 {
		t.Errorf("%d paragraphs", len(cited))
	}
}

func TestWhatIsNamedComesFirst(t *testing.T) {
	for query, want := range map[string][]string{
		"comment 54(b)-1": {"Comment 1026.54(b)-1", "12 CFR 1026.54(b)"},
		"What does section 255.5 ask of an endorser?": {"16 CFR 255.5(a)", "16 CFR 255.5(b)"},
		"What does the CFPB say of disputes?":         {"12 CFR 1026.54(b)", "Comment 1026.54(b)-1", "Comment 1026.54(b)-2", "12 CFR 1026.54(a)(1)"},
	} {
		got := citations(search(t, sample(t), retrieve.Query{Text: query}))
		first := slices.Clone(got[:min(len(got), len(want))])
		slices.Sort(first)
		slices.Sort(want)
		if !slices.Equal(first, want) {
			t.Errorf("%q: got %q, want %q first", query, got, want)
		}
	}
}

func TestOnlyACitation(t *testing.T) {
	for _, query := range []string{"section 255.5", "What does 16 CFR 255.5 say?", "summarise 255.5(a)"} {
		for _, c := range citations(search(t, sample(t), retrieve.Query{Text: query})) {
			if !strings.HasPrefix(c, "16 CFR 255.5") {
				t.Errorf("%q: got %s", query, c)
			}
		}
	}
	if got := citations(search(t, sample(t), retrieve.Query{Text: "does 255.5 stop a card issuer from charges for earlier cycles"})); !slices.Contains(got, "12 CFR 1026.54(a)(1)") {
		t.Errorf("got %q: what the question says besides counts, too", got)
	}
}

func TestAskLeadsToItsParagraph(t *testing.T) {
	ask := func(citation, question string) audit.Passage {
		return audit.Passage{Corpus: audit.CorpusAsks, Source: audit.CorpusAsks, Kind: audit.KindCard, Citation: citation, Citations: []string{citation}, Body: question}
	}
	m := sample(t)
	m = index(t, append(m.passages,
		ask("12 CFR 1026.54(a)(1)", "they billed me twice over a month that was settled"),
		ask("12 CFR 1003.1", "they billed me twice over a month that was settled long ago"))...)
	r := search(t, m, retrieve.Query{Text: "they billed me twice over a month that was settled"})
	// Its words stand in no text: without the question it would be the last.
	if at := slices.Index(citations(r), "12 CFR 1026.54(a)(1)"); at < 0 || at > 1 || r.Hits[at].Passage.Corpus != audit.CorpusRules {
		t.Fatalf("got %v, want the paragraph that answers the question near the top", citations(r))
	}
	only := search(t, m, retrieve.Query{Text: "they billed me twice", Filter: audit.Filter{Kinds: []audit.Kind{audit.KindCommentary}}})
	for _, h := range only.Hits {
		if h.Passage.Kind != audit.KindCommentary {
			t.Errorf("%s is of kind %s, which was not asked for", h.Passage.Citation, h.Passage.Kind)
		}
	}
	if r.Near.Asked < 0.9 {
		t.Errorf("the question is %.2f near the known one", r.Near.Asked)
	}
	for _, h := range r.Hits {
		if h.Passage.Corpus == audit.CorpusAsks || h.Passage.Citation == "12 CFR 1003.1" {
			t.Errorf("%s of %s is a result", h.Passage.Citation, h.Passage.Corpus)
		}
	}
}

func TestRulesOfTheUsersOwnAreNotRefused(t *testing.T) {
	const question = "must a creditor tell an applicant why he was turned down"
	own := rule("12 CFR 1002.9(a)(2)", audit.KindRule, "Reasons", "A creditor must tell an applicant why he was turned down.")
	for _, tt := range []struct {
		name  string
		m     *memory
		paper bool
	}{
		{"of another part, which only the user has", index(t, append(sample(t).passages, own)...), true},
		{"of a part that has questions, but none is in the index", sample(t), true},
	} {
		r := search(t, tt.m, retrieve.Query{Text: question})
		if r.Near.Paper != tt.paper {
			t.Errorf("%s: got %+v", tt.name, r.Near)
		}
	}
	m := sample(t)
	m = index(t, append(m.passages, audit.Passage{
		Corpus: audit.CorpusAsks, Source: audit.CorpusAsks, Kind: audit.KindCard,
		Citation: "16 CFR 255.5(a)", Citations: []string{"16 CFR 255.5(a)"}, Body: "may my friends pay me to tell about it",
	})...)
	if r := search(t, m, retrieve.Query{Text: "an endorser who is paid by the seller says so"}); r.Near.Paper {
		t.Errorf("a question on a part that has questions: got %+v", r.Near)
	}
}

func TestFailuresAreTold(t *testing.T) {
	m := sample(t)
	m.err = errors.New("disk gone")
	s := retrieve.New(m, audittest.Embedder{}, audittest.Reranker{}, options())
	if _, err := s.Search(t.Context(), retrieve.Query{Text: "paid"}); !errors.Is(err, m.err) {
		t.Errorf("got %v", err)
	}
	m.err = nil
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Search(ctx, retrieve.Query{Text: "paid"}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func FuzzSearch(f *testing.F) {
	for _, s := range []string{"16 CFR 255.5(a)-(c)", "§§ 1026.54(b), (c) and 1026.55", "comment 54(a)(1)-2.i and \xff", "APR [SEP] \x00 \"NEAR(\"", "規則"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, query string) {
		m := sample(t)
		s := retrieve.New(m, audittest.Embedder{}, audittest.Reranker{}, options())
		r, err := s.Search(t.Context(), retrieve.Query{Text: query})
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Hits) > 10 {
			t.Fatalf("%d hits", len(r.Hits))
		}
	})
}
