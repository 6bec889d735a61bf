package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"veristream/backend/agent"
)

// candidateRow is one candidate of one case, as models/train/fit_keep.py reads
// it: its features, and which expected finding it answers (-1: none).
type candidateRow struct {
	Case      string             `json:"case"`
	Kind      string             `json:"kind"`
	Expected  int                `json:"expected"` // how many the case expects
	Category  string             `json:"category"`
	Citation  string             `json:"citation"`
	Regulator string             `json:"regulator"`
	Mode      agent.Mode         `json:"mode"`
	Behaviour string             `json:"behaviour"`
	Claim     int                `json:"claim"`
	Text      string             `json:"text"`
	Features  map[string]float64 `json:"features"`
	Classes   map[string]float64 `json:"classes"` // what the screener said of the claim, where it is not next to nothing
	Answers   []int              `json:"answers"`
	Primary   bool               `json:"primary"` // it cites what the case names first
}

// leastClass is what the screener has to give a behaviour for it to be written.
const leastClass = 0.02

// WriteCandidates examines every case without a language model and writes what
// could become a finding.
func WriteCandidates(ctx context.Context, a *agent.Auditor, cases []AuditCase, out, progress io.Writer) error {
	enc := json.NewEncoder(out)
	for i, k := range cases {
		in := agent.Input{Segments: k.Segments, Facts: k.Facts, AsOf: k.Facts.Published, DurationMS: k.DurationMS}
		if in.AsOf == "" {
			in.AsOf = time.Now().Format(time.DateOnly)
		}
		s, err := a.Examine(ctx, in)
		if err != nil {
			return fmt.Errorf("case %s: %w", k.ID, err)
		}
		if len(s.Open()) == 0 { // the case still counts
			if err := enc.Encode(candidateRow{Case: k.ID, Kind: k.Kind, Expected: len(k.Expected), Claim: -1}); err != nil {
				return fmt.Errorf("write candidates: %w", err)
			}
		}
		for _, j := range s.Open() {
			c := s.Candidates[j]
			row := candidateRow{
				Case: k.ID, Kind: k.Kind, Expected: len(k.Expected), Category: c.Category.ID, Citation: c.Citation,
				Regulator: c.Category.Regulator, Mode: c.Category.Mode, Behaviour: c.Signal.Behaviour, Claim: c.Claim,
				Text: s.Claims[c.Claim].Text, Features: map[string]float64{}, Classes: map[string]float64{}, Answers: []int{},
			}
			for _, f := range s.Features(c) {
				row.Features[f.Name] = f.Value
			}
			for label, p := range s.Classes(c.Claim) {
				if p >= leastClass {
					row.Classes[label] = math.Round(p*1000) / 1000
				}
			}
			found := a.Where(in, s, c)
			for n, e := range k.Expected {
				// What a whole video lacks is one matter, whatever words stand for it: the
				// writers quote the praise, the audit the disclosure that falls short.
				if (sameWords(e, found) || c.Category.Mode == agent.ModeAbsence) && cites(e, found) {
					row.Answers = append(row.Answers, n)
					first := e
					first.Also = nil
					row.Primary = row.Primary || cites(first, found)
				}
			}
			if err := enc.Encode(row); err != nil {
				return fmt.Errorf("write candidates: %w", err)
			}
		}
		fmt.Fprintf(progress, "\r%d of %d cases", i+1, len(cases))
	}
	fmt.Fprintln(progress)
	return nil
}
