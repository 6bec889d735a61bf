package align

import (
	"regexp"
	"strings"

	"veristream/backend/audit"
)

// Element is a part of a design: a component, a store, a flow.
type Element struct {
	Name  string `json:"name"`
	Text  string `json:"text"` // the design's own words
	Place string `json:"place"`
}

var (
	reItem = regexp.MustCompile(`^\s*(?:[-*•]|\d{1,2}[.)])\s+(.+)$`)
	reName = regexp.MustCompile(`^\*{0,2}([^:.*|]{2,60}?)\*{0,2}\s*(?::|—| - )\s+(.+)$`)
)

// Elements reads the elements of a design from its passages: the items of a
// list and the rows of a table each by themselves, a section without either as
// a whole.
func Elements(passages []audit.Passage) []Element {
	var out []Element
	for _, p := range passages {
		if p.ParentID != 0 {
			continue // a part of what is read as a whole
		}
		place := p.Title
		section := place[strings.LastIndex(place, ">")+1:]
		section = strings.TrimSpace(section)
		lines := strings.Split(p.Body, "\n")
		items, ruled := 0, false
		for _, line := range lines {
			name, text := "", ""
			switch t := strings.TrimSpace(line); {
			case strings.HasPrefix(t, "|"):
				cells := strings.Split(strings.Trim(t, "|"), "|")
				if strings.Trim(t, "|-: ") == "" {
					ruled = true
					continue
				}
				if !ruled { // the head
					continue
				}
				name, text = strings.TrimSpace(cells[0]), strings.Join(strings.Fields(strings.Join(cells, " ")), " ")
			case reItem.MatchString(t):
				text = reItem.FindStringSubmatch(t)[1]
				if m := reName.FindStringSubmatch(text); m != nil {
					name = m[1]
				} else {
					name = firstWords(text, 7)
				}
			}
			if len(strings.Fields(text)) >= 4 {
				items++
				out = append(out, Element{Name: strings.Trim(name, "* "), Text: text, Place: place})
			}
		}
		if items == 0 && len(strings.Fields(p.Body)) >= 6 {
			out = append(out, Element{Name: section, Text: strings.Join(strings.Fields(p.Body), " "), Place: place})
		}
	}
	return out
}

func firstWords(text string, n int) string {
	f := strings.Fields(text)
	if len(f) <= n {
		return strings.TrimRight(text, ".")
	}
	return strings.Join(f[:n], " ") + " …"
}
