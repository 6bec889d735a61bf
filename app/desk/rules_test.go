package desk_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"veristream/app"
	"veristream/app/desk"
	"veristream/app/dirs"
	"veristream/backend/ask"
	"veristream/backend/audit"
)

const guide = `§ 255.9 Invented letters.

(a) A firm must do the following with its letters:

(1) write every letter in green ink; and

(2) keep the letters for nine years.
`

// open gives the parts of a window over an empty data folder: the program's
// own cards, and no model.
func open(t *testing.T) app.Parts {
	t.Helper()
	// Without the library of the small models nothing is embedded: words alone
	// find what a test asks for.
	t.Cleanup(xdg.Reload)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("VERISTREAM_CACHE", t.TempDir())
	xdg.Reload()
	t.Setenv("VERISTREAM_HOME", t.TempDir())
	d := dirs.Find()
	if err := d.Make(); err != nil {
		t.Fatal(err)
	}
	parts, end := desk.Open(t.Context(), d)
	t.Cleanup(func() {
		if err := end(); err != nil {
			t.Error(err)
		}
	})
	return parts
}

func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRulesOfTheWindow(t *testing.T) {
	parts := open(t)
	ctx := t.Context()
	sets, err := parts.Rulebook.RuleSets(ctx, "")
	if err != nil || len(sets) < 5 {
		t.Fatalf("%d rules, %v", len(sets), err)
	}
	nine := audit.MustParseCitation("16 CFR 255.9(a)(2)")
	if b, err := parts.Rulebook.OpenRule(ctx, nine, ""); err != nil {
		t.Fatal(err)
	} else if _, err := b.Page(nine); audit.CodeOf(err) != audit.CodeInput {
		t.Errorf("before the import: %v", err)
	}
	var told []app.ImportProgress
	report, err := parts.Importer.ImportTexts(ctx, app.ImportRequest{Paths: []string{file(t, "guide-2026-01-01.txt", guide)}},
		func(p app.ImportProgress) { told = append(told, p) })
	if err != nil || len(report.Imported) != 1 || report.Imported[0].AsOf != "2026-01-01" || report.Imported[0].Paragraphs != 4 || len(told) == 0 {
		t.Fatalf("got %+v, %v, told %d times", report, err, len(told))
	}
	// The open book of that rule is not the old one any more.
	b, err := parts.Rulebook.OpenRule(ctx, nine, "")
	if err != nil {
		t.Fatal(err)
	}
	page, err := b.Page(nine)
	if err != nil || page.Text == nil || page.Text.SHA256 == "" || page.Flow[len(page.Flow)-1].Text != "(2) keep the letters for nine years." {
		t.Errorf("got %+v, %v", page, err)
	}
	for query, want := range map[string]string{
		"16 CFR 255.9(a)(1)":  "16 CFR 255.9(a)(1)",
		"255.9(a)(2)":         "16 CFR 255.9(a)(2)",
		"letters green ink":   "16 CFR 255.9",
		"finra 2210(d)(1)(B)": "FINRA 2210(d)(1)(B)",
	} {
		hits, err := parts.Rulebook.FindRules(ctx, query, "")
		if err != nil || len(hits) == 0 || !strings.HasPrefix(hits[0].Citation, want) || hits[0].Snippet == "" {
			t.Errorf("%q finds %+v, %v", query, hits[:min(2, len(hits))], err)
		}
		if n := len(hits); n > 0 && slices.ContainsFunc(hits[1:], func(h app.RuleHit) bool { return h.Citation == hits[0].Citation }) {
			t.Errorf("%q finds %s twice", query, hits[0].Citation)
		}
	}
	// A citation alone finds its paragraph and what stands directly below it.
	hits, err := parts.Rulebook.FindRules(ctx, "16 CFR 255.9(a)", "")
	var names []string
	for _, h := range hits {
		names = append(names, h.Citation)
	}
	if want := []string{"16 CFR 255.9(a)", "16 CFR 255.9(a)(1)", "16 CFR 255.9(a)(2)"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("a citation finds %q, %v", names, err)
	}
	if err := parts.Importer.RemoveText(ctx, report.Imported[0].ID); err != nil {
		t.Fatal(err)
	}
	if b, err := parts.Rulebook.OpenRule(ctx, nine, ""); err != nil || b.Set.Text != nil {
		t.Errorf("after removal: %v, %v", b.Set.Text, err)
	}
}

func TestImportsOfTheWindowThatFail(t *testing.T) {
	parts := open(t)
	quiet := func(app.ImportProgress) {}
	bad, good := file(t, "bad.txt", "Hello."), file(t, "guide-2026-01-01.txt", guide)
	if _, err := parts.Importer.ImportTexts(t.Context(), app.ImportRequest{Paths: []string{bad}}, quiet); audit.CodeOf(err) != audit.CodeInput {
		t.Errorf("a text that is none: %v", err)
	}
	r, err := parts.Importer.ImportTexts(t.Context(), app.ImportRequest{Paths: []string{bad, good}}, quiet)
	if err != nil || len(r.Imported) != 1 || len(r.Failures) != 1 || r.Failures[0].Sentence == "" {
		t.Errorf("one of two: %+v, %v", r, err)
	}
	r, err = parts.Importer.ImportDocuments(t.Context(), []string{file(t, "empty.pdf", "")}, false, quiet)
	if err != nil || len(r.Imported) != 0 || len(r.Failures) != 1 {
		t.Errorf("an empty document: %+v, %v", r, err)
	}
}

