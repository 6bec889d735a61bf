package align

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"veristream/backend/audit"
)

// Searcher finds passages of some documents, best first.
type Searcher interface {
	Find(ctx context.Context, text string, documents []string, top int) ([]audit.Hit, error)
}

// Aligner aligns documents. LLM may be nil.
type Aligner struct {
	Search Searcher
	LLM    audit.LLM
}

// The ways in which a handbook stands to a control that applies.
const (
	Covered = "covered"
	Partly  = "partly"
	Missing = "missing"
)

// Link is one row of the traceability table: element, control, passage.
type Link struct {
	Element  string `json:"element"`
	Place    string `json:"place"` // of the element in the design
	Control  string `json:"control"`
	Title    string `json:"title"`
	Requires string `json:"requires"` // the control's own words nearest to the element
	State    string `json:"state"`
	Handbook string `json:"handbook,omitempty"` // where the handbook speaks of it
	Quote    string `json:"quote,omitempty"`    // the handbook's own words
	Lacks    string `json:"lacks,omitempty"`    // words of the control that the handbook's passage has not
	Reason   string `json:"reason"`
	ByModel  bool   `json:"by_model,omitempty"` // the reason is a language model's
}

// Report is what an alignment gives.
type Report struct {
	Elements []Element `json:"elements"`
	Links    []Link    `json:"links"`
	// Without are elements for which no control of the baseline was found.
	Without []string `json:"without,omitempty"`
}

// Bounds of an alignment.
const (
	most     = 4  // controls told for an element
	pool     = 24 // passages looked at for them
	readWell = 6  // passages of the handbook looked at for a control
	// Below the best control's words by more than this share one is not told.
	behind      = 0.55
	least       = 0.10 // of the element's words that a control must share
	enough      = 0.45 // of a control's words: the handbook covers it
	some        = 0.25 // it speaks of it
	sharedLeast = 2    // words of it, at least, however few it has: one alone is a chance
)

// Align lays a design's elements beside a baseline and a handbook.
func (a *Aligner) Align(ctx context.Context, elements []Element, handbook, baseline []string, tell func(done int)) (Report, error) {
	r := Report{Elements: elements, Links: []Link{}}
	covers := map[string]Link{} // of controls that were looked for already
	for i, e := range elements {
		controls, err := a.controls(ctx, e, baseline)
		if err != nil {
			return r, fmt.Errorf("find controls for %s: %w", e.Name, err)
		}
		if len(controls) == 0 {
			r.Without = append(r.Without, e.Name)
		}
		for _, c := range controls {
			cover, ok := covers[c.id]
			if !ok {
				if cover, err = a.cover(ctx, c, handbook); err != nil {
					return r, fmt.Errorf("find %s in the handbook: %w", c.id, err)
				}
				covers[c.id] = cover
			}
			l := cover
			l.Element, l.Place, l.Control, l.Title, l.Requires = e.Name, e.Place, c.id, c.title, c.nearest
			l.Reason = "shared words: " + strings.Join(c.shared, ", ")
			if a.LLM != nil {
				if err := a.reason(ctx, e, &l); err != nil {
					return r, err
				}
			}
			r.Links = append(r.Links, l)
		}
		if tell != nil {
			tell(i + 1)
		}
	}
	return r, nil
}

// control is a control of the baseline that may apply to an element.
type control struct {
	id, title string
	text      string // what it requires
	nearest   string
	shared    []string
	score     float64
}

// controls gives the controls that apply to an element: those that a search
// finds, in the order of the search and of the words that they share.
func (a *Aligner) controls(ctx context.Context, e Element, baseline []string) ([]control, error) {
	hits, err := a.Search.Find(ctx, e.Name+". "+e.Text, baseline, pool)
	if err != nil {
		return nil, err
	}
	var out []control
	want := terms(e.Name + " " + e.Text)
	for rank, h := range hits {
		p := h.Passage
		id := p.Meta[audit.MetaControlID]
		switch kind := p.Meta[audit.MetaSectionType]; {
		case id == "", kind == "related", strings.Contains(kind, "references"), strings.EqualFold(p.Meta["status"], "Withdrawn"):
			continue
		}
		nearest, shared := closest(p.Body, append(want, terms(p.Title)...))
		shared = common(shared, want)
		score := 1/float64(rank+1) + float64(len(shared))/float64(max(1, len(want)))
		at := slices.IndexFunc(out, func(c control) bool { return c.id == id })
		if at < 0 {
			title := p.Meta["title"]
			if title == "" {
				title = p.Title[strings.LastIndex(p.Title, ">")+1:]
			}
			out = append(out, control{id: id, title: strings.TrimSpace(title), text: p.Body, nearest: nearest, shared: shared, score: score})
			continue
		}
		c := &out[at]
		c.score += 0.3 * score // found by more than one of its parts
		if p.Meta[audit.MetaSectionType] == "control" {
			c.text, c.nearest = p.Body, nearest
		}
		for _, t := range shared {
			if !slices.Contains(c.shared, t) {
				c.shared = append(c.shared, t)
			}
		}
	}
	out = slices.DeleteFunc(out, func(c control) bool { return float64(len(c.shared)) < least*float64(len(want)) })
	slices.SortStableFunc(out, func(x, y control) int {
		switch {
		case x.score > y.score:
			return -1
		case x.score < y.score:
			return 1
		}
		return 0
	})
	for i := range out {
		if i >= most || out[i].score < (1-behind)*out[0].score && i > 1 {
			return out[:i], nil
		}
	}
	return out, nil
}

