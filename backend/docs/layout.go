package docs

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// pageText writes the lines that were read on a page as pdftotext lays a page
// out: what stands beside each other on one line, columns of figures below each
// other, an empty line between paragraphs. Two columns of prose follow each
// other.
func pageText(boxes []audit.TextBox) string {
	var read []audit.TextBox
	for _, b := range boxes {
		if strings.TrimSpace(b.Text) != "" && b.Width > 0 && b.Height > 0 {
			read = append(read, b)
		}
	}
	if len(read) == 0 {
		return ""
	}
	var out []string
	for _, part := range readingOrder(read) {
		out = append(out, strings.TrimRight(linesOf(part), "\n"))
	}
	return strings.Join(out, "\n\n") + "\n"
}

func middleOf(b audit.TextBox) int { return b.Y + b.Height/2 }

// rowsOf groups boxes that stand on one line, from the top down, each from the left.
func rowsOf(boxes []audit.TextBox) [][]audit.TextBox {
	boxes = slices.Clone(boxes)
	slices.SortStableFunc(boxes, func(a, b audit.TextBox) int { return cmp.Compare(middleOf(a), middleOf(b)) })
	var rows [][]audit.TextBox
	for _, b := range boxes {
		if n := len(rows); n > 0 {
			last := rows[n-1][len(rows[n-1])-1]
			if 2*(middleOf(b)-middleOf(last)) < min(b.Height, last.Height) {
				rows[n-1] = append(rows[n-1], b)
				continue
			}
		}
		rows = append(rows, []audit.TextBox{b})
	}
	for _, r := range rows {
		slices.SortStableFunc(r, func(a, b audit.TextBox) int { return cmp.Compare(a.X, b.X) })
	}
	return rows
}

// linesOf writes boxes line by line on a grid of the width of their letters.
func linesOf(boxes []audit.TextBox) string {
	rows := rowsOf(boxes)
	letter, step := letterWidth(boxes), lineStep(rows)
	left := math.MaxInt
	for _, b := range boxes {
		left = min(left, b.X)
	}
	var out strings.Builder
	for i, row := range rows {
		if i > 0 && float64(middleOf(row[0])-middleOf(rows[i-1][0])) > 1.45*step {
			out.WriteByte('\n')
		}
		line, end := "", left
		for j, b := range row {
			gap := float64(b.X-end) / letter
			switch {
			case j > 0 && gap < 3:
				line += " "
			default:
				at := int(math.Round(float64(b.X-left) / letter))
				line += strings.Repeat(" ", max(at-len([]rune(line)), min(3*j, 3)))
			}
			line += strings.Join(strings.Fields(b.Text), " ")
			end = b.X + b.Width
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}

// letterWidth is the width of a letter of most lines, in pixels.
func letterWidth(boxes []audit.TextBox) float64 {
	var widths []float64
	for _, b := range boxes {
		if n := len([]rune(b.Text)); n > 0 {
			widths = append(widths, float64(b.Width)/float64(n))
		}
	}
	slices.Sort(widths)
	return max(1, widths[len(widths)/2])
}

// lineStep is the distance from most lines to the next, in pixels.
func lineStep(rows [][]audit.TextBox) float64 {
	var steps []float64
	for i := 1; i < len(rows); i++ {
		steps = append(steps, float64(middleOf(rows[i][0])-middleOf(rows[i-1][0])))
	}
	if len(steps) == 0 {
		return 1
	}
	slices.Sort(steps)
	return max(1, steps[(len(steps)-1)/2])
}

// What makes two columns of prose: so many lines on both sides of a gutter that
// no more than a few lines cross, of so many words each.
const (
	leastColumn  = 6
	crossing     = 0.15
	proseWords   = 4
	gutterInside = 0.3 // the gutter's distance from the edges, as a share of the width
)

// readingOrder cuts a page into what is read one after the other: a page with two
// columns of prose into what stands above them, the left one, the right one, and
// so on; any other page is one part.
func readingOrder(boxes []audit.TextBox) [][]audit.TextBox {
	gutter, ok := gutterOf(boxes)
	if !ok {
		return [][]audit.TextBox{boxes}
	}
	var out [][]audit.TextBox
	var above, left, right []audit.TextBox
	flush := func() {
		for _, part := range [][]audit.TextBox{above, left, right} {
			if len(part) > 0 {
				out = append(out, part)
			}
		}
		above, left, right = nil, nil, nil
	}
	for _, row := range rowsOf(boxes) {
		for _, b := range row {
			switch {
			case b.X < gutter && b.X+b.Width > gutter:
				if len(left)+len(right) > 0 {
					flush()
				}
				above = append(above, b)
			case b.X < gutter:
				left = append(left, b)
			default:
				right = append(right, b)
			}
		}
	}
	flush()
	return out
}

// gutterOf finds the gap between two columns of prose.
func gutterOf(boxes []audit.TextBox) (x int, ok bool) {
	from, to := math.MaxInt, 0
	for _, b := range boxes {
		from, to = min(from, b.X), max(to, b.X+b.Width)
	}
	inset := int(gutterInside * float64(to-from))
	best := len(boxes) + 1
	for at := from + inset; at <= to-inset; at += 4 {
		var cross, left, right, leftWords, rightWords int
		for _, b := range boxes {
			n := len(strings.Fields(b.Text))
			switch {
			case b.X < at && b.X+b.Width > at:
				cross++
			case b.X < at:
				left, leftWords = left+1, leftWords+n
			default:
				right, rightWords = right+1, rightWords+n
			}
		}
		prose := leftWords >= proseWords*left && rightWords >= proseWords*right
		if prose && left >= leastColumn && right >= leastColumn && cross < best && float64(cross) <= crossing*float64(len(boxes)) {
			x, best, ok = at, cross, true
		}
	}
	return x, ok
}
