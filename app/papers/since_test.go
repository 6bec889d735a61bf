package papers_test

import (
	"strings"
	"testing"
	"time"

	"veristream/app/papers"
	"veristream/backend/audit"
	"veristream/backend/report"
)

// A report says of a decision that it was made on an earlier version; what the
// database holds is left as it is.
func TestCarriedDecisionsAreToldInTheReport(t *testing.T) {
	m, id := kept(t)
	r, err := m.Store.Result(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	r.Since = &audit.Since{AuditID: "a0", At: at, Found: audit.SincePath, Carried: []audit.CarriedFinding{{FindingID: "f1", Taken: true}}}
	d := audit.Decision{FindingID: "f1", Action: "dismiss", Reason: "Quoted.", By: "K. Tran", At: at, Carried: &audit.Origin{AuditID: "a0", From: "a0"}}
	if err := m.Store.SaveSince(t.Context(), r, []audit.Decision{d}); err != nil {
		t.Fatal(err)
	}
	for language, want := range map[string][]string{
		"en": {"Quoted. Decided on an earlier version and carried over: audit of 1 Mar 2026, number a0."},
		"de": {"Quoted. Über eine frühere Fassung entschieden und übernommen: Prüfung vom 01.03.2026, Nummer a0."},
	} {
		in, err := m.Gather(t.Context(), r, papers.Options{Language: language})
		if err != nil {
			t.Fatal(err)
		}
		page, err := report.Export(in, "html")
		if err != nil || !strings.Contains(string(page), want[0]) {
			t.Errorf("%s: the page does not say %q, %v", language, want[0], err)
		}
		pdf, err := m.Make(t.Context(), in, papers.Options{}, papers.Signing{})
		if err != nil {
			t.Fatal(err)
		}
		if v := report.Verify(pdf.PDF, report.Trust{Now: time.Now()}); v.Failed() {
			t.Errorf("%s: the report does not fit its record: %+v", language, v.Problems())
		}
		if in.Decisions[0].Reason != "" {
			t.Errorf("%s: a decision on this version says %q", language, in.Decisions[0].Reason)
		}
	}
	if kept, err := m.Store.Decisions(t.Context(), id); err != nil || kept[len(kept)-1].Reason != "Quoted." {
		t.Errorf("the record says %+v, %v", kept, err)
	}
}
