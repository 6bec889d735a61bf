package report

import (
	"time"

	"veristream/backend/audit"
	"veristream/backend/report/pdf"
)

// transcriptLine is a line of the transcript as the papers show it.
type transcriptLine struct {
	audit.Segment
	shown string // the words, and before them why they were left out
	note  string // whose words they are, where they are not the machine's alone
}

// transcriptLines gives the transcript with the marks of what people corrected.
func (l language) transcriptLines(in *Input) []transcriptLine {
	out := make([]transcriptLine, len(in.Result.Segments))
	for i, s := range in.Result.Segments {
		out[i] = transcriptLine{Segment: s, shown: s.Text, note: l.correctedNote(in, &s)}
		if s.Flag != "" {
			out[i].shown = "[" + l.word(s.Flag) + "] " + s.Text
		}
	}
	return out
}

// correctedNote says of a line who corrected it and when, and what the machine
// had made of it; "" of a line that nobody corrected.
func (l language) correctedNote(in *Input, s *audit.Segment) string {
	if s == nil {
		return ""
	}
	note := ""
	if c := s.Corrected; c != nil {
		if s.Flag == audit.FlagStruck {
			note = l.f("Struck out by %s, %s.", l.who(c.By), l.moment(c.At))
		} else {
			note = l.f("Corrected by %s, %s. The machine wrote: “%s”", l.who(c.By), l.moment(c.At), c.Machine)
		}
	}
	for _, c := range audit.Waiting([]audit.Segment{*s}, in.Corrections) {
		if note != "" {
			note += "\n"
		}
		if c.Text == "" {
			note += l.f("Struck out by %s, %s, after this audit, which read these words.", l.who(c.By), l.moment(c.At))
		} else {
			note += l.f("Corrected by %s, %s, after this audit, which read these words. They should be: “%s”", l.who(c.By), l.moment(c.At), c.Text)
		}
	}
	return note
}

func (l language) who(name string) string {
	if name == "" {
		return l.t("not known")
	}
	return name
}

// correctedCell adds the note below the words of a line.
func correctedCell(line transcriptLine) cell {
	c := words(line.shown)
	if line.Flag != "" {
		c.spans = []pdf.Span{plain(line.shown)}
	}
	if line.note != "" {
		c.spans = append(c.spans, plain("\n"+line.note))
	}
	return c
}

// corrections counts the lines that people corrected, and those whose
// correction came after the audit; "" when there are none.
func (f *flow) corrections(in *Input) string {
	n := 0
	for _, s := range in.Result.Segments {
		if s.Corrected != nil {
			n++
		}
	}
	text := ""
	if n > 0 {
		text = f.count(n, "One line was corrected by a person before the audit.", "%d lines were corrected by people before the audit.")
	}
	if n = len(audit.Waiting(in.Result.Segments, in.Corrections)); n > 0 {
		if text != "" {
			text += " "
		}
		text += f.count(n, "One line was corrected afterwards: the audit read the words before that.", "%d lines were corrected afterwards: the audit read the words before that.")
	}
	if text != "" {
		text += " " + f.t("The transcript marks them.")
	}
	return text
}

// transcriptHead names the columns of the transcript's table.
var transcriptHead = []string{"source", "start_ms", "end_ms", "time", "words", "machine_words", "corrected_by", "corrected_at", "note"}

// transcriptRows gives the transcript as a table, the machine's words beside a person's.
func (l language) transcriptRows(in *Input) [][]string {
	rows := make([][]string, 0, len(in.Result.Segments))
	for _, line := range l.transcriptLines(in) {
		source := string(line.Source)
		if l.code != "en" {
			source = l.t("channel " + source)
		}
		row := []string{source, itoa(int(line.StartMS)), itoa(int(line.EndMS)), clock(line.StartMS), line.shown, "", "", "", line.note}
		if c := line.Corrected; c != nil {
			row[5], row[6], row[7] = c.Machine, l.who(c.By), c.At.UTC().Format(time.RFC3339)
		}
		rows = append(rows, row)
	}
	return rows
}
