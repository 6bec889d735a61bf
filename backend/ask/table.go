package ask

import (
	"slices"
	"strings"
)

// table is a table of a passage: the names of its columns and its rows.
type table struct {
	caption string
	columns []string
	rows    []tableRow
}

type tableRow struct {
	raw   string // the line as it stands in the passage
	label string
	cells []string // without the label
}

// readTable reads the lines of a Markdown table. Rows above and below the rule
// that hold years, dates or units and no label belong to the head.
func readTable(lines []string, caption string) *table {
	t := &table{caption: caption}
	head := true
	for i, line := range lines {
		line = strings.TrimSpace(line)
		cells := cellsOf(line)
		if isRule(line) {
			head = false
			continue
		}
		if head && i == 0 {
			t.columns = cells[min(1, len(cells)):]
			continue
		}
		row := tableRow{raw: line, label: cells[0], cells: cells[1:]}
		t.rows = append(t.rows, row)
	}
	return t
}

func isRule(line string) bool {
	return strings.Contains(line, "---") && strings.Trim(line, "|-: ") == ""
}

func cellsOf(line string) []string {
	parts := strings.Split(strings.Trim(line, "|"), "|")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// say puts a row into words: "Net sales: 2024 $391,035; 2023 $383,285". With
// years, only the columns of those years are told where there are any.
func (t *table) say(row int, years []string) string {
	r := t.rows[row]
	var parts, chosen []string
	for i, c := range r.cells {
		if c == "" || c == "—" && len(r.cells) > 6 {
			continue
		}
		name := ""
		if i < len(t.columns) {
			name = t.columns[i]
		}
		part := strings.TrimSpace(name + " " + c)
		if name != "" && !strings.HasSuffix(name, ":") {
			part = name + ": " + c
		}
		parts = append(parts, part)
		if slices.ContainsFunc(years, func(y string) bool { return strings.Contains(name, y) }) {
			chosen = append(chosen, part)
		}
	}
	if len(chosen) > 0 {
		parts = chosen
	}
	label := strings.TrimRight(r.label, ":")
	if label == "" {
		return strings.Join(parts, "; ")
	}
	if len(parts) == 0 {
		return label
	}
	return label + " — " + strings.Join(parts, "; ")
}
