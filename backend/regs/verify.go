package regs

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"veristream/backend/audit"
)

// Installed is a text with its paragraphs.
type Installed struct {
	Text  audit.Text
	Rules []audit.Rule
}

// Verification is what comes out when cards and texts are held side by side.
type Verification struct {
	Sources []SourceCheck `json:"sources"`
}

// SourceCheck is the verification of one card file against its text.
type SourceCheck struct {
	Source    string `json:"source"`
	Regulator string `json:"regulator"`
	Part      string `json:"part"`
	Text      string `json:"text,omitempty"` // id of the text; empty: none is installed
	AsOf      string `json:"as_of,omitempty"`
	Cards     int    `json:"cards"`

	Unresolved []string `json:"unresolved"` // cards whose paragraph the text does not have
	Uncovered  []string `json:"uncovered"`  // paragraphs without a card that are not listed as such
	Stale      []string `json:"stale"`      // listed as without a card, but not in the text
	Unchecked  []string `json:"unchecked"`  // cards that nobody has compared with the text
	Changed    []string `json:"changed"`    // paragraphs whose words differ since the card was checked
	Duplicates []string `json:"duplicates"`
	Ambiguous  []string `json:"ambiguous"`
	Gaps       []string `json:"gaps"` // missing numbers between paragraphs
}

// OK says whether nothing is wrong. A text that is not installed, cards that
// are not checked and ambiguous markers are told, and are no failure.
func (c SourceCheck) OK() bool {
	return len(c.Unresolved)+len(c.Uncovered)+len(c.Stale)+len(c.Changed)+len(c.Duplicates)+len(c.Gaps) == 0
}

// Checked is what a card file was compared with: a hash of the words of every
// paragraph. A hash gives no word away.
type Checked struct {
	Sources map[string]CheckedSource `json:"sources"`
}

// CheckedSource is the text that the cards of one source were compared with.
type CheckedSource struct {
	AsOf       string            `json:"as_of"`
	Paragraphs map[string]string `json:"paragraphs"` // citation -> hash of its words
}

// LoadChecked reads the record of what the cards were compared with.
func LoadChecked(fsys fs.FS, name string) (Checked, error) {
	raw, err := readLimited(fsys, name, maxCardFile)
	if err != nil {
		return Checked{}, fmt.Errorf("read what the cards were checked against: %w", err)
	}
	var c Checked
	if err := json.Unmarshal(raw, &c); err != nil {
		return Checked{}, fmt.Errorf("read what the cards were checked against: %w", err)
	}
	return c, nil
}

// Record makes the record for a text that the cards have been compared with.
func Record(set CardSet, texts []Installed) Checked {
	out := Checked{Sources: map[string]CheckedSource{}}
	for _, src := range set.Sources {
		t, ok := textFor(src, texts)
		if !ok {
			continue
		}
		cs := CheckedSource{AsOf: t.Text.AsOf, Paragraphs: map[string]string{}}
		for _, r := range t.Rules {
			if cite := r.Citation.String(); belongs(cite, src.Part) && r.Text != "" {
				cs.Paragraphs[cite] = WordsHash(r.Text)
			}
		}
		out.Sources[src.ID] = cs
	}
	return out
}

// WordsHash covers the letters and digits of a text and nothing else: dashes,
// quotation marks and spaces change from one carrier to the next.
func WordsHash(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			b.WriteRune(r)
		}
	}
	sum := sha256.Sum256([]byte(b.String()))
	return hex.EncodeToString(sum[:8])
}

// Verify holds every card file against the installed text of its part.
func Verify(set CardSet, texts []Installed, checked Checked) Verification {
	var v Verification
	for _, src := range set.Sources {
		c := SourceCheck{Source: src.ID, Regulator: src.Regulator, Part: src.Part}
		var cards []audit.Card
		for _, card := range set.Cards {
			if card.Source == src.ID {
				cards = append(cards, card)
				if !card.Checked {
					c.Unchecked = append(c.Unchecked, card.Citation)
				}
			}
		}
		c.Cards = len(cards)
		if t, ok := textFor(src, texts); ok {
			c.Text, c.AsOf = t.Text.ID, t.Text.AsOf
			c.against(src, cards, t, checked.Sources[src.ID])
		}
		v.Sources = append(v.Sources, c)
	}
	return v
}

