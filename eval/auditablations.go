package eval

import (
	"context"
	"fmt"
	"io"
	"slices"

	"veristream/app/core"
	"veristream/backend/agent"
	"veristream/backend/audit"
)

// auditAblation is the audit with a part left out.
type auditAblation struct {
	name  string
	model bool // without a language model it is the audit as shipped
	apply func(*agent.Auditor)
}

func auditAblations() []auditAblation {
	return []auditAblation{
		{"as shipped", false, func(*agent.Auditor) {}},
		{"no language model", true, func(a *agent.Auditor) { a.LLM = nil }},
		{"model without retrieval", true, func(a *agent.Auditor) { a.Retriever = unread{} }},
		{"no applicability", false, func(a *agent.Auditor) { a.Table = a.Table.Unconditional() }},
		{"no fitted weights", false, func(a *agent.Auditor) {
			data := *a.Data
			data.Keep = nil
			a.Data = &data
		}},
		{"no screener", false, func(a *agent.Auditor) { a.Screener = nil }},
		{"word patterns alone", false, func(a *agent.Auditor) { a.Screener, a.Embedder, a.LLM = nil, nil, nil }},
	}
}

// unread gives the paragraphs that a category names, and no words of any rule:
// the model is asked without them, and what it is asked about keeps its citation.
type unread struct{}

// Retrieve searches nothing.
func (unread) Retrieve(_ context.Context, q agent.RuleQuery) ([]audit.Hit, error) {
	return []audit.Hit{{Passage: audit.Passage{Citations: q.Citations}}}, nil
}

// AblationNames lists what can be left out, the whole product first.
func AblationNames() []string {
	var out []string
	for _, x := range auditAblations() {
		out = append(out, x.name)
	}
	return out
}

// RunAuditAblations audits every case with each part left out in turn and
// prints one line for each; the first is the product as it is.
func RunAuditAblations(ctx context.Context, c *core.Core, run AuditRun, w, progress io.Writer) ([]*AuditReport, error) {
	waitLong(c)
	var out []*AuditReport
	fmt.Fprintln(w, "| | recall at sub-paragraph | at section | precision | false findings a negative | traps | calls a case |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
	for _, x := range auditAblations() {
		if len(run.Only) > 0 && !slices.Contains(run.Only, x.name) || x.model && (run.NoLLM || c.Pipeline.Auditor.LLM == nil) {
			continue
		}
		p := *c.Pipeline
		p.Auditor = c.Pipeline.Auditor.With(c.Pipeline.Auditor.LLM)
		x.apply(p.Auditor)
		rep, err := runAudit(ctx, &p, run, progress)
		if err != nil {
			return out, fmt.Errorf("%s: %w", x.name, err)
		}
		rep.Name = x.name
		out = append(out, rep)
		t := rep.totals()
		fmt.Fprintf(w, "| %s | %s | %s | %s | %.2f | %s | %.1f |\n", x.name, proportion(t.found, t.expected), proportion(t.near, t.expected),
			proportion(t.right, t.right+t.wrong), t.aNegative(), proportion(t.trapsOK, t.traps), float64(t.calls)/float64(max(1, len(rep.Scores))))
	}
	return out, nil
}
