package ocr

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"veristream/backend/audit"
)

// Merger follows texts from frame to frame. Frames come in order of time; each
// holds until the next one, as media.Frames gives them.
type Merger struct {
	// MinConfidence is the least that a line must have; 0 means 0.5.
	MinConfidence float64
	active        []*track
	closed        []*track
}

const (
	// bridgeMS is how long a text may be gone and still be the same: readers miss one now and then.
	bridgeMS = 1100
	// sameText and sameTextMoved are how alike two readings must be, from 0 to 1, at one place and elsewhere.
	sameText, sameTextMoved = 0.7, 0.85
	// fleetingMS is too short for a text that a person was meant to see; it must be sure to be kept.
	fleetingMS, fleetingSure = 300, 0.9
)

// track is a text over time.
type track struct {
	start, end int64 // end is when it was first missed; -1 while it is seen
	seen       int
	readings   map[string]float64 // how sure each reading is, summed over frames
	best       block
	last       block
	contrast   float64
	confidence float64
}

// Add takes the text of the next frame.
func (m *Merger) Add(f FrameText) {
	least := m.MinConfidence
	if least == 0 {
		least = 0.5
	}
	taken := map[*track]bool{}
	for _, b := range blocks(f, least) {
		t := m.find(b, f.MS, taken)
		if t == nil {
			t = &track{start: f.MS, readings: map[string]float64{}}
			m.active = append(m.active, t)
		}
		taken[t] = true
		t.see(b)
	}
	m.active = slices.DeleteFunc(m.active, func(t *track) bool {
		switch {
		case taken[t]:
			return false
		case t.end < 0:
			t.end = f.MS
		}
		if f.MS-t.end <= bridgeMS {
			return false
		}
		m.closed = append(m.closed, t)
		return true
	})
}

// find gives the track that a block goes on with.
func (m *Merger) find(b block, ms int64, taken map[*track]bool) *track {
	var best *track
	high := 0.0
	for _, t := range m.active {
		if taken[t] || t.end >= 0 && ms-t.end > bridgeMS {
			continue
		}
		alike := t.alike(b)
		if alike > high {
			best, high = t, alike
		}
	}
	return best
}

// alike gives how much a block is the same text as the track's, 0 for not.
func (t *track) alike(b block) float64 {
	s := similarity(t.last.text, b.text)
	near := overlaps(t.last, b)
	switch {
	case near && (s >= sameText || grows(t.last.text, b.text)):
		return 1 + s
	case s >= sameTextMoved:
		return s
	}
	return 0
}

// see takes another reading of the text.
func (t *track) see(b block) {
	t.seen++
	t.end = -1
	t.last = b
	t.readings[b.text] += b.confidence
	if t.seen == 1 || t.readings[b.text] >= t.readings[t.best.text] && len(b.text) >= len(t.best.text) ||
		t.readings[b.text] > 1.5*t.readings[t.best.text] || grows(t.best.text, b.text) {
		t.best = b
	}
	t.contrast = math.Max(t.contrast, b.contrast)
	t.confidence = math.Max(t.confidence, b.confidence)
}

// Finish gives the texts as segments, in order of time, with ids o1, o2, ...
// endMS is the end of the video.
func (m *Merger) Finish(endMS int64) []audit.Segment {
	all := append(m.closed, m.active...)
	m.closed, m.active = nil, nil
	var out []audit.Segment
	for _, t := range all {
		if t.end < 0 {
			t.end = endMS
		}
		end := min(t.end, endMS)
		if end <= t.start || end-t.start < fleetingMS && t.confidence < fleetingSure {
			continue
		}
		out = append(out, audit.Segment{
			Source: audit.Screen, StartMS: t.start, EndMS: end, Text: t.best.text,
			Confidence: round3(t.confidence), Contrast: t.contrast,
			Box: &audit.Box{
				X: round3(t.best.x), Y: round3(t.best.y), Width: round3(t.best.w), Height: round3(t.best.h),
				LineHeight: round3(t.best.lineHeight),
			},
		})
	}
	slices.SortStableFunc(out, func(a, b audit.Segment) int {
		if a.StartMS != b.StartMS {
			return int(a.StartMS - b.StartMS)
		}
		return sign(a.Box.Y - b.Box.Y)
	})
	for i := range out {
		out[i].ID = "o" + strconv.Itoa(i+1)
	}
	return out
}

// Merge follows the texts of frames that are all there already.
func Merge(frames []FrameText, endMS int64) []audit.Segment {
	var m Merger
	for _, f := range frames {
		m.Add(f)
	}
	return m.Finish(endMS)
}

func round3(v float64) float64 { return math.Round(v*1000) / 1000 }

// overlaps says whether two blocks stand at the same place.
func overlaps(a, b block) bool {
	w := math.Min(a.x+a.w, b.x+b.w) - math.Max(a.x, b.x)
	h := math.Min(a.y+a.h, b.y+b.h) - math.Max(a.y, b.y)
	return w > 0 && h > 0 && w*h > 0.3*math.Min(a.w*a.h, b.w*b.h)
}

// grows says whether a text goes on with another that is being written out.
func grows(from, to string) bool {
	a, b := bare(from), bare(to)
	return len(a) >= 4 && len(b) > len(a) && strings.HasPrefix(b, a)
}

// bare gives the letters and figures of a text alone.
func bare(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// similarity gives 1 for the same letters and 0 for nothing in common
// (Levenshtein's distance over the longer one). Figures must be the same: "5%"
// and "8%" are different claims.
func similarity(a, b string) float64 {
	if digits(a) != digits(b) && len(digits(a)) == len(digits(b)) && len(bare(a)) < 12 {
		return 0
	}
	x, y := []rune(bare(a)), []rune(bare(b))
	if len(x) == 0 || len(y) == 0 {
		return 0
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		last := row[0]
		row[0] = i + 1
		for j := range y {
			cost := last
			if x[i] != y[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return 1 - float64(row[len(y)])/float64(max(len(x), len(y)))
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}