func TestQuestionsOfTheWindow(t *testing.T) {
	parts := open(t)
	ctx := t.Context()
	quiet := func(app.ImportProgress) {}
	if _, err := parts.Importer.ImportTexts(ctx, app.ImportRequest{Paths: []string{file(t, "guide-2026-01-01.txt", guide)}}, quiet); err != nil {
		t.Fatal(err)
	}
	handbook := file(t, "handbook.md", "# Harbour Handbook\n\n## Ink\n\nOur people fill their pens with green ink from Aachen every Monday.\n\n## Visitors\n\nVisitors sign the book at the door.\n")
	if _, err := parts.Importer.ImportDocuments(ctx, []string{handbook}, false, quiet); err != nil {
		t.Fatal(err)
	}
	scope, err := parts.Asker.Scope(ctx)
	if err != nil || scope.Model != "" || len(scope.Documents) != 1 || scope.Texts != 1 || !slices.Contains(scope.Regulators, audit.FINRA) {
		t.Errorf("got %+v, %v", scope, err)
	}
	asked := func(r app.AskRequest) (app.Answer, []app.AskEvent) {
		t.Helper()
		var events []app.AskEvent
		r.Mode = app.ModeStandard
		a, err := parts.Asker.Ask(ctx, app.Asked{AskRequest: r}, func(e app.AskEvent) { events = append(events, e) })
		if err != nil {
			t.Fatal(err)
		}
		return a, events
	}
	// A paragraph's own words, with where they come from.
	a, events := asked(app.AskRequest{Text: "what does 16 CFR 255.9(a)(2) say?"})
	if a.Refused || len(a.Sentences) == 0 || !a.Sentences[0].Verbatim || a.Sentences[0].Support[0].Citation != "16 CFR 255.9(a)(2)" {
		t.Fatalf("got %+v", a)
	}
	at := slices.IndexFunc(a.Passages, func(p app.FoundPassage) bool { return p.Rank == a.Sentences[0].Support[0].Passage })
	if at < 0 || a.Passages[at].Corpus != audit.CorpusRules || a.Passages[at].AsOf != "2026-01-01" || a.Passages[at].SHA256 == "" {
		t.Errorf("it rests on %+v", a.Passages)
	}
	found := slices.IndexFunc(events, func(e app.AskEvent) bool { return e.Passages != nil })
	said := slices.IndexFunc(events, func(e app.AskEvent) bool { return e.Sentence != nil })
	if found < 0 || said < found {
		t.Errorf("passages came as event %d, the first sentence as %d", found, said)
	}
	// A document by its name: read from the question, and taken away again.
	question := "where does the Harbour Handbook get its green ink from?"
	a, _ = asked(app.AskRequest{Text: question})
	if len(a.Filters) != 1 || a.Filters[0].Key != audit.MetaDocument || a.Refused || a.Passages[0].Corpus != audit.CorpusDocuments {
		t.Fatalf("got %+v", a)
	}
	s := a.Sentences[0].Support[0]
	reading, err := parts.Asker.Read(ctx, s.Source, a.Passages[s.Passage-1].ID)
	if err != nil || !strings.Contains(reading.Passages[reading.At].Text, s.Quote) {
		t.Errorf("%q is not in %+v, %v", s.Quote, reading, err)
	}
	wide, _ := asked(app.AskRequest{Text: question, Without: []string{a.Filters[0].From}})
	if len(wide.Filters) != 0 || !slices.ContainsFunc(wide.Passages, func(p app.FoundPassage) bool { return p.Corpus != audit.CorpusDocuments }) {
		t.Errorf("without its filter: %+v", wide)
	}
	// Where the user says to look, nothing else is read.
	rules, _ := asked(app.AskRequest{Text: question, Corpora: []string{audit.CorpusRules, audit.CorpusCards}})
	if slices.ContainsFunc(rules.Passages, func(p app.FoundPassage) bool { return p.Corpus == audit.CorpusDocuments }) {
		t.Error("a document answers although rules alone are asked")
	}
	// What nothing answers is refused with a reason.
	a, _ = asked(app.AskRequest{Text: "how do I bake a plum cake with yeast?"})
	if !a.Refused || a.Reason == "" || a.Confidence != ask.Low {
		t.Errorf("got %+v", a)
	}
	// A removed document says so.
	if err := parts.Importer.RemoveDocument(ctx, scope.Documents[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := parts.Asker.Read(ctx, s.Source, 1); audit.CodeOf(err) != audit.CodeInput {
		t.Errorf("a document that is gone: %v", err)
	}
}
