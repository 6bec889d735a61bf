package reaudit

import (
	"veristream/backend/audit"
)

// Actions of a decision.
const (
	accept   = "accept"
	dismiss  = "dismiss"
	reopen   = "reopen"
	severity = "severity"
	comment  = "comment"
)

// verdict is what the decisions on a finding come to.
type verdict struct {
	stand    string
	severity audit.Severity
	last     *audit.Decision // that made the stand; nil while it is open
	graded   *audit.Decision // that set the severity
	notes    []audit.Decision
	own      bool // a person decided on it in this very audit
}

// holds says whether there is something to carry.
func (v verdict) holds() bool { return v.last != nil || v.graded != nil || len(v.notes) > 0 }

// fold goes through the decisions in their order; the last of a kind counts.
func fold(f audit.Finding, decisions []audit.Decision) verdict {
	v := verdict{stand: audit.StandOpen, severity: f.Severity}
	for _, d := range decisions {
		if d.FindingID != f.ID {
			continue
		}
		switch d.Action {
		case accept:
			v.stand, v.last = audit.StandAccepted, &d
		case dismiss:
			v.stand, v.last = audit.StandDismissed, &d
		case reopen:
			v.stand, v.last = audit.StandOpen, nil
		case severity:
			v.severity, v.graded = d.Severity, &d
		case comment:
			v.notes = append(v.notes, d)
		}
		v.own = v.own || d.Carried == nil && d.Action != comment
	}
	return v
}

// origin says where the decision was made that counts.
func (v verdict) origin(auditID string, s *side) audit.Origin {
	if v.last != nil && v.last.Carried != nil {
		return *v.last.Carried
	}
	return audit.Origin{AuditID: auditID, FindingID: s.ID, Excerpt: s.Excerpt}
}

// earlier describes a finding of the earlier audit.
func (s *side) earlier() audit.EarlierFinding {
	e := audit.EarlierFinding{
		FindingID: s.ID, Category: s.Category, Citation: s.Citation, Severity: s.verdict.severity, Source: s.Source,
		StartMS: s.StartMS, EndMS: s.EndMS, Excerpt: s.Excerpt, Stand: s.verdict.stand,
	}
	if s.Excerpt == "" {
		e.Evidence = s.Evidence
	}
	if d := s.verdict.last; d != nil {
		at := d.At
		e.Reason, e.By, e.At = d.Reason, d.By, &at
	}
	return e
}

// take writes the decisions of one finding for another. Who decided, when and
// why stay as they are.
func (c *comparing) take(o, f *side) []audit.Decision {
	var out []audit.Decision
	add := func(d *audit.Decision) {
		if d == nil {
			return
		}
		taken := *d
		origin := audit.Origin{AuditID: c.then.Result.ID, FindingID: o.ID, Excerpt: o.Excerpt}
		if d.Carried != nil {
			origin = *d.Carried
		}
		origin.From, origin.Heard = c.then.Result.ID, origin.Heard+len(f.pair.heard)
		taken.FindingID, taken.Carried = f.ID, &origin
		out = append(out, taken)
	}
	add(o.verdict.graded)
	for i := range o.verdict.notes {
		add(&o.verdict.notes[i])
	}
	add(o.verdict.last)
	return out
}
