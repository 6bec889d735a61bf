package eval

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"veristream/app/core"
	"veristream/backend/audit"
	"veristream/backend/pipeline"
)

// AuditReport is what a run over labelled cases measured.
type AuditReport struct {
	At      time.Time                  `json:"at"`
	Name    string                     `json:"name,omitempty"` // what was left out
	Half    Half                       `json:"half"`
	Models  map[string]audit.ModelInfo `json:"models"`
	Scores  []CaseScore                `json:"scores"`
	Seconds float64                    `json:"seconds"`
	NoLLM   bool                       `json:"no_llm"`
	// Faithful is what supports the rationales, where it was asked for.
	Faithful *Faithfulness `json:"faithful,omitempty"`
}

// AuditRun says what to run.
type AuditRun struct {
	Cases []AuditCase
	Half  Half
	NoLLM bool
	Show  bool     // list what was missed and what was wrong
	Only  []string // of the ablations, by name; none: all
	// Faithful takes the sentences of the rationales; nil: nobody asks for them.
	Faithful *Faithfulness
}

// RunAudit audits every case and scores it.
func RunAudit(ctx context.Context, c *core.Core, run AuditRun, w io.Writer) (*AuditReport, error) {
	waitLong(c)
	return runAudit(ctx, c.Pipeline, run, w)
}

// waitLong lets the language model take its time (evalPatience).
func waitLong(c *core.Core) {
	if m := c.Pipeline.Auditor.LLM; m != nil {
		c.Pipeline.Auditor.LLM = patient{m}
	}
}

// patient is a language model that may take long to reply.
type patient struct{ audit.LLM }

// Complete asks the model.
func (p patient) Complete(ctx context.Context, req audit.Request) (audit.Response, error) {
	if req.Deadline == 0 {
		req.Deadline = evalPatience
	}
	return p.LLM.Complete(ctx, req)
}

func runAudit(ctx context.Context, p *pipeline.Pipeline, run AuditRun, w io.Writer) (*AuditReport, error) {
	rep := &AuditReport{At: time.Now().UTC(), Half: run.Half, Models: p.Models, NoLLM: run.NoLLM, Faithful: run.Faithful}
	start := time.Now()
	for i, k := range run.Cases {
		t := time.Now()
		asOf := k.Facts.Published
		if asOf == "" {
			asOf = rep.At.Format(time.DateOnly)
		}
		r, err := p.Run(ctx, pipeline.Job{
			ID: k.ID, Path: k.ID, Facts: k.Facts, AsOf: asOf, NoLLM: run.NoLLM,
			Segments: k.Segments, DurationMS: k.DurationMS,
		}, nil)
		if err != nil {
			return nil, fmt.Errorf("case %s: %w", k.ID, err)
		}
		s := scorer{p.Auditor.Data.Categories, p.Resolves}.score(k, r)
		s.MS = time.Since(t).Milliseconds()
		if run.Faithful != nil {
			run.Faithful.Read(k.ID, r, p.Auditor.Cards)
		}
		rep.Scores = append(rep.Scores, s)
		if run.Show {
			showCase(w, k, s)
		}
		fmt.Fprintf(w, "\r%d of %d cases", i+1, len(run.Cases))
	}
	fmt.Fprintln(w)
	rep.Seconds = time.Since(start).Seconds()
	return rep, nil
}

func showCase(w io.Writer, k AuditCase, s CaseScore) {
	if len(s.Missed) == 0 && len(s.Wrong) == 0 && s.TrapOK {
		return
	}
	fmt.Fprintf(w, "\r%s (%s; %s, paid %s, sponsor %s): %s\n", k.ID, k.Kind, k.Facts.Speaker, k.Facts.Paid, k.Facts.Sponsor, k.Note)
	for _, m := range s.Missed {
		fmt.Fprintf(w, "   missed %-32s %q\n", m.Citation, m.Excerpt)
	}
	for _, f := range s.Wrong {
		fmt.Fprintf(w, "   wrong  %-32s %s %.2f/%.2f/%.2f %q\n", f.Citation, f.Category, f.Signals.Lexicon, f.Signals.Similarity, f.Signals.Screener, f.Excerpt)
	}
}

