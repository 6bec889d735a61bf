package reaudit

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"veristream/backend/audit"
	"veristream/backend/words"
)

// channel is all that is said (or shown, or written below) in a video, as one
// run of words.
type channel struct {
	segments []audit.Segment
	first    []int // the place of each segment's first word; one more at the end
	words    []token
	at       map[string]int // segment by id
}

func channelOf(r *audit.Result, source audit.Source) *channel {
	c := &channel{at: map[string]int{}}
	for _, s := range r.Segments {
		if s.Source == source && s.Audited() {
			c.segments = append(c.segments, s)
		}
	}
	slices.SortStableFunc(c.segments, func(a, b audit.Segment) int { return int(a.StartMS - b.StartMS) })
	for i, s := range c.segments {
		c.at[s.ID] = i
		c.first = append(c.first, len(c.words))
		c.words = append(c.words, tokens(s.Text)...)
	}
	c.first = append(c.first, len(c.words))
	return c
}

// span is a run of words of a channel.
type span struct{ from, to int }

func (s span) size() int           { return s.to - s.from }
func (s span) touches(t span) bool { return s.from < t.to && t.from < s.to }

func (s span) join(t span) span {
	if s.size() == 0 {
		return t
	}
	if t.size() == 0 {
		return s
	}
	return span{min(s.from, t.from), max(s.to, t.to)}
}

// place is where a finding's words stand: the words themselves, and the sentence
// that gives them their meaning. A finding about something missing has neither.
type place struct {
	words, scope           span
	wordTokens, scopeToken []token
}

// reach bounds how far a sentence is followed into the segments beside it.
const reach = 15

func (c *channel) place(f audit.Finding) place {
	i, ok := c.at[f.SegmentID]
	var start, end int
	if ok {
		start, end, ok = words.Find(c.segments[i].Text, f.Excerpt)
	}
	for j := 0; !ok && j < len(c.segments); j++ {
		if s := c.segments[j]; s.StartMS <= f.EndMS && s.EndMS >= f.StartMS {
			i = j
			start, end, ok = words.Find(s.Text, f.Excerpt)
		}
	}
	if !ok { // its segment is not there: the words alone are compared
		t := tokens(f.Excerpt)
		return place{wordTokens: t, scopeToken: t}
	}
	p := place{words: c.span(i, start, end)}
	text := c.segments[i].Text
	from, to := 0, len(text)
	for _, e := range audit.SentenceEnds(text) {
		if e <= start {
			from = e
		}
		if e >= end {
			to = e
			break
		}
	}
	p.scope = p.words.join(c.span(i, from, to))
	if from == 0 && i > 0 && goesOn(c.segments[i-1], c.segments[i]) {
		before := c.segments[i-1].Text
		ends := audit.SentenceEnds(before)
		begin := 0
		if len(ends) > 1 {
			begin = ends[len(ends)-2]
		}
		p.scope.from = min(p.scope.from, max(c.span(i-1, begin, len(before)).from, p.scope.from-reach))
	}
	if to == len(text) && i+1 < len(c.segments) && goesOn(c.segments[i], c.segments[i+1]) {
		after := c.segments[i+1].Text
		if ends := audit.SentenceEnds(after); len(ends) > 0 {
			p.scope.to = max(p.scope.to, min(c.span(i+1, 0, ends[0]).to, p.scope.to+reach))
		}
	}
	p.wordTokens, p.scopeToken = c.words[p.words.from:p.words.to], c.words[p.scope.from:p.scope.to]
	return p
}

// span gives the words of a segment between two bytes of its text.
func (c *channel) span(segment, start, end int) span {
	out := span{-1, -1}
	for i := c.first[segment]; i < c.first[segment+1]; i++ {
		if w := c.words[i]; w.start < end && w.end > start {
			if out.from < 0 {
				out.from = i
			}
			out.to = i + 1
		}
	}
	if out.from < 0 {
		return span{c.first[segment], c.first[segment]}
	}
	return out
}

// goesOn says whether a sentence runs from one segment into the next.
func goesOn(a, b audit.Segment) bool {
	if a.Source != audit.Speech {
		return false
	}
	text := strings.TrimRight(a.Text, " \"'”’)")
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(b.Text))
	return text != "" && !strings.ContainsAny(text[len(text)-1:], ".!?") && !strings.HasSuffix(text, "…") && unicode.IsLower(first)
}