// textFor finds the text of a card file's part; the latest where there are
// several. A whole part of the CFR also holds its one audited section.
func textFor(src Source, texts []Installed) (Installed, bool) {
	var best Installed
	found := false
	for _, t := range texts {
		has := slices.ContainsFunc(t.Rules, func(r audit.Rule) bool { return belongs(r.Citation.String(), src.Part) })
		if has && (!found || t.Text.AsOf > best.Text.AsOf) {
			best, found = t, true
		}
	}
	return best, found
}

func (c *SourceCheck) against(src Source, cards []audit.Card, t Installed, checked CheckedSource) {
	rules := map[string]audit.Rule{}
	parents := map[string]bool{}
	for _, r := range t.Rules {
		cite := r.Citation.String()
		if !belongs(cite, src.Part) {
			continue
		}
		if _, twice := rules[cite]; twice {
			c.Duplicates = append(c.Duplicates, cite)
		}
		rules[cite] = r
		if p, ok := r.Citation.Parent(); ok {
			parents[p.String()] = true
		}
		if r.Ambiguous != "" {
			c.Ambiguous = append(c.Ambiguous, cite+": "+r.Ambiguous)
		}
	}
	covered := map[string]bool{}
	for _, card := range cards {
		covered[card.Citation] = true
		for _, a := range card.Aliases {
			covered[a] = true
		}
		r, ok := rules[card.Citation]
		switch {
		case !ok && !inForceOnly(card, t.Text.AsOf):
			c.Unresolved = append(c.Unresolved, card.Citation)
		case ok && card.Checked && checked.Paragraphs[card.Citation] != "" && checked.Paragraphs[card.Citation] != WordsHash(r.Text):
			c.Changed = append(c.Changed, card.Citation)
		}
	}
	for _, w := range src.Without {
		covered[w.Citation] = true
		if _, ok := rules[w.Citation]; !ok {
			c.Stale = append(c.Stale, w.Citation)
		}
	}
	for _, r := range t.Rules {
		cite := r.Citation.String()
		if _, ours := rules[cite]; !ours || covered[cite] || carriesOnly(r, parents[cite]) {
			continue
		}
		c.Uncovered = append(c.Uncovered, cite)
	}
	c.Gaps = gaps(t.Rules, src.Part)
}

// inForceOnly says whether a card is of another time than the text: then the
// text need not have its paragraph.
func inForceOnly(card audit.Card, asOf string) bool {
	return asOf != "" && !card.Effective.InForce(asOf)
}

// carriesOnly says whether a paragraph has no words but its marker and heading,
// and paragraphs below it: nothing in it can be required.
func carriesOnly(r audit.Rule, hasChildren bool) bool {
	if !hasChildren {
		return false
	}
	rest := stripMarkers(r.Text)
	rest = strings.TrimSpace(strings.TrimPrefix(rest, r.Title))
	rest = strings.Trim(rest, " .:—–-")
	return rest == "" || lineHeading(rest) == rest
}

// gaps finds missing numbers among the paragraphs below each paragraph.
func gaps(rules []audit.Rule, part string) []string {
	var out []string
	last := map[string]string{}
	for _, r := range rules {
		cite := r.Citation
		parent, ok := cite.Parent()
		if !ok || !belongs(cite.String(), part) || cite.Depth() == 0 || cite.Term != "" || cite.Example > 0 {
			continue
		}
		path := cite.Path
		if cite.IsComment() {
			path = cite.Comment
		}
		marker := path[len(path)-1]
		before := last[parent.String()]
		last[parent.String()] = marker
		if !follows(before, marker) {
			out = append(out, fmt.Sprintf("%s comes after (%s)", cite, before))
		}
	}
	return out
}

// follows says whether a marker is the first of a numbering or the next one
// after another in any numbering that fits both.
func follows(before, marker string) bool {
	for _, n := range []audit.Numbering{audit.Digits, audit.Letters, audit.Romans, audit.BigLetters, audit.BigRomans} {
		v, ok := n.Value(marker)
		if !ok {
			continue
		}
		if before == "" {
			if v == 1 {
				return true
			}
			continue
		}
		if w, also := n.Value(before); also && v == w+1 {
			return true
		}
	}
	return false
}
