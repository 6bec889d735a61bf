package audit_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"veristream/backend/audit"
)

// citations draws any citation that the grammar can spell.
func citations() *rapid.Generator[audit.Citation] {
	marker := rapid.Custom(func(t *rapid.T) string {
		n := rapid.SampledFrom([]audit.Numbering{audit.Digits, audit.Letters, audit.Romans, audit.BigLetters, audit.BigRomans}).Draw(t, "numbering")
		return n.Marker(rapid.IntRange(1, 60).Draw(t, "value"))
	})
	path := rapid.SliceOfN(marker, 0, 7)
	return rapid.Custom(func(t *rapid.T) audit.Citation {
		p := path.Draw(t, "path")
		switch rapid.SampledFrom([]string{"cfr", "sec", "appendix", "comment", "comment on appendix", "introduction", "finra", "house"}).Draw(t, "form") {
		case "cfr":
			c := audit.Citation{Code: audit.CodeCFR, Title: rapid.IntRange(1, 50).Draw(t, "title"), Path: p}
			c.Section = rapid.StringMatching(`[1-9][0-9]{2,3}`).Draw(t, "part")
			if rapid.Bool().Draw(t, "section") {
				c.Section += "." + rapid.StringMatching(`[0-9]{1,4}[a-z]?`).Draw(t, "number")
				c.Example = rapid.IntRange(0, 20).Draw(t, "example")
				if c.Example == 0 && rapid.Bool().Draw(t, "term") {
					c.Term = rapid.StringMatching(`[A-Za-z]+( [A-Za-z]+){0,2}`).Draw(t, "word")
					c.Term = c.Term[:min(len(c.Term), 80)]
				}
			} else {
				c.Path = nil
			}
			return c
		case "sec":
			return audit.Citation{Code: audit.CodeCFR, Title: 17, Path: p, Section: rapid.SampledFrom([]string{
				"275.206(4)-1", "275.206(4)-13", "275.204-2", "275.204A-1", "240.10b-5", "240.15c2-11", "275.202(a)(11)(G)-1",
			}).Draw(t, "section")}
		case "appendix":
			return audit.Citation{
				Code: audit.CodeCFR, Title: 12, Section: "1026", Path: p,
				Appendix: rapid.StringMatching(`[A-Z][1-9]?(-[1-9][0-9]?[A-Z]?)?`).Draw(t, "letters"),
			}
		case "comment":
			return audit.Citation{
				Code: audit.CodeCFR, Title: 12, Path: p,
				Section: "10" + rapid.StringMatching(`(02|05|24|26)\.[1-9][0-9]?`).Draw(t, "section"),
				Comment: append([]string{"3"}, path.Draw(t, "comment")...),
			}
		case "comment on appendix":
			return audit.Citation{
				Code: audit.CodeCFR, Title: 12, Section: "1005",
				Appendix: rapid.StringMatching(`[A-Z][1-9]?( and [A-Z])?`).Draw(t, "letters"),
				Comment:  append([]string{"12"}, path.Draw(t, "comment")...),
			}
		case "introduction":
			return audit.Citation{Code: audit.CodeCFR, Title: 12, Section: "1026", Comment: append([]string{"1"}, path.Draw(t, "comment")...)}
		case "finra":
			return audit.Citation{
				Code: audit.CodeFINRA, Path: p,
				Section: rapid.StringMatching(`[1-9][0-9]{3}`).Draw(t, "rule"),
				Note:    rapid.StringMatching(`([0-9]{2})?`).Draw(t, "note"),
			}
		}
		return audit.Citation{
			Code: rapid.StringMatching(`Acme( [A-Z][a-z]{1,8})?`).Draw(t, "name"), Path: p,
			Section: rapid.StringMatching(`[1-9][0-9]?(\.[1-9][0-9]?){0,2}`).Draw(t, "number"),
		}
	})
}

func TestPrintedCitationsParseToThemselves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := citations().Draw(t, "citation")
		got, err := audit.ParseCitation(c.String())
		if err != nil {
			t.Fatal(err)
		}
		if !got.Equal(c) || got.String() != c.String() {
			t.Fatalf("%q became %q", c, got)
		}
	})
}

func TestParentsHoldTheirChildren(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := citations().Draw(t, "citation")
		for _, p := range c.Parents() {
			if !c.Within(p) || p.Within(c) {
				t.Fatalf("%q and its parent %q", c, p)
			}
			if c.IsComment() == p.IsComment() && (c.Appendix == "") == (p.Appendix == "") && audit.CompareCitations(p, c) >= 0 {
				t.Fatalf("%q does not stand before %q", p, c)
			}
		}
		if c.Term == "" && c.Example == 0 {
			if p, ok := c.Child("a").Parent(); !ok || !p.Equal(c) {
				t.Fatalf("the parent of a child of %q is %q", c, p)
			}
			if !c.Child("a").SiblingOf(c.Child("b")) {
				t.Fatalf("children of %q are no siblings", c)
			}
		}
	})
}

func TestOrderIsTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cs := rapid.SliceOfN(citations(), 3, 3).Draw(t, "citations")
		a, b, c := cs[0], cs[1], cs[2]
		if x, y := audit.CompareCitations(a, b), audit.CompareCitations(b, a); x != -y {
			t.Fatalf("%q and %q: %d and %d", a, b, x, y)
		}
		if (audit.CompareCitations(a, b) == 0) != (a.String() == b.String()) {
			t.Fatalf("%q and %q", a, b)
		}
		slices.SortFunc(cs, audit.CompareCitations)
		if audit.CompareCitations(cs[0], cs[2]) > 0 {
			t.Fatalf("%q, %q and %q have no order", a, b, c)
		}
	})
}

func TestNumberingsCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]audit.Numbering{audit.Digits, audit.Letters, audit.Romans, audit.BigLetters, audit.BigRomans}).Draw(t, "numbering")
		v := rapid.IntRange(1, 78).Draw(t, "value")
		if got, ok := n.Value(n.Marker(v)); !ok || got != v {
			t.Fatalf("%d is written %q and read %d, %v", v, n.Marker(v), got, ok)
		}
	})
}

func FuzzFindCitations(f *testing.F) {
	for _, s := range []string{
		"Rule 206(4)-1(a)(1) and (2)", "16 CFR 255.5(a)-(c)", "comments 54(a)(1)-1 through -3.ii.A", "FINRA Rules 2010, 2210(d)",
		"12 CFR 1026 App. G-25(B)", "§ 1026.54(b), (c) or (d)", "\xff\xfe 255.5", "$1,005.20 - 2210(d)", "Acme 3.1(b)",
		"CFR 0", "Reg. E comment 6(b)-2.i through iii", "paragraph (a) of § 255.5, ex. 3", "255.0 to 255.6",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, found := range audit.FindCitations(s) {
			if found.Start < 0 || found.End > len(s) || found.Start >= found.End {
				t.Fatalf("%q stands at %d to %d of %d", found.Citation, found.Start, found.End, len(s))
			}
			again, err := audit.ParseCitation(found.Citation.String())
			if err != nil || !again.Equal(found.Citation) {
				t.Fatalf("%q: %q does not parse to itself: %q, %v", s, found.Citation, again, err)
			}
		}
		if c, err := audit.ParseCitation(s); err == nil {
			if again, err := audit.ParseCitation(c.String()); err != nil || !again.Equal(c) {
				t.Fatalf("%q: %q does not parse to itself: %q, %v", s, c, again, err)
			}
		}
		_, _ = audit.ParseCitations(s)
	})
}
