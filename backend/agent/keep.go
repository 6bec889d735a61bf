package agent

import (
	"fmt"
	"math"
)

// Weights are a fitted logistic regression over the features of a candidate
// (data/keep.yaml, made by models/train/fit_keep.py from training videos): the
// probability that an examiner would write the candidate up.
type Weights struct {
	Bias    float64 `yaml:"bias"`
	Absence float64 `yaml:"absence"` // added where something is missing in the whole video
	// Features have a weight, and a second one that is added for absences.
	Features   map[string][2]float64      `yaml:"features"`
	Categories map[string]CategoryWeights `yaml:"categories"`
	// Classes are the weights of what the screener says of the same words: a
	// promise that is a projection as well belongs under the paragraph on those.
	Classes map[string]float64 `yaml:"classes"`
	// Pairs are of a category with one of its behaviours ("category/behaviour").
	Pairs map[string]float64 `yaml:"pairs"`
}

// CategoryWeights are a category's own share: its frequency, and how much more
// or less some features count there.
type CategoryWeights struct {
	Bias   float64            `yaml:"bias"`
	Slopes map[string]float64 `yaml:"slopes"`
}

// check says whether the weights know every feature that the code computes.
func (w *Weights) check() error {
	for _, f := range (&Screened{Claims: []Claim{{}}}).Features(Candidate{}) {
		if _, ok := w.Features[f.Name]; !ok {
			return fmt.Errorf("the weights do not know the feature %q: fit them again", f.Name)
		}
	}
	return nil
}

// chance is the probability that a candidate with these features, whose words
// are of these classes, is right.
func (w *Weights) chance(c Candidate, features []Feature, classes map[string]float64) float64 {
	cat := w.Categories[c.Category.ID]
	absent := 0.0
	if c.Category.Mode == ModeAbsence {
		absent = 1
	}
	z := w.Bias + w.Absence*absent + cat.Bias + w.Pairs[c.Category.ID+"/"+c.Signal.Behaviour]
	for _, f := range features {
		by := w.Features[f.Name]
		z += (by[0] + by[1]*absent + cat.Slopes[f.Name]) * f.Value
	}
	for _, label := range sortedKeys(w.Classes) { // in one order, so that the sum is the same each time
		z += w.Classes[label] * (logit(classes[label]) - logit(0))
	}
	if c.plain() {
		return math.Max(sigmoid(z), plainChance)
	}
	return sigmoid(z)
}

// plainChance is what plain words are worth at least that the screener sees, too:
// of the 18 candidates of that kind in the training videos that it has not seen
// and in the tune half 17 were right. They are so few because the writers of
// videos went out of the way of plain words; people do not.
const plainChance = 0.80

func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

// weigh sets every candidate's chance, where a screener has spoken.
func (a *Auditor) weigh(s *Screened) {
	for i := range s.Candidates {
		s.Candidates[i].Chance = -1
		if s.classes != nil && a.Data.Keep != nil {
			s.Candidates[i].Chance = a.Data.Keep.chance(s.Candidates[i], s.Features(s.Candidates[i]), s.Classes(s.Candidates[i].Claim))
		}
	}
}
