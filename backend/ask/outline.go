package ask

import (
	"context"
	"regexp"
	"strings"
)

// reMarker is the marker with which a paragraph begins: "(ii)".
var reMarker = regexp.MustCompile(`^\([A-Za-z0-9]{1,6}\)`)

// outline says of the units of one passage in which paragraph each stands, and
// which sentence leads to it: "An adviser may not show a rating, unless it:"
// leads to "(1) Has a reasonable basis". The passage's citations stand in the
// order of its text.
func outline(units []unit, citations []string) {
	if len(citations) == 0 {
		return // a document: its sections have no markers
	}
	at := 0
	for i := range units {
		u := &units[i]
		if mark := reMarker.FindString(u.text); mark != "" {
			for n := at; n < len(citations); n++ {
				if strings.HasSuffix(citations[n], mark) {
					at = n
					break
				}
			}
		}
		u.paragraph = citations[at]
		for j := i - 1; j >= 0 && u.lead < 0; j-- {
			if units[j].leads() && isBelow(u.paragraph, units[j].paragraph) {
				u.lead = j
			}
		}
	}
}

// isBelow says whether a paragraph stands below another.
func isBelow(citation, above string) bool {
	return len(citation) > len(above) && strings.HasPrefix(citation, above) && citation[len(above)] == '('
}

// leads says whether a unit leads to what stands below it.
func (u unit) leads() bool { return u.table == nil && strings.HasSuffix(u.text, ":") }

// Bounds of what is told below a sentence that leads to something.
const (
	maxItems     = 3
	maxItemWords = 120
)

// together gives the units that make a unit a whole statement: the one that
// leads to it before it, and what it leads to after it. More says that there is
// more than is told.
func (w *work) together(at int) (before, after []unit, more bool) {
	u := w.units[at]
	first := at - u.order // of its passage
	if u.lead >= 0 {
		before = append(before, w.units[first+u.lead])
	}
	if !u.leads() || u.paragraph == "" {
		return before, nil, false
	}
	size := 0
	for _, below := range w.units[at+1:] {
		if below.hit != u.hit {
			break
		}
		if below.lead != u.order {
			continue
		}
		if size += len(strings.Fields(below.text)); len(after) == maxItems || size > maxItemWords && len(after) > 0 {
			return before, after, true
		}
		after = append(after, below)
	}
	return before, after, false
}

// sayWhole makes a sentence of a unit's own words with what leads to it and what
// it leads to. The unit itself is the first that it rests on.
func (w *work) sayWhole(ctx context.Context, at int) Sentence {
	s := w.own(ctx, w.units[at])
	before, after, more := w.together(at)
	for _, u := range before {
		lead := w.own(ctx, u)
		s.Text, s.Support = lead.Text+" "+s.Text, append(s.Support, lead.Support...)
	}
	for _, u := range after {
		item := w.own(ctx, u)
		s.Text, s.Support = s.Text+" "+item.Text, append(s.Support, item.Support...)
	}
	if more {
		s.Text += " …"
	}
	return s
}

// statement gives the words of a whole statement.
func (w *work) statement(at int) string {
	before, after, _ := w.together(at)
	var parts []string
	for _, u := range before {
		parts = append(parts, w.words(u))
	}
	parts = append(parts, w.words(w.units[at]))
	for _, u := range after {
		parts = append(parts, w.words(u))
	}
	return strings.Join(parts, " ")
}
