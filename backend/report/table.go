package report

import (
	"slices"

	"veristream/backend/audit"
	"veristream/backend/report/pdf"
)

// column is a column of a table. Its width is a share of the paper's.
type column struct {
	head  string
	share float64
	right bool
}

// cell is what stands in one place of a table.
type cell struct {
	spans    []pdf.Span
	severity audit.Severity // drawn as a sign before the words
	pageOf   string         // a place whose page number stands here
}

func words(s string) cell { return cell{spans: []pdf.Span{dark(s)}} }

// longestRow is how many lines a row may have before it is cut in two.
const longestRow = 24

// table writes a table; its head is repeated on every page.
func (f *flow) table(cols []column, rows [][]cell) {
	const gapBetween = 8.0
	xs, ws := make([]float64, len(cols)), make([]float64, len(cols))
	x := left
	for i, c := range cols {
		xs[i], ws[i] = x, c.share*width-gapBetween
		if i == len(cols)-1 {
			ws[i] += gapBetween
		}
		x += c.share * width
	}
	head := func() {
		if !slices.ContainsFunc(cols, func(c column) bool { return c.head != "" }) {
			return
		}
		y := f.y
		f.doc.Tag("TR", func() {
			for i, c := range cols {
				f.doc.HeaderCell(func() {
					f.cellLine(f.doc.Wrap([]pdf.Span{plain(f.t(c.head))}, small, ws[i]), 0, xs[i], ws[i], y, small, c.right)
				})
			}
		})
		f.y += small*1.5 + 5
		f.page.Rule(left, f.y, left+width, f.y, 0.6, 0, ink)
	}
	f.room(60)
	f.doc.Tag("Table", func() {
		head()
		for _, row := range rows {
			f.row(row, cols, xs, ws, head)
		}
	})
	f.gap(4)
}

func (f *flow) row(row []cell, cols []column, xs, ws []float64, head func()) {
	const sign = 12.0
	lines := make([][]pdf.Line, len(row))
	most := 1
	for i, c := range row {
		w := ws[i]
		if c.severity != "" {
			w -= sign
		}
		for _, p := range paragraphs(c.spans) {
			lines[i] = append(lines[i], f.doc.Wrap(p, size*0.95, w)...)
		}
		most = max(most, len(lines[i]))
	}
	const step = size * 1.4
	for from := 0; from < most; from += longestRow {
		n := min(longestRow, most-from)
		h := float64(n)*step + 7
		if f.y+h > bottom {
			f.newPage()
			head()
		}
		y := f.y + 3
		f.doc.Tag("TR", func() {
			for i, c := range row {
				f.doc.Tag("TD", func() {
					x, w := xs[i], ws[i]
					if c.severity != "" {
						if from == 0 {
							f.sign(c.severity, x+4, y+step/2, 3.6)
						}
						x, w = x+sign, w-sign
					}
					for j := range n {
						if from+j < len(lines[i]) {
							f.cellLine(lines[i], from+j, x, w, y+float64(j)*step, size*0.95, cols[i].right)
						}
					}
					if c.pageOf != "" && from == 0 {
						f.pageNumber(c.pageOf, x, w, y)
					}
				})
			}
		})
		f.y += h
		f.page.Rule(left, f.y, left+width, f.y, 0.4, 0, hair)
	}
}

func (f *flow) cellLine(lines []pdf.Line, i int, x, w, y, points float64, right bool) {
	if i >= len(lines) {
		return
	}
	if right {
		x += w - lines[i].Width
		w = lines[i].Width
	}
	f.page.Text(lines[i], x, y+points*1.12, points, w)
}

// pageNumber writes the page of a place once it is known.
func (f *flow) pageNumber(place string, x, w, y float64) {
	f.doc.Later(func(p *pdf.Page) {
		lines := f.doc.Wrap([]pdf.Span{{Text: itoa(f.doc.PageOf(place)), Color: ink, Link: place}}, size*0.95, w)
		p.Text(lines[0], x+w-lines[0].Width, y+size*0.95*1.12, size*0.95, lines[0].Width)
	})
}

// sign draws a severity: each has its own shape, so that it can be told
// without colour.
func (f *flow) sign(s audit.Severity, x, y, r float64) {
	switch s {
	case audit.High:
		f.page.Polygon([][2]float64{{x, y - r}, {x + r, y}, {x, y + r}, {x - r, y}}, red)
	case audit.Medium:
		f.page.Polygon([][2]float64{{x, y - r}, {x + r, y + r*0.8}, {x - r, y + r*0.8}}, amber)
	default:
		f.page.Ring(x, y, r*0.8, r*0.4, blue)
	}
}
