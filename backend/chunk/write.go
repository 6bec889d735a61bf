package chunk

import (
	"slices"
	"strings"
	"unicode/utf8"

	"veristream/backend/audit"
)

// Metadata of the passages of an official text.
const (
	metaRole = "role" // "parent": read and not searched
	metaAsOf = "as_of"
)

func (w *writer) add(group []*node, heads []string, lead, text string) {
	w.addKind(group, heads, lead, text, group[0].rule.Kind)
}

func (w *writer) addKind(group []*node, heads []string, lead, text string, kind audit.Kind) {
	p := w.passage(group, heads, join(lead, text), kind)
	p.ParentID = w.parent
	for _, c := range w.bare {
		if !slices.Contains(p.Citations, c) {
			p.Citations = append(p.Citations, c)
		}
	}
	w.bare = nil
	w.put(p)
}

// settle gives what is left without words of its own to the last passage of
// its section; a section without any words is found by its title.
func (w *writer) settle(root *node, first int) {
	left := w.bare
	w.bare = nil
	if len(left) == 0 {
		return
	}
	if len(w.out) > first {
		last := &w.out[len(w.out)-1]
		last.Citations = append(last.Citations, left...)
		return
	}
	if title := root.rule.Title; title != "" {
		p := w.passage([]*node{root}, nil, title, root.rule.Kind)
		p.Citations = left
		w.put(p)
	}
}

func (w *writer) addParent(n *node, heads []string, whole string) int64 {
	p := w.passage([]*node{n}, heads, whole, n.rule.Kind)
	p.Meta[metaRole] = "parent"
	return w.put(p)
}

// put gives a passage its number, by which its children name it.
func (w *writer) put(p audit.Passage) int64 {
	p.ID = int64(len(w.out) + 1)
	p.Order = len(w.out)
	p.SHA256 = hashOf(p)
	w.out = append(w.out, p)
	return p.ID
}

func (w *writer) passage(group []*node, heads []string, body string, kind audit.Kind) audit.Passage {
	first := group[0].rule
	p := audit.Passage{
		Corpus:    audit.CorpusRules,
		Source:    w.text.ID,
		Regulator: w.text.Regulator,
		Kind:      kind,
		Citation:  first.Citation.String(),
		Title:     w.title(first),
		Header:    w.header(group, heads, kind),
		Body:      strings.TrimSpace(body),
		Meta:      map[string]string{metaAsOf: w.text.AsOf, "part": w.text.Part},
	}
	for _, n := range group {
		p.Citations = append(p.Citations, n.citations()...)
		if f := n.rule.FirstPage; f > 0 && (p.FirstPage == 0 || f < p.FirstPage) {
			p.FirstPage = f
		}
		p.LastPage = max(p.LastPage, n.lastPage())
	}
	if len(p.Citations) == 0 {
		p.Citations = []string{p.Citation}
	}
	p.Citation = p.Citations[0]
	return p
}

func (n *node) lastPage() int {
	last := n.rule.LastPage
	for _, k := range n.kids {
		last = max(last, k.lastPage())
	}
	return last
}

// title is that of the section in which a paragraph stands.
func (w *writer) title(r audit.Rule) string {
	section := r.Citation.SectionCitation()
	if r.Citation.Appendix != "" {
		section.Appendix, _, _ = strings.Cut(r.Citation.Appendix, "-")
	}
	if t := w.titles[section.String()]; t != "" {
		return t
	}
	for _, h := range r.Headings {
		if rest, ok := strings.CutPrefix(h, "Section "+r.Citation.Section); ok {
			return strings.Trim(rest, " —–-.")
		}
	}
	if len(r.Headings) > 0 && r.Citation.IsComment() {
		return r.Headings[len(r.Headings)-1]
	}
	return r.Title
}

// header names what is in a passage and where it stands.
func (w *writer) header(group []*node, heads []string, kind audit.Kind) string {
	first := group[0].rule
	name := first.Citation.String()
	switch last := group[len(group)-1].rule.Citation.String(); {
	case len(group) == 2:
		name += ", " + last
	case len(group) > 2:
		name += " to " + last
	}
	title := w.title(first)
	path := []string{title}
	for _, h := range tail(w.within(first, heads), 2) {
		if !strings.EqualFold(h, title) && h != "" && !strings.EqualFold(h, path[len(path)-1]) {
			path = append(path, h)
		}
	}
	return header(w.text.Regulator, name, clipTo(strings.Join(path, " > "), 170), string(kind))
}

// within gives the headings between the section and a paragraph: for a comment
// the heading of what it interprets is one.
func (w *writer) within(r audit.Rule, heads []string) []string {
	if !r.Citation.IsComment() || len(r.Headings) == 0 {
		return heads
	}
	about := r.Headings[min(len(r.Headings)-1, w.depthOf(r))]
	return append([]string{about}, heads...)
}

// depthOf gives the place, among a comment's headings, of the one that names
// what it interprets: that behind the section's.
func (w *writer) depthOf(r audit.Rule) int {
	for i, h := range r.Headings {
		if !strings.HasPrefix(h, "Section ") && !strings.HasPrefix(h, "Appendi") {
			continue
		}
		for i++; i < len(r.Headings)-1 && strings.HasPrefix(r.Headings[i], "Section "); i++ {
		}
		return i
	}
	return len(r.Headings) - 1
}

func tail(list []string, n int) []string { return list[max(0, len(list)-n):] }

func clipTo(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	cut := string([]rune(s)[:n])
	if i := strings.LastIndexByte(cut, ' '); i > n/2 {
		cut = cut[:i]
	}
	return cut + "…"
}
