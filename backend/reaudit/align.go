package reaudit

import (
	"slices"
	"strings"
)

// aligned says which words of two runs are the same word: to gives for each word
// of the first its place in the second, from the other way about; -1 where a word
// has no counterpart. Both rise.
type aligned struct{ to, from []int }

// cells bounds the table of the exact method: 4 MB, some milliseconds.
const cells = 1 << 20

// align finds a longest common run of words. Where the two are long it is first
// pinned at runs of three words that stand in each of them once, so that a
// transcript of hours takes no longer than reading it.
func align(a, b []token) aligned {
	x := aligned{make([]int, len(a)), make([]int, len(b))}
	for i := range x.to {
		x.to[i] = -1
	}
	for i := range x.from {
		x.from[i] = -1
	}
	x.between(a, b, 0, len(a), 0, len(b))
	return x
}

// alignLate is align from the end: where the same words stand twice and once, a
// gap lies as early as it may, as with align it lies as late as it may.
func alignLate(a, b []token) aligned {
	back := func(t []token) []token {
		t = slices.Clone(t)
		slices.Reverse(t)
		return t
	}
	x := align(back(a), back(b))
	turn := func(places []int, last int) []int {
		slices.Reverse(places)
		for i, p := range places {
			if p >= 0 {
				places[i] = last - p
			}
		}
		return places
	}
	return aligned{turn(x.to, len(b)-1), turn(x.from, len(a)-1)}
}

func (x aligned) pair(i, j int) { x.to[i], x.from[j] = j, i }

func (x aligned) between(a, b []token, a0, a1, b0, b1 int) {
	for a0 < a1 && b0 < b1 && a[a0].text == b[b0].text {
		x.pair(a0, b0)
		a0, b0 = a0+1, b0+1
	}
	for a0 < a1 && b0 < b1 && a[a1-1].text == b[b1-1].text {
		a1, b1 = a1-1, b1-1
		x.pair(a1, b1)
	}
	if a0 == a1 || b0 == b1 {
		return
	}
	if (a1-a0)*(b1-b0) <= cells {
		x.longest(a, b, a0, a1, b0, b1)
		return
	}
	pins := rising(unique(a, b, a0, a1, b0, b1))
	for _, p := range pins {
		x.between(a, b, a0, p[0], b0, p[1])
		x.pair(p[0], p[1])
		a0, b0 = p[0]+1, p[1]+1
	}
	if len(pins) > 0 {
		x.between(a, b, a0, a1, b0, b1)
	} // else: two long texts without a common run of three words are two texts
}

// longest is the textbook longest common subsequence.
func (x aligned) longest(a, b []token, a0, a1, b0, b1 int) {
	n, m := a1-a0, b1-b0
	best := make([]int32, (n+1)*(m+1))
	at := func(i, j int) int { return i*(m+1) + j }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if a[a0+i].text == b[b0+j].text {
				best[at(i, j)] = best[at(i+1, j+1)] + 1
			} else {
				best[at(i, j)] = max(best[at(i+1, j)], best[at(i, j+1)])
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case a[a0+i].text == b[b0+j].text:
			x.pair(a0+i, b0+j)
			i, j = i+1, j+1
		case best[at(i+1, j)] >= best[at(i, j+1)]:
			i++
		default:
			j++
		}
	}
}

// unique gives the places of the runs of three words that stand once in each.
func unique(a, b []token, a0, a1, b0, b1 int) [][2]int {
	places := func(t []token, from, to int) map[string]int {
		m := map[string]int{}
		for i := from; i+3 <= to; i++ {
			key := strings.Join([]string{t[i].text, t[i+1].text, t[i+2].text}, " ")
			if _, twice := m[key]; twice {
				m[key] = -1
			} else {
				m[key] = i
			}
		}
		return m
	}
	inB := places(b, b0, b1)
	var out [][2]int
	for key, i := range places(a, a0, a1) {
		if j, ok := inB[key]; ok && i >= 0 && j >= 0 {
			out = append(out, [2]int{i, j})
		}
	}
	slices.SortFunc(out, func(p, q [2]int) int { return p[0] - q[0] })
	return out
}

// rising keeps a longest run of pairs in which both places rise.
func rising(pairs [][2]int) [][2]int {
	var tails []int // the pair that ends the best run of each length
	back := make([]int, len(pairs))
	for i, p := range pairs {
		k, _ := slices.BinarySearchFunc(tails, p[1], func(t, want int) int { return pairs[t][1] - want })
		back[i] = -1
		if k > 0 {
			back[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, i)
		} else {
			tails[k] = i
		}
	}
	var out [][2]int
	if len(tails) > 0 {
		for i := tails[len(tails)-1]; i >= 0; i = back[i] {
			out = append(out, pairs[i])
		}
	}
	slices.Reverse(out)
	return out
}

// blocks calls f with each stretch in which the two differ: the words from a0 to
// a1 of the first stand where those from b0 to b1 of the second do.
func (x aligned) blocks(f func(a0, a1, b0, b1 int)) {
	i, j := 0, 0
	for i < len(x.to) || j < len(x.from) {
		if i < len(x.to) && x.to[i] == j && j < len(x.from) {
			i, j = i+1, j+1
			continue
		}
		a0, b0 := i, j
		for i < len(x.to) && x.to[i] < 0 {
			i++
		}
		for j < len(x.from) && x.from[j] < 0 {
			j++
		}
		f(a0, i, b0, j)
	}
}
