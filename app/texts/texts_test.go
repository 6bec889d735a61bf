package texts_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"veristream/app/texts"
	"veristream/backend/audit"
	"veristream/backend/regs"
	"veristream/backend/store"
)

const guide = `§ 255.9 Invented things.

(a) A firm must do the following:

(1) write letters; and

(2) keep them.

(b) Examples:

(1) Example 1. A firm burns its letters.
`

func open(t *testing.T) (*store.Store, *texts.Installer) {
	t.Helper()
	st, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return st, &texts.Installer{Store: st, Now: func() time.Time { return time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC) }}
}

func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestImportAndReimport(t *testing.T) {
	ctx := context.Background()
	st, in := open(t)
	dir := t.TempDir()
	path := write(t, dir, "guide-2025-01-01.txt", guide)
	reports, _, err := in.Import(ctx, path, texts.ImportOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := reports[0]
	if r.Text.ID != "16-cfr-255@2025-01-01" || r.Rules != 6 || r.Sections != 1 || r.Passages == 0 || r.Again {
		t.Errorf("got %+v", r)
	}
	rules, err := st.TextRules(ctx, r.Text.ID)
	if err != nil || len(rules) != 6 {
		t.Fatalf("%d paragraphs are stored, %v", len(rules), err)
	}
	// The same file again is the same text.
	reports, _, err = in.Import(ctx, path, texts.ImportOptions{}, nil)
	if err != nil || !reports[0].Again {
		t.Errorf("again: %+v, %v", reports, err)
	}
	// Another date stands beside it.
	newer := write(t, dir, "guide-2026-01-01.txt", strings.Replace(guide, "keep them", "burn them", 1))
	if _, _, err := in.Import(ctx, newer, texts.ImportOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	for asOf, want := range map[string]string{"2025-06-01": "(2) keep them.", "2026-06-01": "(2) burn them."} {
		r, err := st.Rule(ctx, audit.MustParseCitation("16 CFR 255.9(a)(2)"), asOf)
		if err != nil || r.Text != want {
			t.Errorf("on %s it says %q, %v", asOf, r.Text, err)
		}
	}
	// A file without a date takes today's and says so.
	plain := write(t, dir, "guide.txt", guide)
	reports, _, err = in.Import(ctx, plain, texts.ImportOptions{}, nil)
	if err != nil || reports[0].Text.AsOf != "2026-03-01" || reports[0].Notice == "" {
		t.Errorf("undated: %+v, %v", reports[0], err)
	}
	reports, _, err = in.Import(ctx, plain, texts.ImportOptions{AsOf: "2020-02-02"}, nil)
	if err != nil || reports[0].Text.ID != "16-cfr-255@2020-02-02" {
		t.Errorf("dated by hand: %+v, %v", reports[0], err)
	}
}

// A text without a date that is preferred to a dated one says so.
func TestUndatedTextsSayWhatTheyReplace(t *testing.T) {
	ctx := context.Background()
	st, in := open(t)
	dir := t.TempDir()
	for _, tt := range []struct{ name, date, notice string }{
		{"guide-2016-11-14.txt", "2016-11-14", ""},
		{"guide_2018-01305.txt", "2018-12-31", "the file does not tell its date; the number 2018-01305 in its name is of 2018, whose last day was taken, so it stands before the text of 2016-11-14"},
		{"guide_2026-01305.txt", "2026-03-01", "the file does not tell its date; today's was taken, so it stands before the text of 2018-12-31"},
	} {
		reports, _, err := in.Import(ctx, write(t, dir, tt.name, guide), texts.ImportOptions{}, nil)
		if err != nil || reports[0].Text.AsOf != tt.date || reports[0].Notice != tt.notice {
			t.Errorf("%s: %+v, %v", tt.name, reports, err)
		}
	}
	for asOf, want := range map[string]string{"2017-01-01": "16-cfr-255@2016-11-14", "2019-01-01": "16-cfr-255@2018-12-31", "": "16-cfr-255@2026-03-01"} {
		if r, err := st.Rule(ctx, audit.MustParseCitation("16 CFR 255.9(a)"), asOf); err != nil || r.Source != want {
			t.Errorf("as of %q: %s, %v", asOf, r.Source, err)
		}
	}
}

func TestRemovingATextRemovesItsPassages(t *testing.T) {
	ctx := context.Background()
	st, in := open(t)
	path := write(t, t.TempDir(), "guide-2025-01-01.txt", guide)
	reports, _, err := in.Import(ctx, path, texts.ImportOptions{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	id := reports[0].Text.ID
	if p, err := st.SourcePassages(ctx, audit.CorpusRules, id); err != nil || len(p) == 0 {
		t.Fatalf("%d passages, %v", len(p), err)
	}
	if err := st.RemoveText(ctx, id); err != nil {
		t.Fatal(err)
	}
	if p, err := st.SourcePassages(ctx, audit.CorpusRules, id); err != nil || len(p) != 0 {
		t.Errorf("%d passages are left, %v", len(p), err)
	}
	if rules, err := st.TextRules(ctx, id); err != nil || len(rules) != 0 {
		t.Errorf("%d paragraphs are left, %v", len(rules), err)
	}
}

// brokenStore fails while it writes.
type brokenStore struct{ texts.Store }

func (b brokenStore) ReplaceText(context.Context, audit.Text, []audit.Rule, []audit.Passage) error {
	return errors.New("disk full")
}

func TestAFailedImportChangesNothing(t *testing.T) {
	ctx := context.Background()
	st, in := open(t)
	path := write(t, t.TempDir(), "guide-2025-01-01.txt", guide)
	if _, _, err := in.Import(ctx, path, texts.ImportOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	before, err := st.SourcePassages(ctx, audit.CorpusRules, "16-cfr-255@2025-01-01")
	if err != nil {
		t.Fatal(err)
	}
	in.Store = brokenStore{st}
	if _, _, err := in.Import(ctx, path, texts.ImportOptions{}, nil); err == nil {
		t.Fatal("no error")
	}
	in.Store = st
	for name, text := range map[string]string{"half.xml": `<DIV8 N="255.9" TYPE="SECTION"><HEAD>§ 255.9 T.</HEAD><P>(a) W`, "none.txt": "Hello."} {
		if _, _, err := in.Import(ctx, write(t, t.TempDir(), name, text), texts.ImportOptions{AsOf: "2025-01-01"}, nil); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
	after, err := st.SourcePassages(ctx, audit.CorpusRules, "16-cfr-255@2025-01-01")
	if err != nil || len(after) != len(before) {
		t.Errorf("%d passages before, %d after, %v", len(before), len(after), err)
	}
}

func TestAFolderGoesOnAfterABadFile(t *testing.T) {
	_, in := open(t)
	dir := t.TempDir()
	write(t, dir, "a.txt", "Not a rule.")
	write(t, dir, "guide-2025-01-01.txt", guide)
	write(t, dir, ".hidden", "x")
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "sub"), "rule.html", "<!DOCTYPE html><html><body><h1>2999. Invented Rule</h1><p>(a) Words.</p></body></html>")
	var read []string
	reports, failures, err := in.Import(context.Background(), dir, texts.ImportOptions{}, func(f string) { read = append(read, f) })
	if err != nil || len(reports) != 2 || len(failures) != 1 || len(read) != 3 {
		t.Errorf("%d texts, %d failures, %d files, %v", len(reports), len(failures), len(read), err)
	}
	if _, _, err := in.Import(context.Background(), t.TempDir(), texts.ImportOptions{}, nil); audit.CodeOf(err) != audit.CodeInput {
		t.Errorf("an empty folder: %v", err)
	}
	if _, _, err := in.Import(context.Background(), filepath.Join(dir, "none"), texts.ImportOptions{}, nil); audit.CodeOf(err) != audit.CodeInput {
		t.Errorf("a missing file: %v", err)
	}
}

func TestPullInstalls(t *testing.T) {
	ctx := context.Background()
	st, in := open(t)
	page := `<!DOCTYPE html><html><body><main><h1>2999. Invented Rule</h1><p>(a) Words.</p></main></body></html>`
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, page) }))
	defer srv.Close()
	dir := t.TempDir()
	in.Puller = &regs.Puller{
		Fetcher: regs.NewFetcher(), Dir: dir,
		Catalogue: regs.Catalogue{APIs: map[string]string{regs.MethodFINRA: srv.URL}},
	}
	o := regs.Official{ID: "finra-2999", Regulator: "FINRA", Covers: "FINRA 2999", Title: "Invented rule", Method: regs.MethodFINRA}
	o.FINRA.Rule = "2999"
	reports, failures, err := in.Pull(ctx, []regs.Official{o}, "", nil)
	if err != nil || len(failures) != 0 || reports[0].Text.ID != "finra-2999@2026-03-01" {
		t.Fatalf("%+v %v %v", reports, failures, err)
	}
	if r, err := st.Rule(ctx, audit.MustParseCitation("FINRA 2999(a)"), ""); err != nil || r.Text != "(a) Words." {
		t.Errorf("%q, %v", r.Text, err)
	}
	// Read again on another day, unchanged but for the site round it, it is no
	// new version; a changed word is one.
	in.Now = func() time.Time { return time.Date(2026, 3, 9, 0, 0, 0, 0, time.UTC) }
	page = strings.Replace(page, "<main>", "<nav>News</nav><main>", 1)
	reports, _, err = in.Pull(ctx, []regs.Official{o}, "", nil)
	if err != nil || reports[0].Text.ID != "finra-2999@2026-03-01" || !reports[0].Again {
		t.Errorf("read again: %+v, %v", reports, err)
	}
	page = strings.Replace(page, "Words.", "Other words.", 1)
	reports, _, err = in.Pull(ctx, []regs.Official{o}, "", nil)
	if err != nil || reports[0].Text.ID != "finra-2999@2026-03-09" || reports[0].Again {
		t.Errorf("changed: %+v, %v", reports, err)
	}
	// A page that is no rule is told and not kept.
	page = "<html><body><p>Maintenance</p></body></html>"
	if _, _, err := in.Pull(ctx, []regs.Official{o}, "", nil); err == nil {
		t.Error("a page without a rule was installed")
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("%d files are kept", len(left))
	}
	if r, err := st.Rule(ctx, audit.MustParseCitation("FINRA 2999(a)"), ""); err != nil || r.Text != "(a) Other words." {
		t.Errorf("the rule is gone: %q, %v", r.Text, err)
	}
}

