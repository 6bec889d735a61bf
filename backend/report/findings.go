package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"veristream/backend/audit"
	"veristream/backend/report/pdf"
	"veristream/backend/said"
)

// frameName names a frame's file among the attachments.
func frameName(fr *Frame) string { return fmt.Sprintf("frame-%09d.jpg", fr.AtMS) }

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// findings writes every finding, the dismissed ones too.
func (f *flow) findings(in *Input, items []item) {
	for i, it := range items {
		f.section = f.f("Finding %d of %d", it.number, len(items))
		if i == 0 || f.y > bottom-345 {
			f.newPage()
		} else {
			f.gap(16)
			f.page.Rule(left, f.y, left+width, f.y, 0.6, 0, hair)
			f.gap(10)
			if f.page.Section != f.section && !strings.HasSuffix(f.page.Section, "…") {
				f.page.Section += " …"
			}
		}
		if i == 0 {
			f.doc.Bookmark(0, f.t("Findings"), f.y)
		}
		f.finding(in, it)
	}
}

func (f *flow) finding(in *Input, it item) {
	f.head(in, it)
	seg, at := in.segment(it)
	if it.frame != nil {
		var box *audit.Box
		if seg != nil {
			box = seg.Box
		}
		f.gap(6)
		f.picture(it.frame, box, f.f("Frame of the video at %s", clock(it.frame.AtMS)), 230)
		caption := f.f("Frame at %s.", clock(it.frame.AtMS))
		if box != nil {
			caption += " " + f.t("The dashed box is where the words were read.")
		}
		f.note(plain(caption+" SHA-256 "), pdf.Span{Text: hashOf(it.frame.JPEG), Color: ink2, Weight: pdf.Mono})
	}
	if it.Excerpt != "" {
		f.part(f.t("The words, in their place") + f.originalNote(in.Result.Video.Language))
		f.para(in.inContext(it, seg, at)...)
		if note := f.correctedNote(in, seg); note != "" {
			f.note(plain(note))
		}
	}
	if it.Evidence != "" {
		f.part(f.t("Evidence"))
		f.para(plain(it.Evidence))
		if it.Excerpt == "" {
			f.note(plain(f.f("Looked at from %s to %s.", clock(it.StartMS), clock(it.EndMS))))
		}
	}
	f.rule(it)
	f.textPart("Why", it.Rationale)
	f.textPart("Why it can apply", it.Applies)
	f.textPart("What would help, a draft", it.Remedy)
	f.decision(in, it)
}

func (f *flow) head(in *Input, it item) {
	lines := f.doc.Wrap([]pdf.Span{strong(in.title(it.Category))}, 14, width-20)
	f.room(float64(len(lines))*14*1.3 + 60)
	name := fmt.Sprintf("%s  %s", clock(it.StartMS), in.title(it.Category))
	f.doc.Bookmark(1, name, f.y)
	f.doc.Place(place(it), f.y-8)
	f.sign(it.severity, left+6, f.y+10, 6)
	f.doc.Tag("H2", func() { f.lines(lines, left+20, 14, 1.3, width-20) })
	f.gap(3)
	spans := []pdf.Span{strong(f.t(string(it.severity)))}
	if it.severity != it.Severity {
		spans = append(spans, plain(" "+f.f("(found as %s)", f.t(string(it.Severity)))))
	}
	status := f.t("all checks passed")
	if it.Status == audit.NeedsReview {
		status = f.t("needs review")
	}
	spans = append(spans, plain(", "+status+". "+f.t("source "+string(it.Source))+" "), strong(clock(it.StartMS)), plain(" "+f.t("to")+" "), strong(clock(it.EndMS)), plain("."))
	f.para(spans...)
}

// segment finds the segment in which a finding's words stand.
func (in *Input) segment(it item) (*audit.Segment, int) {
	segs := in.Result.Segments
	if it.SegmentID != "" {
		if i := slices.IndexFunc(segs, func(s audit.Segment) bool { return s.ID == it.SegmentID }); i >= 0 {
			return &segs[i], i
		}
	}
	if it.Excerpt == "" {
		return nil, -1
	}
	for i := range segs {
		s := &segs[i]
		if s.Source == it.Source && s.StartMS <= it.EndMS && it.StartMS <= s.EndMS && strings.Contains(s.Text, it.Excerpt) {
			return s, i
		}
	}
	return nil, -1
}

