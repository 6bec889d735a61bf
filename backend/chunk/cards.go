package chunk

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"veristream/backend/audit"
)

// Cards makes one passage of every card. What triggers a card and how a
// layperson would ask for it is indexed with it and not shown: it is there to
// be found by, and would read like a list of accusations to a model.
func Cards(cards []audit.Card) []audit.Passage {
	out := make([]audit.Passage, 0, len(cards))
	for i, c := range cards {
		p := audit.Passage{
			Corpus:    audit.CorpusCards,
			Source:    c.Source,
			Regulator: c.Regulator,
			Kind:      audit.KindCard,
			Citation:  c.Citation,
			Citations: append([]string{c.Citation}, c.Aliases...),
			Title:     c.Title,
			Header:    header(c.Regulator, c.Citation, c.Title, string(audit.KindCard)),
			Body:      cardBody(c),
			Extra:     strings.Join(append([]string{c.Gist}, c.Triggers...), "\n"),
			Order:     i,
			Meta:      cardMeta(c),
		}
		p.SHA256 = hashOf(p)
		out = append(out, p)
	}
	return out
}

func cardBody(c audit.Card) string {
	var b strings.Builder
	b.WriteString(sentence(c.Requires))
	writeList(&b, "Satisfied by: ", c.SatisfiedBy)
	writeList(&b, "No breach: ", c.LookAlikes)
	if c.Binds.Note != "" {
		b.WriteString("\nBinds: " + sentence(c.Binds.Note))
	}
	return b.String()
}

func writeList(b *strings.Builder, label string, items []string) {
	if len(items) > 0 {
		b.WriteString("\n" + label + sentence(strings.Join(items, "; ")))
	}
}

func cardMeta(c audit.Card) map[string]string {
	m := map[string]string{
		"card_kind": string(c.Kind),
		"severity":  string(c.Severity),
		"checked":   yesNo(c.Checked),
		"audited":   yesNo(c.Audited),
		"from":      c.Effective.From,
	}
	for k, v := range map[string]string{"to": c.Effective.To, "illustrates": c.Illustrates} {
		if v != "" {
			m[k] = v
		}
	}
	return m
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// header names a passage. FINRA's citations begin with the regulator's name
// already.
func header(regulator, citation, title, kind string) string {
	name := citation
	if regulator != "" && !strings.HasPrefix(citation, regulator+" ") {
		name = regulator + " " + citation
	}
	return "[" + name + " - " + title + " | Type: " + kind + "]"
}

// hashOf covers all that is indexed or shown: a passage with the same hash
// need not be embedded again.
func hashOf(p audit.Passage) string {
	sum := sha256.Sum256([]byte(p.Header + "\x00" + p.Body + "\x00" + p.Extra))
	return hex.EncodeToString(sum[:])
}

// sentence ends a text with a full stop if it has no end of its own.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?:;") {
		return s
	}
	return s + "."
}