// auditTotals are a report's counts.
type auditTotals struct {
	expected, found, near, right, wrong, negatives, onNegatives, traps, trapsOK, invalid, unknown, calls int

	categories, regulators map[string]Counts
	ms, timeErrMS          []int64
}

func (t auditTotals) aNegative() float64 {
	return float64(t.onNegatives) / float64(max(1, t.negatives))
}

func (r *AuditReport) totals() auditTotals {
	t := auditTotals{categories: map[string]Counts{}, regulators: map[string]Counts{}}
	for _, s := range r.Scores {
		t.expected += s.Expected
		t.found += s.Found
		t.near += s.FoundNear
		t.right += s.Right
		t.wrong += len(s.Wrong)
		t.invalid += s.Invalid
		t.unknown += s.Unknown
		t.timeErrMS = append(t.timeErrMS, s.TimeErrMS...)
		t.calls += s.Calls
		t.ms = append(t.ms, s.MS)
		if s.Kind == "negative" {
			t.negatives++
			t.onNegatives += len(s.Wrong) + s.Right
		}
		if s.Trap {
			t.traps++
			if s.TrapOK {
				t.trapsOK++
			}
		}
		for c, n := range s.Categories {
			t.categories[c] = t.categories[c].plus(n)
		}
		for r, n := range s.Regulators {
			t.regulators[r] = t.regulators[r].plus(n)
		}
	}
	slices.Sort(t.ms)
	slices.Sort(t.timeErrMS)
	return t
}

// Write prints the figures, each with its n and a 95% interval.
func (r *AuditReport) Write(w io.Writer) {
	t := r.totals()
	fmt.Fprintf(w, "%d cases (%s half), %.0f s\n", len(r.Scores), orAll(r.Half), r.Seconds)
	fmt.Fprintf(w, "  recall at sub-paragraph   %s\n", proportion(t.found, t.expected))
	fmt.Fprintf(w, "  recall at section         %s\n", proportion(t.near, t.expected))
	fmt.Fprintf(w, "  precision                 %s\n", proportion(t.right, t.right+t.wrong))
	fmt.Fprintf(w, "  false findings a negative %.2f (n=%d)\n", t.aNegative(), t.negatives)
	fmt.Fprintf(w, "  traps                     %s\n", proportion(t.trapsOK, t.traps))
	fmt.Fprintf(w, "  excerpts not in the text  %d\n", t.invalid)
	fmt.Fprintf(w, "  citations of no rule      %d\n", t.unknown)
	if n := len(t.timeErrMS); n > 0 {
		fmt.Fprintf(w, "  begins too early or late  p50 %.1f s, p95 %.1f s (n=%d)\n",
			float64(t.timeErrMS[n/2])/1000, float64(t.timeErrMS[n*95/100])/1000, n)
	}
	if len(t.ms) > 0 {
		fmt.Fprintf(w, "  a case                    p50 %.1f s, p95 %.1f s, %.1f calls\n",
			float64(t.ms[len(t.ms)/2])/1000, float64(t.ms[len(t.ms)*95/100])/1000, float64(t.calls)/float64(len(r.Scores)))
	}
	for _, by := range []map[string]Counts{t.regulators, t.categories} {
		for _, id := range slices.Sorted(maps.Keys(by)) {
			n := by[id]
			fmt.Fprintf(w, "    %-32s recall %-30s precision %s\n", id, proportion(n.Found, n.Expected), proportion(n.Right, n.Right+n.Wrong))
		}
	}
}

func orAll(h Half) string {
	if h == "" {
		return "both"
	}
	return strings.ToLower(string(h))
}
