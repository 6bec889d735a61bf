package regs_test

import (
	"os"
	"strings"
	"testing"
)

// The example of house rules in README.md is what users start from.
func TestTheExampleOfHouseRulesMatchesTheSchema(t *testing.T) {
	raw, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(raw), "```yaml\n")
	example, _, closed := strings.Cut(after, "```")
	if !found || !closed {
		t.Fatal("README.md has no YAML example")
	}
	matchesSchema(t, []byte(example))
}

// Both spellings of an example must lead to one card: 255.5 Example 11 is 255.5(b)(11).
func TestExamplesAreFoundByBothNames(t *testing.T) {
	for name, f := range cardFiles(t) {
		for _, c := range f.Cards {
			for _, a := range c.Aliases {
				section, _, _ := strings.Cut(c.Citation, "(")
				number, ok := strings.CutPrefix(a, section+" Example ")
				if ok && !strings.Contains(c.Citation, "("+number+")") {
					t.Errorf("%s: %s is not example %s", name, c.Citation, number)
				}
			}
		}
	}
}
