package report

import (
	"fmt"
	"strconv"

	"github.com/xuri/excelize/v2"
)

// spreadsheet writes the findings as an Excel file, with the checks, what
// does not apply and the transcript on sheets of their own.
func spreadsheet(in *Input) ([]byte, error) {
	lang := newLanguage(in.Language)
	s := newSheets(lang)
	defer s.x.Close() //nolint:errcheck // it removes temporary files, of which there are none
	rows := [][]string{}
	for _, it := range in.items() {
		row := tableRow(in, it)
		if lang.code != "en" { // the codes are English words
			row[1], row[2], row[7], row[18] = lang.t(row[1]), lang.t("status "+row[2]), lang.t("channel "+row[7]), lang.t(row[18])
		}
		rows = append(rows, row)
	}
	widths := []float64{8, 10, 13, 24, 34, 11, 24, 11, 10, 10, 10, 60, 60, 50, 50, 40, 60, 20, 12, 40, 18, 22, 60}
	s.add("Findings", tableHead, widths, rows)
	rows = nil
	for _, c := range in.Result.Checked {
		result := c.Result
		if lang.code != "en" {
			result = lang.t("result " + result)
		}
		rows = append(rows, []string{c.Category, in.title(c.Category), result, c.Note})
	}
	s.add("Checked", []string{"category", "title", "result", "note"}, []float64{28, 44, 16, 60}, rows)
	rows = nil
	for _, n := range in.Result.NotApplicable {
		rows = append(rows, []string{n.Regulator, n.Citation, n.Reason})
	}
	s.add("Not applicable", []string{"regulator", "citation", "reason"}, []float64{12, 28, 80}, rows)
	if in.Alignment != nil {
		head, rows := in.Alignment.traceability(lang)
		s.add("Traceability", head, []float64{28, 30, 12, 30, 60, 12, 34, 60, 30}, rows)
	}
	s.add("Transcript", transcriptHead, []float64{11, 10, 10, 10, 80, 60, 20, 22, 60}, lang.transcriptRows(in))
	s.add("About", []string{"what", "value"}, []float64{24, 90}, [][]string{
		{lang.t("video"), in.videoTitle()},
		{"sha256", in.Result.Video.SHA256},
		{lang.t("rules as of"), in.Result.AsOf},
		{lang.t("made with"), "VeriStream " + in.Program.Version},
		{lang.t("note"), lang.t("Potential issues for a person's decision. No legal advice. Where nothing was found, that means only that nothing was found.")},
	})
	return s.bytes()
}

// sheets adds sheets and keeps the first error.
type sheets struct {
	x          *excelize.File
	lang       language
	head, body int
	err        error
}

func newSheets(lang language) sheets {
	s := sheets{x: excelize.NewFile(), lang: lang}
	s.head, s.err = s.x.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}, Border: []excelize.Border{{Type: "bottom", Style: 1, Color: "15171C"}}})
	if s.err == nil {
		s.body, s.err = s.x.NewStyle(&excelize.Style{Alignment: &excelize.Alignment{WrapText: true, Vertical: "top"}})
	}
	return s
}

// bytes gives the file, without the empty sheet that a new one begins with.
func (s *sheets) bytes() ([]byte, error) {
	if s.err == nil {
		s.err = s.x.DeleteSheet("Sheet1")
	}
	if s.err != nil {
		return nil, fmt.Errorf("write the spreadsheet: %w", s.err)
	}
	b, err := s.x.WriteToBuffer()
	if err != nil {
		return nil, fmt.Errorf("write the spreadsheet: %w", err)
	}
	return b.Bytes(), nil
}

func (s *sheets) add(name string, head []string, widths []float64, rows [][]string) {
	do := func(f func() error) {
		if s.err == nil {
			s.err = f()
		}
	}
	name = s.lang.t(name)
	do(func() error { _, err := s.x.NewSheet(name); return err })
	for i := range head {
		col, err := excelize.ColumnNumberToName(i + 1)
		do(func() error { return err })
		do(func() error { return s.x.SetColWidth(name, col, col, widths[i]) })
	}
	for r, row := range append([][]string{head}, rows...) {
		style := s.body
		if r == 0 {
			style = s.head
		}
		for c, v := range row {
			if r == 0 {
				v = s.lang.t(v)
			}
			cell, err := excelize.CoordinatesToCellName(c+1, r+1)
			do(func() error { return err })
			// Strings are written as strings: none of them becomes a formula.
			if ms, err := strconv.ParseInt(v, 10, 64); err == nil && r > 0 && (head[c] == "start_ms" || head[c] == "end_ms") {
				do(func() error { return s.x.SetCellInt(name, cell, ms) })
			} else {
				do(func() error { return s.x.SetCellStr(name, cell, clip(v)) })
			}
			do(func() error { return s.x.SetCellStyle(name, cell, cell, style) })
		}
	}
	do(func() error {
		return s.x.SetPanes(name, &excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"})
	})
}

// clip keeps a text within what one cell may hold.
func clip(s string) string {
	r := []rune(s)
	if len(r) > excelize.TotalCellChars-1 {
		return string(r[:excelize.TotalCellChars-2]) + "…"
	}
	return s
}
