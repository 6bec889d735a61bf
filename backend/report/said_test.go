package report_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"veristream/backend/agent"
	"veristream/backend/agent/applicability"
	"veristream/backend/audit"
	"veristream/backend/report"
)

// german says one sentence of the program in German, as a note of a category.
func german(said audit.Said, text string) string {
	r := &audit.Result{Said: said, Checked: []audit.Checked{{Note: text}}}
	return report.InLanguage(r, "de").Checked[0].Note
}

func TestInLanguage(t *testing.T) {
	said := audit.Said{}
	found := said.Say(audit.Say("Looked for {=0} {=1}: found at {2} ({=3}): “{4}”.", "a specific risk", "within 20 s of the words", "00:12.0", "screen", "Speech is {=0} free."))
	why := said.Say(audit.Say("{=0}: these words may be a violation of {1}.", "Promise of a result or of safety", "FINRA 2210(d)(1)(B)").
		And(audit.Quote("en", "A firm promises nothing.")))
	house := said.Say(audit.Say("{=0}: these words may be a violation of {1}.", "No emojis", "HOUSE 1").And(audit.Quote("und", "Keine Emojis.")))
	for _, tt := range []struct{ english, want string }{
		{"", ""},
		{found, "Gesucht wurde bis 20 s um die Wörter nach: einem bestimmten Risiko. Gefunden bei 00:12.0 (gezeigt), im Original: „Speech is {=0} free.“."},
		{why, "Versprechen eines Ergebnisses oder von Sicherheit: Diese Wörter könnten gegen FINRA 2210(d)(1)(B) verstoßen. Originaltext, englisch: „A firm promises nothing.“"},
		{house, "„No emojis“ (Originaltext): Diese Wörter könnten gegen HOUSE 1 verstoßen. Originaltext: „Keine Emojis.“"},
		{"The speaker is a FINRA member firm.", "Der Sprecher ist ein FINRA-Mitglied."},
		{"What an earlier program said.", "Originaltext, englisch: „What an earlier program said.“"},
	} {
		if got := german(said, tt.english); got != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.english, got, tt.want)
		}
	}
	r := &audit.Result{Findings: []audit.Finding{{Evidence: "The signals were too weak."}}}
	if report.InLanguage(r, "en") != r || report.InLanguage(r, "de") == r || r.Findings[0].Evidence != "The signals were too weak." {
		t.Error("the audit itself was changed")
	}
}

// Whatever the program can say of a video has its German: the titles and
// remedies of its data, the reasons of its table, the sentences in its code.
func TestAllThatIsSaidHasGerman(t *testing.T) {
	n := 0
	check := func(where, key string) {
		n++
		if got := german(nil, key); strings.Contains(got, "Originaltext") {
			t.Errorf("%s: no German for %q", where, key)
		}
	}
	data, err := agent.LoadData()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range data.Categories {
		check("category "+c.ID, c.Title)
		check("category "+c.ID, c.Remedy)
	}
	for _, b := range data.Behaviours {
		check("behaviour "+b.ID, b.Title)
	}
	table, err := applicability.Load()
	if err != nil {
		t.Fatal(err)
	}
	values := audit.FactValues()
	with := func(q string) []string { return append([]string{audit.Unknown}, values[q]...) }
	seen := map[string]bool{}
	for _, speaker := range with("speaker") {
		for _, paid := range with("paid") {
			for _, sponsor := range with("sponsor") {
				for _, audience := range with("audience") {
					f := audit.Facts{Speaker: speaker, Paid: paid, Sponsor: sponsor, Audience: audience, Options: audit.Unknown}
					for id, a := range table.Decide(applicability.Input{Facts: f, AsOf: "2026-01-01"}) {
						for _, m := range a.Reason {
							for _, key := range append([]string{m.Key}, m.Args...) {
								if !seen[key] {
									seen[key] = true
									check("table "+id, key)
								}
							}
						}
					}
				}
			}
		}
	}
	for _, dir := range []string{"../agent", "../agent/applicability", "../verify", "../media", "../pipeline", "../../app/core"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", dir, err)
		}
		for _, file := range files {
			if !strings.HasSuffix(file, "_test.go") {
				sentences(t, file, check)
			}
		}
	}
	if n < 250 {
		t.Errorf("only %d were looked at", n)
	}
}

// sentences gives the literals in a file's calls that say something, and the
// reasons that a function whose name begins with "reason" returns.
func sentences(t *testing.T, file string, each func(where, key string)) {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	give := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if key, err := strconv.Unquote(lit.Value); err == nil && key != "" {
				each(filepath.Base(file), key)
			}
		}
	}
	ast.Inspect(tree, func(node ast.Node) bool {
		switch x := node.(type) {
		case *ast.CallExpr:
			name := ""
			switch fun := x.Fun.(type) {
			case *ast.SelectorExpr:
				name = fun.Sel.Name
			case *ast.Ident:
				name = fun.Name
			}
			ours := strings.HasPrefix(file, "../agent") && slices.Contains([]string{"tell", "refuse", "looked"}, name)
			if ours || name == "Say" {
				for _, arg := range x.Args {
					give(arg)
				}
			}
		case *ast.FuncDecl:
			if strings.HasPrefix(x.Name.Name, "reason") || x.Name.Name == "say" || x.Name.Name == "channel" {
				ast.Inspect(x, func(n ast.Node) bool {
					if r, ok := n.(*ast.ReturnStmt); ok {
						for _, e := range r.Results {
							give(e)
						}
					}
					return true
				})
			}
		case *ast.ValueSpec:
			for i, name := range x.Names {
				if strings.HasPrefix(name.Name, "note") && i < len(x.Values) {
					give(x.Values[i])
				}
			}
		}
		return true
	})
}
