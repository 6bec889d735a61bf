package ask

import (
	"slices"
	"testing"

	"veristream/backend/audit"
)

// The model reads the lines that the answer begins with and the likely ones
// after them, no headings, and no more than it has time for.
func TestLines(t *testing.T) {
	const text = "A creditor keeps its records for three years."
	w := &work{hits: make([]audit.Hit, 1), fitted: true}
	for _, score := range []float64{0.3, 0.05, 1, 0.6, 0.5, 0.4} {
		w.units = append(w.units, unit{text: text, score: score})
	}
	w.units[4].text = "Records"
	w.stand = []int{2, 1}
	if got := w.lines(); !slices.Equal(got, []int{2, 1, 3, 5}) {
		t.Errorf("shown are %v", got)
	}
	w.fitted = false
	if got := w.lines(); !slices.Equal(got, []int{2, 1}) {
		t.Errorf("unfitted shown are %v", got)
	}
}

// What says again what stands is no explanation; what is much shorter is one.
func TestRepeats(t *testing.T) {
	w := &work{sentences: []Sentence{{Text: "A creditor shall send a written notice to each consumer who may be affected at least 37 days before a higher rate takes effect."}}}
	for text, want := range map[string]bool{
		"The creditor sends each affected consumer a written notice at least 37 days before a higher rate takes effect.": true,
		"A notice is sent 37 days before the rate takes effect.":                                                         false,
		"Records are kept for three years.":                                                                              false,
	} {
		if got := w.repeats(text); got != want {
			t.Errorf("%q repeats: %v", text, got)
		}
	}
}