// cover looks in the handbook for what a control requires. A passage that
// names the control covers it; else the share of the control's words decides.
// A sentence that says what the handbook lacks counts for nothing.
func (a *Aligner) cover(ctx context.Context, c control, handbook []string) (Link, error) {
	l := Link{State: Missing}
	hits, err := a.Search.Find(ctx, c.id+" "+c.title+". "+firstWords(c.text, 60), handbook, readWell)
	if err != nil {
		return l, err
	}
	want := terms(c.title + " " + c.title + " " + plain(c.text))
	best := 0.0
	for _, h := range hits {
		body := affirmed(h.Passage.Body)
		quote, shared := closest(body, want)
		share := float64(len(shared)) / float64(max(1, min(len(want), 14)))
		titled := common(terms(h.Passage.Title+" "+quote), terms(c.title))
		share += 0.25 * float64(len(titled)) / float64(max(1, len(terms(c.title))))
		named := names(h.Passage.Header+"\n"+body, c.id)
		if named {
			share++
		}
		if share <= best || len(shared) < sharedLeast && !named {
			continue
		}
		best = share
		l.Handbook, l.Quote, l.State = place(h.Passage), quote, Missing
		switch {
		case named || share >= enough:
			l.State = Covered
		case share >= some:
			l.State = Partly
		}
		var lacks []string
		for _, t := range want {
			if !slices.Contains(terms(body), t) && len(lacks) < 8 {
				lacks = append(lacks, t)
			}
		}
		l.Lacks = strings.Join(lacks, ", ")
	}
	if l.State == Missing {
		l.Handbook, l.Quote, l.Lacks = "", "", ""
	}
	return l, nil
}

// names says whether a text names a control: "AC-2" in "AC-2," and "AC-2(1)",
// not in "AC-20".
func names(text, id string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], id)
		if i < 0 {
			return false
		}
		end := at + i + len(id)
		if end == len(text) || !(text[end] >= '0' && text[end] <= '9') {
			return true
		}
		at = end
	}
}

func place(p audit.Passage) string {
	if p.Citation != "" {
		return p.Citation
	}
	s := p.Title
	if s == "" {
		s = p.Source
	}
	if p.FirstPage > 0 {
		s += fmt.Sprintf(", p. %d", p.FirstPage)
	}
	return s
}

const system = `You explain in one short sentence why a security control applies to a part of a design. Use only the words given. No advice.`

// reason has the model say in a sentence why a control applies. What goes wrong
// leaves the words that they share.
func (a *Aligner) reason(ctx context.Context, e Element, l *Link) error {
	resp, err := a.LLM.Complete(ctx, audit.Request{
		System: system, Prompt: "Part of the design: " + e.Name + ". " + firstWords(e.Text, 60) + "\nControl " + l.Control + " " + l.Title + ": " + firstWords(l.Requires, 50),
		Schema: json.RawMessage(`{"type":"object","required":["reason"],"properties":{"reason":{"type":"string","maxLength":220}}}`), MaxTokens: 90, Deadline: 2 * time.Minute,
	})
	if err != nil {
		switch audit.CodeOf(err) {
		case audit.CodeReply, audit.CodeDeadline:
			if ctx.Err() == nil {
				return nil
			}
		}
		return fmt.Errorf("ask why %s applies: %w", l.Control, err)
	}
	var out struct {
		Reason string `json:"reason"`
	}
	if json.Unmarshal([]byte(resp.Text), &out) == nil && strings.TrimSpace(out.Reason) != "" {
		l.Reason, l.ByModel = strings.TrimSpace(out.Reason), true
	}
	return nil
}
