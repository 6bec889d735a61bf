package regs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// Which level a marker opens cannot be told from the marker alone: after (h),
// "(i)" is the ninth letter or the first Roman numeral. So every marker of a
// section is read in every way that it can be, and the reading of the whole
// section with the lowest cost wins. The costs say how unusual a step is; a
// reading whose total comes close to the best is reported, not dropped.
const (
	costGap        = 3.0  // (a) is followed by (c)
	costLongGap    = 6.0  // by (h)
	costAgain      = 4.5  // by (a) again
	costBack       = 14.0 // (b) is followed by (a)
	costNotFirst   = 5.0  // a level begins with (b)
	costOtherKind  = 4.0  // a level uses another numbering than the scheme has
	costOddStart   = 6.0  // and begins in the middle of it
	costItalic     = 2.5  // italic where the scheme has upright, or the reverse
	costMixed      = 2.0  // a level changes its numbering
	costLone       = 1.0  // a level with a single member
	costAfterColon = 0.8  // no child after "the following:"
	costAfterSemi  = 0.8  // a child after "; and"
	costSameLine   = 7.0  // "(a)(1)": the second is not a child of the first
	costHeading    = 0.5  // siblings of which one has a heading and one has none

	maxReadings   = 48  // kept at each marker
	fewReadings   = 6   // kept where there are very many markers
	hopeless      = 18  // a reading this much dearer than the best is given up
	ambiguousBy   = 1.2 // total costs nearer than this are a tie to report
	maxLevelDepth = 9
)

// item is a marker with what is known of its surroundings.
type item struct {
	part     part
	previous string // the last words before it, for colons and semicolons
}

// scheme is how a body of rules numbers its levels.
type scheme struct {
	levels []audit.Numbering
	// italicFrom is the level from which on markers are italic; 0 where the
	// source does not tell italics.
	italicFrom int
	// free levels may be numbered in any way, as in appendices: it is no remark.
	free bool
}

// placed is a marker with its place in the tree.
type placed struct {
	path      []string
	gap       string // what is missing before it
	ambiguous string // another reading's path
}

type rung struct {
	numbering audit.Numbering
	value     int
	marker    string
	heading   bool
	lone      bool
}

type reading struct {
	stack   []rung
	forward float64
	back    float64
	edges   []edge
}

type edge struct {
	from int
	cost float64
}

// place reads the markers of a section.
func (s scheme) place(items []item) []placed {
	if len(items) == 0 {
		return nil
	}
	// No real section has thousands of markers; what has is read with less care
	// rather than with all the memory there is.
	most := maxReadings
	if len(items) > 3000 {
		most = fewReadings
	}
	layers := make([][]*reading, 0, len(items)+1)
	layers = append(layers, []*reading{{}})
	for i := range items {
		layers = append(layers, s.extend(layers[i], items[i], most))
	}
	s.backward(layers)
	return s.choose(layers, items)
}

// extend makes every reading of a marker that follows the given readings.
func (s scheme) extend(from []*reading, it item, most int) []*reading {
	byKey := map[string]*reading{}
	var (
		next  []*reading
		stack []rung
	)
	for at, r := range from {
		for _, n := range []audit.Numbering{audit.Digits, audit.Letters, audit.Romans, audit.BigLetters, audit.BigRomans} {
			value, ok := n.Value(it.part.marker)
			if !ok {
				continue
			}
			end := value
			if it.part.upTo != "" {
				if end, ok = n.Value(it.part.upTo); !ok || end < value {
					continue
				}
			}
			for depth := 0; depth <= len(r.stack) && depth < maxLevelDepth; depth++ {
				cost, ok := s.cost(r.stack, depth, n, value, it)
				if !ok {
					continue
				}
				lone := depth == len(r.stack)
				// Only a reading that is new keeps its stack; most are not.
				stack = append(append(stack[:0], r.stack[:depth]...), rung{n, end, it.part.marker, it.part.heading != "", lone && end == value})
				key := keyOf(stack)
				to, ok := byKey[key]
				if !ok {
					to = &reading{stack: slices.Clone(stack), forward: r.forward + cost}
					byKey[key] = to
					next = append(next, to)
				}
				to.forward = min(to.forward, r.forward+cost)
				to.edges = append(to.edges, edge{at, cost})
			}
		}
	}
	slices.SortStableFunc(next, func(a, b *reading) int { return cmp.Compare(a.forward, b.forward) })
	keep := min(len(next), most)
	for keep > 1 && next[keep-1].forward > next[0].forward+hopeless {
		keep--
	}
	return slices.Clip(next[:keep])
}

func keyOf(stack []rung) string {
	key := make([]byte, 0, 4*len(stack))
	for _, r := range stack {
		flags := byte(r.numbering) << 2
		if r.heading {
			flags |= 1
		}
		if r.lone {
			flags |= 2
		}
		key = append(key, flags, byte(r.value), byte(r.value>>8))
	}
	return string(key)
}