// inContext gives the words with what stands before and after them.
func (in *Input) inContext(it item, seg *audit.Segment, at int) []pdf.Span {
	marked := pdf.Span{Text: it.Excerpt, Color: ink, Mark: &mark, Dash: &amber}
	if seg == nil {
		return []pdf.Span{marked}
	}
	near := func(step int) string {
		for i := at + step; i >= 0 && i < len(in.Result.Segments); i += step {
			if s := in.Result.Segments[i]; s.Source == seg.Source && s.Flag == "" {
				return s.Text
			}
		}
		return ""
	}
	before, after, ok := strings.Cut(seg.Text, it.Excerpt)
	if !ok {
		return []pdf.Span{marked}
	}
	var out []pdf.Span
	if s := near(-1); s != "" {
		out = append(out, plain(s+between(s, seg.Text)))
	}
	if before != "" {
		out = append(out, plain(before))
	}
	out = append(out, marked)
	if after != "" {
		out = append(out, plain(after))
	}
	if s := near(1); s != "" {
		out = append(out, plain(between(seg.Text, s)+s))
	}
	return out
}

// between sets two sentences apart: in one line where they are written in the
// same direction, else in lines of their own, because a line has one order.
func between(a, b string) string {
	if pdf.StartsRight(a) != pdf.StartsRight(b) {
		return "\n"
	}
	return " "
}

// rule prints the paragraph as it stood when the audit ran.
func (f *flow) rule(it item) {
	heading := it.Citation
	if it.Rule.Citation != "" {
		heading = it.Rule.Citation
	}
	f.part(heading)
	if it.Rule.Title != "" {
		f.para(plain(it.Rule.Title))
		f.gap(2)
	}
	origin := f.t("Rule card, in the program's own words.")
	if it.Rule.Official {
		origin = f.t("Official text.")
	}
	if it.Rule.Source != "" {
		origin += " " + it.Rule.Source + "."
	}
	if it.Rule.AsOf != "" {
		origin += " " + f.f("In force on %s.", f.day(it.Rule.AsOf))
	}
	if f.code == "de" {
		origin += " " + f.f("Title and text: %s.", said.Original(said.RuleLanguage(it.Citation)))
	}
	if it.Rule.SHA256 != "" {
		origin += " SHA-256 " + it.Rule.SHA256
	}
	f.box(boxed{size, []pdf.Span{dark(it.Rule.Text)}}, boxed{small, []pdf.Span{plain(origin)}})
	if len(it.Related) > 0 {
		f.note(plain(f.t("See also:") + " " + strings.Join(it.Related, ", ")))
	}
}

func (f *flow) textPart(heading, s string) {
	if s == "" {
		return
	}
	f.part(f.t(heading))
	f.para(plain(s))
}

func (f *flow) decision(in *Input, it item) {
	f.part(f.t("Decision"))
	switch {
	case it.last == nil || it.state == stateOpen:
		f.para(strong(f.t("Open.")), plain(" "+f.t("Nobody has decided about it.")))
	default:
		f.para(strong(f.t("state "+it.state)+"."), plain(" "+f.f("By %s, %s.", it.last.By, f.moment(it.last.At))))
		if it.last.Reason != "" {
			f.para(plain(f.t("Reason:")+" "), dark(it.last.Reason))
		}
		if note := f.carriedNote(in, it.last); note != "" {
			f.para(strong(note))
		}
	}
	for i, d := range it.history {
		if it.last != nil && i == it.lastAt && it.state != stateOpen {
			continue
		}
		line := f.moment(d.At) + ", " + d.By + ": " + f.t("did "+d.Action)
		if d.Action == "severity" {
			line += " " + f.t(string(d.Severity))
		}
		if d.Reason != "" {
			line += ". " + d.Reason
		}
		if note := f.carriedNote(in, &d); note != "" {
			line += ". " + note
		}
		f.note(plain(line))
	}
	if in.Measured == nil {
		return
	}
	if m, ok := in.Measured.Categories[it.Category]; ok {
		f.note(plain(f.f("Measured for this category: precision %s (%s), recall %s (%s).", m.Precision, m.Precision.doubt(), m.Recall, m.Recall.doubt())))
	}
}
