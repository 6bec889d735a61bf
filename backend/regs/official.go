package regs

import (
	"bytes"
	"fmt"
	"io/fs"

	"gopkg.in/yaml.v3"

	"veristream/backend/audit"
)

// Official is an official source that can be fetched: where its text is
// published, and which card file is checked against it.
type Official struct {
	ID        string `yaml:"id"`
	Regulator string `yaml:"regulator"`
	Covers    string `yaml:"covers"`
	Title     string `yaml:"title"`
	Method    string `yaml:"method"`
	ECFR      struct {
		Title   int    `yaml:"title"`
		Part    string `yaml:"part"`
		Section string `yaml:"section"`
	} `yaml:"ecfr"`
	FINRA struct {
		Rule string `yaml:"rule"`
	} `yaml:"finra"`
	Page     string `yaml:"page"`
	Earliest string `yaml:"earliest"`
	Cards    string `yaml:"cards"`
}

// The ways in which a source is published.
const (
	MethodECFR  = "ecfr-versioner"
	MethodFINRA = "finra-rulebook"
)

// Catalogue is the list of official sources.
type Catalogue struct {
	Version int               `yaml:"version"`
	APIs    map[string]string `yaml:"apis"`
	Sources []Official        `yaml:"sources"`
}

// LoadCatalogue reads the list of official sources.
func LoadCatalogue(fsys fs.FS, name string) (Catalogue, error) {
	raw, err := readLimited(fsys, name, maxCardFile)
	if err != nil {
		return Catalogue{}, fmt.Errorf("read the list of official sources: %w", err)
	}
	var c Catalogue
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	dec.KnownFields(true)
	if err := dec.Decode(&c); err != nil {
		return Catalogue{}, audit.Wrap(err, audit.CodeInput, "The list of official sources (%s) cannot be used.", name)
	}
	for i, s := range c.Sources {
		if _, err := audit.ParseCitation(s.Covers); err != nil {
			return Catalogue{}, fmt.Errorf("source %d of %s: %w", i+1, name, err)
		}
		if c.APIs[s.Method] == "" {
			return Catalogue{}, audit.Errorf(audit.CodeInput, "%s: the source %s has the unknown method %q.", name, s.ID, s.Method)
		}
	}
	return c, nil
}
