package eval

import (
	"fmt"
	"os"
	"slices"

	"veristream/app/measures"
	"veristream/backend/agent"
	"veristream/backend/audit"
)

// deciding are the models that find or judge issues in a text. Speech and
// screens are measured on their own: the cases come as text.
var deciding = []string{"embedder", "reranker", "screener", "llm"}

// Measures counts the report's figures by category. A finding counts under its
// own category; what was expected and missed counts under the category of the
// paragraph that the case names, and only in the total where none has it.
func (r *AuditReport) Measures(cases []AuditCase) (measures.Run, error) {
	data, err := agent.LoadData()
	if err != nil {
		return measures.Run{}, fmt.Errorf("load the categories: %w", err)
	}
	run := measures.Run{At: r.At, Half: orAll(r.Half), Cases: len(r.Scores), LLM: measures.NoLLM, Models: map[string]string{}}
	for _, id := range deciding {
		m, ok := r.Models[id]
		if !ok || r.NoLLM && id == "llm" {
			continue
		}
		run.Models[id] = m.ID()
		if id == "llm" && m.Note == "" {
			run.LLM = m.Name
		}
	}
	by := map[string]*measures.Figures{}
	at := func(id string) *measures.Figures {
		if by[id] == nil {
			by[id] = &measures.Figures{Category: id}
		}
		return by[id]
	}
	known := map[string]AuditCase{}
	for _, c := range cases {
		known[c.ID] = c
	}
	for _, s := range r.Scores {
		c, ok := known[s.ID]
		if !ok {
			return measures.Run{}, fmt.Errorf("case %s was scored and is not among the cases", s.ID)
		}
		run.Total.Right += s.Right
		run.Total.Wrong += len(s.Wrong)
		run.Total.Found += s.Found
		run.Total.Missed += len(s.Missed)
		for id, n := range s.Categories {
			f := at(id)
			f.Right, f.Wrong = f.Right+n[0], f.Wrong+n[1]
		}
		for _, e := range c.Expected {
			id := categoryOf(data.Categories, e.Citation)
			switch {
			case id == "":
			case slices.ContainsFunc(s.Missed, func(m ExpectedFinding) bool { return sameExpected(m, e) }):
				at(id).Missed++
			default:
				at(id).Found++
			}
		}
	}
	for _, f := range by {
		run.Categories = append(run.Categories, *f)
	}
	return run, nil
}

func sameExpected(a, b ExpectedFinding) bool {
	return a.Citation == b.Citation && a.StartMS == b.StartMS && a.EndMS == b.EndMS && a.Excerpt == b.Excerpt
}

// categoryOf gives the category whose paragraph is nearest to a citation: the
// same, or the closest one above or below it.
func categoryOf(list []agent.Category, citation string) string {
	want, err := audit.ParseCitation(citation)
	if err != nil {
		return ""
	}
	best, nearest := "", 0
	for _, c := range list {
		have, err := audit.ParseCitation(c.Citation)
		if err != nil || !want.Within(have) && !have.Within(want) {
			continue
		}
		n := len(have.String()) - len(want.String())
		if n = max(n, -n); best == "" || n < nearest {
			best, nearest = c.ID, n
		}
	}
	return best
}

// AddMeasures writes the figures into the file that is built into the program,
// in the place of those with the same language model.
func AddMeasures(path string, run measures.Run, write func(path string, data []byte) error) error {
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("read the measures: %w", err)
	}
	out, err := measures.Add(data, run)
	if err != nil {
		return err
	}
	return write(path, out)
}
