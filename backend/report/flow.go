package report

import (
	"fmt"
	"strings"

	"veristream/backend/report/pdf"
)

// The paper, in points: one em of the drafts is 9.45.
const (
	em     = 9.45
	size   = 9.5
	small  = 8.2
	left   = 6 * em
	width  = pdf.PageWidth - 2*left
	top    = 6.4 * em
	bottom = pdf.PageHeight - 6*em
)

var (
	ink   = pdf.Hex(0x15171c)
	ink2  = pdf.Hex(0x4a4f59)
	hair  = pdf.Hex(0xd5d8de)
	soft  = pdf.Hex(0xf3f4f6)
	red   = pdf.Hex(0xa41c27)
	amber = pdf.Hex(0x855000)
	blue  = pdf.Hex(0x19617b)
	mark  = pdf.Hex(0xfcf1dd)
)

// flow fills pages from top to bottom.
type flow struct {
	doc     *pdf.Document
	page    *pdf.Page
	y       float64
	section string
	language
}

func (f *flow) newPage() {
	f.page = f.doc.NewPage()
	f.page.Section = f.section
	f.y = top
}

// room begins a new page unless h points are left.
func (f *flow) room(h float64) {
	if f.page == nil || f.y+h > bottom {
		f.newPage()
	}
}

func (f *flow) gap(h float64) { f.y += h }

func plain(s string) pdf.Span  { return pdf.Span{Text: s, Color: ink2} }
func dark(s string) pdf.Span   { return pdf.Span{Text: s, Color: ink} }
func strong(s string) pdf.Span { return pdf.Span{Text: s, Color: ink, Weight: pdf.Strong} }
func mono(s string) pdf.Span   { return pdf.Span{Text: s, Color: ink2, Weight: pdf.Mono} }

// title begins a part of the report on a page of its own.
func (f *flow) title(s, place string) {
	f.section = s
	f.newPage()
	f.heading("H1", 0, s, place, 17, 1.3)
	f.gap(5)
}

// follow begins a part of the report, on the same page while half of it is
// left.
func (f *flow) follow(s, place string) {
	if f.y > (top+bottom)/2 {
		f.title(s, place)
		return
	}
	f.gap(26)
	f.section = s
	f.heading("H1", 0, s, place, 17, 1.3)
	f.gap(5)
}

// part is a heading in a page.
func (f *flow) part(s string) {
	f.room(48)
	f.gap(11)
	f.heading("H3", -1, s, "", size, 1.45)
	f.gap(2)
}

// heading writes a heading; level -1 makes no bookmark of it.
func (f *flow) heading(tag string, level int, s, place string, points, leading float64) {
	lines := f.doc.Wrap([]pdf.Span{strong(s)}, points, width)
	f.room(float64(len(lines))*points*leading + 30)
	if level >= 0 {
		f.doc.Bookmark(level, s, f.y)
	}
	if place != "" {
		f.doc.Place(place, f.y-10)
	}
	f.doc.Tag(tag, func() { f.lines(lines, left, points, leading, width) })
}

// para writes a paragraph; a text with line breaks makes several.
func (f *flow) para(spans ...pdf.Span) { f.paraIn("P", left, width, size, spans) }

func (f *flow) note(spans ...pdf.Span) { f.paraIn("P", left, width, small, spans) }

func (f *flow) paraIn(tag string, x, w, points float64, spans []pdf.Span) {
	for _, p := range paragraphs(spans) {
		lines := f.doc.Wrap(p, points, w)
		if len(lines) == 0 {
			continue
		}
		f.room(points * 1.5 * float64(min(2, len(lines))))
		f.doc.Tag(tag, func() { f.lines(lines, x, points, 1.5, w) })
	}
}

// paragraphs cuts spans at line breaks.
func paragraphs(spans []pdf.Span) [][]pdf.Span {
	out := [][]pdf.Span{nil}
	for _, s := range spans {
		for i, part := range strings.Split(strings.ReplaceAll(s.Text, "\r\n", "\n"), "\n") {
			if i > 0 {
				out = append(out, nil)
			}
			if part != "" {
				s.Text = part
				out[len(out)-1] = append(out[len(out)-1], s)
			}
		}
	}
	return out
}

func (f *flow) lines(lines []pdf.Line, x, points, leading, w float64) {
	for _, l := range lines {
		f.room(points * leading)
		f.y += points * leading
		f.page.Text(l, x, f.y-points*(leading-1)/2-points*0.2, points, w)
	}
}

// boxed is a paragraph in a box.
type boxed struct {
	points float64
	spans  []pdf.Span
}

// box sets paragraphs on a ground with a line at their left. A box that is
// longer than what is left of the page goes on on the next.
func (f *flow) box(paras ...boxed) {
	const inset, pad = 1.1 * em, 6.0
	type row struct {
		line   pdf.Line
		points float64
		first  bool
	}
	var rows []row
	for _, b := range paras {
		for _, p := range paragraphs(b.spans) {
			for i, l := range f.doc.Wrap(p, b.points, width-2*inset) {
				rows = append(rows, row{l, b.points, i == 0})
			}
		}
	}
	high := func(r row) float64 {
		if r.first {
			return r.points*1.5 + 2
		}
		return r.points * 1.5
	}
	total := 2 * pad
	for _, r := range rows {
		total += high(r)
	}
	if total < (bottom-top)/2 {
		f.room(total)
	}
	for len(rows) > 0 {
		f.room(2*pad + high(rows[0]))
		n, h := 0, 2*pad
		for n < len(rows) && f.y+h+high(rows[n]) <= bottom {
			h += high(rows[n])
			n++
		}
		n = max(n, 1)
		f.page.Fill(left, f.y, width, h, soft)
		f.page.Fill(left, f.y, 2, h, hair)
		f.y += pad
		f.doc.Tag("P", func() {
			for _, r := range rows[:n] {
				f.y += high(r)
				f.page.Text(r.line, left+inset, f.y-r.points*0.45, r.points, width-2*inset)
			}
		})
		f.y += pad
		rows = rows[n:]
		if len(rows) > 0 {
			f.newPage()
		}
	}
}

// pairs writes names and values in two columns.
func (f *flow) pairs(rows [][2]string, monoValue map[string]bool) {
	const names = 9.5 * em
	f.doc.Tag("Table", func() {
		for _, row := range rows {
			value := dark(row[1])
			if monoValue[row[0]] {
				value = mono(row[1])
			}
			points := size
			if monoValue[row[0]] {
				points = small
			}
			key := f.doc.Wrap([]pdf.Span{plain(f.t(row[0]))}, size, names-6)
			val := f.doc.Wrap([]pdf.Span{value}, points, width-names)
			h := float64(max(len(key), len(val))) * size * 1.5
			if h < bottom-top {
				f.room(h)
			}
			f.doc.Tag("TR", func() {
				y := f.y
				f.doc.Tag("TH", func() { f.lines(key, left, size, 1.5, names-6) })
				f.y = y
				f.doc.Tag("TD", func() { f.lines(val, left+names, points, 1.5*size/points, width-names) })
				f.y = max(f.y, y+h)
			})
			f.gap(2)
		}
	})
}

func clock(ms int64) string {
	tenths := ms / 100
	h, m, s := tenths/36000, tenths/600%60, tenths/10%60
	if h > 0 {
		return fmt.Sprintf("%d:%02d:%02d.%d", h, m, s, tenths%10)
	}
	return fmt.Sprintf("%02d:%02d.%d", m, s, tenths%10)
}
