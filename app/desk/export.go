package desk

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"veristream/app"
	"veristream/backend/audit"
	"veristream/backend/media"
)

// Formats implements app.Exporter.
func (d *desk) Formats() []app.Format {
	return []app.Format{
		{ID: "csv", Extension: ".csv"},
		{ID: "srt", Extension: ".srt"},
		{ID: "vtt", Extension: ".vtt"},
		{ID: "json", Extension: ".json"},
	}
}

// Export implements app.Exporter.
func (d *desk) Export(ctx context.Context, auditID, format, path string) error {
	c, err := d.ready(ctx)
	if err != nil {
		return err
	}
	r, err := c.Store.Result(ctx, auditID)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	switch format {
	case "json":
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		err = enc.Encode(r)
	case "csv":
		var decisions []audit.Decision
		if decisions, err = c.Store.Decisions(ctx, auditID); err == nil {
			err = writeCSV(&b, r.Findings, decisions)
		}
	default:
		err = media.WriteTranscript(&b, format, r.Segments)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", format, err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		return audit.Wrap(err, audit.CodeStorage, "%s cannot be written.", path)
	}
	return nil
}

func writeCSV(b *bytes.Buffer, findings []audit.Finding, decisions []audit.Decision) error {
	last := map[string]audit.Decision{}
	for _, d := range decisions {
		if d.Action != "comment" && d.Action != "severity" {
			last[d.FindingID] = d
		}
	}
	w := csv.NewWriter(b)
	rows := [][]string{{
		"id", "severity", "status", "category", "regulator", "citation", "source", "start_ms", "end_ms",
		"excerpt", "evidence", "rationale", "remedy", "decision", "reason", "by", "at",
	}}
	for _, f := range findings {
		d := last[f.ID]
		at := ""
		if !d.At.IsZero() {
			at = d.At.UTC().Format("2006-01-02T15:04:05Z")
		}
		rows = append(rows, []string{
			f.ID, string(f.Severity), string(f.Status), f.Category, f.Regulator, f.Citation, string(f.Source),
			strconv.FormatInt(f.StartMS, 10), strconv.FormatInt(f.EndMS, 10),
			plain(f.Excerpt), plain(f.Evidence), plain(f.Rationale), plain(f.Remedy), d.Action, plain(d.Reason), plain(d.By), at,
		})
	}
	if err := w.WriteAll(rows); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	return nil
}

// plain keeps a spreadsheet from taking words of a video for a formula.
func plain(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}
