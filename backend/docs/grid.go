package docs

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// cell is a cell with the columns that it covers.
type cell struct {
	text       string
	start, end int
	head       bool
}

// grid is a table as it is set: EDGAR's tables use columns for spacing, for
// currency signs and for closing brackets.
type grid struct{ rows [][]cell }

func (g *grid) row() { g.rows = append(g.rows, nil) }

func (g *grid) add(text string, span int, head bool) {
	if len(g.rows) == 0 {
		g.row()
	}
	r := len(g.rows) - 1
	start := 0
	if n := len(g.rows[r]); n > 0 {
		start = g.rows[r][n-1].end
	}
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", "/")
	g.rows[r] = append(g.rows[r], cell{text, start, start + min(max(span, 1), 200), head})
}

// plain gives the words of a table.
func (g *grid) plain() string {
	var parts []string
	for _, r := range g.rows {
		for _, c := range r {
			if c.text != "" {
				parts = append(parts, c.text)
			}
		}
	}
	return strings.Join(parts, " ")
}

var reValue = regexp.MustCompile(`^[(\-–—]?\s*[$€£¥]?\s*[(\-–—]?\s*(?:\d[\d,]*(?:\.\d+)?|\.\d+)\s*%?\s*\)?\s*%?$|^[$€£]?\s*[—–-]+\s*%?$|^N/?[AM]$`)

func isValue(s string) bool { return reValue.MatchString(s) }

var reMark = regexp.MustCompile(`^(?:[•·▪o*–-]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)])$`)

var reYearOnly = regexp.MustCompile(`^(?:19|20)\d{2}$`)

// isLayout says whether a table sets prose: one row, a bullet and its text.
func (g *grid) isLayout() bool {
	filled, values, long, marks := 0, 0, 0, 0
	rows := 0
	for _, r := range g.rows {
		n := 0
		for _, c := range r {
			if c.text == "" {
				continue
			}
			if n == 0 && reMark.MatchString(c.text) {
				marks++
			}
			n++
			filled++
			if isValue(c.text) {
				values++
			}
			if len(strings.Fields(c.text)) > 40 {
				long++
			}
		}
		if n > 0 {
			rows++
		}
	}
	switch {
	case rows == 0:
		return true
	case rows == 1:
		return true
	case filled <= rows: // one cell a row
		return true
	case values == 0 && (long > 0 && filled <= 2*rows || filled*5 <= rows*6):
		return true
	case marks*10 >= rows*8 && values == 0: // each row is a mark and its text
		return true
	}
	return false
}

// tidy joins currency signs, brackets and per cents to their numbers and drops
// empty cells.
func tidy(row []cell) []cell {
	var out []cell
	for _, c := range row {
		n := len(out)
		switch {
		case c.text == "":
		case n > 0 && slices.Contains([]string{"$", "€", "£", "(", "$(", "-"}, out[n-1].text):
			out[n-1].text += c.text
			out[n-1].end = c.end
		case n > 0 && slices.Contains([]string{")", "%", ")%", "%)", "pts"}, c.text):
			out[n-1].text += c.text
			out[n-1].end = c.end
		default:
			out = append(out, c)
		}
	}
	return out
}

// span is a column: the cells that cover a part of it belong to it.
type span struct{ start, end int }

