package report

import (
	"path/filepath"
	"strings"

	"veristream/backend/audit"
	"veristream/backend/report/pdf"
)

// videoTitle is what to call the video.
func (in *Input) videoTitle() string {
	if t := strings.TrimSpace(in.Result.Video.Title); t != "" {
		return t
	}
	base := filepath.Base(in.Result.Video.Path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

func (f *flow) cover(in *Input, items []item) {
	r := in.Result
	f.section = f.t("Cover")
	f.newPage()
	f.brand()
	f.gap(28)
	f.para(plain(f.t("Report of an audit")))
	f.heading("H1", 0, in.videoTitle(), "cover", 22, 1.25)
	f.gap(10)
	if fr := coverFrame(items); fr != nil {
		f.picture(fr, nil, f.t("A frame of the video"), 300)
		f.gap(10)
	}
	speaker, unknown := f.facts(r.Facts)
	rows := [][2]string{
		{"File", filepath.Base(r.Video.Path)},
		{"Length", clock(r.Video.DurationMS)},
		{"SHA-256", r.Video.SHA256},
	}
	if r.Video.SourceURL != "" {
		rows = append(rows, [2]string{"Address", r.Video.SourceURL})
	}
	rows = append(rows, [2]string{"Published", f.day(r.Facts.Published)}, [2]string{"Facts given", speaker})
	if unknown != "" {
		rows = append(rows, [2]string{"Unknown", unknown})
	}
	rows = append(rows,
		[2]string{"Rules as of", f.day(r.AsOf)},
		[2]string{"Audited on", f.moment(r.Run.StartedAt)},
		[2]string{"Prepared by", f.person(&in.Prepared, in.Created)},
	)
	approved := f.t("An approval is a signature of its own, in a file beside this one")
	if in.Approved != nil {
		approved = f.person(in.Approved, in.Created)
	}
	rows = append(rows, [2]string{"Approved by", approved})
	f.pairs(rows, map[string]bool{"SHA-256": true})
	f.gap(14)
	f.box(boxed{size, []pdf.Span{plain(f.t("This report lists potential issues for a person's decision, and what people decided. It is no legal advice and no legal finding. Where nothing was found, that means only that nothing was found."))}})
}

// brand draws the program's sign and name.
func (f *flow) brand() {
	f.page.Rule(left, f.y+6, left+5, f.y+14, 1.6, 0, ink)
	f.page.Rule(left+5, f.y+14, left+13, f.y+2, 1.6, 0, ink)
	lines := f.doc.Wrap([]pdf.Span{strong("VeriStream")}, 11, width)
	f.doc.Tag("P", func() { f.page.Text(lines[0], left+20, f.y+13, 11, width) })
	f.y += 20
}

func (f *flow) person(p *Person, at any) string {
	name := p.Name
	if name == "" {
		name = f.t("nobody named")
	}
	if p.Organisation != "" {
		name += ", " + p.Organisation
	}
	if !p.At.IsZero() {
		name += ", " + f.date(p.At)
	}
	return name
}

// facts writes the answers that a person gave, and the questions that stayed
// without an answer.
func (f *flow) facts(facts audit.Facts) (given, unknown string) {
	facts = facts.WithDefaults()
	var known, open []string
	for _, q := range []struct{ question, answer string }{
		{"speaker", facts.Speaker}, {"paid", facts.Paid}, {"audience", facts.Audience}, {"sponsor", facts.Sponsor}, {"options", facts.Options},
	} {
		if q.answer == audit.Unknown {
			open = append(open, f.t("? "+q.question))
			continue
		}
		known = append(known, f.t(q.question+": "+q.answer))
	}
	given = strings.Join(known, "; ")
	if given == "" {
		given = f.t("none")
	}
	return given, strings.Join(open, "; ")
}

func coverFrame(items []item) *Frame {
	for i := range items {
		if items[i].frame != nil {
			return items[i].frame
		}
	}
	return nil
}

// picture draws a frame of the video, with a dashed box where words were read.
func (f *flow) picture(fr *Frame, box *audit.Box, alt string, highest float64) {
	id := frameName(fr)
	pw, ph, err := f.doc.AddJPEG(id, fr.JPEG)
	if err != nil || pw == 0 || ph == 0 {
		f.note(plain(f.t("The frame could not be shown.")))
		return
	}
	w := width
	h := w * float64(ph) / float64(pw)
	if h > highest {
		h = highest
		w = h * float64(pw) / float64(ph)
	}
	f.room(h + 20)
	y := f.y
	f.doc.Figure(alt, func() { f.page.Image(id, left, y, w, h) })
	if box != nil && box.Width > 0 && box.Height > 0 {
		f.page.Frame(left+box.X*w-2, y+box.Y*h-2, box.Width*w+4, box.Height*h+4, 1.4, 4, pdf.Hex(0xf0b75c))
	}
	f.y += h + 4
}
