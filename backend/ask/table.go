package ask

import (
	"regexp"
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
	group string   // the row above without cells: "Gross margin percentage:"
	cells []string // without the label
}

// readTable reads the lines of a Markdown table. Rows above and below the rule
// that hold years, dates or units and no label belong to the head.
func readTable(lines []string, caption string) *table {
	t := &table{caption: caption}
	head, group := true, ""
	if len(lines) > 0 {
		group = strings.TrimRight(cellsOf(strings.TrimSpace(lines[0]))[0], ":") // a head that names what the rows are of
	}
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
		row := tableRow{raw: line, label: cells[0], group: group, cells: cells[1:]}
		if strings.HasPrefix(strings.ToLower(row.label), "total ") {
			row.group = "" // it sums up more than the rows of one group
		}
		if strings.Join(row.cells, "") == "" && row.label != "" {
			group, row.group = strings.TrimRight(row.label, ":"), ""
		}
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
	if r.group != "" && label != "" {
		label = r.group + ", " + label
	}
	if label == "" {
		return strings.Join(parts, "; ")
	}
	if len(parts) == 0 {
		return label
	}
	return label + " — " + strings.Join(parts, "; ")
}

// yearFit says whether a table has a column of the years that are asked for.
func (t *table) yearFit(years []string) float64 {
	if len(years) == 0 {
		return 0
	}
	named := false
	for _, c := range t.columns {
		named = named || reYear.MatchString(c)
		for _, y := range years {
			if strings.Contains(c, y) {
				return 0.2
			}
		}
	}
	if named {
		return -0.3
	}
	return 0
}

var (
	reScale    = regexp.MustCompile(`(?i)\b(?:dollars |amounts )?in (?:thousands|millions|billions)`)
	reUnscaled = regexp.MustCompile(`(?i)\bper[- ]share\b|\bshares?\b|\bpercent|\brate\b|\bratio\b|%`)
)

// scale gives the unit in which a row's figures are: that of the caption, for
// what it is meant for.
func (t *table) scale(row int) string {
	r := t.rows[row]
	if reUnscaled.MatchString(r.group + " " + r.label + " " + strings.Join(r.cells[:min(1, len(r.cells))], "")) {
		return ""
	}
	return reScale.FindString(t.caption)
}
