package regs_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"veristream/regs"
)

// file is what the tests need of a card file; backend/regs has the loader of the app.
type file struct {
	Source struct {
		ID        string
		Regulator string
		Part      string
		Nature    string
		Wording   string
		Without   []struct{ Citation, Reason string }
	}
	Cards []card
}

type card struct {
	Citation    string
	Aliases     []string
	Kind        string
	Illustrates string
	Title       string
	Requires    string
	Binds       struct {
		Who      []string
		Audience string
		Needs    []string
		Note     string
	}
	Effective struct {
		From string
		To   *string
	}
	Triggers    []string
	LookAlikes  []string `yaml:"look_alikes"`
	SatisfiedBy []string `yaml:"satisfied_by"`
	Severity    string
	Remedy      string
	Related     []string
	Gist        string
	Checked     bool
	Audited     bool
}

// texts are all the sentences of a card, for the tests that look at wording.
func (c card) texts() []string {
	all := []string{c.Title, c.Requires, c.Binds.Note, c.Remedy, c.Gist}
	all = append(all, c.Triggers...)
	all = append(all, c.LookAlikes...)
	return append(all, c.SatisfiedBy...)
}

func cardFiles(t *testing.T) map[string]file {
	t.Helper()
	names, err := fs.Glob(regs.Files, "cards/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatalf("no card files: %v", err)
	}
	files := make(map[string]file, len(names))
	for _, name := range names {
		raw, err := regs.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var f file
		if err := yaml.Unmarshal(raw, &f); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		files[name] = f
	}
	return files
}

func cardSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	raw, err := regs.Files.ReadFile("card.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("card.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := compiler.Compile("card.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func matchesSchema(t *testing.T, raw []byte) {
	t.Helper()
	var v any
	if err := yaml.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	if err := cardSchema(t).Validate(plain(v)); err != nil {
		t.Errorf("%v", err)
	}
}

func TestCardFilesMatchTheSchema(t *testing.T) {
	for name := range cardFiles(t) {
		t.Run(path.Base(name), func(t *testing.T) {
			raw, err := regs.Files.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			matchesSchema(t, raw)
		})
	}
}

// plain turns YAML's unquoted dates back into the strings that were written.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case time.Time:
		return v.Format(time.DateOnly)
	}
	return v
}

func TestCitationsAreUniqueAndBelongToTheirPart(t *testing.T) {
	seen := map[string]string{}
	for name, f := range cardFiles(t) {
		for _, c := range f.Cards {
			for _, cite := range append([]string{c.Citation}, c.Aliases...) {
				if other, ok := seen[cite]; ok {
					t.Errorf("%s: %s is already in %s", name, cite, other)
				}
				seen[cite] = name
				if !within(cite, f.Source.Part) {
					t.Errorf("%s: %s does not begin with %s", name, cite, f.Source.Part)
				}
			}
		}
		for _, w := range f.Source.Without {
			if other, ok := seen[w.Citation]; ok {
				t.Errorf("%s: %s is listed as without a card, but is in %s", name, w.Citation, other)
			}
			seen[w.Citation] = name
		}
	}
}

func TestReferencesResolve(t *testing.T) {
	files := cardFiles(t)
	var known []string
	parts := map[string]bool{}
	for _, f := range files {
		parts[f.Source.Part] = true
		for _, c := range f.Cards {
			known = append(known, c.Citation)
		}
	}
	resolves := func(cite string) bool {
		for _, k := range known {
			if within(k, cite) {
				return true
			}
		}
		return false
	}
	for name, f := range files {
		for _, c := range f.Cards {
			for _, r := range c.Related {
				if r == c.Citation {
					t.Errorf("%s: %s is related to itself", name, c.Citation)
				}
				if !resolves(r) {
					t.Errorf("%s: %s: related %s is neither a card nor a parent of one", name, c.Citation, r)
				}
			}
			if c.Illustrates != "" && !resolves(c.Illustrates) {
				t.Errorf("%s: %s: illustrates %s, which is not a card", name, c.Citation, c.Illustrates)
			}
		}
	}
}

// within says whether cite is base or lies below it: 255.5(b)(3) lies below 255.5(b) and 255.5,
// but 255.51 does not lie below 255.5.
func within(cite, base string) bool {
	rest, ok := strings.CutPrefix(cite, base)
	if !ok {
		return false
	}
	return rest == "" || strings.ContainsAny(rest[:1], "(. ")
}

func TestDatesAreInOrder(t *testing.T) {
	for name, f := range cardFiles(t) {
		for _, c := range f.Cards {
			from, err := time.Parse(time.DateOnly, c.Effective.From)
			if err != nil {
				t.Errorf("%s: %s: effective.from: %v", name, c.Citation, err)
				continue
			}
			if c.Effective.To == nil {
				continue
			}
			to, err := time.Parse(time.DateOnly, *c.Effective.To)
			if err != nil || !to.After(from) {
				t.Errorf("%s: %s: effective.to %q must be a date after %s (%v)", name, c.Citation, *c.Effective.To, c.Effective.From, err)
			}
		}
	}
}

// What the design asks of each regulator's findings must not be lost in an edit of a file's head.
func TestSourcesSpeakAsTheirRulesDo(t *testing.T) {
	for name, f := range cardFiles(t) {
		want := map[string]string{"interpretive": "inconsistent with", "binding": "may violate"}[f.Source.Nature]
		if f.Source.Wording != want {
			t.Errorf("%s: a source that is %s speaks as %q, not %q", name, f.Source.Nature, want, f.Source.Wording)
		}
		if f.Source.Regulator == "FTC" && f.Source.Nature != "interpretive" {
			t.Errorf("%s: the FTC's Guides are interpretive", name)
		}
	}
}

// The behaviours become search text: a phrase that stands in two cards, or on both sides of one,
// pulls them together.
func TestBehavioursAreDistinct(t *testing.T) {
	seen := map[string]string{}
	for name, f := range cardFiles(t) {
		for _, c := range f.Cards {
			sides := map[string][]string{"trigger": c.Triggers, "look-alike": c.LookAlikes}
			for side, list := range sides {
				if len(list) < 2 {
					t.Errorf("%s: %s has %d %ss; two or more are needed", name, c.Citation, len(list), side)
				}
				for _, s := range list {
					key := strings.ToLower(s)
					here := fmt.Sprintf("%s %s of %s", name, side, c.Citation)
					if other, ok := seen[key]; ok {
						t.Errorf("%q is a %s and a %s", s, here, other)
					}
					seen[key] = here
				}
			}
		}
	}
}
