package regs_test

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/regs"
)

func parseText(t testing.TB, text string) *regs.Parsed {
	t.Helper()
	parts, err := regs.Parse(context.Background(), []byte(text), regs.Options{Name: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return parts[0]
}

func citationsOf(p *regs.Parsed) string {
	var out []string
	for _, r := range p.Rules {
		out = append(out, r.Citation.String())
	}
	return strings.Join(out, "\n")
}

// section writes a text of one invented section.
func section(paragraphs ...string) string {
	return "§ 255.9 Invented things.\n\n" + strings.Join(paragraphs, "\n\n") + "\n"
}

func TestLevels(t *testing.T) {
	letters := func(upTo string) []string {
		var out []string
		for c := 'a'; string(c) <= upTo; c++ {
			out = append(out, fmt.Sprintf("(%c) Words of paragraph %c.", c, c))
		}
		return out
	}
	for name, tt := range map[string]struct {
		paragraphs []string
		want       []string // the last paragraphs, without "16 CFR 255.9"
	}{
		"a letter i after h": {
			append(letters("h"), "(i) More words.", "(j) And more."),
			[]string{"(h)", "(i)", "(j)"},
		},
		"a roman i below h": {
			append(letters("h"), "(i) More words.", "(ii) And more.", "(i) Ninth letter.", "(j) Tenth letter."),
			[]string{"(h)", "(h)(i)", "(h)(ii)", "(i)", "(j)"},
		},
		"a roman i below a number below h": {
			append(letters("h"), "(1) The following:", "(i) One;", "(ii) Two.", "(2) Last."),
			[]string{"(h)", "(h)(1)", "(h)(1)(i)", "(h)(1)(ii)", "(h)(2)"},
		},
		"letters after h with numbers below i": {
			append(letters("h"), "(1) One.", "(2) Two.", "(i) Ninth:", "(1) One.", "(2) Two.", "(j) Tenth."),
			[]string{"(h)(1)", "(h)(2)", "(i)", "(i)(1)", "(i)(2)", "(j)"},
		},
		"v is a letter among letters": {
			[]string{"(t) T.", "(u) U.", "(v) V.", "(w) W.", "(x) X.", "(y) Y."},
			[]string{"(u)", "(v)", "(w)", "(x)", "(y)"},
		},
		"v is a numeral among numerals": {
			[]string{"(a) The following:", "(1) One:", "(i) A;", "(ii) B;", "(iii) C;", "(iv) D;", "(v) E;", "(vi) F.", "(b) B."},
			[]string{"(a)(1)(iv)", "(a)(1)(v)", "(a)(1)(vi)", "(b)"},
		},
		"several markers on one line": {
			[]string{"(a)(1)(i) First.", "(ii) Second.", "(2) Third.", "(b) Heading. (1) Fourth.", "(2) Fifth."},
			[]string{"(a)", "(a)(1)", "(a)(1)(i)", "(a)(1)(ii)", "(a)(2)", "(b)", "(b)(1)", "(b)(2)"},
		},
		"numbers again on the fifth level": {
			[]string{"(a) A:", "(1) One:", "(i) I:", "(A) A:", "(1) First;", "(2) Second.", "(B) B.", "(ii) II.", "(2) Two.", "(3) Three."},
			[]string{"(a)(1)(i)(A)(1)", "(a)(1)(i)(A)(2)", "(a)(1)(i)(B)", "(a)(1)(ii)", "(a)(2)", "(a)(3)"},
		},
		"a reserved range": {
			[]string{"(a) A.", "(b)-(d) [Reserved]", "(e) E."},
			[]string{"(a)", "(b)", "(c)", "(d)", "(e)"},
		},
		"a skipped letter": {
			[]string{"(a) A.", "(b) B.", "(d) D."},
			[]string{"(a)", "(b)", "(d)"},
		},
		"doubled letters": {
			[]string{"(y) Y.", "(z) Z.", "(aa) AA.", "(bb) BB."},
			[]string{"(z)", "(aa)", "(bb)"},
		},
		"a lost break": {
			[]string{"(a) The following:", "(1) Recruit people;(2) Pay people;", "(3) Let people go."},
			[]string{"(a)", "(a)(1)", "(a)(2)", "(a)(3)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := strings.Split(strings.ReplaceAll(citationsOf(parseText(t, section(tt.paragraphs...))), "16 CFR 255.9", ""), "\n")
			got = got[max(0, len(got)-len(tt.want)):]
			if strings.Join(got, " ") != strings.Join(tt.want, " ") {
				t.Errorf("got  %v\nwant %v", got, tt.want)
			}
		})
	}
}

func TestAmbiguousMarkersAreReported(t *testing.T) {
	// Nothing tells whether the last (i) is a letter or a numeral.
	var paragraphs []string
	for c := 'a'; c <= 'h'; c++ {
		paragraphs = append(paragraphs, fmt.Sprintf("(%c) Words.", c))
	}
	p := parseText(t, section(append(paragraphs, "(1) One.", "(i) What is this.")...))
	if p.Count(regs.ProblemAmbiguous) != 1 {
		t.Errorf("problems: %v", p.Problems)
	}
	last := p.Rules[len(p.Rules)-1]
	if last.Ambiguous == "" {
		t.Errorf("%s does not say that it may be another", last.Citation)
	}
	if n := parseText(t, section("(a) A.", "(b) B.", "(d) D.")).Count(regs.ProblemGap); n != 1 {
		t.Errorf("%d gaps are told, want 1", n)
	}
}

func TestContinuedParagraphs(t *testing.T) {
	p := parseText(t, section(
		"(a) A firm must keep all of the following:",
		"(1) letters; and",
		"(2) notes.",
		"The firm may keep them on paper.",
		"(b) Another paragraph.",
		"It goes on here.",
	))
	want := map[string]string{
		"16 CFR 255.9(a)":    "(a) A firm must keep all of the following:\n\nThe firm may keep them on paper.",
		"16 CFR 255.9(a)(2)": "(2) notes.",
		"16 CFR 255.9(b)":    "(b) Another paragraph.\n\nIt goes on here.",
	}
	for _, r := range p.Rules {
		if w, ok := want[r.Citation.String()]; ok && r.Text != w {
			t.Errorf("%s: got %q, want %q", r.Citation, r.Text, w)
		}
	}
}

func TestDefinitionsWithoutMarkers(t *testing.T) {
	p := parseText(t, "§ 230.999 Definitions of terms.\n\nUnless the context asks otherwise, these words mean:\n\n"+
		"“Affiliate” means a person that controls another.\n\n“Amount” has the meaning that it has elsewhere.\n\nIt includes:\n\n(1) a sum; and\n\n(2) a count.\n\n“Zebra” means a striped animal.\n")
	want := "17 CFR 230.999\n17 CFR 230.999 \"Affiliate\"\n17 CFR 230.999 \"Amount\"\n17 CFR 230.999 \"Zebra\""
	if got := citationsOf(p); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if r := p.Rules[2]; r.Kind != audit.KindDefinition || !strings.Contains(r.Text, "(2) a count.") {
		t.Errorf("the definition is %+v", r)
	}
}

// An invented rule in FINRA's form: letters after numbers, headings on lines of
// their own, a list within a sentence, and supplementary material.
const finraRule = `2999. Invented Communications

(a) Definitions

For purposes of this Rule:

(1) "Memo" means a short letter.

(2) "Notice" means any:

(A) letter; or

(B) card.

No member may call a letter a card.

(b) Standards

(1) General

(A) A member may send a memo that holds: (i) a name; (ii) a date; and (iii) a sum. It may send no other memo.

(B) A notice must show:

(i) the following:

a. its date;

b. its author;

(ii) its number.

(2) Records

A member must keep notices.

• • • Supplementary Material: --------------

.01 Short Letters. A letter of one page is short.

.02 Long Letters. A letter of two pages is long.

Amended by SR-FINRA-2999-001 eff. Jan. 1, 2999.
`

func TestFINRARule(t *testing.T) {
	p := parseText(t, finraRule)
	want := strings.Fields(`2999 2999(a) 2999(a)(1) 2999(a)(2) 2999(a)(2)(A) 2999(a)(2)(B) 2999(b) 2999(b)(1) 2999(b)(1)(A)
		2999(b)(1)(A)(i) 2999(b)(1)(A)(ii) 2999(b)(1)(A)(iii) 2999(b)(1)(B) 2999(b)(1)(B)(i) 2999(b)(1)(B)(i)(a)
		2999(b)(1)(B)(i)(b) 2999(b)(1)(B)(ii) 2999(b)(2) 2999.01 2999.02`)
	got := strings.Fields(strings.ReplaceAll(citationsOf(p), "FINRA ", ""))
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Fatalf("got  %v\nwant %v", got, want)
	}
	texts := map[string]audit.Rule{}
	for _, r := range p.Rules {
		texts[r.Citation.String()] = r
	}
	for cite, words := range map[string]string{
		"FINRA 2999(a)(2)":    "No member may call a letter a card.",
		"FINRA 2999(b)(1)(A)": "It may send no other memo.",
		"FINRA 2999(b)(2)":    "A member must keep notices.",
	} {
		if !strings.Contains(texts[cite].Text, words) {
			t.Errorf("%s lacks %q: %q", cite, words, texts[cite].Text)
		}
	}
	if texts["FINRA 2999(b)(2)"].Title != "Records" || texts["FINRA 2999.02"].Title != "Long Letters" {
		t.Errorf("titles are %q and %q", texts["FINRA 2999(b)(2)"].Title, texts["FINRA 2999.02"].Title)
	}
	if strings.Contains(texts["FINRA 2999.02"].Text, "Amended by") {
		t.Error("the history is taken for a part of the rule")
	}
}

func TestPagesAreJoined(t *testing.T) {
	page := func(n int, lines ...string) string {
		return fmt.Sprintf("Rulebook of the Invented Authority\n\n%s\n\nPage %d of 3\n", strings.Join(lines, "\n"), n)
	}
	text := page(1,
		"§ 255.9 Invented things.", "",
		"(a) A paragraph that begins at the foot of the first page and whose sentence", "is not over when the page",
	) + "\f" + page(2,
		"ends, so that it goes on at the head of the second one.", "",
		"(b) Another paragraph, which stands on the second page alone and takes two lines", "of it.",
	) + "\f" + page(3, "(c) The last paragraph of the text, on the third page.")
	p := parseText(t, text)
	if got := citationsOf(p); got != "16 CFR 255.9\n16 CFR 255.9(a)\n16 CFR 255.9(b)\n16 CFR 255.9(c)" {
		t.Fatalf("got\n%s", got)
	}
	a := p.Rules[1]
	if a.FirstPage != 1 || a.LastPage != 2 {
		t.Errorf("(a) is on pages %d to %d", a.FirstPage, a.LastPage)
	}
	if !strings.Contains(a.Text, "when the page ends, so that") {
		t.Errorf("(a) is not joined: %q", a.Text)
	}
	for _, r := range p.Rules {
		if strings.Contains(r.Text, "Rulebook of") || strings.Contains(r.Text, "of 3") {
			t.Errorf("a running title stands in %s: %q", r.Citation, r.Text)
		}
	}
}

func TestHTML(t *testing.T) {
	p := parseText(t, `<!DOCTYPE html><html><head><title>x</title><style>p{}</style></head><body>
<nav><a href="/">§ 1.1 Home</a></nav>
<main><h1>Part 255</h1><h4>§ 255.9 Invented things.</h4>
<div><p class="indent-1"><span>(<em>a</em>)</span> <em>Heading.</em> Words with an&nbsp;entity &amp; more:</p>
<p>(1) one;<br>(2) two.</p>
<table><tr><th>Name</th><th>Sum</th></tr><tr><td>Ann</td><td>3</td></tr></table>
<p>(b) Last.</p></div></main><footer>§ 9.9 Contact us</footer></body></html>`)
	if got := citationsOf(p); got != "16 CFR 255.9\n16 CFR 255.9(a)\n16 CFR 255.9(a)(1)\n16 CFR 255.9(a)(2)\n16 CFR 255.9(b)" {
		t.Fatalf("got\n%s", got)
	}
	if a := p.Rules[1]; a.Title != "Heading" || a.Text != "(a) Heading. Words with an entity & more:" {
		t.Errorf("(a) is %q, %q", a.Title, a.Text)
	}
	if two := p.Rules[3]; !strings.Contains(two.Text, "| Name | Sum |\n|---|---|\n| Ann | 3 |") {
		t.Errorf("the table is not Markdown: %q", two.Text)
	}
	if p.Text.Format != string(regs.FormatHTML) {
		t.Errorf("the format is %s", p.Text.Format)
	}
}

func TestPDF(t *testing.T) {
	if _, err := exec.LookPath("pdftotext"); err != nil {
		t.Skip("SKIPPED: pdftotext is not installed (package poppler-utils)")
	}
	p := parseText(t, string(pdf(
		"§ 255.9 Invented things.",
		"",
		"(a) A paragraph of a PDF that takes more than one line because its words",
		"do not fit on one.",
		"(1) Its first part.",
		"(2) Its second part.",
		"(b) Another paragraph.",
	)))
	if got := citationsOf(p); got != "16 CFR 255.9\n16 CFR 255.9(a)\n16 CFR 255.9(a)(1)\n16 CFR 255.9(a)(2)\n16 CFR 255.9(b)" {
		t.Fatalf("got\n%s", got)
	}
	if a := p.Rules[1]; !strings.HasSuffix(a.Text, "do not fit on one.") {
		t.Errorf("the lines are not joined: %q", a.Text)
	}
	if _, err := regs.Parse(context.Background(), pdf(), regs.Options{Name: "empty.pdf"}); err == nil || !strings.Contains(err.Error(), "no text") {
		t.Errorf("a PDF without text: %v", err)
	}
}

// pdf writes a PDF of one page.
func pdf(lines ...string) []byte { return pdfOf(lines) }

// pdfOf writes a PDF with the given lines on its pages.
func pdfOf(pages ...[]string) []byte {
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"}
	kids := ""
	for _, lines := range pages {
		var content strings.Builder
		content.WriteString("BT /F1 8 Tf 40 740 Td 13 TL\n")
		for _, l := range lines {
			l = strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`, "§", `\247`, "“", `\223`, "”", `\224`, "’", `\222`, "—", `\227`, "–", `\226`, "®", `\256`).Replace(l)
			fmt.Fprintf(&content, "(%s) Tj T*\n", l)
		}
		content.WriteString("ET")
		objects = append(objects, fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", content.Len(), content.String()),
			fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources<</Font<</F1 3 0 R>>>>>>", len(objects)+1))
		kids += fmt.Sprintf("%d 0 R ", len(objects))
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Kids[%s]/Count %d>>", kids, len(pages))
	out := "%PDF-1.4\n"
	var at []int
	for i, o := range objects {
		at = append(at, len(out))
		out += fmt.Sprintf("%d 0 obj%s endobj\n", i+1, o)
	}
	xref := len(out)
	out += fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, a := range at {
		out += fmt.Sprintf("%010d 00000 n \n", a)
	}
	return []byte(out + fmt.Sprintf("trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF", len(objects)+1, xref))
}