// cost says how unusual it is that a marker stands at a depth below the
// markers that are open.
func (s scheme) cost(stack []rung, depth int, n audit.Numbering, value int, it item) (float64, bool) {
	var cost float64
	child := depth == len(stack)
	switch {
	case !child && stack[depth].numbering != n:
		// The level began with a numbering that is not its own, and its own
		// comes after all: "1., 2., B." where "A." was lost.
		if depth >= len(s.levels) || s.levels[depth] != n {
			return 0, false
		}
		cost += costMixed + loneCost(stack[depth+1:])
		if value != 1 {
			cost += costNotFirst
		}
	case child:
		if value != 1 {
			cost += costNotFirst + 0.2*float64(min(value, 20))
		}
		if depth >= len(s.levels) || s.levels[depth] != n {
			cost += costOtherKind
			if value != 1 {
				cost += costOddStart
			}
		}
	default:
		before := stack[depth]
		switch gap := value - before.value; {
		case gap == 1:
		case gap == 0:
			cost += costAgain
		case gap < 0:
			cost += costBack
		case gap <= 5:
			cost += costGap + 0.3*float64(gap)
		default:
			cost += costLongGap + 0.1*float64(min(gap, 40))
		}
		if before.heading != (it.part.heading != "") {
			cost += costHeading
		}
		cost += loneCost(stack[depth+1:])
	}
	if s.italicFrom > 0 && it.part.italic != (depth >= s.italicFrom) {
		cost += costItalic
	}
	switch {
	case it.part.sameLine && !child:
		cost += costSameLine
	case len(stack) > 0 && endsWithLead(it.previous) && !child:
		cost += costAfterColon
	case endsWithListItem(it.previous) && child:
		cost += costAfterSemi
	}
	return cost, true
}

// loneCost is what it costs to close levels that never had a second member.
func loneCost(closed []rung) float64 {
	var cost float64
	for _, r := range closed {
		if r.lone && r.value == 1 {
			cost += costLone
		}
	}
	return cost
}

func endsWithLead(text string) bool {
	text = strings.TrimRight(text, " "+string(italOff))
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "—")
}

func endsWithListItem(text string) bool {
	text = strings.TrimRight(text, " "+string(italOff))
	for _, end := range []string{";", "; and", "; or", ";and", ";or", ", and", ", or"} {
		if strings.HasSuffix(text, end) {
			return true
		}
	}
	return false
}

// backward gives every reading the least cost from it to the section's end.
func (s scheme) backward(layers [][]*reading) {
	last := layers[len(layers)-1]
	for _, r := range last {
		r.back = loneCost(r.stack)
	}
	for i := len(layers) - 2; i >= 0; i-- {
		for _, r := range layers[i] {
			r.back = impossible
		}
		for _, to := range layers[i+1] {
			for _, e := range to.edges {
				if from := layers[i][e.from]; e.cost+to.back < from.back {
					from.back = e.cost + to.back
				}
			}
		}
	}
}

const impossible = 1e9

// choose follows the best reading from the beginning to the end, and looks at
// each marker for another that costs nearly the same.
func (s scheme) choose(layers [][]*reading, items []item) []placed {
	out := make([]placed, len(items))
	best := layers[0][0].back
	at := layers[0][0]
	atIndex := 0
	for i := range items {
		var next *reading
		nextIndex, low := 0, impossible*2
		for j, to := range layers[i+1] {
			for _, e := range to.edges {
				if e.from == atIndex && e.cost+to.back < low {
					next, nextIndex, low = to, j, e.cost+to.back
				}
			}
		}
		if next == nil { // cannot be: the first layer's back comes from here
			return out
		}
		p := &out[i]
		p.path = pathOf(next.stack)
		p.gap = s.gapBefore(at.stack, next.stack)
		if other := nearest(layers[i+1], p.path, best); other != "" {
			p.ambiguous = other
		}
		at, atIndex = next, nextIndex
	}
	return out
}

// nearest gives the path of the cheapest other reading of a marker, if the
// whole section costs nearly the same with it.
func nearest(layer []*reading, path []string, best float64) string {
	found, low := "", best+ambiguousBy
	for _, r := range layer {
		if total := r.forward + r.back; total < low && !slices.Equal(pathOf(r.stack), path) {
			found, low = "("+strings.Join(pathOf(r.stack), ")(")+")", total
		}
	}
	return found
}

func pathOf(stack []rung) []string {
	path := make([]string, len(stack))
	for i, r := range stack {
		path[i] = r.marker
	}
	return path
}

// gapBefore names what is missing between a marker and its elder sibling, or
// what is odd about the level that it opens.
func (s scheme) gapBefore(before, now []rung) string {
	depth := len(now) - 1
	last := now[depth]
	// A reserved range counts from its first marker.
	value, _ := last.numbering.Value(last.marker)
	switch {
	case depth >= len(before):
		if value > 1 {
			return fmt.Sprintf("(%s) is the first of its level", last.marker)
		}
		if !s.free && (depth >= len(s.levels) || s.levels[depth] != last.numbering) {
			return fmt.Sprintf("(%s) opens a level that is numbered otherwise elsewhere", last.marker)
		}
	case value > before[depth].value+1:
		return fmt.Sprintf("(%s) follows (%s)", last.marker, before[depth].numbering.Marker(before[depth].value))
	case value <= before[depth].value:
		return fmt.Sprintf("(%s) follows (%s) again", last.marker, before[depth].numbering.Marker(before[depth].value))
	}
	return ""
}
