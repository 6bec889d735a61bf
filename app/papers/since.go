package papers

import (
	"fmt"
	"slices"
	"time"

	"veristream/backend/report"
)

// sayCarried makes a report tell what was compared and what was carried over: no
// reader may take a decision on an earlier version for one on this version.
func sayCarried(in *report.Input, language string) {
	since := in.Result.Since
	if since == nil {
		return
	}
	say := sentences["en"]
	if s, ok := sentences[language]; ok {
		say = s
	}
	when := map[string]string{since.AuditID: say.day(since.At)}
	in.Decisions = slices.Clone(in.Decisions)
	taken := map[string]bool{}
	for i, d := range in.Decisions {
		if d.Carried == nil || d.Carried.AuditID == "" {
			continue
		}
		taken[d.FindingID] = true
		if d.Action != "accept" && d.Action != "dismiss" {
			continue
		}
		day, ok := when[d.Carried.AuditID]
		if !ok {
			day = say.day(d.At)
		}
		note := fmt.Sprintf(say.carried, day, d.Carried.AuditID)
		if d.Reason != "" {
			note = d.Reason + " " + note
		}
		in.Decisions[i].Reason = note
	}
	r := *in.Result // the stored result keeps its own notices
	r.Notices = append(slices.Clone(r.Notices), fmt.Sprintf(say.since,
		when[since.AuditID], since.AuditID, len(since.New), len(since.Carried), len(since.Resolved), len(taken)))
	in.Result = &r
}

type sinceSentences struct {
	carried, since string
	day            func(time.Time) string
}

var sentences = map[string]sinceSentences{
	"en": {
		carried: "[Decided on an earlier version and carried over: audit of %s, number %s.]",
		since:   "Compared with the audit of %s (number %s): %d new, %d carried, %d resolved. Findings whose decision was carried over from an earlier version: %d.",
		day:     func(t time.Time) string { return t.Local().Format("2 January 2006") },
	},
	"de": {
		carried: "[Über eine frühere Fassung entschieden und übernommen: Prüfung vom %s, Nummer %s.]",
		since:   "Verglichen mit der Prüfung vom %s (Nummer %s): %d neu, %d geblieben, %d erledigt. Befunde, deren Entscheidung von einer früheren Fassung übernommen wurde: %d.",
		day:     func(t time.Time) string { return t.Local().Format("02.01.2006") },
	},
}
