package regs_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	house "veristream/backend/regs"
)

// The example of house rules in README.md is what users start from, so the app must take it.
func TestTheExampleOfHouseRulesLoads(t *testing.T) {
	raw, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(raw), "```yaml\n")
	example, _, closed := strings.Cut(after, "```")
	if !found || !closed {
		t.Fatal("README.md has no YAML example")
	}
	name := filepath.Join(t.TempDir(), "acme.yaml")
	if err := os.WriteFile(name, []byte(example), 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := house.LoadHouseRules(name)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := set.Card("ACME 3.1"); !ok {
		t.Error("the example's card is not found by its citation")
	}
}

// Names of example paragraphs in both spellings must lead to one card.
func TestExamplesAreFoundByBothNames(t *testing.T) {
	for name, f := range cardFiles(t) {
		for _, c := range f.Cards {
			for _, a := range c.Aliases {
				number, ok := strings.CutPrefix(a, strings.SplitN(c.Citation, "(", 2)[0]+" Example ")
				if ok && !strings.Contains(c.Citation, "("+number+")") {
					t.Errorf("%s: %s is not example %s", name, c.Citation, number)
				}
			}
		}
	}
}