func TestShow(t *testing.T) {
	ctx := context.Background()
	st, in := open(t)
	if _, _, err := in.Import(ctx, write(t, t.TempDir(), "guide-2025-01-01.txt", guide), texts.ImportOptions{}, nil); err != nil {
		t.Fatal(err)
	}
	show := func(cite string) (texts.Shown, error) {
		return texts.Show(ctx, st, regs.CardSet{}, audit.MustParseCitation(cite), "")
	}
	s, err := show("section 255.9(a)")
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Parents) != 1 || len(s.Children) != 2 || s.Text == nil || s.Text.ID != "16-cfr-255@2025-01-01" || s.Rule.Text != "(a) A firm must do the following:" {
		t.Errorf("got %+v", s)
	}
	if s, err := show("16 CFR 255.9 Example 1"); err != nil || s.Citation != "16 CFR 255.9(b)(1)" {
		t.Errorf("the example is %q, %v", s.Citation, err)
	}
	for cite, want := range map[string]string{
		"16 CFR 255.9(z)(1)":     "The installed text (16-cfr-255@2025-01-01) has 16 CFR 255.9, but no 16 CFR 255.9(z)(1), and no card.",
		"16 CFR 255.1":           "The installed text of 16 CFR 255 has no 16 CFR 255.1, and no card.",
		"Comment 1026.54(a)-1":   "No text that has Comment 1026.54(a)-1 is installed (veristream regs pull, or veristream regs import FILE), and no card.",
		"17 CFR 275.206(4)-1":    "No text that has 17 CFR 275.206(4)-1 is installed (veristream regs pull, or veristream regs import FILE), and no card.",
		"16 CFR 255.9 Example 9": "The installed text (16-cfr-255@2025-01-01) has 16 CFR 255.9, but no 16 CFR 255.9 Example 9, and no card.",
	} {
		if _, err := show(cite); audit.CodeOf(err) != audit.CodeInput || audit.SentenceOf(err) != want {
			t.Errorf("%s: %v", cite, err)
		}
	}
}

func TestInstalledTakesTheVersionInForce(t *testing.T) {
	ctx := context.Background()
	st, in := open(t)
	dir := t.TempDir()
	for _, date := range []string{"2024-01-01", "2025-01-01"} {
		if _, _, err := in.Import(ctx, write(t, dir, "guide-"+date+".txt", guide), texts.ImportOptions{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	for asOf, want := range map[string]string{"": "2025-01-01", "2024-06-01": "2024-01-01", "2020-01-01": "2024-01-01"} {
		got, err := texts.Installed(ctx, st, asOf)
		if err != nil || len(got) != 1 || got[0].Text.AsOf != want {
			t.Errorf("as of %q: %+v, %v", asOf, got, err)
		}
	}
}
