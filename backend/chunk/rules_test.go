package chunk_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"veristream/backend/audit"
	"veristream/backend/chunk"
)

func rule(citation, title, text string) audit.Rule {
	c := audit.MustParseCitation(citation)
	kind := audit.KindRule
	if c.IsComment() {
		kind = audit.KindCommentary
	}
	return audit.Rule{Citation: c, Title: title, Text: text, Kind: kind}
}

var text = audit.Text{ID: "test@2026-01-01", Regulator: "FTC", Part: "16 CFR 255", AsOf: "2026-01-01"}

// words makes a text of n words.
func words(n int, of string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s%d", of, i)
		if i%10 == 9 {
			b.WriteString(". Next")
		}
	}
	return b.String()
}

func TestRules(t *testing.T) {
	got := chunk.Rules(text, []audit.Rule{
		rule("16 CFR 255.5", "Connections", ""),
		rule("16 CFR 255.5(a)", "General", "(a) General. A paragraph of some length, "+words(60, "w")),
		rule("16 CFR 255.5(b)", "Lists", "(b) Lists. The following are connections:"),
		rule("16 CFR 255.5(b)(1)", "Lists", "(1) a payment;"),
		rule("16 CFR 255.5(b)(2)", "Lists", "(2) a gift."),
		rule("16 CFR 255.5(c)", "Long", "(c) Long. "+words(70, "c")),
		rule("16 CFR 255.5(c)(1)", "Long", "(1) "+words(80, "d")),
		rule("16 CFR 255.5(c)(2)", "Long", "(2) "+words(80, "e")),
		rule("16 CFR 255.6", "Children", "A short section."),
	})
	type want struct {
		header, begins string
		citations      []string
		parent         bool
	}
	for i, w := range []want{
		{"[FTC 16 CFR 255.5(a) - Connections > General | Type: rule]", "(a) General.", []string{"16 CFR 255.5(a)", "16 CFR 255.5"}, false},
		{
			"[FTC 16 CFR 255.5(b) - Connections > Lists | Type: rule]", "(b) Lists. The following are connections:\n(1) a payment;\n(2) a gift.",
			[]string{"16 CFR 255.5(b)", "16 CFR 255.5(b)(1)", "16 CFR 255.5(b)(2)"},
			false,
		},
		{"[FTC 16 CFR 255.5(c) - Connections > Long | Type: rule]", "(c) Long.", []string{"16 CFR 255.5(c)", "16 CFR 255.5(c)(1)", "16 CFR 255.5(c)(2)"}, true},
		{"[FTC 16 CFR 255.5(c) - Connections > Long | Type: rule]", "(c) Long.", []string{"16 CFR 255.5(c)"}, false},
		{"[FTC 16 CFR 255.5(c)(1) - Connections > Long | Type: rule]", "(1) d0", []string{"16 CFR 255.5(c)(1)"}, false},
		{"[FTC 16 CFR 255.5(c)(2) - Connections > Long | Type: rule]", "(2) e0", []string{"16 CFR 255.5(c)(2)"}, false},
		{"[FTC 16 CFR 255.6 - Children | Type: rule]", "A short section.", []string{"16 CFR 255.6"}, false},
	} {
		if i >= len(got) {
			t.Fatalf("only %d passages", len(got))
		}
		p := got[i]
		if p.Header != w.header || !strings.HasPrefix(p.Body, w.begins) || !slices.Equal(p.Citations, w.citations) || (p.Meta["role"] == "parent") != w.parent {
			t.Errorf("passage %d:\n%s\n%.80s\n%v %v\nwant %+v", i, p.Header, p.Body, p.Citations, p.Meta, w)
		}
	}
	if len(got) != 7 {
		t.Errorf("%d passages", len(got))
	}
	if got[3].ParentID != got[2].ID || got[5].ParentID != got[2].ID || got[6].ParentID != 0 {
		t.Error("children do not name their parent")
	}
}

func TestCommentsShareAPassageOnlyWithinTheirParagraph(t *testing.T) {
	got := chunk.Rules(text, []audit.Rule{
		rule("Comment 1026.54(a)(1)-1", "One", "1. One. Short."),
		rule("Comment 1026.54(a)(1)-2", "Two", "2. Two. Short."),
		rule("Comment 1026.54(b)-1", "Other", "1. Other. Short."),
	})
	if len(got) != 2 || !slices.Equal(got[0].Citations, []string{"Comment 1026.54(a)(1)-1", "Comment 1026.54(a)(1)-2"}) {
		t.Errorf("got %d passages, the first of %v", len(got), got[0].Citations)
	}
}

func TestLeadIsRepeatedWhereItIsNeeded(t *testing.T) {
	got := chunk.Rules(text, []audit.Rule{
		rule("16 CFR 255.5", "Connections", ""),
		rule("16 CFR 255.5(d)", "Ban", "(d) Ban. An advertisement may not:"),
		rule("16 CFR 255.5(d)(1)", "Ban", "(1) hide "+words(100, "x")),
		rule("16 CFR 255.5(d)(2)", "Ban", "(2) show "+words(100, "y")),
	})
	for _, p := range got {
		if p.Citation == "16 CFR 255.5(d)(2)" && !strings.HasPrefix(p.Body, "(d) Ban. An advertisement may not: … (2) show") {
			t.Errorf("the body begins %.60q", p.Body)
		}
	}
}

