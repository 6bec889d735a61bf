package eval

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"veristream/backend/audit"
)

// AuditCase is a labelled video as text: see eval/audit/README.md.
type AuditCase struct {
	ID            string            `json:"id"`
	Split         Half              `json:"split"`
	Kind          string            `json:"kind"` // violating, negative, trap, absence
	Note          string            `json:"note"`
	Facts         audit.Facts       `json:"facts"`
	DurationMS    int64             `json:"duration_ms"`
	Segments      []audit.Segment   `json:"segments"`
	Expected      []ExpectedFinding `json:"expected"`
	NotApplicable []string          `json:"not_applicable"`
}

// ExpectedFinding is one that a careful examiner would make.
type ExpectedFinding struct {
	Citation string   `json:"citation"`
	Also     []string `json:"also"` // equally right
	Excerpt  string   `json:"excerpt"`
	StartMS  int64    `json:"start_ms"`
	EndMS    int64    `json:"end_ms"`
	Category string   `json:"category"`
	Why      string   `json:"why"`
}

// LoadAuditCases reads every case of a half (empty: both) in order of its id.
func LoadAuditCases(dir string, half Half) ([]AuditCase, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("look for cases in %s: %w", dir, err)
	}
	var out []AuditCase
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, fmt.Errorf("read case: %w", err)
		}
		var c AuditCase
		dec := json.NewDecoder(bytes.NewReader(data))
		if err := dec.Decode(&c); err != nil {
			return nil, fmt.Errorf("read case %s: %w", f, err)
		}
		if half != "" && c.Split != half {
			continue
		}
		n := map[audit.Source]int{}
		for i := range c.Segments {
			s := &c.Segments[i]
			n[s.Source]++
			s.ID = fmt.Sprintf("%c%d", s.Source[1], n[s.Source])
		}
		sortSegments(c.Segments)
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no cases in %s", dir)
	}
	return out, nil
}

// Sample draws so many cases by chance, the same ones each time, in their order;
// all of them where n is 0.
func Sample(list []AuditCase, n int) []AuditCase {
	if n <= 0 || n >= len(list) {
		return list
	}
	out := make([]AuditCase, 0, n)
	drawn := rand.New(rand.NewPCG(6, 9)).Perm(len(list))[:n]
	slices.Sort(drawn)
	for _, i := range drawn {
		out = append(out, list[i])
	}
	return out
}

func sortSegments(list []audit.Segment) {
	sort.SliceStable(list, func(i, j int) bool { return list[i].StartMS < list[j].StartMS })
}
