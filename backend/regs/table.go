package regs

import "strings"

// tableReader collects a table and writes it as Markdown.
type tableReader struct {
	rows [][]string
}

func (t *tableReader) row() { t.rows = append(t.rows, nil) }

func (t *tableReader) cell(text string) {
	if len(t.rows) == 0 {
		t.row()
	}
	last := len(t.rows) - 1
	t.rows[last] = append(t.rows[last], strings.ReplaceAll(text, "|", "/"))
}

// markdown writes the table with its first row as the head; Markdown has no
// tables without one.
func (t *tableReader) markdown() string {
	width := 0
	var rows [][]string
	for _, r := range t.rows {
		if strings.TrimSpace(strings.Join(r, "")) == "" {
			continue
		}
		rows = append(rows, r)
		width = max(width, len(r))
	}
	if len(rows) == 0 {
		return ""
	}
	var b strings.Builder
	for i, r := range rows {
		b.WriteByte('|')
		for c := range width {
			text := ""
			if c < len(r) {
				text = r[c]
			}
			b.WriteString(" " + text + " |")
		}
		b.WriteByte('\n')
		if i == 0 {
			b.WriteString(strings.Repeat("|---", width) + "|\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}
