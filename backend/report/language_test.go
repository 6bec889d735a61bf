package report

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Every text of the report that is written in English has its German.
func TestGermanIsWhole(t *testing.T) {
	for key := range english {
		if german[key] == "" {
			t.Errorf("no German for the code %q", key)
		}
	}
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, file := range files {
		if !strings.HasSuffix(file.Name(), ".go") || strings.HasSuffix(file.Name(), "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), file.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			fun, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"t", "f", "count", "textPart"}, fun.Sel.Name) {
				return true
			}
			for _, arg := range call.Args {
				lit, ok := arg.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					continue
				}
				key, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				n++
				if german[key] == "" {
					t.Errorf("%s: no German for %q", file.Name(), key)
				}
			}
			return true
		})
	}
	if n < 80 {
		t.Errorf("only %d texts were looked at", n)
	}
}

// The report never calls a video compliant, in no language.
func TestNoVerdict(t *testing.T) {
	for _, table := range []map[string]string{english, german} {
		for key, value := range table {
			for _, word := range []string{"compliant", "compliance", "konform", "rechtmäßig", "guarantee"} {
				if strings.Contains(strings.ToLower(key), word) || strings.Contains(strings.ToLower(value), word) {
					t.Errorf("%q says %q", value, word)
				}
			}
		}
	}
}
