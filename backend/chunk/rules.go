package chunk

import (
	"slices"
	"strings"

	"veristream/backend/audit"
)

const (
	// maxTokens is the most that a passage takes with its header: the embedder
	// reads 256 and cuts the rest.
	maxTokens = 250
	// maxParent is the most that a parent takes, which a model reads in the
	// place of its children.
	maxParent = 800
	// small is below what a paragraph is put together with its siblings; at the
	// first level of a section, where paragraphs have subjects of their own,
	// only the shortest are.
	small    = 60
	smallTop = 25
	// bare is a paragraph's own text that is carried by what stands below it.
	bare = 12
	// maxLead is how much of the text above is repeated before a paragraph that
	// cannot be understood without it.
	maxLead = 45
	// overlap is the share of a passage that its successor repeats.
	overlap = 0.10
)

// Tokens estimates how many tokens a text takes.
func Tokens(text string) int { return (len(strings.Fields(text))*13 + 9) / 10 }

// node is a paragraph with those below it.
type node struct {
	rule  audit.Rule
	kids  []*node
	shell bool // it only holds the comments on one paragraph
}

// Rules makes passages of the paragraphs of an official text. A subtree that
// fits becomes one passage; a larger one its own text and then its children,
// the small ones together, never across a section. Where a subtree is small
// enough to be read as a whole, it becomes a parent that is not searched.
func Rules(text audit.Text, rules []audit.Rule) []audit.Passage {
	w := &writer{text: text, titles: map[string]string{}}
	for _, r := range rules {
		if c := r.Citation; c.Depth() == 0 && !c.IsComment() {
			w.titles[c.String()] = r.Title
		}
	}
	for _, root := range trees(rules) {
		first := len(w.out)
		w.emit(root, nil, "", true)
		w.settle(root, first)
	}
	return w.out
}

// trees puts the paragraphs into trees, one for each section, form or note,
// and one for each comment of the first level.
func trees(rules []audit.Rule) []*node {
	var roots []*node
	at := map[string]*node{}
	for _, r := range rules {
		n := &node{rule: r}
		parent, ok := r.Citation.Parent()
		top := !ok || parent.IsComment() != r.Citation.IsComment() || r.Citation.Depth() == 0 ||
			r.Citation.Appendix != parent.Appendix
		if above := at[parent.String()]; !top && above != nil {
			above.kids = append(above.kids, n)
		} else {
			roots = append(roots, n)
		}
		if key := r.Citation.String(); at[key] == nil {
			at[key] = n
		}
	}
	return mergeComments(roots)
}

// mergeComments puts the comments on one paragraph under a root without words,
// so that the short ones among them can share a passage.
func mergeComments(roots []*node) []*node {
	var out []*node
	last := ""
	for _, n := range roots {
		base, _ := n.rule.Citation.Parent()
		if !n.rule.Citation.IsComment() || len(n.rule.Citation.Comment) > 1 {
			out, last = append(out, n), ""
			continue
		}
		if key := base.String(); last != key {
			shell := n.rule
			shell.Citation, shell.Text, shell.Title = base, "", ""
			out, last = append(out, &node{rule: shell, shell: true}), key
		}
		shell := out[len(out)-1]
		shell.kids = append(shell.kids, n)
	}
	return out
}

// full gives the words of a paragraph and of all below it.
func (n *node) full() string {
	parts := make([]string, 0, len(n.kids)+1)
	if n.rule.Text != "" {
		parts = append(parts, n.rule.Text)
	}
	for _, k := range n.kids {
		if t := k.full(); t != "" {
			parts = append(parts, t)
		}
	}
	return strings.Join(parts, "\n")
}

func (n *node) hasWordsBelow() bool {
	return slices.ContainsFunc(n.kids, func(k *node) bool { return k.full() != "" })
}

func (n *node) citations() []string {
	var out []string
	if !n.shell {
		out = append(out, n.rule.Citation.String())
	}
	for _, k := range n.kids {
		out = append(out, k.citations()...)
	}
	return out
}

// writer collects the passages of a text.
type writer struct {
	text   audit.Text
	titles map[string]string // section -> title
	out    []audit.Passage
	bare   []string // paragraphs without a passage yet: the next one takes them
	parent int64
}

