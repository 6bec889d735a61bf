package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"time"

	"veristream/backend/audit"
)

// Format is a form in which an audit can leave the computer besides the PDF.
type Format struct {
	ID        string
	Extension string
	About     string
}

// Formats lists the forms that Export makes.
func Formats() []Format {
	return []Format{
		{"csv", ".csv", "the findings as a table of text"},
		{"xlsx", ".xlsx", "the findings as a spreadsheet"},
		{"docx", ".docx", "the report as a document to edit"},
		{"html", ".html", "the report as one page for a browser"},
		{"json", ".json", "the audit, as veristream audit --json writes it"},
		{"srt", ".srt", "the transcript as SRT subtitles"},
		{"vtt", ".vtt", "the transcript as WebVTT subtitles"},
	}
}

// Export makes one of the forms.
func Export(in Input, format string) ([]byte, error) {
	shown := in.shown()
	switch format {
	case "csv":
		return table(shown)
	case "xlsx":
		return spreadsheet(shown)
	case "docx":
		return document(shown)
	case "html":
		return page(shown)
	case "json":
		return indented(in.Result)
	case "srt":
		return SRT(in.Result.Segments), nil
	case "vtt":
		return VTT(in.Result.Segments), nil
	}
	return nil, audit.Errorf(audit.CodeUsage, "There is no format %q.", format)
}

// tableHead names the columns of the findings' table.
var tableHead = []string{
	"id", "severity", "status", "category", "title", "regulator", "citation", "source", "start_ms", "end_ms", "time",
	"excerpt", "evidence", "rationale", "remedy", "applies", "rule_text", "rule_sha256", "decision", "reason", "by", "at", "corrected",
}

func tableRow(in *Input, it item) []string {
	lang := newLanguage(in.Language)
	action, reason, by, at, corrected := it.state, "", "", "", ""
	if seg, _ := in.segment(it); it.Excerpt != "" {
		corrected = lang.correctedNote(in, seg)
	}
	if it.last != nil && it.state != stateOpen {
		reason, by, at = lang.reason(in, it), it.last.By, it.last.At.UTC().Format(time.RFC3339)
	}
	return []string{
		it.ID, string(it.severity), string(it.Status), it.Category, in.title(it.Category), it.Regulator, it.Citation, string(it.Source),
		strconv.FormatInt(it.StartMS, 10), strconv.FormatInt(it.EndMS, 10), clock(it.StartMS),
		it.Excerpt, it.Evidence, it.Rationale, it.Remedy, it.Applies, it.Rule.Text, it.Rule.SHA256, action, reason, by, at, corrected,
	}
}

func table(in *Input) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("\ufeff") // spreadsheets take a file without it for another encoding
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	var rows [][]string
	for _, it := range in.items() {
		rows = append(rows, tableRow(in, it))
	}
	if err := w.WriteAll(harmlessRows(tableHead, rows)); err != nil {
		return nil, fmt.Errorf("write the table: %w", err)
	}
	return b.Bytes(), nil
}

// harmlessRows gives a table with its head, every cell of it harmless.
func harmlessRows(head []string, rows [][]string) [][]string {
	out := make([][]string, 0, 1+len(rows))
	for _, row := range append([][]string{head}, rows...) {
		safe := make([]string, len(row))
		for i, v := range row {
			safe[i] = harmless(v)
		}
		out = append(out, safe)
	}
	return out
}

// harmless keeps a spreadsheet from taking words of a video for a formula.
func harmless(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
