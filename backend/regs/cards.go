package regs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"veristream/backend/audit"
)

// Source is the head of a card file: what every card in it has in common.
type Source struct {
	ID          string    `json:"id" yaml:"id"`
	Regulator   string    `json:"regulator" yaml:"regulator"`
	Part        string    `json:"part" yaml:"part"`
	Title       string    `json:"title" yaml:"title"`
	InForceFrom string    `json:"in_force_from" yaml:"in_force_from"`
	Nature      string    `json:"nature" yaml:"nature"`   // interpretive or binding
	Wording     string    `json:"wording" yaml:"wording"` // "inconsistent with" or "may violate"
	Note        string    `json:"note" yaml:"note"`
	Without     []Without `json:"without,omitempty" yaml:"without"`

	File  string `json:"file" yaml:"-"`
	House bool   `json:"house,omitempty" yaml:"-"` // a user's own rules
}

// Without is a paragraph that deliberately has no card of its own.
type Without struct {
	Citation string `json:"citation" yaml:"citation"`
	Reason   string `json:"reason" yaml:"reason"`
}

// CardSet is what a set of card files holds, in the order of file names and
// then of each file.
type CardSet struct {
	Sources []Source
	Cards   []audit.Card
	// Version is a hash over all cards and heads: an audit names it, so that a
	// later reader knows by which rules it was made.
	Version string

	byCitation map[string]int
}

// maxCardFile keeps a mistaken path from being read whole into memory.
const maxCardFile = 8 << 20

// LoadCards reads every *.yaml and *.yml file in a folder of fsys. All
// problems of all files are reported at once, each with file and line.
func LoadCards(fsys fs.FS, dir string) (CardSet, error) {
	return load(fsys, dir, false)
}

// LoadHouseRules reads a user's own cards from a folder or from one file. They
// must carry their own regulator's name, never one of the project's. A folder
// that does not exist holds no house rules.
func LoadHouseRules(name string) (CardSet, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return newCardSet(nil, nil)
	case err != nil:
		return CardSet{}, fmt.Errorf("look for house rules: %w", err)
	case info.IsDir():
		return load(os.DirFS(name), ".", true)
	}
	src, cards, problems := readCardFile(os.DirFS(filepath.Dir(name)), filepath.Base(name), true)
	if len(problems) > 0 {
		return CardSet{}, problemsError(problems)
	}
	return newCardSet([]Source{src}, cards)
}

func load(fsys fs.FS, dir string, house bool) (CardSet, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return CardSet{}, fmt.Errorf("read the folder of rule cards: %w", err)
	}
	var (
		sources  []Source
		cards    []audit.Card
		problems []string
	)
	for _, e := range entries {
		if ext := path.Ext(e.Name()); e.IsDir() || (ext != ".yaml" && ext != ".yml") {
			continue
		}
		src, some, bad := readCardFile(fsys, path.Join(dir, e.Name()), house)
		if len(bad) > 0 {
			problems = append(problems, bad...)
			continue
		}
		sources = append(sources, src)
		cards = append(cards, some...)
	}
	if len(problems) > 0 {
		return CardSet{}, problemsError(problems)
	}
	return newCardSet(sources, cards)
}

// Merge joins the project's cards and a user's house rules.
func (s CardSet) Merge(other CardSet) (CardSet, error) {
	return newCardSet(
		slices.Concat(s.Sources, other.Sources),
		slices.Concat(s.Cards, other.Cards),
	)
}

func newCardSet(sources []Source, cards []audit.Card) (CardSet, error) {
	set := CardSet{Sources: sources, Cards: cards, byCitation: make(map[string]int, len(cards))}
	var problems []string
	for i, c := range cards {
		for _, name := range append([]string{c.Citation}, c.Aliases...) {
			if other, taken := set.byCitation[name]; taken {
				problems = append(problems, fmt.Sprintf("%s: %s stands here and in %s.", c.Source, name, cards[other].Source))
				continue
			}
			set.byCitation[name] = i
		}
	}
	if len(problems) > 0 {
		return CardSet{}, problemsError(problems)
	}
	version, err := versionOf(sources, cards)
	if err != nil {
		return CardSet{}, err
	}
	set.Version = version
	return set, nil
}