func TestLongParagraphsAreCutAtSentences(t *testing.T) {
	long := "(a) " + words(900, "w")
	got := chunk.Rules(text, []audit.Rule{rule("16 CFR 255.5", "T", ""), rule("16 CFR 255.5(a)", "T", long)})
	if len(got) < 5 {
		t.Fatalf("%d passages", len(got))
	}
	seen := map[string]bool{}
	for i, p := range got {
		if n := chunk.Tokens(p.Text()); n > 256 {
			t.Errorf("passage %d has %d tokens", i, n)
		}
		if p.Citation != "16 CFR 255.5(a)" {
			t.Errorf("passage %d is of %s", i, p.Citation)
		}
		repeated := 0
		for _, w := range strings.Fields(p.Body) {
			if seen[w] && w != "Next" {
				repeated++
			}
			seen[w] = true
		}
		if share := float64(repeated) / float64(len(strings.Fields(p.Body))); i > 0 && (share < 0.04 || share > 0.25) {
			t.Errorf("passage %d repeats %.0f%%", i, share*100)
		}
	}
	for _, w := range strings.Fields(long) {
		if !seen[w] {
			t.Fatalf("%q is lost", w)
		}
	}
}

func TestTablesStayWhole(t *testing.T) {
	var table strings.Builder
	table.WriteString("| Year | Sum |\n|---|---|\n")
	for i := range 12 {
		fmt.Fprintf(&table, "| %d | %d |\n", 2000+i, i)
	}
	small := strings.TrimSpace(table.String())
	for i := range 200 {
		fmt.Fprintf(&table, "| %d | %d |\n", 3000+i, i)
	}
	large := strings.TrimSpace(table.String())
	got := chunk.Rules(text, []audit.Rule{
		rule("16 CFR 255.5", "T", ""),
		rule("16 CFR 255.5(a)", "T", "(a) See this:\n\n"+small+"\n\nIt ends so."),
		rule("16 CFR 255.5(b)", "T", "(b) See that:\n\n"+large),
	})
	var smalls, larges int
	for _, p := range got {
		if p.Kind != audit.KindTable {
			continue
		}
		if !strings.HasPrefix(p.Body, "| Year | Sum |\n|---|---|\n| ") {
			t.Errorf("a part of a table has no head: %.60q", p.Body)
		}
		if p.Citation == "16 CFR 255.5(a)" {
			smalls++
			if p.Body != small {
				t.Error("the small table is not whole")
			}
			continue
		}
		larges++
	}
	if smalls != 1 || larges < 2 {
		t.Errorf("%d passages of the small table, %d of the large", smalls, larges)
	}
}

// Whatever the tree, every paragraph is in a passage, every word too, and none
// is larger than the embedder reads.
func TestNothingIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rules []audit.Rule
		var grow func(c audit.Citation, depth int)
		n := 0
		grow = func(c audit.Citation, depth int) {
			size := rapid.SampledFrom([]int{0, 3, 15, 40, 90, 400}).Draw(t, "size")
			r := audit.Rule{Citation: c, Kind: audit.KindRule, Title: rapid.SampledFrom([]string{"", "Heading"}).Draw(t, "title")}
			if size > 0 {
				n++
				r.Text = words(size, fmt.Sprintf("p%dw", n))
			}
			rules = append(rules, r)
			if depth == 0 {
				return
			}
			for i := range rapid.IntRange(0, 3).Draw(t, "children") {
				grow(c.Child(c.Levels()[len(c.Path)].Marker(i+1)), depth-1)
			}
		}
		for s := range rapid.IntRange(1, 2).Draw(t, "sections") {
			grow(audit.Citation{Code: audit.CodeCFR, Title: 16, Section: fmt.Sprintf("255.%d", s)}, 4)
		}
		cited, said := map[string]bool{}, map[string]bool{}
		for i, p := range chunk.Rules(text, rules) {
			if p.ID != int64(i+1) || p.ParentID >= p.ID {
				t.Fatalf("passage %d has the number %d and the parent %d", i, p.ID, p.ParentID)
			}
			if p.Meta["role"] == "parent" {
				continue
			}
			if size := chunk.Tokens(p.Text()); size > 256 {
				t.Fatalf("%s has %d tokens", p.Header, size)
			}
			for _, c := range p.Citations {
				cited[c] = true
				if !strings.HasPrefix(c, strings.SplitN(p.Citation, "(", 2)[0]) {
					t.Fatalf("%s and %s share a passage", p.Citation, c)
				}
			}
			for _, w := range strings.Fields(p.Body) {
				said[w] = true
			}
		}
		for _, r := range rules {
			if !cited[r.Citation.String()] && r.Text != "" {
				t.Fatalf("%s is in no passage", r.Citation)
			}
			for _, w := range strings.Fields(r.Text) {
				if !said[w] {
					t.Fatalf("the word %s of %s is lost", w, r.Citation)
				}
			}
		}
	})
}

func TestSentences(t *testing.T) {
	in := "See 15 U.S.C. 45 for this. Under Rule 1 (see § 2) it holds. \"So it is.\" (It is.) E.g. Inc. Now an end"
	got := chunk.Sentences(in)
	if strings.Join(got, "") != in {
		t.Errorf("joined again it is %q", strings.Join(got, ""))
	}
	if got[0] != "See 15 U.S.C. 45 for this. " {
		t.Errorf("got %q", got)
	}
}
