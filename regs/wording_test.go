package regs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// run is the longest stretch of words that may not stand both in a card and in an official text.
const run = 8

var word = regexp.MustCompile(`[\p{L}\p{N}]+`)

func words(s string) []string {
	// "client's" is one word however the apostrophe is written.
	s = strings.NewReplacer("'", "", "\u2019", "", "*", "", "_", "").Replace(strings.ToLower(s))
	return word.FindAllString(s, -1)
}

func runs(s string) []string {
	w := words(s)
	var out []string
	for i := 0; i+run <= len(w); i++ {
		out = append(out, strings.Join(w[i:i+run], " "))
	}
	return out
}

// sharedRegs finds the folder of official texts, which is not part of the project.
func sharedRegs(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("VERISTREAM_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	dir = filepath.Join(dir, "regs")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("SKIPPED: the official texts are not here (%v); cards are not compared with them", err)
	}
	return dir
}

// Cards are in our own words (design 4): FINRA's text is its copyright, and a copied sentence would
// also make a card look like the rule.
func TestCardsCopyNoRunOfOfficialWords(t *testing.T) {
	dir := sharedRegs(t)
	official := map[string]string{}
	for _, pattern := range []string{"ftc/*.md", "sec/*.md", "sec/*.txt", "finra/finra_*.txt"} {
		names, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range runs(string(raw)) {
				official[r] = filepath.Base(name)
			}
		}
	}
	if len(official) == 0 {
		t.Skipf("SKIPPED: no official text under %s", dir)
	}
	for name, f := range cardFiles(t) {
		for _, c := range f.Cards {
			for _, s := range c.texts() {
				for _, r := range runs(s) {
					if from, ok := official[r]; ok {
						t.Errorf("%s: %s copies %q from %s", name, c.Citation, r, from)
						break
					}
				}
			}
		}
	}
}
