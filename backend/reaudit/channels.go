package reaudit

import "veristream/backend/audit"

// both is one channel in the two audits, word by word beside each other.
type both struct {
	then, now *channel
	aligned
	late aligned // the same from the end
	// edited marks words that were added, taken away or replaced by others.
	editedThen, editedNow []bool
}

func besides(then, now *audit.Result, source audit.Source) *both {
	b := &both{then: channelOf(then, source), now: channelOf(now, source)}
	b.aligned, b.late = align(b.then.words, b.now.words), alignLate(b.then.words, b.now.words)
	b.editedThen, b.editedNow = make([]bool, len(b.to)), make([]bool, len(b.from))
	b.blocks(func(a0, a1, b0, b1 int) {
		if _, ok := alike(b.then.words[a0:a1], b.now.words[b0:b1]); ok {
			return
		}
		for i := a0; i < a1; i++ {
			b.editedThen[i] = true
		}
		for i := b0; i < b1; i++ {
			b.editedNow[i] = true
		}
	})
	return b
}

// shared is the share of the shorter of two runs that is the same words of the
// same sentence, not the same words somewhere.
func (b *both) shared(then, now span) float64 {
	least := min(then.size(), now.size())
	if least <= 0 {
		return 0
	}
	n := 0
	for i := then.from; i < then.to; i++ {
		if j := b.to[i]; j >= now.from && j < now.to {
			n++
		}
	}
	return float64(n) / float64(least)
}

// counterpart gives the run of the other audit in which a run's words stand. A
// word at its edge without a counterpart takes what stands in its place.
func counterpart(s span, to, from []int) span {
	out := span{-1, -1}
	for i := s.from; i < s.to; i++ {
		if j := to[i]; j >= 0 {
			if out.from < 0 {
				out.from = j
			}
			out.to = j + 1
		}
	}
	if out.from < 0 {
		return span{}
	}
	if to[s.from] < 0 {
		for out.from > 0 && from[out.from-1] < 0 {
			out.from--
		}
	}
	if to[s.to-1] < 0 {
		for out.to < len(from) && from[out.to] < 0 {
			out.to++
		}
	}
	return out
}

// sameScope compares the sentences of two findings where they stand: each grows
// by what the other one holds, so that sentences which were split or joined are
// the same sentences still. Where a word was taken out beside its like, the gap
// may be laid in this sentence or in the next; both must leave them the same.
func (b *both) sameScope(then, now place) (heard []audit.Heard, ok bool) {
	if then.scope.size() == 0 || now.scope.size() == 0 || b.shared(then.words, now.words) < 0.5 {
		return nil, false
	}
	for _, x := range []aligned{b.late, b.aligned} {
		old := then.scope.join(counterpart(now.scope, x.from, x.to))
		fresh := now.scope.join(counterpart(then.scope, x.to, x.from))
		if heard, ok = same(b.then.words[old.from:old.to], b.now.words[fresh.from:fresh.to]); !ok {
			return nil, false
		}
	}
	return heard, true
}

// near is how many words to either side count as standing beside a claim: the
// sentence before and the one after.
const near = 15

// besideEdited says whether words beside the two places were changed.
func (b *both) besideEdited(then, now place) bool {
	any := func(edited []bool, s span) bool {
		for i := max(0, s.from-near); i < min(len(edited), s.to+near); i++ {
			if edited[i] && (i < s.from || i >= s.to) {
				return true
			}
		}
		return false
	}
	return any(b.editedThen, then.scope) || any(b.editedNow, now.scope)
}

// words counts what was added and what is gone.
func (b *both) counts() (added, gone int) {
	for _, e := range b.editedNow {
		if e {
			added++
		}
	}
	for _, e := range b.editedThen {
		if e {
			gone++
		}
	}
	return added, gone
}

// scattered says whether the channel differs by no more than a second hearing
// would: a few words here and there for a few others, none of them a figure or
// a word that binds, and at most one word in six.
func (b *both) scattered() bool {
	ok, n := true, 0
	b.blocks(func(a0, a1, b0, b1 int) {
		x, y := weighty(b.then.words[a0:a1]), weighty(b.now.words[b0:b1])
		if heard, fine := alike(x, y); fine {
			n += len(heard)
			return
		}
		n += max(len(x), len(y))
		if len(x) == 0 || len(y) == 0 || len(x) > 3 || len(y) > 3 {
			ok = false
		}
		for _, w := range append(append([]token{}, x...), y...) {
			if binding[w.text] || telling[w.text] || isFigure(w.text) {
				ok = false
			}
		}
	})
	return ok && n <= len(b.to)/6+1
}
