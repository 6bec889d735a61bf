package report

import (
	"strings"

	"veristream/backend/audit"
	"veristream/backend/report/pdf"
)

// since compares the audit with the earlier one of the same work: what is new,
// what was there before and whether its decision holds, what is gone.
func (f *flow) since(in *Input, items []item) {
	s := in.Result.Since
	if s == nil {
		return
	}
	f.title(f.t("Since the last audit"), "since")
	f.para(plain(f.f("Compared with the audit of %s, number %s.", f.date(s.At), s.AuditID) + " " + f.t("found by "+s.Found) + " " +
		f.f("Words added: %d; words taken away: %d.", s.WordsNew, s.WordsGone)))
	f.para(plain(f.t("A decision is carried over only where the same words stand under the same rule. Who decided, when and why stay as they were.")))
	at := map[string]*item{}
	for i := range items {
		at[items[i].ID] = &items[i]
	}
	f.sincePart(f.f("New: %d", len(s.New)), "What it was", func(row func(id string, earlier []cell, is string)) {
		for _, n := range s.New {
			is := f.t("Not there before.")
			if n.Was != nil {
				is = f.t("Other words stood here:") + " " + f.earlierWords(*n.Was) + " " + f.stood(*n.Was)
			}
			row(n.FindingID, nil, is)
		}
	}, in, at)
	f.sincePart(f.f("Carried: %d", len(s.Carried)), "Decision", func(row func(id string, earlier []cell, is string)) {
		for _, c := range s.Carried {
			row(c.FindingID, nil, f.carried(c))
		}
	}, in, at)
	f.sincePart(f.f("Resolved: %d", len(s.Resolved)), "What it was", func(row func(id string, earlier []cell, is string)) {
		for _, e := range s.Resolved {
			row("", []cell{
				words(clock(e.StartMS)), {spans: []pdf.Span{dark(in.title(e.Category))}, severity: e.Severity}, words(e.Citation),
			}, f.earlierWords(e)+" "+f.stood(e))
		}
	}, in, at)
	if len(s.Resolved) > 0 {
		f.note(plain(f.t("Resolved: the words were cut or changed, or what was missing is there now. Times are those of the earlier version.")))
	}
}

// sincePart writes one of the three tables.
func (f *flow) sincePart(heading, last string, each func(row func(id string, earlier []cell, is string)), in *Input, at map[string]*item) {
	f.part(heading)
	var rows [][]cell
	each(func(id string, earlier []cell, is string) {
		if it := at[id]; it != nil {
			earlier = []cell{
				words(clock(it.StartMS)),
				{spans: []pdf.Span{{Text: in.title(it.Category), Color: ink, Link: place(*it)}}, severity: it.severity},
				words(it.Citation),
			}
		}
		if earlier != nil {
			rows = append(rows, append(earlier, words(is)))
		}
	})
	if len(rows) == 0 {
		f.para(plain(f.t("none")))
		return
	}
	f.table([]column{{"Time", 0.11, false}, {"Finding", 0.28, false}, {"Rule", 0.21, false}, {last, 0.4, false}}, rows)
}

func (l language) earlierWords(e audit.EarlierFinding) string {
	if e.Excerpt == "" {
		return e.Evidence
	}
	if l.code == "de" {
		return "„" + e.Excerpt + "“"
	}
	return "“" + e.Excerpt + "”"
}

// stood says what had been decided.
func (f *flow) stood(e audit.EarlierFinding) string {
	if e.At == nil || e.Stand == audit.StandOpen {
		return f.t("It was open.")
	}
	out := f.t("state "+e.Stand) + ". " + f.f("By %s, %s.", e.By, f.date(*e.At))
	if e.Reason != "" {
		out += " " + f.t("Reason:") + " " + e.Reason
	}
	return out
}

// carried says what became of the decision on a finding that was there before.
func (f *flow) carried(c audit.CarriedFinding) string {
	var out []string
	switch {
	case c.Taken:
		out = append(out, f.t("Carried over."))
	case c.Why != "":
		out = append(out, f.t("Not carried over:")+" "+f.t("why "+string(c.Why)))
	}
	for _, w := range c.Was {
		out = append(out, f.stood(w))
	}
	if c.Moved {
		out = append(out, f.t("The words stand elsewhere in the video now."))
	}
	if c.Near {
		out = append(out, f.t("Words beside them were changed."))
	}
	var heard []string
	for _, h := range c.Heard {
		heard = append(heard, h.Was+" → "+h.Now)
	}
	if len(heard) > 0 {
		out = append(out, f.t("Written down otherwise:")+" "+strings.Join(heard, ", ")+".")
	}
	return strings.Join(out, " ")
}

// carriedNote says where a decision comes from that was carried over: no reader
// may take one on an earlier version for one on this version.
func (l language) carriedNote(in *Input, d *audit.Decision) string {
	if d == nil || d.Carried == nil || d.Carried.AuditID == "" {
		return ""
	}
	day := d.At
	if s := in.Result.Since; s != nil && s.AuditID == d.Carried.AuditID {
		day = s.At
	}
	return l.f("Decided on an earlier version and carried over: audit of %s, number %s.", l.date(day), d.Carried.AuditID)
}

// reason is why a finding was decided as it was, and where that was decided.
func (l language) reason(in *Input, it item) string {
	if it.last == nil {
		return ""
	}
	return strings.TrimSpace(it.last.Reason + " " + l.carriedNote(in, it.last))
}
