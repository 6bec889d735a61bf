package retrieve

import (
	"cmp"
	"math"
	"slices"

	"veristream/backend/audit"
)

// rrfK damps the weight of the first ranks (Cormack et al. 2009 take 60).
const rrfK = 60

// list is one ranking of passages, with its weight in the fusion.
type list struct {
	name   string
	weight float64
	hits   []audit.ScoredID
}

// found is a passage with what each list says of it.
type found struct {
	id     int64
	rrf    float64
	bm25   float64
	dense  float64
	asked  float64
	ranks  map[string]int // by list, from 1
	cosine bool           // dense is known
}

// fuse merges rankings: a passage gains weight/(k+rank) from each list.
func fuse(lists []list) []*found {
	at := map[int64]*found{}
	for _, l := range lists {
		for i, h := range l.hits {
			f := at[h.ID]
			if f == nil {
				f = &found{id: h.ID, ranks: map[string]int{}}
				at[h.ID] = f
			}
			f.rrf += l.weight / float64(rrfK+i+1)
			if _, ok := f.ranks[l.name]; !ok {
				f.ranks[l.name] = i + 1
			}
			switch l.name {
			case listAsksDense:
				f.asked = max(f.asked, h.Score)
			case listBM25, listScopedBM25, listDefBM25, listSecBM25, listGistBM25:
				f.bm25 = max(f.bm25, h.Score)
			case listDense, listExpanded, listScopedDense, listCards, listDefDense, listSecDense, listGistDense:
				f.dense, f.cosine = max(f.dense, h.Score), true
			}
		}
	}
	out := make([]*found, 0, len(at))
	for _, f := range at {
		out = append(out, f)
	}
	slices.SortFunc(out, func(a, b *found) int {
		return cmp.Or(cmp.Compare(b.rrf, a.rrf), cmp.Compare(a.id, b.id))
	})
	return out
}

// standardise gives (x - mean) / deviation for each value, 0 where all are
// alike.
func standardise(xs []float64) []float64 {
	var sum, squares float64
	for _, x := range xs {
		sum += x
	}
	n := float64(len(xs))
	mean := sum / n
	for _, x := range xs {
		squares += (x - mean) * (x - mean)
	}
	dev := math.Sqrt(squares / n)
	out := make([]float64, len(xs))
	for i, x := range xs {
		if dev > 1e-9 {
			out[i] = (x - mean) / dev
		}
	}
	return out
}
