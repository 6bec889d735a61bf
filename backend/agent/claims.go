package agent

import (
	"strings"
	"unicode"

	"veristream/backend/audit"
)

// Claim is one sentence of a video: what is screened and judged. It may lie in
// a part of a segment or run over several (subtitles cut sentences in two).
type Claim struct {
	Index   int
	Source  audit.Source
	Parts   []Part
	Text    string
	Norm    string
	StartMS int64
	EndMS   int64
}

// Part is a run of one segment's text, in bytes.
type Part struct {
	Segment    int // index into the segments
	Start, End int
}

// A sentence that goes on in the next subtitle follows within this time.
const joinWithinMS = 2500

// A sentence that never ends is cut.
const maxClaimWords = 60

// Where speech has no punctuation, lines are all there is to go by: a line of
// so many words is a claim.
const minLineWords = 4

// Claims makes claims of the segments that take part in the audit.
func Claims(segments []audit.Segment) []Claim {
	var out []Claim
	open := map[audit.Source]*Claim{}
	flush := func(src audit.Source) {
		if c := open[src]; c != nil {
			c.Norm = Normalise(c.Text)
			c.Index = len(out)
			out = append(out, *c)
			delete(open, src)
		}
	}
	lines := !punctuated(segments)
	for i, seg := range segments {
		if !seg.Audited() {
			continue
		}
		if c := open[seg.Source]; c != nil && (seg.StartMS-c.EndMS > joinWithinMS || seg.Source != audit.Speech) {
			flush(seg.Source)
		}
		for _, span := range sentences(seg.Text) {
			part := Part{Segment: i, Start: span[0], End: span[1]}
			text := seg.Text[span[0]:span[1]]
			start, end := spanTime(seg, span)
			if c := open[seg.Source]; c != nil {
				c.Parts, c.Text, c.EndMS = append(c.Parts, part), c.Text+" "+text, end
			} else {
				open[seg.Source] = &Claim{Source: seg.Source, Parts: []Part{part}, Text: text, StartMS: start, EndMS: end}
			}
			words := len(strings.Fields(open[seg.Source].Text))
			if ended(text) || seg.Source != audit.Speech || words > maxClaimWords || lines && words >= minLineWords {
				flush(seg.Source)
			}
		}
	}
	for _, src := range []audit.Source{audit.Speech, audit.Screen, audit.Description} {
		flush(src)
	}
	return ordered(out)
}

// punctuated says whether the speech has sentences: some recognisers write
// none.
func punctuated(segments []audit.Segment) bool {
	n, ends := 0, 0
	for _, s := range segments {
		if s.Source == audit.Speech && s.Audited() {
			n++
			if strings.ContainsAny(s.Text, ".!?…") {
				ends++
			}
		}
	}
	return 5*ends >= n
}

// ordered sorts claims by time and numbers them.
func ordered(claims []Claim) []Claim {
	sortStable(claims, func(a, b Claim) bool { return a.StartMS < b.StartMS })
	for i := range claims {
		claims[i].Index = i
	}
	return claims
}

// spanTime gives the time of a run of a segment's text: from its words where
// they are known, else in proportion to the characters.
func spanTime(seg audit.Segment, span [2]int) (start, end int64) {
	if span[0] == 0 && span[1] >= len(seg.Text) {
		return seg.StartMS, seg.EndMS
	}
	if len(seg.Words) > 0 {
		before := len(strings.Fields(seg.Text[:span[0]]))
		inside := len(strings.Fields(seg.Text[span[0]:span[1]]))
		if inside > 0 && before+inside <= len(seg.Words) {
			return seg.Words[before].StartMS, seg.Words[before+inside-1].EndMS
		}
	}
	length := seg.EndMS - seg.StartMS
	at := func(b int) int64 { return seg.StartMS + length*int64(b)/int64(max(1, len(seg.Text))) }
	return at(span[0]), max(at(span[0])+1, at(span[1]))
}

// sentences gives the runs of text that are sentences, in bytes, trimmed.
func sentences(text string) [][2]int {
	var out [][2]int
	at := 0
	for _, end := range audit.SentenceEnds(text) {
		s := at + len(text[at:end]) - len(strings.TrimLeftFunc(text[at:end], unicode.IsSpace))
		e := s + len(strings.TrimSpace(text[at:end]))
		if e > s {
			out = append(out, [2]int{s, e})
		}
		at = end
	}
	return out
}

func ended(text string) bool {
	t := strings.TrimRight(text, `"')”’ `)
	return strings.HasSuffix(t, ".") || strings.HasSuffix(t, "!") || strings.HasSuffix(t, "?") || strings.HasSuffix(t, "…")
}

// Excerpt gives the claim's words in one segment: that part which holds the
// most of what the pattern matched, or the longest one.
func (c Claim) Excerpt(segments []audit.Segment, about string) (seg audit.Segment, excerpt string) {
	best, most := c.Parts[0], -1.0
	for _, p := range c.Parts {
		text := segments[p.Segment].Text[p.Start:p.End]
		if score := overlap(Normalise(text), about)*1000 + float64(len(text))/1000; score > most {
			best, most = p, score
		}
	}
	s := segments[best.Segment]
	return s, s.Text[best.Start:best.End]
}

// overlap is the share of b's words that stand in a.
func overlap(a, b string) float64 {
	words := strings.Fields(b)
	if len(words) == 0 {
		return 0
	}
	have := map[string]bool{}
	for _, w := range strings.Fields(a) {
		have[strings.Trim(w, ".,!?;:")] = true
	}
	n := 0
	for _, w := range words {
		if have[strings.Trim(w, ".,!?;:")] {
			n++
		}
	}
	return float64(n) / float64(len(words))
}
