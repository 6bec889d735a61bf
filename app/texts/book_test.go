package texts_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"veristream/app/texts"
	"veristream/backend/audit"
	backendregs "veristream/backend/regs"
	"veristream/backend/store"
	"veristream/regs"
)

// cards are the project's own, and a firm's.
func cards(t *testing.T) backendregs.CardSet {
	t.Helper()
	own, err := backendregs.LoadCards(regs.Files, "cards")
	if err != nil {
		t.Fatal(err)
	}
	house, err := backendregs.LoadHouseRules(write(t, t.TempDir(), "acme.yaml", `source:
  {id: acme, regulator: ACME, part: ACME 3, title: Our policy, in_force_from: "2025-01-01", nature: binding, wording: may violate, note: Ours.}
cards:
  - citation: ACME 3.1
    kind: rule
    title: No coins
    requires: Our people name no single coin.
    binds: {who: [employee], audience: any, needs: [], note: ""}
    effective: {from: "2025-01-01", to: null}
    triggers: [A colleague lists his three favourite coins, I would buy this token before Friday]
    look_alikes: [An explanation of how a blockchain works, We may not talk of coins here]
    satisfied_by: [Leave single coins out]
    severity: medium
    remedy: Cut it.
    related: []
    gist: May our people recommend a coin?
    checked: true
    audited: true
`))
	if err != nil {
		t.Fatal(err)
	}
	all, err := own.Merge(house)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func openBook(t *testing.T, st *store.Store, set backendregs.CardSet, id, asOf string) *texts.Book {
	t.Helper()
	sets, err := texts.RuleSets(t.Context(), st, set, asOf)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(sets, func(s texts.RuleSet) bool { return s.ID == id })
	if at < 0 {
		t.Fatalf("there is no rule %s among %d", id, len(sets))
	}
	checked, err := backendregs.LoadChecked(regs.Files, "checked.json")
	if err != nil {
		t.Fatal(err)
	}
	b, err := texts.OpenBook(t.Context(), st, sets[at], set, checked)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRuleSetsJoinTextsAndCards(t *testing.T) {
	ctx := context.Background()
	st, in := open(t)
	set := cards(t)
	dir := t.TempDir()
	for _, date := range []string{"2024-01-01", "2026-01-01"} {
		if _, _, err := in.Import(ctx, write(t, dir, "guide-"+date+".txt", guide), texts.ImportOptions{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ asOf, want string }{
		{"2025-06-01", "2024-01-01"},
		{"2026-06-01", "2026-01-01"},
		{"2020-01-01", "2024-01-01"}, // older than all: the earliest
	} {
		sets, err := texts.RuleSets(ctx, st, set, c.asOf)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, s := range sets {
			ids = append(ids, s.ID)
			switch s.ID {
			case "16 CFR 255":
				if s.Text == nil || s.Text.AsOf != c.want || len(s.Versions) != 2 || s.Versions[0].AsOf != "2026-01-01" || s.Texts != 6 || s.Cards < 100 {
					t.Errorf("on %s: %+v", c.asOf, s)
				}
			case "FINRA 2220":
				if s.Text != nil || s.Cards == 0 || s.Unchecked != s.Cards {
					t.Errorf("on %s: %+v", c.asOf, s)
				}
			}
		}
		want := []string{"16 CFR 255", "17 CFR 275.206(4)-1", "FINRA 2010", "FINRA 2210", "FINRA 2220", "ACME 3"}
		if !slices.Equal(ids, want) {
			t.Errorf("the rules are %q", ids)
		}
	}
}

func TestABookHasEveryParagraphOnceBelowItsOwn(t *testing.T) {
	st, _ := open(t)
	set := cards(t)
	for _, id := range []string{"16 CFR 255", "17 CFR 275.206(4)-1", "FINRA 2010", "FINRA 2210", "FINRA 2220", "ACME 3"} {
		checkBook(t, openBook(t, st, set, id, "2026-11-30"))
	}
}

// checkBook holds what must be true of every book.
func checkBook(t *testing.T, b *texts.Book) {
	t.Helper()
	seen := map[string]bool{"": true}
	for i, n := range b.Nodes {
		switch {
		case seen[n.Citation]:
			t.Errorf("%s stands twice", n.Citation)
		case !seen[n.Parent]:
			t.Errorf("%s stands before its parent %s", n.Citation, n.Parent)
		case n.Mark == "" || strings.TrimSpace(n.Mark) != n.Mark:
			t.Errorf("%s has the mark %q", n.Citation, n.Mark)
		case !n.Text && !n.Card && n.Without == "" && n.Label == "" && !hasBelow(b.Nodes[i+1:], n.Citation):
			t.Errorf("%s has neither text nor card, and nothing below it", n.Citation)
		}
		seen[n.Citation] = true
		c, err := audit.ParseCitation(n.Citation)
		if err != nil {
			t.Fatal(err)
		}
		p, err := b.Page(c)
		if err != nil || p.Citation != n.Citation || p.Path[len(p.Path)-1].Citation != n.Citation {
			t.Errorf("%s opens as %q, %v", n.Citation, p.Citation, err)
		}
		if n.Text && !slices.ContainsFunc(p.Flow, func(f texts.RuleParagraph) bool { return f.Citation == n.Citation && f.Text != "" }) && p.More == 0 {
			t.Errorf("the text round %s does not hold it", n.Citation)
		}
		if i == 0 || i == len(b.Nodes)-1 {
			if raw, err := json.Marshal(p); err != nil || strings.Contains(string(raw), "null") {
				t.Errorf("%s: %s, %v", n.Citation, raw, err)
			}
		}
	}
	if raw, err := json.Marshal(b.About()); err != nil || strings.Contains(string(raw), "null") {
		t.Errorf("%s: %s, %v", b.Set.ID, raw, err)
	}
}

func hasBelow(nodes []texts.RuleNode, citation string) bool {
	return slices.ContainsFunc(nodes, func(n texts.RuleNode) bool { return n.Parent == citation })
}

func TestAPageShowsTheTextRoundAParagraphAndItsCard(t *testing.T) {
	ctx := context.Background()
	st, in := open(t)
	set := cards(t)
	if _, _, err := in.Import(ctx, write(t, t.TempDir(), "guide-2026-01-01.txt", guide), texts.ImportOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	b := openBook(t, st, set, "16 CFR 255", "2026-11-30")
	p, err := b.Page(audit.MustParseCitation("16 CFR 255.9(a)(2)"))
	if err != nil {
		t.Fatal(err)
	}
	var names, path []string
	for _, f := range p.Flow {
		names = append(names, f.Citation)
	}
	for _, n := range p.Path {
		path = append(path, n.Mark)
	}
	if want := []string{"16 CFR 255.9", "16 CFR 255.9(a)", "16 CFR 255.9(a)(1)", "16 CFR 255.9(a)(2)", "16 CFR 255.9(b)", "16 CFR 255.9(b)(1)"}; !slices.Equal(names, want) {
		t.Errorf("the text round it is %q", names)
	}
	if !slices.Equal(path, []string{"255.9", "(a)", "(2)"}) || p.Flow[3].Depth != 2 || p.Flow[3].Text != "(2) keep them." || p.Card != nil {
		t.Errorf("got %q, %+v", path, p.Flow[3])
	}
	if p.Before != "16 CFR 255.9(a)(1)" || p.After != "16 CFR 255.9(b)" {
		t.Errorf("it stands between %q and %q", p.Before, p.After)
	}
	// A card without its text, by the name that people use for it, and a heading that has none.
	p, err = b.Page(audit.MustParseCitation("16 CFR 255.5 Example 11"))
	if err != nil || p.Citation != "16 CFR 255.5(b)(11)" || p.Card == nil || p.Head == nil || p.Head.ID != "ftc-255" || p.Card.Related == nil {
		t.Errorf("got %+v, %v", p, err)
	}
	p, err = b.Page(audit.MustParseCitation("16 CFR 255.5"))
	if err != nil || p.Card != nil || !strings.Contains(p.Without, "heading") {
		t.Errorf("got %+v, %v", p, err)
	}
	if _, err := b.Page(audit.MustParseCitation("16 CFR 255.77")); audit.CodeOf(err) != audit.CodeInput {
		t.Errorf("a paragraph that is not there: %v", err)
	}
	// What the text does not have is told.
	about := b.About()
	if len(about.Check) != 1 || len(about.Check[0].Unresolved) < 100 || !slices.Contains(about.Check[0].Uncovered, "16 CFR 255.9(a)(1)") {
		t.Errorf("got %+v", about.Check)
	}
}

func TestSetOf(t *testing.T) {
	sets := []texts.RuleSet{{ID: "17 CFR 275"}, {ID: "17 CFR 275.206(4)-1"}, {ID: "12 CFR 1026"}, {ID: "ACME 3"}, {ID: "FINRA 2210"}}
	for cite, want := range map[string]string{
		"17 CFR 275.206(4)-1(a)(1)":  "17 CFR 275.206(4)-1",
		"17 CFR 275.204-2":           "17 CFR 275",
		"17 CFR 275.206(4)-10":       "17 CFR 275",
		"Comment 1026.54(a)(1)-2.i":  "12 CFR 1026",
		"12 CFR 1026 Appendix G":     "12 CFR 1026",
		"ACME 3.1":                   "ACME 3",
		"FINRA 2210.01":              "FINRA 2210",
		"FINRA 2211":                 "",
		"31 CFR 1010.230(b)":         "",
		`12 CFR 1026.2 "Creditor"`:   "12 CFR 1026",
		"Comment 1026 Appendix G-1":  "12 CFR 1026",
		"Comment 1005.2(b)(1)-1":     "",
		"17 CFR 275.206(4)-1(e)(17)": "17 CFR 275.206(4)-1",
	} {
		c, err := audit.ParseCitation(cite)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := texts.SetOf(sets, c); got.ID != want || ok != (want != "") {
			t.Errorf("%s is of %q", cite, got.ID)
		}
	}
}

// TestRealBooks holds the real texts to the same: none of them is committed.
func TestRealBooks(t *testing.T) {
	folder := os.Getenv("VERISTREAM_SHARED")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared")
	}
	folder = filepath.Join(folder, "regs")
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("SKIPPED: the real texts are not at %s (set VERISTREAM_SHARED)", folder)
	}
	st, in := open(t)
	set := cards(t)
	catalogue, err := backendregs.LoadCatalogue(regs.Files, "sources.yaml")
	if err != nil {
		t.Fatal(err)
	}
	in.Catalogue = catalogue
	for _, f := range []string{"ftc", "reg_e/regE_12cfr1005_regml_2016-24506.xml", "finra/finra_2210.txt", "sec/17cfr275.206(4)-1.md"} {
		if _, _, err := in.Import(t.Context(), filepath.Join(folder, f), texts.ImportOptions{AsOf: "2026-04-01"}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for _, id := range []string{"16 CFR 255", "12 CFR 1005", "FINRA 2210", "17 CFR 275.206(4)-1"} {
		b := openBook(t, st, set, id, "2026-11-30")
		checkBook(t, b)
		if testing.Verbose() {
			for _, n := range b.Nodes[:min(25, len(b.Nodes))] {
				t.Logf("%-34s %-14s %s", n.Citation, n.Mark, n.Label)
			}
		}
	}
	page, err := openBook(t, st, set, "16 CFR 255", "2026-11-30").Page(audit.MustParseCitation("16 CFR 255.5(a)"))
	if err != nil || page.Card == nil || page.Changed || len(page.Flow) < 10 {
		t.Errorf("got %d paragraphs, changed %t, %v", len(page.Flow), page.Changed, err)
	}
}
