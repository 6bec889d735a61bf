package ask

import (
	"slices"
	"testing"

	"veristream/backend/audit"
)

// The model reads the likely passages alone, the best first, and one that the
// question names in any case; where scores tell no likelihood it reads all.
func TestToShow(t *testing.T) {
	w := &work{hits: make([]audit.Hit, 5), fitted: true}
	for i, score := range []float64{0.3, 0.05, 1, 0.2, 0.01} {
		w.units = append(w.units, unit{hit: i, score: score})
	}
	if got := w.toShow(); !slices.Equal(got, []int{2, 0, 3}) {
		t.Errorf("shown are %v", got)
	}
	w.units[3].score, w.hits[4].Pinned = 0.02, true
	if got := w.toShow(); !slices.Equal(got, []int{2, 0, 4}) {
		t.Errorf("with a named one shown are %v", got)
	}
	w.fitted = false
	if got := w.toShow(); !slices.Equal(got, []int{0, 1, 2, 3, 4}) {
		t.Errorf("unfitted shown are %v", got)
	}
}
