package regs_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"veristream/regs"
)

type sourceList struct {
	Version int
	APIs    map[string]string `yaml:"apis"`
	Sources []struct {
		ID        string
		Regulator string
		Covers    string
		Title     string
		Method    string
		ECFR      *struct {
			Title         int
			Part, Section string
		} `yaml:"ecfr"`
		FINRA    *struct{ Rule string } `yaml:"finra"`
		Page     string
		Earliest string
		Cards    string
	}
}

func TestSourcesAreCompleteAndMatchTheCards(t *testing.T) {
	raw, err := regs.Files.ReadFile("sources.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var list sourceList
	dec := yaml.NewDecoder(strings.NewReader(string(raw)))
	dec.KnownFields(true)
	if err := dec.Decode(&list); err != nil {
		t.Fatal(err)
	}
	files := cardFiles(t)
	named := map[string]bool{}
	seen := map[string]bool{}
	for _, s := range list.Sources {
		if seen[s.ID] || seen[s.Covers] {
			t.Errorf("%s: the id or %s stands twice", s.ID, s.Covers)
		}
		seen[s.ID], seen[s.Covers] = true, true
		api, ok := list.APIs[s.Method]
		if !ok {
			t.Errorf("%s: method %q has no address under apis", s.ID, s.Method)
		}
		for _, address := range []string{api, s.Page} {
			u, err := url.Parse(address)
			if err != nil || u.Scheme != "https" || u.Host == "" {
				t.Errorf("%s: %q is no https address", s.ID, address)
			}
		}
		if (s.Method == "ecfr-versioner") != (s.ECFR != nil) || (s.Method == "finra-rulebook") != (s.FINRA != nil) {
			t.Errorf("%s: method %s and its settings do not fit", s.ID, s.Method)
		}
		if s.Earliest != "" {
			if _, err := time.Parse(time.DateOnly, s.Earliest); err != nil {
				t.Errorf("%s: earliest: %v", s.ID, err)
			}
		}
		if s.Cards == "" {
			continue
		}
		named[s.Cards] = true
		f, ok := files[s.Cards]
		switch {
		case !ok:
			t.Errorf("%s: there is no %s", s.ID, s.Cards)
		case f.Source.ID != s.ID || f.Source.Part != s.Covers || f.Source.Regulator != s.Regulator:
			t.Errorf("%s: %s is of %s, %s, %s", s.ID, s.Cards, f.Source.ID, f.Source.Regulator, f.Source.Part)
		}
	}
	for name := range files {
		if !named[name] {
			t.Errorf("%s has no source in sources.yaml", name)
		}
	}
}
