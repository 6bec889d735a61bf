package agent

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"regexp"
	"slices"

	"gopkg.in/yaml.v3"

	"veristream/backend/audit"
)

//go:embed data prompts
var dataFiles embed.FS

// Behaviour is something that people say or show, apart from any rule.
type Behaviour struct {
	ID         string   `yaml:"id"`
	Title      string   `yaml:"title"`
	Question   string   `yaml:"question"`
	Strong     []string `yaml:"strong"`
	Weak       []string `yaml:"weak"`
	Veto       []string `yaml:"veto"`
	Examples   []string `yaml:"examples"`
	LookAlikes []string `yaml:"look_alikes"`
	Cue        string   `yaml:"cue"` // of a cure: the patterns it shares with the cues

	strong, weak, veto []*regexp.Regexp
}

// Category ties behaviours to the paragraph that they may break.
type Category struct {
	ID         string            `yaml:"id"`
	Regulator  string            `yaml:"regulator"`
	Title      string            `yaml:"title"`
	Citation   string            `yaml:"citation"`
	Related    []string          `yaml:"related"`
	Companion  string            `yaml:"companion"`
	Group      string            `yaml:"group"`
	Severity   audit.Severity    `yaml:"severity"`
	Mode       Mode              `yaml:"mode"`
	Test       string            `yaml:"test"`
	Misses     map[string]string `yaml:"misses"`
	Behaviours []string          `yaml:"behaviours"`
	Remedy     string            `yaml:"remedy"`
	Wording    Wording           `yaml:"wording"`
	// Advertiser: it binds a firm that speaks for itself too (applicability.Own).
	Advertiser bool `yaml:"advertiser"`
	// Once: however often the words come, what is missing is missing once.
	Once bool `yaml:"once"`
	// Assumed: the video is a candidate without a sentence that stands out.
	Assumed Assumed `yaml:"assumed"`
	// House is the card of a firm's own rule, which is all that is known of it.
	House *audit.Card `yaml:"-"`
}

// Mode says what makes a finding of a category.
type Mode string

// The modes.
const (
	ModeClaim   Mode = "claim"   // the words themselves
	ModeUnless  Mode = "unless"  // the words, unless the category's test finds what cures them
	ModeAbsence Mode = "absence" // something that the whole video lacks
)

// Assumed says for which videos a category has a candidate in any case.
type Assumed string

// Whom a category assumes to promote.
const (
	AssumedSpokesperson Assumed = "spokesperson" // who is paid or employed by the seller
	AssumedAlways       Assumed = "always"       // whomever it binds
)

// Citations gives every paragraph that the category can cite.
func (c Category) Citations() []string {
	out := append([]string{c.Citation}, c.Related...)
	for _, k := range sortedKeys(c.Misses) {
		out = append(out, c.Misses[k])
	}
	return out
}

// Data is the agent's knowledge: behaviours, categories and cues.
type Data struct {
	Behaviours []Behaviour
	Categories []Category
	Cues       Cues
	Keep       *Weights
	SHA256     string // over the files, for the result's record

	behaviour map[string]*Behaviour
}

// LoadData reads and checks the embedded files.
func LoadData() (*Data, error) {
	d := &Data{behaviour: map[string]*Behaviour{}}
	var b struct {
		Behaviours []Behaviour `yaml:"behaviours"`
	}
	var c struct {
		Categories []Category `yaml:"categories"`
	}
	sum := sha256.New()
	for _, f := range []struct {
		name string
		into any
	}{
		{"data/behaviours.yaml", &b},
		{"data/categories.yaml", &c},
		{"data/cues.yaml", &d.Cues},
		{"data/keep.yaml", &d.Keep},
	} {
		text, err := fs.ReadFile(dataFiles, f.name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", f.name, err)
		}
		sum.Write(text)
		dec := yaml.NewDecoder(bytes.NewReader(text))
		dec.KnownFields(true)
		if err := dec.Decode(f.into); err != nil {
			return nil, fmt.Errorf("read %s: %w", f.name, err)
		}
	}
	d.Behaviours, d.Categories = b.Behaviours, c.Categories
	d.SHA256 = hex.EncodeToString(sum.Sum(nil))
	if err := d.compile(); err != nil {
		return nil, err
	}
	return d, nil
}

func (d *Data) compile() error {
	var err error
	for i := range d.Behaviours {
		b := &d.Behaviours[i]
		for _, set := range []struct {
			from []string
			to   *[]*regexp.Regexp
		}{{b.Strong, &b.strong}, {b.Weak, &b.weak}, {b.Veto, &b.veto}} {
			if *set.to, err = compileAll(set.from); err != nil {
				return fmt.Errorf("behaviour %s: %w", b.ID, err)
			}
		}
		if b.Cue != "" {
			if b.strong, err = compileAll(d.Cues.Patterns[b.Cue]); err != nil || len(b.strong) == 0 {
				return fmt.Errorf("behaviour %s: cue %q: %w", b.ID, b.Cue, err)
			}
		}
		d.behaviour[b.ID] = b
	}
	for _, c := range d.Categories {
		for _, id := range c.Behaviours {
			if d.behaviour[id] == nil {
				return fmt.Errorf("category %s names the unknown behaviour %q", c.ID, id)
			}
		}
		for _, cite := range c.Citations() {
			if _, err := audit.ParseCitation(cite); err != nil {
				return fmt.Errorf("category %s: %w", c.ID, err)
			}
		}
		if c.Mode != ModeClaim && tests[c.Test] == nil {
			return fmt.Errorf("category %s names the unknown test %q", c.ID, c.Test)
		}
	}
	if err := d.Keep.check(); err != nil {
		return err
	}
	return d.Cues.compile()
}

func compileAll(patterns []string) ([]*regexp.Regexp, error) {
	out := make([]*regexp.Regexp, 0, len(patterns))
	for _, p := range patterns {
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, fmt.Errorf("pattern %q: %w", p, err)
		}
		out = append(out, re)
	}
	return out, nil
}

func matchAny(res []*regexp.Regexp, text string) []int {
	for _, re := range res {
		if m := re.FindStringIndex(text); m != nil {
			return m
		}
	}
	return nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