// versionOf depends on what the cards say and on nothing else: not on file
// names, comments or the layout of the YAML.
func versionOf(sources []Source, cards []audit.Card) (string, error) {
	h := sha256.New()
	enc := json.NewEncoder(h)
	for _, src := range sources {
		src.File = ""
		if err := enc.Encode(src); err != nil {
			return "", fmt.Errorf("hash the rule cards: %w", err)
		}
	}
	for _, c := range cards {
		if err := enc.Encode(c); err != nil {
			return "", fmt.Errorf("hash the rule cards: %w", err)
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}

// Card finds the card of a paragraph, by its citation or by another name that
// people use for it.
func (s CardSet) Card(citation string) (audit.Card, bool) {
	i, ok := s.byCitation[citation]
	if !ok {
		c, err := audit.ParseCitation(citation)
		if err != nil {
			return audit.Card{}, false
		}
		if i, ok = s.byCitation[c.String()]; !ok {
			return audit.Card{}, false
		}
	}
	return s.Cards[i], true
}

// WithoutCard gives the reason for which a paragraph deliberately has no card;
// empty where it has one, or where nothing is said of it.
func (s CardSet) WithoutCard(citation string) string {
	for _, src := range s.Sources {
		for _, w := range src.Without {
			if w.Citation == citation {
				return w.Reason
			}
		}
	}
	return ""
}

// Source finds the head of the file that a card came from.
func (s CardSet) Source(id string) (Source, bool) {
	for _, src := range s.Sources {
		if src.ID == id {
			return src, true
		}
	}
	return Source{}, false
}

func readCardFile(fsys fs.FS, name string, house bool) (Source, []audit.Card, []string) {
	raw, err := readLimited(fsys, name, maxCardFile)
	if err != nil {
		return Source{}, nil, []string{fmt.Sprintf("%s: %v.", name, err)}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return Source{}, nil, yamlProblems(name, err)
	}
	var file struct {
		Source Source       `yaml:"source"`
		Cards  []audit.Card `yaml:"cards"`
	}
	// A second pass with known fields only: a misspelt key must not pass for an
	// empty one. It cannot start from the node, which does not know the option.
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	dec.KnownFields(true)
	if err := dec.Decode(&file); err != nil {
		if errors.Is(err, io.EOF) {
			return Source{}, nil, []string{name + ":1: the file is empty."}
		}
		return Source{}, nil, yamlProblems(name, err)
	}
	file.Source.File, file.Source.House = name, house
	problems := checkCards(name, linesOf(&doc), file.Source, file.Cards)
	for i := range file.Cards {
		c := &file.Cards[i]
		c.Regulator, c.Source = file.Source.Regulator, file.Source.ID
		body, err := json.Marshal(c)
		if err != nil {
			return Source{}, nil, []string{fmt.Sprintf("%s: hash %s: %v.", name, c.Citation, err)}
		}
		sum := sha256.Sum256(body)
		c.SHA256 = hex.EncodeToString(sum[:])
	}
	return file.Source, file.Cards, problems
}

func readLimited(fsys fs.FS, name string, limit int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(raw)) > limit {
		return nil, fmt.Errorf("larger than %d MB", limit>>20)
	}
	return raw, nil
}

// yamlProblems turns "yaml: line 7: ..." and its lists into file:line form.
func yamlProblems(name string, err error) []string {
	var out []string
	for _, line := range strings.Split(err.Error(), "\n") {
		line = strings.TrimPrefix(strings.TrimSpace(line), "yaml: ")
		if line == "unmarshal errors:" || line == "" {
			continue
		}
		if rest, ok := strings.CutPrefix(line, "line "); ok {
			out = append(out, name+":"+rest+".")
			continue
		}
		out = append(out, name+": "+line+".")
	}
	return out
}

func problemsError(problems []string) error {
	list := strings.Join(problems, "\n")
	more := ""
	if n := len(problems) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more)", n)
	}
	return audit.Errorf(audit.CodeInput, "The rule cards cannot be used: %s%s", problems[0], more).WithDetails(list)
}
