package reaudit

import (
	"slices"
	"time"

	"veristream/backend/audit"
)

// Again compares an audit with another earlier one than before. The decisions
// that it gives also take back, in the name of who asks, what was carried over
// by the comparison before and does not hold by this one.
func Again(then, now Audit, by string, at time.Time) Comparison {
	c := Compare(then, now)
	fresh := map[string]verdict{}
	for _, f := range now.Result.Findings {
		fresh[f.ID] = fold(f, c.Decisions)
	}
	var out []audit.Decision
	back := func(f audit.Finding, action string, to audit.Severity) {
		origin := &audit.Origin{From: then.Result.ID}
		out = append(out, audit.Decision{FindingID: f.ID, Action: action, Severity: to, By: by, At: at, Carried: origin})
	}
	keep := map[string]bool{}
	for _, f := range now.Result.Findings {
		was, is := fold(f, now.Decisions), fresh[f.ID]
		if was.own {
			continue
		}
		if was.last != nil && is.last == nil {
			back(f, reopen, "")
		}
		if was.graded != nil && is.graded == nil {
			back(f, severity, f.Severity)
		}
		for _, d := range []*audit.Decision{is.last, is.graded} {
			keep[f.ID+action(d)] = d != nil && !equal(d, was.last) && !equal(d, was.graded)
		}
	}
	for _, d := range c.Decisions {
		if d.Action == comment && slices.ContainsFunc(now.Decisions, func(e audit.Decision) bool { return equal(&d, &e) }) {
			continue
		}
		if d.Action == comment || keep[d.FindingID+d.Action] {
			out = append(out, d)
		}
	}
	c.Decisions = out
	return c
}

func action(d *audit.Decision) string {
	if d == nil {
		return ""
	}
	return d.Action
}

// equal says whether two decisions are one, that was carried over twice.
func equal(a, b *audit.Decision) bool {
	return a != nil && b != nil && a.FindingID == b.FindingID && a.Action == b.Action && a.Reason == b.Reason &&
		a.Severity == b.Severity && a.By == b.By && a.At.Equal(b.At)
}
