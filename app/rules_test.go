package app_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"veristream/app"
	"veristream/app/apptest"
	"veristream/backend/audit"
)

func TestRulesAreListedAndOpened(t *testing.T) {
	b := set(t, t.TempDir(), nil)
	list, err := b.Rules.List("")
	if err != nil || len(list.Sets) != 2 || list.Sets[0].ID != "16 CFR 255" || !list.Sets[1].House {
		t.Fatalf("got %+v, %v", list, err)
	}
	nodes, err := b.Rules.Outline("16 CFR 255", "")
	if err != nil || len(nodes) != 4 {
		t.Fatalf("got %+v, %v", nodes, err)
	}
	page, err := b.Rules.Show("section 255.9(a)(1)", "")
	if err != nil || page.Citation != "16 CFR 255.9(a)(1)" || page.Card == nil || len(page.Flow) != 4 {
		t.Errorf("got %+v, %v", page, err)
	}
	about, err := b.Rules.About("ACME 3", "")
	if err != nil || len(about.Heads) != 1 || !about.Heads[0].House {
		t.Errorf("got %+v, %v", about, err)
	}
	hits, err := b.Rules.Find(" letters ", "")
	if err != nil || len(hits) != 1 {
		t.Errorf("got %+v, %v", hits, err)
	}
	if hits, err := b.Rules.Find("  ", ""); err != nil || hits == nil || len(hits) != 0 {
		t.Errorf("nothing asked: %v, %v", hits, err)
	}
	// What goes over as JSON holds no null: the front end's types have none.
	for name, v := range map[string]any{"list": list, "outline": nodes, "page": page, "about": about} {
		if raw, err := json.Marshal(v); err != nil || strings.Contains(string(raw), "null") {
			t.Errorf("%s: %s, %v", name, raw, err)
		}
	}
}

func TestRulesThatAreNotThere(t *testing.T) {
	b := set(t, t.TempDir(), nil)
	for _, c := range []struct {
		name string
		do   func() error
	}{
		{"no citation", func() error { _, err := b.Rules.Show("what I ate", ""); return err }},
		{"not installed", func() error { _, err := b.Rules.Show("12 CFR 1026.54", ""); return err }},
		{"no such paragraph", func() error { _, err := b.Rules.Show("16 CFR 255.9(z)", ""); return err }},
		{"no such rule", func() error { _, err := b.Rules.Outline("31 CFR 1010", ""); return err }},
		{"no day", func() error { _, err := b.Rules.List("yesterday"); return err }},
	} {
		if err := c.do(); err == nil || audit.CodeOf(err) == audit.CodeInternal {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestImports(t *testing.T) {
	b := set(t, t.TempDir(), nil)
	r, err := b.Imports.Texts(app.ImportRequest{Paths: []string{"/x/guide.xml"}, AsOf: "2026-01-01"})
	if err != nil || len(r.Imported) != 1 || r.Imported[0].AsOf != "2026-01-01" || r.Failures == nil {
		t.Errorf("got %+v, %v", r, err)
	}
	b.told(t, app.EventRules)
	b.told(t, app.EventImport)
	if _, err := b.Imports.Texts(app.ImportRequest{Paths: []string{"/x"}, AsOf: "soon"}); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("a day that is none: %v", err)
	}
	r, err = b.Imports.Documents([]string{"/x/report.pdf", "/x/odd.bin"}, false)
	if err != nil || len(r.Imported) != 1 || len(r.Failures) != 1 {
		t.Errorf("got %+v, %v", r, err)
	}
	scope, err := b.Questions.Scope()
	if err != nil || len(scope.Documents) != 1 {
		t.Errorf("got %+v, %v", scope, err)
	}
	if got, err := b.Questions.Read("report.pdf", 7); err != nil || len(got.Passages) != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
	if err := b.Imports.Remove("document", "report.pdf"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Questions.Read("report.pdf", 7); err == nil {
		t.Error("a removed document can be read")
	}
	if err := b.Imports.Remove("everything", "x"); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("a kind that is none: %v", err)
	}
}

func TestAnImportIsCancelled(t *testing.T) {
	b := set(t, t.TempDir(), func(m *apptest.Machines) { m.Step = time.Minute })
	ended := make(chan error)
	go func() {
		_, err := b.Imports.Documents([]string{"/x/report.pdf"}, false)
		ended <- err
	}()
	b.told(t, app.EventImport)
	if _, err := b.Imports.Documents([]string{"/x/other.pdf"}, false); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("a second import at once: %v", err)
	}
	b.Imports.Cancel()
	if err := <-ended; audit.CodeOf(err) != audit.CodeCancelled {
		t.Errorf("it ended with %v", err)
	}
}
