package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
)

// TableXLSX writes rows under a head as an Excel file of one sheet.
func TableXLSX(name string, head []string, widths []float64, rows [][]string) ([]byte, error) {
	s := newSheets(newLanguage("en"))
	defer s.x.Close() //nolint:errcheck // it removes temporary files, of which there are none
	s.add(name, head, widths, rows)
	return s.bytes()
}

// TableCSV writes rows under a head as CSV. A cell that a spreadsheet would
// take for a formula begins with an apostrophe.
func TableCSV(head []string, rows [][]string) ([]byte, error) {
	var b bytes.Buffer
	if err := csv.NewWriter(&b).WriteAll(harmlessRows(head, rows)); err != nil {
		return nil, fmt.Errorf("write the table: %w", err)
	}
	return b.Bytes(), nil
}
