// Package applicability decides from the facts, in code and from a readable
// table, which groups of paragraphs can bind this speaker, and says why not, or
// on which unknown fact it depends.
package applicability

import (
	"bytes"
	_ "embed" // the table
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"veristream/backend/audit"
)

//go:embed applicability.yaml
var table []byte

// Verdict is what the table says about a group.
type Verdict string

// The verdicts.
const (
	Applies Verdict = "applies"
	No      Verdict = "no"
	Depends Verdict = "depends"
	// Own means that the speaker is the advertiser itself: an endorsement guide
	// binds it only for endorsements by others that it shows.
	Own Verdict = "own"
)

// Answer is a verdict with its reason. On names the facts that would settle it.
type Answer struct {
	Group     string
	Regulator string
	Scope     string
	Verdict   Verdict
	Reason    audit.Messages
	On        []string
}

// Can says whether a finding can lie under the group at all.
func (a Answer) Can() bool { return a.Verdict != No }

type group struct {
	ID        string `yaml:"id"`
	Regulator string `yaml:"regulator"`
	Scope     string `yaml:"scope"`
	NotBefore string `yaml:"not_before"`
	SameAs    string `yaml:"same_as"`
	Audience  string `yaml:"audience"`
	Needs     string `yaml:"needs"`
	Rows      []row  `yaml:"rows"`
}

type row struct {
	When   map[string][]string `yaml:"when"`
	Then   Verdict             `yaml:"then"`
	On     []string            `yaml:"on"`
	Reason string              `yaml:"reason"`
}

// Table is the table of groups.
type Table struct{ groups []group }

// Load reads the embedded table.
func Load() (*Table, error) {
	var t struct {
		Groups []group `yaml:"groups"`
	}
	dec := yaml.NewDecoder(bytes.NewReader(table))
	dec.KnownFields(true)
	if err := dec.Decode(&t); err != nil {
		return nil, fmt.Errorf("read applicability.yaml: %w", err)
	}
	return &Table{groups: t.Groups}, nil
}

// Input is what decides: the facts, and whether the video itself shows that
// options are its subject.
type Input struct {
	Facts        audit.Facts
	OptionsShown bool
	AsOf         string // YYYY-MM-DD: the date whose law counts
}

// Unconditional gives a table by which everything binds everybody at all times:
// what an audit is without applicability, to be measured against.
func (t *Table) Unconditional() *Table {
	out := &Table{}
	for _, g := range t.groups {
		out.groups = append(out.groups, group{
			ID: g.ID, Regulator: g.Regulator, Scope: g.Scope,
			Rows: []row{{Then: Applies, Reason: "Applicability was not asked."}},
		})
	}
	return out
}

// Decide answers for every group.
func (t *Table) Decide(in Input) map[string]Answer {
	out := map[string]Answer{}
	for _, g := range t.groups {
		out[g.ID] = t.decide(g, in)
	}
	return out
}

func (t *Table) decide(g group, in Input) Answer {
	a := Answer{Group: g.ID, Regulator: g.Regulator, Scope: g.Scope}
	rows := g.Rows
	notBefore := g.NotBefore
	if g.SameAs != "" {
		i := slices.IndexFunc(t.groups, func(x group) bool { return x.ID == g.SameAs })
		rows = t.groups[i].Rows
		if notBefore == "" {
			notBefore = t.groups[i].NotBefore
		}
	}
	date := in.AsOf
	if _, ok := in.Facts.PublishedOn(); ok {
		date = in.Facts.Published
	}
	if notBefore != "" && date != "" && date < notBefore {
		a.Verdict = No
		a.Reason = audit.Say("The video is of {0}, before these rules took effect on {1}.", date, notBefore)
		return a
	}
	if g.Audience == "retail" && in.Facts.Audience == "institutional" {
		a.Verdict, a.Reason = No, audit.Say("The audience is institutional; this paragraph is about retail communications.")
		return a
	}
	for _, r := range rows {
		if r.holds(in.Facts) {
			a.Verdict, a.Reason, a.On = r.Then, audit.Say(r.Reason), r.On
			break
		}
	}
	if a.Verdict == "" {
		a.Verdict, a.Reason, a.On = Depends, audit.Say("The facts do not settle whom this binds."), []string{"speaker"}
	}
	if a.Can() && g.Needs == "options" {
		a = needOptions(a, in)
	}
	if a.Verdict == Depends {
		a.On = slices.DeleteFunc(slices.Clone(a.On), func(f string) bool { return known(in.Facts, f) })
		if len(a.On) > 0 {
			a.Reason = a.Reason.And(audit.Say("It depends on: {=*}.", a.On...))
		}
	}
	return a
}

// needOptions holds FINRA 2220 to videos about options.
func needOptions(a Answer, in Input) Answer {
	switch {
	case in.Facts.Options == "no":
		a.Verdict, a.Reason = No, audit.Say("The video is not about options.")
	case in.Facts.Options == "yes":
	case in.OptionsShown:
		// the words show it; the fact is still the person's to confirm
	default:
		a.Verdict, a.Reason = No, audit.Say("Nothing in the video is about options.")
	}
	return a
}

// holds says whether every condition of the row holds. An unknown fact holds
// only where a row names "unknown" among its values.
func (r row) holds(f audit.Facts) bool {
	for fact, values := range r.When {
		if !slices.Contains(values, value(f, fact)) {
			return false
		}
	}
	return true
}

func known(f audit.Facts, fact string) bool { return value(f, fact) != audit.Unknown }

func value(f audit.Facts, fact string) string {
	f = f.WithDefaults()
	switch fact {
	case "speaker":
		return f.Speaker
	case "paid":
		return f.Paid
	case "options":
		return f.Options
	case "audience":
		return f.Audience
	case "sponsor":
		return f.Sponsor
	}
	return audit.Unknown
}
