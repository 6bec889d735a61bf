package eval

import (
	"fmt"
	"maps"
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
func (r *AuditReport) Measures() measures.Run {
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
	t := r.totals()
	run.Total = measures.Figures{Right: t.right, Wrong: t.wrong, Found: t.found, Missed: t.expected - t.found}
	for _, id := range slices.Sorted(maps.Keys(t.categories)) {
		n := t.categories[id]
		run.Categories = append(run.Categories, measures.Figures{
			Category: id, Right: n.Right, Wrong: n.Wrong, Found: n.Found, Missed: n.Expected - n.Found,
		})
	}
	return run
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