// markdown writes the table with the names of its columns as its head. odd says
// what did not fit.
func (g *grid) markdown() (md, odd string) {
	var rows [][]cell
	for _, r := range g.rows {
		if t := tidy(r); len(t) > 0 {
			rows = append(rows, t)
		}
	}
	if len(rows) == 0 {
		return "", ""
	}
	first := g.firstDataRow(rows)
	cols := columns(rows[first:])
	if len(cols) == 0 {
		cols = columns(rows)
	}
	labelEnd := cols[0].start
	heads := make([]string, len(cols)+1)
	for _, r := range rows[:first] {
		for _, c := range r {
			if c.end <= labelEnd || c.start < labelEnd && len(r) == 1 && c.end >= cols[len(cols)-1].start {
				heads[0] = strings.TrimSpace(heads[0] + " " + c.text)
				continue
			}
			for i, col := range cols {
				if c.start < col.end && c.end > col.start {
					heads[i+1] = strings.TrimSpace(heads[i+1] + " " + c.text)
				}
			}
		}
	}
	var b strings.Builder
	write := func(cells []string) {
		b.WriteString("|")
		for _, c := range cells {
			b.WriteString(" " + c + " |")
		}
		b.WriteString("\n")
	}
	write(heads)
	b.WriteString("|" + strings.Repeat("---|", len(heads)) + "\n")
	lost := 0
	for _, r := range rows[first:] {
		line := make([]string, len(heads))
		own := inColumns(r, true)
		for _, c := range r {
			at := 0
			if i := slices.Index(own, c); i >= 0 && len(own) == len(cols) {
				at = i + 1 // as many as there are columns: their order tells
			} else if c.start >= labelEnd || isValue(c.text) && c.end > labelEnd {
				at = nearest(cols, c) + 1
			}
			if line[at] != "" && at > 0 {
				lost++
			}
			line[at] = strings.TrimSpace(line[at] + " " + c.text)
		}
		write(line)
	}
	if lost > 0 {
		odd = "some rows have more values than the table has columns; they were put side by side."
	}
	if unnamed(heads[1:]) > 1 && first > 0 {
		odd = "the names of some columns were not found."
	}
	return strings.TrimRight(b.String(), "\n"), odd
}

func unnamed(heads []string) int {
	n := 0
	for _, h := range heads {
		if h == "" {
			n++
		}
	}
	return n
}

// firstDataRow gives the index of the first row that holds values beside a
// label; the rows above are the head.
func (g *grid) firstDataRow(rows [][]cell) int {
	for i, r := range rows {
		values, label, heads := 0, false, 0
		for _, c := range r {
			switch {
			case c.head:
				heads++
			case isValue(c.text) && !reYearOnly.MatchString(c.text):
				values++
			case strings.ContainsFunc(c.text, unicode.IsLetter):
				label = true
			}
		}
		if heads == 0 && values > 0 && label {
			return i
		}
	}
	return min(1, len(rows)-1) // a table of words: its first row is the head
}

// columns finds the columns in which values stand: those of the rows that have
// the most, where that many are no exception.
func columns(rows [][]cell) []span {
	values := false
	for _, r := range rows {
		for _, c := range r {
			values = values || isValue(c.text)
		}
	}
	counts := map[int]int{}
	filled := 0
	for _, r := range rows {
		if n := len(inColumns(r, values)); n > 0 {
			counts[n]++
			filled++
		}
	}
	most := 0
	for n, times := range counts {
		if n > most && (times*5 >= filled || filled < 5) {
			most = n
		}
	}
	var out []span
	for _, r := range rows {
		cells := inColumns(r, values)
		if len(cells) != most {
			continue
		}
		if out == nil {
			out = make([]span, most)
			for i, c := range cells {
				out[i] = span{c.start, c.end}
			}
			continue
		}
		for i, c := range cells { // a little wider or narrower in another row
			if (i == 0 || c.start >= out[i-1].end) && c.start < out[i].end {
				out[i].start = min(out[i].start, c.start)
			}
			if (i == most-1 || c.end <= out[i+1].start) && c.end > out[i].start {
				out[i].end = max(out[i].end, c.end)
			}
		}
	}
	return out
}

// inColumns gives the cells of a row that stand in columns: its values, or in a
// table of words all behind the first.
func inColumns(r []cell, values bool) []cell {
	var out []cell
	for i, c := range r {
		if values && isValue(c.text) || !values && i > 0 {
			out = append(out, c)
		}
	}
	return out
}

func nearest(cols []span, c cell) int {
	best, least := 0, 1<<30
	for i, col := range cols {
		d := 0
		switch {
		case c.end <= col.start:
			d = col.start - c.end + 1
		case c.start >= col.end:
			d = c.start - col.end + 1
		}
		if d < least {
			best, least = i, d
		}
	}
	return best
}
