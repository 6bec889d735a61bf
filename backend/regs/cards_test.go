package regs_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"veristream/backend/audit"
	"veristream/backend/chunk"
	"veristream/backend/regs"
)

func TestLoadCards(t *testing.T) {
	set, err := regs.LoadCards(os.DirFS("testdata"), "cards")
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Cards) != 2 || len(set.Sources) != 1 {
		t.Fatalf("got %d cards of %d sources", len(set.Cards), len(set.Sources))
	}
	c, ok := set.Card("Acme Policy 3.01")
	if !ok || c.Citation != "Acme Policy 3.1" {
		t.Fatalf("an alias does not find its card: %+v", c)
	}
	if c.Regulator != "Acme" || c.Source != "acme-social" || len(c.SHA256) != 64 {
		t.Errorf("the head is not in the card: %q %q %q", c.Regulator, c.Source, c.SHA256)
	}
	if c.Effective.From != "2025-01-01" || c.Effective.To != "" {
		t.Errorf("dates are %+v", c.Effective)
	}
	if !set.Cards[1].Effective.InForce("2026-06-30") || set.Cards[1].Effective.InForce("2026-07-01") {
		t.Error("a card is in force up to and with its last day")
	}
}

func TestCardPassages(t *testing.T) {
	set, err := regs.LoadCards(os.DirFS("testdata"), "cards")
	if err != nil {
		t.Fatal(err)
	}
	p := chunk.Cards(set.Cards)[0]
	if want := "[Acme Policy 3.1 - No talk of a client's account | Type: card]"; p.Header != want {
		t.Errorf("header %q, want %q", p.Header, want)
	}
	for _, want := range []string{"Nobody at Acme tells", "Satisfied by: leaving the client out.", "No breach: speaks of an invented client"} {
		if !strings.Contains(p.Body, want) {
			t.Errorf("the body lacks %q:\n%s", want, p.Body)
		}
	}
	if strings.Contains(p.Body, "which shares a client bought") || !strings.Contains(p.Extra, "which shares a client bought") {
		t.Error("triggers belong into the index and not into the text")
	}
}

func TestVersionFollowsTheCards(t *testing.T) {
	raw, err := os.ReadFile("testdata/cards/acme.yaml")
	if err != nil {
		t.Fatal(err)
	}
	load := func(text string) string {
		set, err := regs.LoadCards(fstest.MapFS{"x.yaml": {Data: []byte(text)}}, ".")
		if err != nil {
			t.Fatal(err)
		}
		return set.Version
	}
	first := load(string(raw))
	if load("# a comment\n"+string(raw)) != first {
		t.Error("a comment changes the version")
	}
	if load(strings.Replace(string(raw), "Cut the passage.", "Cut the whole passage.", 1)) == first {
		t.Error("a changed remedy does not change the version")
	}
}

func TestBadCards(t *testing.T) {
	raw, err := os.ReadFile("testdata/cards/acme.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ old, new, want string }{
		"misspelt key":      {"gist: Do not", "gits: Do not", "house.yaml:36: field gits not found"},
		"bad kind":          {"kind: rule", "kind: law", "house.yaml:16: kind is \"law\""},
		"bad severity":      {"severity: medium", "severity: huge", "house.yaml:33: severity is \"huge\""},
		"foreign citation":  {"citation: Acme Policy 3.2", "citation: Acme Policy 4.2", "house.yaml:39: Acme Policy 4.2 does not belong to Acme Policy 3"},
		"not a citation":    {"citation: Acme Policy 3.2", "citation: something", "house.yaml:39: \"something\" is not a citation"},
		"duplicate":         {"citation: Acme Policy 3.2", "citation: Acme Policy 3.1", "house.yaml:39: Acme Policy 3.1 already has a card on line 14"},
		"bad date":          {"to: 2026-06-30", "to: 2026-06-31", "house.yaml:45: effective.to is \"2026-06-31\""},
		"one trigger":       {"[shows a statement with a blurred name, shows a blurred portfolio]", "[shows a statement]", "house.yaml:46: triggers needs 2"},
		"unknown speaker":   {"who: [employee]\n", "who: [employe]\n", "house.yaml:19: binds.who has \"employe\""},
		"own regulator":     {"regulator: Acme", "regulator: FINRA", "house.yaml:1: house rules cannot speak as FINRA"},
		"not YAML":          {"cards:\n", "cards: [\n", "house.yaml:"},
		"no head":           {"  nature: binding\n", "", "source.nature is missing"},
		"example of nought": {"    illustrates: Acme Policy 3.1\n", "", "illustrates"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Replace(string(raw), tt.old, tt.new, 1)
			if text == string(raw) {
				t.Fatal("the case changes nothing")
			}
			file := t.TempDir() + "/house.yaml"
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := regs.LoadHouseRules(file)
			if err == nil {
				t.Fatal("taken")
			}
			if all := err.Error() + "\n" + audit.DetailsOf(err); !strings.Contains(all, tt.want) {
				t.Errorf("got %s\nwant %q", all, tt.want)
			}
		})
	}
}

func TestHouseRulesAreOptional(t *testing.T) {
	set, err := regs.LoadHouseRules(t.TempDir() + "/none")
	if err != nil || len(set.Cards) != 0 {
		t.Fatalf("got %d cards, %v", len(set.Cards), err)
	}
}

// The example in the documentation of the cards is one that works.
func TestDocumentedHouseRules(t *testing.T) {
	doc, err := os.ReadFile("../../regs/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(doc), "## Your own house rules")
	_, rest, also := strings.Cut(rest, "```yaml\n")
	if !found || !also {
		t.Fatal("the documentation has no example")
	}
	example, _, _ := strings.Cut(rest, "```")
	file := t.TempDir() + "/acme.yaml"
	if err := os.WriteFile(file, []byte(example), 0o600); err != nil {
		t.Fatal(err)
	}
	set, err := regs.LoadHouseRules(file)
	if err != nil {
		t.Fatalf("%v\n%s", err, audit.DetailsOf(err))
	}
	own, err := regs.LoadCards(os.DirFS("testdata"), "cards")
	if err != nil {
		t.Fatal(err)
	}
	all, err := own.Merge(set)
	if err != nil || all.Version == own.Version {
		t.Errorf("joined: %v, version %s", err, all.Version)
	}
	if c, ok := all.Card("ACME 3.1"); !ok || c.Regulator != "ACME" {
		t.Errorf("the house rule is not among the cards: %+v", c)
	}
	if _, err := all.Merge(set); err == nil {
		t.Error("the same cards twice were taken")
	}
}
