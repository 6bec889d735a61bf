// Package measures holds how well this build finds issues, category by
// category, as `veristream eval audit --measures` counted it on labelled cases.
// The figures are part of the program, so that a report can say how far it is
// to be trusted, and they name the models that they were counted with, so that
// a report made with others can say that too.
package measures

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

//go:embed measured.json
var embedded []byte

// File is what the figures are kept in: a run without a language model and,
// where one was measured, one for each model.
type File struct {
	Schema int   `json:"schema"`
	Runs   []Run `json:"runs"`
}

// Run is one run over labelled cases.
type Run struct {
	At         time.Time         `json:"at"`
	Half       string            `json:"half"`   // of the cases: test, tune, or both
	Cases      int               `json:"cases"`  // how many
	LLM        string            `json:"llm"`    // the language model; none
	Models     map[string]string `json:"models"` // what decided: name and digest
	Total      Figures           `json:"total"`
	Categories []Figures         `json:"categories"`
}

// Figures are counts, and the shares that they give.
type Figures struct {
	Category string `json:"category,omitempty"`
	// Of the findings, how many were expected. Precision is right of right and wrong.
	Right     int    `json:"right"`
	Wrong     int    `json:"wrong"`
	Precision *Share `json:"precision,omitempty"`
	// Of what was expected, how much was found. Recall is found of found and missed.
	Found  int    `json:"found"`
	Missed int    `json:"missed"`
	Recall *Share `json:"recall,omitempty"`
}

// Share is a proportion of n with its 95% interval.
type Share struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	N     int     `json:"n"`
}

// NoLLM stands for a run without a language model.
const NoLLM = "none"

// Of gives k of n with Wilson's 95% interval (Wilson 1927); nil where n is 0.
func Of(k, n int) *Share {
	if n == 0 {
		return nil
	}
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	centre := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m)) / (1 + z*z/m)
	return &Share{Value: round(p), Low: round(max(0, centre-half)), High: round(min(1, centre+half)), N: n}
}

// round keeps what a reader can make use of, and the file's differences small.
func round(v float64) float64 { return math.Round(v*1e4) / 1e4 }

// Filled computes the shares from the counts.
func (f Figures) Filled() Figures {
	f.Precision, f.Recall = Of(f.Right, f.Right+f.Wrong), Of(f.Found, f.Found+f.Missed)
	return f
}

// Load gives the figures that were built in; none where none were counted yet.
func Load() (File, error) {
	f, err := parse(embedded)
	if err != nil {
		return File{}, fmt.Errorf("read the measures of this build: %w", err)
	}
	return f, nil
}

func parse(data []byte) (File, error) {
	var f File
	if err := json.Unmarshal(data, &f); err != nil {
		return f, err
	}
	if f.Schema != 1 {
		return f, fmt.Errorf("schema %d is not known", f.Schema)
	}
	return f, nil
}

// For gives the run that was counted with the same language model as an audit,
// or without one. Another model's figures say nothing about it.
func (f File) For(llm string) (Run, bool) {
	if llm == "" {
		llm = NoLLM
	}
	i := slices.IndexFunc(f.Runs, func(r Run) bool { return r.LLM == llm })
	if i < 0 {
		return Run{}, false
	}
	return f.Runs[i], true
}

// Category gives the figures of a category.
func (r Run) Category(id string) (Figures, bool) {
	i := slices.IndexFunc(r.Categories, func(f Figures) bool { return f.Category == id })
	if i < 0 {
		return Figures{}, false
	}
	return r.Categories[i], true
}

// Add puts a run in the place of the one with the same language model. data is
// the file as it stands; empty for a new one.
func Add(data []byte, r Run) ([]byte, error) {
	f := File{Schema: 1}
	if len(data) > 0 {
		var err error
		if f, err = parse(data); err != nil {
			return nil, fmt.Errorf("read the measures: %w", err)
		}
	}
	f.Runs = slices.DeleteFunc(f.Runs, func(old Run) bool { return old.LLM == r.LLM })
	r.Total = r.Total.Filled()
	for i := range r.Categories {
		r.Categories[i] = r.Categories[i].Filled()
	}
	slices.SortFunc(r.Categories, func(a, b Figures) int { return strings.Compare(a.Category, b.Category) })
	f.Runs = append(f.Runs, r)
	slices.SortFunc(f.Runs, func(a, b Run) int { return strings.Compare(a.LLM, b.LLM) })
	out, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the measures: %w", err)
	}
	return append(out, '\n'), nil
}
