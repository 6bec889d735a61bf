package regs_test

import (
	"os"
	"slices"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/regs"
	cardfiles "veristream/regs"
)

// cardsOf makes cards and a head for a test.
func cardsOf(part string, without []regs.Without, citations ...string) regs.CardSet {
	set := regs.CardSet{Sources: []regs.Source{{ID: "test", Regulator: "FTC", Part: part, Without: without}}}
	for _, c := range citations {
		set.Cards = append(set.Cards, audit.Card{Citation: c, Source: "test", Checked: true, Effective: audit.Effective{From: "2020-01-01"}})
	}
	return set
}

func TestVerify(t *testing.T) {
	p := parseText(t, section("(a) A firm must:", "(1) write;", "(2) keep.", "(b) Heading.", "(1) Another thing.", "(d) A last thing."))
	texts := []regs.Installed{{Text: p.Text, Rules: p.Rules}}
	set := cardsOf("16 CFR 255.9",
		[]regs.Without{{Citation: "16 CFR 255.9(a)"}, {Citation: "16 CFR 255.9(x)"}},
		"16 CFR 255.9(a)(1)", "16 CFR 255.9(b)(1)", "16 CFR 255.9(c)")
	set.Cards[1].Checked = false
	got := regs.Verify(set, texts, regs.Checked{}).Sources[0]
	for _, c := range []struct {
		name      string
		got, want []string
	}{
		{"unresolved", got.Unresolved, []string{"16 CFR 255.9(c)"}},
		// (b) is only a heading above (1), and (a) is listed.
		{"uncovered", got.Uncovered, []string{"16 CFR 255.9(a)(2)", "16 CFR 255.9(d)"}},
		{"stale", got.Stale, []string{"16 CFR 255.9(x)"}},
		{"unchecked", got.Unchecked, []string{"16 CFR 255.9(b)(1)"}},
		{"gaps", got.Gaps, []string{"16 CFR 255.9(d) comes after (b)"}},
		{"duplicates", got.Duplicates, nil},
		{"changed", got.Changed, nil},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, c.got, c.want)
		}
	}
	if got.OK() {
		t.Error("all is well?")
	}
}

func TestVerifySeesChangedText(t *testing.T) {
	before := parseText(t, section("(a) A firm must write, and keep.", "(b) It must \"count\"."))
	set := cardsOf("16 CFR 255.9", nil, "16 CFR 255.9", "16 CFR 255.9(a)", "16 CFR 255.9(b)")
	checked := regs.Record(set, []regs.Installed{{Text: before.Text, Rules: before.Rules}})
	after := parseText(t, section("(a) A firm must write, and burn.", "(b) It must “count”."))
	got := regs.Verify(set, []regs.Installed{{Text: after.Text, Rules: after.Rules}}, checked).Sources[0]
	// Other quotation marks are no change of the law.
	if !slices.Equal(got.Changed, []string{"16 CFR 255.9(a)"}) {
		t.Errorf("changed: %q", got.Changed)
	}
}

func TestVerifyWithoutText(t *testing.T) {
	got := regs.Verify(cardsOf("16 CFR 255.9", nil, "16 CFR 255.9(a)"), nil, regs.Checked{}).Sources[0]
	if got.Text != "" || !got.OK() || len(got.Unresolved) > 0 {
		t.Errorf("got %+v", got)
	}
}

// The project's own cards agree with the real texts: every card has its
// paragraph, every paragraph its card or its place on the list of those
// without.
func TestOwnCardsAgreeWithTheTexts(t *testing.T) {
	set, err := regs.LoadCards(cardfiles.Files, "cards")
	if err != nil {
		t.Fatal(err)
	}
	checked, err := regs.LoadChecked(cardfiles.Files, "checked.json")
	if err != nil {
		t.Fatal(err)
	}
	var texts []regs.Installed
	for _, f := range []string{ftcFile, secMD, finraText, finra2010} {
		p := parseReal(t, f)
		texts = append(texts, regs.Installed{Text: p.Text, Rules: p.Rules})
	}
	for _, c := range regs.Verify(set, texts, checked).Sources {
		if !c.OK() {
			t.Errorf("%s:\nunresolved %q\nuncovered %q\nstale %q\nchanged %q\nduplicates %q\ngaps %q",
				c.Source, c.Unresolved, c.Uncovered, c.Stale, c.Changed, c.Duplicates, c.Gaps)
		}
		if c.Text != "" && len(checked.Sources[c.Source].Paragraphs) == 0 {
			t.Errorf("%s: it is not recorded what the cards were compared with", c.Source)
		}
	}
}

func TestCatalogueNamesCardFiles(t *testing.T) {
	for _, s := range catalogue(t).Sources {
		if s.Cards == "" {
			continue
		}
		if _, err := cardfiles.Files.ReadFile(s.Cards); err != nil {
			t.Errorf("%s: %v", s.ID, err)
		}
	}
	if _, err := catalogue(t).Source("nothing"); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("an unknown source: %v", err)
	}
	if _, err := regs.LoadCatalogue(os.DirFS("testdata"), "cards/acme.yaml"); err == nil {
		t.Error("a card file was taken for the list of sources")
	}
}
