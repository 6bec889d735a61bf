package report_test

import (
	"archive/zip"
	"bytes"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"veristream/backend/audit"
	"veristream/backend/report"
)

// corrected is the sample with a corrected line that a finding stands on, a line
// that was struck out, and one that was corrected after the audit.
func corrected(t *testing.T, language string) report.Input {
	t.Helper()
	in := sample(t, 1)
	in.Language = language
	segs := in.Result.Segments
	segs[0].Corrected = &audit.Corrected{Machine: "You get nineteen percent a year, Garrett teed.", By: "Jonas Weil", At: when}
	segs[5].Flag, segs[5].Corrected = audit.FlagStruck, &audit.Corrected{Machine: segs[5].Text, By: "Mira Oduya", At: when}
	late := segs[1]
	in.Corrections = []audit.Correction{
		// What stands in the transcript already waits for nothing.
		{Source: segs[0].Source, StartMS: segs[0].StartMS, EndMS: segs[0].EndMS, Machine: segs[0].Corrected.Machine, Text: segs[0].Text, By: "Jonas Weil", At: when},
		{Source: late.Source, StartMS: late.StartMS, EndMS: late.EndMS, Machine: late.Text, Text: "There are debt sails.", By: "Ines Falk", At: when},
	}
	return in
}

// flat gives a text in one line, as a table may break it anywhere.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }

func unpacked(t *testing.T, data []byte, name string) string {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	f, err := z.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

var tags = regexp.MustCompile(`<[^>]*>`)

// Every paper marks the lines that people corrected: with the machine's words,
// who, and when.
func TestCorrectedLines(t *testing.T) {
	for _, tt := range []struct {
		language string
		notes    []string
		besides  string
	}{
		{"en", []string{
			"Corrected by Jonas Weil, 25 Nov 2026, 14:03:05 UTC. The machine wrote: “You get nineteen percent a year, Garrett teed.”",
			"Struck out by Mira Oduya, 25 Nov 2026, 14:03:05 UTC.",
			"Corrected by Ines Falk, 25 Nov 2026, 14:03:05 UTC, after this audit, which read these words. They should be: “There are debt sails.”",
		}, "2 lines were corrected by people before the audit. One line was corrected afterwards"},
		{"de", []string{
			"Korrigiert von Jonas Weil, 25.11.2026, 14:03:05 UTC. Die Maschine schrieb: „You get nineteen percent a year, Garrett teed.“",
			"Gestrichen von Mira Oduya, 25.11.2026, 14:03:05 UTC.",
			"Korrigiert von Ines Falk, 25.11.2026, 14:03:05 UTC, nach dieser Prüfung, die diese Wörter las. Richtig wäre: „There are debt sails.“",
		}, "2 Zeilen wurden vor der Prüfung von Menschen korrigiert. Eine Zeile wurde danach korrigiert"},
	} {
		t.Run(tt.language, func(t *testing.T) {
			in := corrected(t, tt.language)
			texts := map[string]string{}
			for _, form := range []string{"csv", "html", "docx"} {
				data, err := report.Export(in, form)
				if err != nil {
					t.Fatal(err)
				}
				texts[form] = string(data)
				if form == "docx" {
					texts[form] = unpacked(t, data, "word/document.xml")
				}
				if form != "csv" {
					texts[form] = html.UnescapeString(tags.ReplaceAllString(texts[form], " "))
				}
			}
			path := keep(t, "corrected-"+tt.language+".pdf", signed(t, in, identity(t, "Lena Brandt", when)))
			texts["pdf"] = tool(t, "pdftotext", path, "-")
			for form, text := range texts {
				text = flat(text)
				for i, note := range tt.notes {
					if form == "csv" && i > 0 { // it has the findings alone
						continue
					}
					want := 1
					if i == 0 && form != "csv" { // at the finding and in the transcript
						want = 2
					}
					if n := strings.Count(text, note); n != want {
						t.Errorf("%s: %d times, not %d: %s", form, n, want, note)
					}
				}
			}
			if !strings.Contains(flat(texts["pdf"]), tt.besides) {
				t.Errorf("the pages do not say: %s", tt.besides)
			}
			checkSheet(t, in, tt.notes)
		})
	}
	// Where nobody corrected anything, nothing is said of it.
	data, err := report.Export(sample(t, 1), "html")
	if err != nil || strings.Contains(string(data), "orrected by") {
		t.Errorf("a correction that is none, %v", err)
	}
}

func checkSheet(t *testing.T, in report.Input, notes []string) {
	t.Helper()
	data, err := report.Export(in, "xlsx")
	if err != nil {
		t.Fatal(err)
	}
	x, err := excelize.OpenReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	names := x.GetSheetList()
	rows, err := x.GetRows(names[slices.IndexFunc(names, func(s string) bool { return s == "Transcript" || s == "Abschrift" })])
	if err != nil || len(rows) != len(in.Result.Segments)+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	first := rows[1]
	if first[5] != in.Result.Segments[0].Corrected.Machine || first[6] != "Jonas Weil" || first[7] != "2026-11-25T14:03:05Z" || first[8] != notes[0] {
		t.Errorf("the corrected line: %q", first)
	}
	if late := rows[2]; late[5] != "" || late[8] != notes[2] {
		t.Errorf("the line that was corrected later: %q", late)
	}
	if struck := rows[6]; !strings.HasPrefix(struck[4], "[") || struck[8] != notes[1] {
		t.Errorf("the line that was struck out: %q", struck)
	}
	findings, err := x.GetRows(names[0])
	if err != nil || findings[1][len(findings[0])-1] != notes[0] {
		t.Errorf("the finding: %q, %v", findings[1], err)
	}
}
