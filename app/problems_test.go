package app_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"veristream/backend/audit"
)

const germanProblems = "../frontend/src/lib/text/de.problems.ts"

// The rooms whose errors a person meets in the window.
var rooms = []string{
	".", "batch", "core", "desk", "dirs", "docstore", "doctor", "files", "finder", "papers", "storage", "texts", "weights",
	"../backend/audit", "../backend/infer", "../backend/llm", "../backend/media", "../backend/ocr", "../backend/pipeline",
	"../backend/report", "../backend/store", "../backend/transcribe", "../backend/transcribe/whispercpp",
}

// What stands in an error as it is, and a place that holds another sentence.
var untranslated = []string{"{0}", "{0}."}

// leastGerman is the share of the sentences that must be there in German: one
// that is new may wait for its German, but not many.
const leastGerman = 0.96

// TestGermanProblems holds the German list of what can go wrong to the
// sentences of the source: few may be missing, which it names, and none stands
// for one that has gone.
func TestGermanProblems(t *testing.T) {
	data, err := os.ReadFile(germanProblems)
	if err != nil {
		t.Fatal(err)
	}
	var german []string
	for _, m := range regexp.MustCompile(`(?m)^  (?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|(\w+)):`).FindAllStringSubmatch(string(data), -1) {
		german = append(german, m[1]+m[2]+m[3])
	}
	forms, literals := sentences(t)
	if len(german) < 200 || len(forms) < 200 {
		t.Fatalf("only %d German sentences and %d of the source were found", len(german), len(forms))
	}
	there := 0
	for form, where := range forms {
		if slices.Contains(german, form) || slices.Contains(untranslated, form) {
			there++
		} else {
			t.Logf("%s: no German for %q in %s", where, form, germanProblems)
		}
	}
	if share := float64(there) / float64(len(forms)); share < leastGerman {
		t.Errorf("%.0f of 100 sentences have German", 100*share)
	}
	for _, g := range german {
		if !literals[g] {
			t.Errorf("no room says %q any more: take it out of %s", g, germanProblems)
		}
	}
}

// sentences gives the forms of errors with the place of each, and every text of
// the source in the form of one.
func sentences(t *testing.T) (forms map[string]string, literals map[string]bool) {
	t.Helper()
	forms, literals = map[string]string{}, map[string]bool{}
	for _, room := range rooms {
		files, err := filepath.Glob(filepath.Join(room, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no source in %s: %v", room, err)
		}
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					if text, ok := words(n); ok {
						literals[text] = true
					}
				case *ast.BinaryExpr:
					if text, ok := words(n); ok {
						literals[text] = true
					}
				case *ast.CallExpr:
					if i := formatOf(n); i >= 0 && i < len(n.Args) {
						if text, ok := words(n.Args[i]); ok {
							forms[text] = set.Position(n.Pos()).String()
						}
					}
				}
				return true
			})
		}
	}
	return forms, literals
}

// formatOf gives which argument of a call is the format of a sentence for a
// person; -1: none.
func formatOf(call *ast.CallExpr) int {
	name, of := "", ""
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		name = f.Sel.Name
		if x, ok := f.X.(*ast.Ident); ok {
			of = x.Name
		}
	case *ast.Ident: // in package audit itself
		name, of = f.Name, "audit"
	}
	switch {
	case of == "audit" && name == "Errorf":
		return 1
	case of == "audit" && name == "Wrap":
		return 2
	case name == "say":
		return 0
	}
	return -1
}

// words gives a text of the source, also one in several pieces, as the form of a
// sentence.
func words(n ast.Expr) (string, bool) {
	text, ok := text(n)
	return audit.Formed(text, "", "", "", "", "", "", "", "").Key, ok
}

func text(n ast.Expr) (string, bool) {
	switch n := n.(type) {
	case *ast.BasicLit:
		if n.Kind == token.STRING {
			text, err := strconv.Unquote(n.Value)
			return text, err == nil
		}
	case *ast.BinaryExpr:
		a, ok1 := text(n.X)
		b, ok2 := text(n.Y)
		return a + b, ok1 && ok2 && n.Op == token.ADD
	}
	return "", false
}
