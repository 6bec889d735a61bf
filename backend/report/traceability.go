package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"
)

// TableXLSX writes rows under a head as an Excel file of one sheet.
func TableXLSX(name string, head []string, widths []float64, rows [][]string) ([]byte, error) {
	x := excelize.NewFile()
	defer x.Close() //nolint:errcheck // it removes temporary files, of which there are none
	s := sheets{x: x, lang: newLanguage("en")}
	s.head, s.err = x.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}})
	if s.err == nil {
		s.body, s.err = x.NewStyle(&excelize.Style{Alignment: &excelize.Alignment{WrapText: true, Vertical: "top"}})
	}
	s.add(name, head, widths, rows)
	if s.err == nil {
		s.err = x.DeleteSheet("Sheet1")
	}
	if s.err != nil {
		return nil, fmt.Errorf("write the spreadsheet: %w", s.err)
	}
	b, err := x.WriteToBuffer()
	if err != nil {
		return nil, fmt.Errorf("write the spreadsheet: %w", err)
	}
	return b.Bytes(), nil
}

// TableCSV writes rows under a head as CSV. A cell that a spreadsheet would
// take for a formula begins with an apostrophe.
func TableCSV(head []string, rows [][]string) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	for _, row := range append([][]string{head}, rows...) {
		safe := make([]string, len(row))
		for i, v := range row {
			if v != "" && strings.ContainsRune("=+-@\t\r", rune(v[0])) {
				v = "'" + v
			}
			safe[i] = v
		}
		if err := w.Write(safe); err != nil {
			return nil, fmt.Errorf("write the table: %w", err)
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return nil, fmt.Errorf("write the table: %w", err)
	}
	return b.Bytes(), nil
}
