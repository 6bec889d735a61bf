package report_test

import (
	"strings"
	"testing"
	"time"

	"veristream/backend/audit"
)

// compared makes an audit with six findings and what they are since an earlier one.
func compared(t *testing.T, language string) (path string) {
	t.Helper()
	in := sample(t, 6)
	in.Language = language
	at := when.Add(-12 * 24 * time.Hour)
	was := func(id, excerpt, stand, reason string) audit.EarlierFinding {
		e := audit.EarlierFinding{FindingID: id, Category: "promise", Citation: "FINRA 2210(d)(1)(B)", Severity: audit.High, StartMS: 4200, Excerpt: excerpt, Stand: stand, Reason: reason}
		if stand != audit.StandOpen {
			e.By, e.At = "Omar Diaz", &at
		}
		return e
	}
	changed := was("e1", "You get eight percent.", audit.StandDismissed, "It was a quotation.")
	in.Result.Since = &audit.Since{
		AuditID: "20261112-090000-qwertyui", At: at, Found: audit.SincePath, WordsNew: 14, WordsGone: 22,
		New: []audit.NewFinding{{FindingID: "f001", Was: &changed}, {FindingID: "f002"}},
		Carried: []audit.CarriedFinding{
			{FindingID: "f003", Taken: true, Was: []audit.EarlierFinding{was("e3", "words", audit.StandDismissed, "Said before.")}, Heard: []audit.Heard{{Was: "savings", Now: "savins"}}},
			{FindingID: "f004", Why: audit.WhyVideo, Was: []audit.EarlierFinding{was("e4", "", audit.StandAccepted, "")}},
		},
		Resolved: []audit.EarlierFinding{was("e9", "It simply pays.", audit.StandAccepted, "")},
	}
	in.Decisions = append(in.Decisions, audit.Decision{
		FindingID: "f003", Action: "dismiss", Reason: "Said before.", By: "Omar Diaz", At: at,
		Carried: &audit.Origin{AuditID: "20261112-090000-qwertyui", FindingID: "e3", From: "20261112-090000-qwertyui"},
	})
	return keep(t, "since-"+language+".pdf", signed(t, in, identity(t, "Lena Brandt", when)))
}

// The report has what is new, carried and resolved since the last audit.
func TestSince(t *testing.T) {
	for language, want := range map[string][]string{
		"en": {
			"Since the last audit", "Since the audit of 13 Nov 2026: 2 new, 2 carried, 1 resolved.", "Words added: 14; words taken away: 22.", "New: 2", "Other words stood here:", "You get eight percent.", "Not there before.",
			"Carried: 2", "Carried over.", "savings → savins", "Not carried over: it is about the whole video", "Resolved: 1", "It simply pays.", "Accepted. By Omar Diaz, 13 Nov 2026.",
			"Decided on an earlier version and carried over: audit of 13 Nov 2026",
		},
		"de": {
			"Seit der letzten Prüfung", "2 neu, 2 geblieben, 1 erledigt", "Hier standen andere Wörter:", "Übernommen.", "Nicht übernommen: es betrifft das ganze Video", "Erledigt: 1",
			"Über eine frühere Fassung entschieden und übernommen: Prüfung vom 13.11.2026",
		},
	} {
		text := strings.Join(strings.Fields(tool(t, "pdftotext", "-raw", compared(t, language), "-")), " ")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: no %q", language, w)
			}
		}
	}
}
