package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"veristream/backend/audit"
)

// Measured is how well the program finds issues, counted on labelled cases.
type Measured struct {
	At         time.Time          `json:"at"`
	Cases      int                `json:"cases"`
	Half       string             `json:"half"`
	Models     map[string]string  `json:"models"` // that the count was made with: name@digest
	Total      Measure            `json:"total"`
	Categories map[string]Measure `json:"categories"`
}

// Measure is how well one category is found. A share that has no cases is nil.
type Measure struct {
	Precision *Share `json:"precision,omitempty"` // of the findings, how many were right
	Recall    *Share `json:"recall,omitempty"`    // of the issues, how many were found
}

// Share is a proportion of N with its 95% interval.
type Share struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	N     int     `json:"n"`
}

func (s *Share) String() string {
	if s == nil {
		return "–"
	}
	return fmt.Sprintf("%.2f", s.Value)
}

// doubt writes the interval of a share, and of how many cases it is.
func (s *Share) doubt() string {
	if s == nil {
		return "n=0"
	}
	return fmt.Sprintf("%.2f–%.2f, n=%d", s.Low, s.High, s.N)
}

// differs lists the models with which the audit was made and the count was not.
func (m *Measured) differs(run audit.Run) []string {
	var out []string
	for _, id := range sortedKeys(m.Models) {
		if have, ok := run.Models[id]; ok && have.ID() != m.Models[id] {
			out = append(out, id)
		}
	}
	return out
}

// measured writes the figures of the categories that this audit looked at.
func (f *flow) measured(in *Input) {
	f.part(f.t("Measured, by category"))
	m := in.Measured
	if m == nil {
		f.para(plain(f.t("This build was not measured on labelled cases with the language model that made this audit. How well it finds issues of each category is not known from this paper.")))
		return
	}
	f.para(plain(f.f("Counted on %d labelled cases on %s. Precision: of the findings, how many were right. Recall: of the issues in the cases, how many were found. Beside each stands its 95%% interval (Wilson), and n, of how many it is; a small n means wide doubt. The cases are texts: what is misheard or misread comes on top.", m.Cases, f.date(m.At))))
	if d := m.differs(in.Result.Run); len(d) > 0 {
		f.para(strong(f.f("This audit was made with other models than the count: %s.", strings.Join(d, ", "))))
	}
	f.gap(4)
	row := func(name string, m Measure) []cell {
		return []cell{words(name), words(m.Precision.String()), words(m.Precision.doubt()), words(m.Recall.String()), words(m.Recall.doubt())}
	}
	rows := [][]cell{row(f.t("All categories"), m.Total)}
	seen := map[string]bool{}
	for _, c := range in.Result.Checked {
		if v, ok := m.Categories[c.Category]; ok && c.Result != audit.ResultNotApplicable && !seen[c.Category] {
			seen[c.Category] = true
			rows = append(rows, row(in.title(c.Category), v))
		}
	}
	slices.SortStableFunc(rows[1:], func(a, b []cell) int { return strings.Compare(a[0].spans[0].Text, b[0].spans[0].Text) })
	f.table([]column{{"Category", 0.36, false}, {"Precision", 0.13, true}, {"", 0.19, true}, {"Recall", 0.14, true}, {"", 0.18, true}}, rows)
	f.note(plain(f.t("A category that applied and does not stand here had no case, so nothing is known of it. All figures are attached as measures.json.")))
}
