package store_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"veristream/backend/audit"
	"veristream/backend/store"
)

func passage(citation, title, body string) audit.Passage {
	return audit.Passage{
		Regulator: "CFPB", Kind: audit.KindRule, Citation: citation, Citations: []string{citation}, Title: title,
		Header: "[CFPB " + citation + " - " + title + " | Type: rule]", Body: body,
	}
}

// sample is invented text in the shape of a regulation.
func sample() []audit.Passage {
	extra := passage("12 CFR 1026.54(b)", "Exceptions", "Paragraph (a) does not stop a creditor from adjusting a charge after a dispute.")
	extra.Extra = "my card company fixed the interest after I complained"
	return []audit.Passage{
		passage("12 CFR 1026.54(a)(1)", "Limits on charges", "A card issuer must not impose finance charges for days before the latest billing cycle."),
		extra,
		passage("Comment 1026.54(a)(1)-2", "Example", "For example, a balance paid within the grace period bears no charge."),
		passage("12 CFR 1026.55(a)", "Rate increases", "An issuer must not increase an annual percentage rate except as this section allows."),
	}
}

var weights = audit.LexicalWeights{Header: 1, Body: 1, Extra: 1, Cites: 1}

func TestSearchBM25(t *testing.T) {
	ctx, s := t.Context(), open(t)
	if changed, err := s.ReplacePassages(ctx, audit.CorpusRules, "z", sample()); err != nil || !changed {
		t.Fatal(changed, err)
	}
	card := passage("16 CFR 255.5(a)", "Paid ties", "Say so when you are paid.")
	card.Regulator, card.Kind = audit.FTC, audit.KindCard
	card.Meta = map[string]string{"year": "2023"}
	if _, err := s.ReplacePassages(ctx, audit.CorpusCards, "ftc", []audit.Passage{card}); err != nil {
		t.Fatal(err)
	}
	cite := audit.MustParseCitation
	for _, tt := range []struct {
		name   string
		q      audit.LexicalQuery
		f      audit.Filter
		want   []string // as a set
		ranked bool
	}{
		{name: "stemming", q: audit.LexicalQuery{Words: []string{"imposing"}}, want: []string{"12 CFR 1026.54(a)(1)"}},
		{name: "extra", q: audit.LexicalQuery{Words: []string{"complained"}}, want: []string{"12 CFR 1026.54(b)"}},
		{name: "phrase", q: audit.LexicalQuery{Phrases: []string{"annual percentage rate"}}, want: []string{"12 CFR 1026.55(a)"}},
		{name: "citation", q: audit.LexicalQuery{Citations: []audit.Citation{cite("1026.54(b)")}}, want: []string{"12 CFR 1026.54(b)"}},
		{
			name: "below a citation", q: audit.LexicalQuery{Citations: []audit.Citation{cite("1026.54(a)")}},
			want: []string{"12 CFR 1026.54(a)(1)", "Comment 1026.54(a)(1)-2"},
		},
		{name: "part", q: audit.LexicalQuery{Citations: []audit.Citation{cite("16 CFR 255")}}, want: []string{"16 CFR 255.5(a)"}},
		{name: "corpus", q: audit.LexicalQuery{Words: []string{"paid"}}, f: audit.Filter{Corpora: []string{audit.CorpusCards}}, want: []string{"16 CFR 255.5(a)"}},
		{name: "regulator", q: audit.LexicalQuery{Words: []string{"paid"}}, f: audit.Filter{Regulators: []string{"CFPB"}}, want: []string{"Comment 1026.54(a)(1)-2"}},
		{name: "kind", q: audit.LexicalQuery{Words: []string{"paid"}}, f: audit.Filter{Kinds: []audit.Kind{audit.KindCard}}, want: []string{"16 CFR 255.5(a)"}},
		{name: "meta", q: audit.LexicalQuery{Words: []string{"paid"}}, f: audit.Filter{Meta: map[string][]string{"year": {"2022", "2023"}}}, want: []string{"16 CFR 255.5(a)"}},
		{
			name: "within", q: audit.LexicalQuery{Words: []string{"issuer"}},
			f: audit.Filter{Within: []audit.Citation{cite("12 CFR 1026.55")}}, want: []string{"12 CFR 1026.55(a)"},
		},
		{name: "operators are words", q: audit.LexicalQuery{Words: []string{`NEAR(`, `"`, `*`, "AND", "a\x00b"}}},
		{name: "nothing", q: audit.LexicalQuery{}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.q.Weights = weights
			hits, err := s.SearchBM25(ctx, tt.q, tt.f, 10)
			if err != nil {
				t.Fatal(err)
			}
			if got := citations(t, s, hits); !slices.Equal(got, slices.Sorted(slices.Values(tt.want))) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func citations(t *testing.T, s *store.Store, hits []audit.ScoredID) []string {
	t.Helper()
	var ids []int64
	for _, h := range hits {
		ids = append(ids, h.ID)
	}
	found, err := s.Passages(t.Context(), ids)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range found {
		out = append(out, p.Citation)
	}
	slices.Sort(out)
	return out
}

func TestPassagesByCitation(t *testing.T) {
	ctx, s := t.Context(), open(t)
	if _, err := s.ReplacePassages(ctx, audit.CorpusRules, "z", sample()); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		citation string
		within   bool
		want     int
	}{
		{"1026.54(a)(1)", false, 1},
		{"1026.54(a)(1)", true, 2},
		{"1026.54", false, 0},
		{"1026.54", true, 3},
		{"comment 54(a)(1)-2", false, 1},
		{"12 CFR 1026", true, 4},
		{"12 CFR 1003", true, 0},
	} {
		got, err := s.PassagesByCitation(ctx, audit.MustParseCitation(tt.citation), tt.within, audit.Filter{})
		if err != nil || len(got) != tt.want {
			t.Errorf("%s: got %d, %v; want %d", tt.citation, len(got), err, tt.want)
		}
	}
	ask := audit.Passage{Citation: "12 CFR 1003.1", Citations: []string{"12 CFR 1003.1"}, Body: "who reports loans"}
	if _, err := s.ReplacePassages(ctx, audit.CorpusAsks, audit.CorpusAsks, []audit.Passage{ask}); err != nil {
		t.Fatal(err)
	}
	cited := []audit.Citation{audit.MustParseCitation("1026.54(a)(1)"), audit.MustParseCitation("1026.54(b)"), audit.MustParseCitation("12 CFR 1003.1")}
	held, err := s.PassagesByCitations(ctx, cited, audit.Filter{Corpora: []string{audit.CorpusRules, audit.CorpusCards}})
	if err != nil || len(held) != 2 || len(held["12 CFR 1026.54(b)"]) != 1 || held["12 CFR 1026.54(b)"][0].Title != "Exceptions" {
		t.Errorf("got %v, %v", held, err)
	}
	id := held["12 CFR 1026.54(b)"][0].ID
	if got, err := s.Citations(ctx, []int64{id}); err != nil || got[id] != "12 CFR 1026.54(b)" {
		t.Errorf("got %v, %v", got, err)
	}
	if all, err := s.HeldCitations(ctx, audit.CorpusRules); err != nil || !all["12 CFR 1026.55(a)"] || all["12 CFR 1003.1"] {
		t.Errorf("got %v, %v", all, err)
	}
	if ok, err := s.Covers(ctx, audit.MustParseCitation("12 CFR 1026")); !ok || err != nil {
		t.Error(ok, err)
	}
	if ok, err := s.Covers(ctx, audit.MustParseCitation("12 CFR 1003")); ok || err != nil {
		t.Error(ok, err)
	}
}

func TestReplacePassagesKeepsVectors(t *testing.T) {
	ctx, s := t.Context(), open(t)
	list := sample()
	list[0].ID, list[1].ParentID = 77, 77
	if _, err := s.ReplacePassages(ctx, audit.CorpusRules, "z", list); err != nil {
		t.Fatal(err)
	}
	todo, err := s.PassagesWithoutVectors(ctx, "m1", 100)
	if err != nil || len(todo) != 4 {
		t.Fatalf("%d, %v", len(todo), err)
	}
	if todo[1].ParentID != todo[0].ID || todo[0].ID == 0 {
		t.Errorf("parent %d of a passage whose parent is %d", todo[1].ParentID, todo[0].ID)
	}
	embed(t, s, "m1", todo)
	if changed, err := s.ReplacePassages(ctx, audit.CorpusRules, "z", list); changed || err != nil {
		t.Errorf("the same again: %v, %v", changed, err)
	}
	list[3].Body = "Something else altogether."
	list = append(list[1:], passage("12 CFR 1026.56(a)", "New", "A new paragraph."))
	if changed, err := s.ReplacePassages(ctx, audit.CorpusRules, "z", list); !changed || err != nil {
		t.Fatal(changed, err)
	}
	todo, err = s.PassagesWithoutVectors(ctx, "m1", 100)
	if err != nil || len(todo) != 2 {
		t.Errorf("%d passages to embed again, %v; want the changed one and the new one", len(todo), err)
	}
	hits, err := s.SearchBM25(ctx, audit.LexicalQuery{Words: []string{"percentage", "impose", "altogether"}, Weights: weights}, audit.Filter{}, 10)
	if err != nil || !slices.Equal(citations(t, s, hits), []string{"12 CFR 1026.55(a)"}) {
		t.Errorf("words of removed passages are still found: %v, %v", citations(t, s, hits), err)
	}
	dense, err := s.SearchDense(ctx, "m1", axis(0), audit.Filter{}, 10)
	if err != nil || len(dense) != 2 {
		t.Errorf("%d vectors stay, %v; want those of the two unchanged passages", len(dense), err)
	}
	if _, err := s.ReplacePassages(ctx, audit.CorpusRules, "z", nil); err != nil {
		t.Fatal(err)
	}
	if sources, err := s.Sources(ctx, audit.CorpusRules); err != nil || len(sources) != 0 {
		t.Errorf("%v, %v", sources, err)
	}
}

// axis is a unit vector of four values.
func axis(i int) []float32 {
	v := make([]float32, 4)
	v[i%4] = 1
	return v
}

func embed(t *testing.T, s *store.Store, model string, list []audit.Passage) {
	t.Helper()
	var vs []audit.PassageVectors
	for i, p := range list {
		vs = append(vs, audit.PassageVectors{PassageID: p.ID, Vectors: [][]float32{axis(i)}})
	}
	if err := s.SaveVectors(t.Context(), model, vs); err != nil {
		t.Fatal(err)
	}
}

func TestSearchDense(t *testing.T) {
	ctx, s := t.Context(), open(t)
	if hits, err := s.SearchDense(ctx, "m1", axis(0), audit.Filter{}, 5); err != nil || len(hits) != 0 {
		t.Errorf("an empty index: %v, %v", hits, err)
	}
	if _, err := s.ReplacePassages(ctx, audit.CorpusRules, "z", sample()); err != nil {
		t.Fatal(err)
	}
	parent := passage("12 CFR 1026.57(a)", "Whole", "Only read.")
	parent.Meta = map[string]string{store.MetaRole: store.RoleParent}
	ftc := passage("16 CFR 255.5(a)", "Paid ties", "Say so.")
	ftc.Regulator = audit.FTC
	if _, err := s.ReplacePassages(ctx, audit.CorpusCards, "ftc", []audit.Passage{ftc, parent}); err != nil {
		t.Fatal(err)
	}
	todo, err := s.PassagesWithoutVectors(ctx, "m1", 100)
	if err != nil || len(todo) != 5 {
		t.Fatalf("%d, %v; want all but the parent", len(todo), err)
	}
	embed(t, s, "m1", todo)
	if n, err := s.CountWithoutVectors(ctx, "m1"); n != 0 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	for _, tt := range []struct {
		f    audit.Filter
		want int
	}{
		{audit.Filter{}, 5},
		{audit.Filter{Corpora: []string{audit.CorpusCards}}, 1},
		{audit.Filter{Corpora: []string{audit.CorpusCards, audit.CorpusRules}}, 5},
		{audit.Filter{Regulators: []string{audit.FTC}}, 1},
		{audit.Filter{Regulators: []string{audit.FTC, "CFPB"}}, 5},
		{audit.Filter{Within: []audit.Citation{audit.MustParseCitation("1026.54")}}, 3},
		{audit.Filter{Corpora: []string{audit.CorpusRules}, Within: []audit.Citation{audit.MustParseCitation("16 CFR 255")}}, 0},
	} {
		hits, err := s.SearchDense(ctx, "m1", axis(0), tt.f, 10)
		if err != nil || len(hits) != tt.want {
			t.Errorf("%+v: got %d, %v; want %d", tt.f, len(hits), err, tt.want)
		}
	}
	hits, err := s.SearchDense(ctx, "m1", axis(1), audit.Filter{}, 1)
	if err != nil || len(hits) != 1 || hits[0].ID != todo[1].ID || hits[0].Score < 0.999 {
		t.Errorf("got %v, %v", hits, err)
	}

	cos, err := s.Cosines(ctx, "m1", axis(1), []int64{todo[1].ID, todo[2].ID, 9999})
	if err != nil || len(cos) != 2 || cos[todo[1].ID] < 0.999 || cos[todo[2].ID] > 0.001 {
		t.Errorf("got %v, %v", cos, err)
	}

	_, err = s.SearchDense(ctx, "m2", axis(0), audit.Filter{}, 5)
	if audit.CodeOf(err) != audit.CodeModel {
		t.Errorf("another embedder's vectors were searched: %v", err)
	}
	again, err := s.PassagesWithoutVectors(ctx, "m2", 100)
	if err != nil || len(again) != 5 {
		t.Errorf("%d, %v", len(again), err)
	}
	embed(t, s, "m2", again[:1])
	if hits, err := s.SearchDense(ctx, "m2", axis(0), audit.Filter{}, 5); err != nil || len(hits) != 1 {
		t.Errorf("vectors of two embedders mix: %v, %v", hits, err)
	}
	if m, err := s.VectorModel(ctx); m != "m2" || err != nil {
		t.Errorf("%q, %v", m, err)
	}
	if err := s.SaveVectors(ctx, "m2", []audit.PassageVectors{{PassageID: again[0].ID, Vectors: [][]float32{axis(0), {1}}}}); err == nil {
		t.Error("a vector of another length was taken")
	}
}

func TestTexts(t *testing.T) {
	ctx, s := t.Context(), open(t)
	s.SetClock(func() time.Time { return time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) })
	cite := audit.MustParseCitation
	for year, words := range map[int]string{2020: "old words", 2025: "present words", 2030: "coming words"} {
		id := fmt.Sprintf("t@%d-01-01", year)
		rules := []audit.Rule{
			{Citation: cite("16 CFR 255.5"), Text: "head", Source: id},
			{Citation: cite("16 CFR 255.5(a)"), Text: words, Source: id},
			{Citation: cite("16 CFR 255.5(b)"), Text: "second", Source: id},
		}
		p := passage("16 CFR 255.5(a)", "x", words)
		if err := s.ReplaceText(ctx, audit.Text{ID: id, Part: "16 CFR 255", AsOf: fmt.Sprintf("%d-01-01", year)}, rules, []audit.Passage{p}); err != nil {
			t.Fatal(err)
		}
	}
	for asOf, want := range map[string]string{"": "present words", "2022-05-05": "old words", "2031-01-01": "coming words", "1999-01-01": "old words"} {
		r, err := s.Rule(ctx, cite("255.5(a)"), asOf)
		if err != nil || r.Text != want {
			t.Errorf("as of %q: got %q, %v", asOf, r.Text, err)
		}
		hits, err := s.SearchBM25(ctx, audit.LexicalQuery{Words: []string{"words"}, Weights: weights}, audit.Filter{AsOf: asOf}, 10)
		if err != nil || len(hits) != 1 {
			t.Errorf("as of %q: %d passages, %v", asOf, len(hits), err)
		}
	}
	if c, err := s.Children(ctx, cite("255.5"), ""); err != nil || len(c) != 2 || c[0].Text != "present words" {
		t.Errorf("got %v, %v", c, err)
	}
	if _, err := s.Rule(ctx, cite("255.9"), ""); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if err := s.RemoveText(ctx, "t@2025-01-01"); err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveText(ctx, "t@2025-01-01"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if r, err := s.Rule(ctx, cite("255.5(a)"), ""); err != nil || r.Text != "old words" {
		t.Errorf("got %v, %v", r, err)
	}
	if texts, err := s.Texts(ctx); err != nil || len(texts) != 2 {
		t.Errorf("got %v, %v", texts, err)
	}
}

func TestCards(t *testing.T) {
	ctx, s := t.Context(), open(t)
	cards := []audit.Card{{Citation: "16 CFR 255.5(a)", Title: "a"}, {Citation: "16 CFR 255.5(b)", Title: "b"}}
	for range 2 {
		if err := s.ReplaceCards(ctx, "ftc", cards); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := s.Cards(ctx); err != nil || len(got) != 2 || got[1].Title != "b" {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestCiteToken(t *testing.T) {
	for in, want := range map[string]string{
		"12 CFR 1026.54(b)":             "c_12_cfr_1026_54_b_0",
		"17 CFR 275.206(4)-1(d)(6)(i)":  "c_17_cfr_275_206_4_1_d_6_i_0",
		"FINRA 2210(d)(1)(B)":           "c_finra_2210_d_1_b_0",
		"Comment 1026.54(a)(1)-2.i":     "c_comment_1026_54_a_1_2_i_0",
		"16 CFR 255.5(a) Example 3":     "c_16_cfr_255_5_a_example_3_0",
		"Comment 1026 Appendix M1-3.ii": "c_comment_1026_appendix_m1_3_ii_0",
	} {
		if got := store.CiteToken(audit.MustParseCitation(in)); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}

func TestCommonWordsAreLeftOut(t *testing.T) {
	ctx, s := t.Context(), open(t)
	var list []audit.Passage
	for i := range 2500 {
		body := "card account"
		switch i % 100 {
		case 0:
			body += " garnishment"
		case 1:
			body += " escheat"
		}
		list = append(list, passage(fmt.Sprintf("12 CFR %d.%d", 1000+i/1000, 1+i%1000), "Duties", body))
	}
	if _, err := s.ReplacePassages(ctx, audit.CorpusRules, "z", list); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		words []string
		want  int
	}{
		{[]string{"card", "garnishment", "escheat"}, 50}, // two words tell, and the common one finds nothing more
		{[]string{"card", "garnishment"}, 2500},          // one is not enough to go by
		{[]string{"card", "account"}, 2500},
	} {
		got, err := s.SearchBM25(ctx, audit.LexicalQuery{Words: tt.words, Weights: weights}, audit.Filter{}, 5000)
		if err != nil || len(got) != tt.want {
			t.Errorf("%v: got %d, %v; want %d", tt.words, len(got), err, tt.want)
		}
	}
}
