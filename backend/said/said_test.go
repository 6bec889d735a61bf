package said_test

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
	"veristream/backend/said"
)

// german says one sentence of the program in German, as a note of a category.
func german(of audit.Said, text string) string {
	r, _ := said.InLanguage(&audit.Result{Said: of, Checked: []audit.Checked{{Note: text}}}, "de")
	return r.Checked[0].Note
}

func TestInLanguage(t *testing.T) {
	of := audit.Said{}
	found := of.Say(audit.Say("Looked for {=0} {=1}: found at {2} ({=3}): “{4}”.", "a specific risk", "within 20 s of the words", "00:12.0", "screen", "Speech is {=0} free."))
	why := of.Say(audit.Say("{=0}: these words may be a violation of {1}.", "Promise of a result or of safety", "FINRA 2210(d)(1)(B)").
		And(audit.Quote("en", "A firm promises nothing.")))
	house := of.Say(audit.Say("{=0}: these words may be a violation of {1}.", "No emojis", "HOUSE 1").And(audit.Quote("und", "Keine Emojis.")))
	for _, tt := range []struct {
		english, want string
		foreign       []said.Part // by language and words; the rest is German
	}{
		{"", "", nil},
		{
			found, "Gesucht wurde bis 20 s um die Wörter nach: einem bestimmten Risiko. Gefunden bei 00:12.0 (gezeigt), im Original: „Speech is {=0} free.“.",
			[]said.Part{{Text: "Speech is {=0} free.", Language: "es"}},
		},
		{
			why, "Versprechen eines Ergebnisses oder von Sicherheit: Diese Wörter könnten gegen FINRA 2210(d)(1)(B) verstoßen. Originaltext, englisch: „A firm promises nothing.“",
			[]said.Part{{Text: "A firm promises nothing.", Language: "en"}},
		},
		{
			house, "„No emojis“ (Originaltext): Diese Wörter könnten gegen HOUSE 1 verstoßen. Originaltext: „Keine Emojis.“",
			[]said.Part{{Text: "Keine Emojis.", Language: "und"}},
		},
		{"The speaker is a FINRA member firm.", "Der Sprecher ist ein FINRA-Mitglied.", nil},
		{
			"What an earlier program said.", "Originaltext, englisch: „What an earlier program said.“",
			[]said.Part{{Text: "What an earlier program said.", Language: "en"}},
		},
	} {
		r := &audit.Result{Said: of, Checked: []audit.Checked{{Note: tt.english}}, Video: audit.Video{Language: "es"}}
		shown, all := said.InLanguage(r, "de")
		got := shown.Checked[0].Note
		if got != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.english, got, tt.want)
		}
		whole := ""
		var foreign []said.Part
		for _, p := range all[got] {
			whole += p.Text
			if p.Language != "" {
				foreign = append(foreign, p)
			}
		}
		if !slices.Equal(foreign, tt.foreign) || len(all) > 0 && whole != got {
			t.Errorf("%q: what is not German is %q, in the parts of %q", tt.english, foreign, whole)
		}
	}
}

// What is German in a German window needs no mark, and the audit itself stays.
func TestInItsOwnLanguage(t *testing.T) {
	r := &audit.Result{Said: audit.Said{}, Findings: []audit.Finding{{Evidence: "The signals were too weak."}}, Video: audit.Video{Language: "de"}}
	r.Findings[0].Remedy = r.Said.Say(audit.Say("Draft wording, {=0}, which the same audit passes: “{1}”", "at the start", "Werbung: bezahlt von einer Bank."))
	if english, foreign := said.InLanguage(r, "en"); english != r || foreign != nil {
		t.Error("an audit in English was translated")
	}
	shown, foreign := said.InLanguage(r, "de")
	if len(foreign) != 0 || !strings.HasSuffix(shown.Findings[0].Remedy, "„Werbung: bezahlt von einer Bank.“") {
		t.Errorf("%q, %q", foreign, shown.Findings[0].Remedy)
	}
	if shown == r || r.Findings[0].Evidence != "The signals were too weak." {
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