// emit writes the passages of a subtree. heads are the headings above it, lead
// the words above it that it needs.
func (w *writer) emit(n *node, heads []string, lead string, top bool) {
	if h := n.rule.Title; h != "" && !top && (len(heads) == 0 || heads[len(heads)-1] != h) {
		heads = append(heads[:len(heads):len(heads)], h)
	}
	whole := n.full()
	if whole == "" {
		w.bare = append(w.bare, n.citations()...)
		return
	}
	if tokens := Tokens(whole); tokens <= maxParent && tokens > maxTokens && w.parent == 0 && len(n.kids) > 0 && n.rule.Text != "" {
		w.parent = w.addParent(n, heads, whole)
		defer func() { w.parent = 0 }()
	}
	if w.fits(n, heads, join(lead, whole)) && !hasTable(whole) && (!top || len(n.kids) == 0) {
		w.add([]*node{n}, heads, lead, whole)
		return
	}
	own := n.rule.Text
	switch {
	case own == "" && n.shell:
	case own == "":
		w.bare = append(w.bare, n.rule.Citation.String())
	case n.hasWordsBelow() && Tokens(own) < bare && !hasTable(own) && Tokens(join(lead, own)) <= maxLead:
		// Too little to be found by: what stands below carries it.
		w.bare = append(w.bare, n.rule.Citation.String())
		lead = join(lead, own)
	default:
		w.own(n, heads, lead)
		lead = ""
		if Tokens(own) <= maxLead && !hasTable(own) {
			lead = strings.ReplaceAll(own, "\n\n", " ")
		}
	}
	w.children(n, heads, lead, top)
}

// children writes what stands below a paragraph; small siblings that follow
// each other share a passage.
func (w *writer) children(n *node, heads []string, lead string, top bool) {
	var group []*node
	flush := func() {
		if len(group) == 0 {
			return
		}
		texts := make([]string, 0, len(group))
		for _, k := range group {
			texts = append(texts, k.full())
		}
		h := heads
		if len(group) == 1 && group[0].rule.Title != "" && (len(h) == 0 || h[len(h)-1] != group[0].rule.Title) {
			h = append(h[:len(h):len(h)], group[0].rule.Title)
		}
		w.add(group, h, lead, strings.Join(texts, "\n"))
		group = nil
	}
	limit := small
	if top && !n.rule.Citation.IsComment() {
		limit = smallTop
	}
	size := 0
	for _, k := range n.kids {
		text := k.full()
		tokens := Tokens(text)
		if tokens >= limit || hasTable(text) || text == "" {
			flush()
			w.emit(k, heads, lead, false)
			continue
		}
		if len(group) > 0 && (size+tokens+Tokens(lead)+40 > maxTokens || k.rule.Kind != group[0].rule.Kind) {
			flush()
		}
		if len(group) == 0 {
			size = 0
		}
		group = append(group, k)
		size += tokens
	}
	flush()
}

// own writes a paragraph's own words: whole, or cut at its tables and, where
// it is long, at its sentences.
func (w *writer) own(n *node, heads []string, lead string) {
	alone := &node{rule: n.rule}
	limit := maxTokens - w.headTokens(n, heads)
	for _, piece := range pieces(n.rule.Text) {
		if piece.table {
			for i, part := range splitTable(piece.text, limit-Tokens(lead)) {
				if i > 0 {
					lead = ""
				}
				w.addKind([]*node{alone}, heads, lead, part, audit.KindTable)
			}
		} else if w.fits(n, heads, join(lead, piece.text)) {
			w.add([]*node{alone}, heads, lead, piece.text)
		} else {
			for _, part := range SplitSentences(join(lead, piece.text), limit) {
				w.add([]*node{alone}, heads, "", part)
			}
		}
		lead = "" // the first piece has it
	}
}

func (w *writer) fits(n *node, heads []string, body string) bool {
	return Tokens(body)+w.headTokens(n, heads) <= maxTokens
}

func (w *writer) headTokens(n *node, heads []string) int {
	return Tokens(w.header([]*node{n}, heads, n.rule.Kind)) + 12
}

func join(lead, text string) string {
	if lead == "" {
		return text
	}
	return lead + " … " + text
}
