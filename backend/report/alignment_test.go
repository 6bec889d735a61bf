package report_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"veristream/backend/audit"
	"veristream/backend/report"
)

const aligned = `{"schema":1,"at":"2026-11-20T09:00:00Z",
"documents":{"design":[{"id":"design","title":"Portal design","sha256":"aa11"}],"handbook":[{"id":"book","title":"House handbook","sha256":"bb22"}],"baseline":[{"id":"base","title":"Low baseline","sha256":"cc33"}]},
"elements":[{"name":"Nightly job","text":"copies","place":"Design > Parts"},{"name":"Fountain","text":"koi","place":"Design > Parts"}],
"links":[{"element":"Nightly job","place":"Design > Parts","control":"XX-1","title":"Backup","requires":"Conduct backups.","state":"partly","handbook":"House handbook, Backup","quote":"=Backups are made every night.","lacks":"restore, test","reason":"shared words"},
{"element":"Nightly job","place":"Design > Parts","control":"XX-7","title":"Media","requires":"Sanitize media.","state":"missing","reason":"shared words"}],
"without":["Fountain"]}`

// withAlignment gives the sample an alignment and a record that tells of it.
func withAlignment(t *testing.T, language string) report.Input {
	t.Helper()
	in := sample(t, 2)
	in.Language = language
	a, err := report.ReadAlignment([]byte(aligned))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := a.Digest()
	if err != nil {
		t.Fatal(err)
	}
	in = withEvents(t, in)
	data, err := json.Marshal(report.AlignedEvent{SHA256: sum, Links: len(a.Links)})
	if err == nil {
		data, err = audit.CanonicalJSON(data)
	}
	if err != nil {
		t.Fatal(err)
	}
	last := in.Events[len(in.Events)-1]
	mono := int64(900)
	e := audit.Event{Seq: last.Seq + 1, At: last.At.Add(time.Second), Mono: &mono, Kind: audit.EventAligned, Subject: "design", By: "lena", Data: data, Prev: last.Hash}
	if e.Hash, err = e.Sum(); err != nil {
		t.Fatal(err)
	}
	in.Events, in.Record, in.Alignment = append(in.Events, e), report.Head{Events: len(in.Events) + 1, Hash: e.Hash}, a
	return in
}

// The signed report has the table of element, control and passage, in both
// languages, with the alignment attached and held against the record.
func TestAlignment(t *testing.T) {
	id := identity(t, "Lena Brandt", when)
	for language, want := range map[string][]string{
		"en": {
			"Alignment of documents", "Portal design", "bb22", "2 elements, 2 links: 0 covered, 1 in part, 1 missing.", "Nightly job", "XX-1 Backup", "Conduct backups.", "in part",
			"House handbook, Backup: “=Backups are made every night.”", "Words of the control that are not there: restore, test.", "The handbook does not speak of it.",
			"No control of the baseline was found.", "2 elements of a design laid beside controls",
		},
		"de": {"Abgleich von Unterlagen", "Entwurf", "teilweise", "Das Handbuch sagt nichts dazu.", "Es wurde keine Kontrolle gefunden.", "in der sie geschrieben sind"},
	} {
		in := withAlignment(t, language)
		pdf := signed(t, in, id)
		text := strings.Join(strings.Fields(tool(t, "pdftotext", "-raw", keep(t, "alignment-"+language+".pdf", pdf), "-")), " ")
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: the pages do not say %q", language, w)
			}
		}
		v := report.Verify(pdf, report.Trust{Now: when.Add(time.Hour)})
		told := false
		for _, c := range v.Checks {
			told = told || c.Name == "alignment" && c.OK && strings.Contains(c.Detail, "2 links")
		}
		if v.Failed() || !told {
			t.Errorf("%s: %s, %+v", language, v.Verdict, v.Checks)
		}
		table, err := report.Export(in, "xlsx")
		if err != nil || len(table) == 0 {
			t.Errorf("%s: the spreadsheet: %v", language, err)
		}
	}
	if v := report.Verify(signed(t, withEvents(t, sample(t, 2)), id), report.Trust{Now: when.Add(time.Hour)}); v.Failed() {
		t.Errorf("a report without an alignment: %+v", v.Problems())
	}
}

// A report whose alignment is not the one of the record does not pass.
func TestAlignmentOfAnother(t *testing.T) {
	in := withAlignment(t, "en")
	other, err := report.ReadAlignment([]byte(strings.Replace(aligned, `"state":"missing"`, `"state":"covered"`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	in.Alignment = other
	v := report.Verify(signed(t, in, identity(t, "Lena Brandt", when)), report.Trust{Now: when.Add(time.Hour)})
	if v.Verdict != report.Changed || len(v.Problems()) != 1 || v.Problems()[0].Name != "alignment" {
		t.Errorf("%s: %+v", v.Verdict, v.Problems())
	}
	for _, bad := range []string{"", "[]", "{}", strings.Replace(aligned, `"state":"missing"`, `"state":"met"`, 1), strings.Replace(aligned, `"elements"`, `"parts"`, 1)} {
		if _, err := report.ReadAlignment([]byte(bad)); audit.CodeOf(err) != audit.CodeInput {
			t.Errorf("%.40q was read: %v", bad, err)
		}
	}
}
