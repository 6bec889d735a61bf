package report

import (
	"context"
	"fmt"

	"veristream/backend/audit"
	"veristream/backend/report/pdf"
)

// Render makes the report. Without a signer it is a draft and says so on every
// page.
func Render(ctx context.Context, in Input, signer *pdf.Signer) ([]byte, error) {
	if in.Result == nil {
		return nil, audit.Errorf(audit.CodeInternal, "There is no audit to report.")
	}
	lang := newLanguage(in.Language)
	f := &flow{language: lang, doc: pdf.New(pdf.Info{
		Title: lang.f("Audit report: %s", in.videoTitle()), Author: author(in.Prepared),
		Subject:  lang.t("Potential issues for a person's decision; no legal advice"),
		Language: lang.code, Producer: "VeriStream " + in.Program.Version, Created: in.Created,
	})}
	shown := in.shown()
	items := shown.items()
	for _, draw := range []func(){
		func() { f.cover(shown, items) },
		func() { f.summary(shown, items) },
		func() { f.since(shown, items) },
		func() { f.findings(shown, items) },
		func() { f.checked(shown) },
		func() { f.notApplicable(shown) },
		func() { f.dropped(shown) },
		func() { f.alignment(shown.Alignment) },
		func() { f.limits(shown, signer != nil) },
		func() { f.reproducing(shown) },
		func() { f.transcript(shown) },
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		draw()
	}
	f.running(&in, signer)
	files, err := in.attachments()
	if err != nil {
		return nil, fmt.Errorf("attach the evidence: %w", err)
	}
	for _, a := range files {
		f.doc.Attach(a)
	}
	out, err := f.doc.Finish(signer)
	if err != nil {
		return nil, fmt.Errorf("write the report: %w", err)
	}
	return out, nil
}

func author(p Person) string {
	if p.Organisation != "" {
		return p.Name + ", " + p.Organisation
	}
	return p.Name
}

// running writes the head and the foot of every page.
func (f *flow) running(in *Input, signer *pdf.Signer) {
	pages := f.doc.Pages()
	foot := f.t("Draft, not signed")
	if signer != nil {
		foot = f.f("Signed by %s", signer.Name)
	}
	const points = 7.8
	put := func(p *pdf.Page, s string, y float64, right bool, w float64) {
		lines := f.doc.Wrap([]pdf.Span{plain(s)}, points, w)
		if len(lines) == 0 {
			return
		}
		x := left
		if right {
			x += width - lines[0].Width
		}
		p.Text(lines[0], x, y, points, lines[0].Width)
	}
	for _, p := range pages {
		p.Head(func() {
			if p.Number() > 1 {
				put(p, in.videoTitle(), 3.9*em, false, width*0.7)
				put(p, p.Section, 3.9*em, true, width*0.28)
				p.Rule(left, 4.4*em, left+width, 4.4*em, 0.5, 0, hair)
			}
			put(p, foot, pdf.PageHeight-3*em, false, width*0.8)
			put(p, f.f("%d of %d", p.Number(), len(pages)), pdf.PageHeight-3*em, true, width*0.18)
		})
	}
}
