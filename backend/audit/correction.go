package audit

import (
	"slices"
	"strings"
	"time"
)

// FlagStruck is the flag of a line that a person struck out: nothing of the kind
// was said or shown.
const FlagStruck = "struck"

// Correction is what a person put in the place of a line of the transcript. It
// names the line by what the machine made of it, so that it holds in every later
// audit of the video that comes to the same words.
type Correction struct {
	Source  Source    `json:"source"`
	StartMS int64     `json:"start_ms"`
	EndMS   int64     `json:"end_ms"`
	Machine string    `json:"machine"` // its words
	Text    string    `json:"text"`    // the person's; empty strikes the line out
	By      string    `json:"by"`
	At      time.Time `json:"at"`
}

// Corrected stands with a line whose text is a person's.
type Corrected struct {
	Machine string    `json:"machine"`
	By      string    `json:"by"`
	At      time.Time `json:"at"`
}

// MachineText gives what the machine made of a line.
func (s Segment) MachineText() string {
	if s.Corrected != nil {
		return s.Corrected.Machine
	}
	return s.Text
}

// line names a line of a transcript.
type line struct {
	source     Source
	start, end int64
	machine    string
}

// Correct puts the corrections into a transcript; of several about one line the
// last counts, and one that says what the machine said takes those before it
// back. It gives the number of those that fit no line: another model came to
// other words.
func Correct(segments []Segment, corrections []Correction) (out []Segment, lost int) {
	last := map[line]Correction{}
	for _, c := range corrections {
		last[line{c.Source, c.StartMS, c.EndMS, c.Machine}] = c
	}
	out = append(out, segments...)
	for i, s := range out {
		at := line{s.Source, s.StartMS, s.EndMS, s.MachineText()}
		c, ok := last[at]
		if !ok {
			continue
		}
		delete(last, at)
		if c.Text == at.machine {
			if s.Corrected != nil {
				out[i].Corrected, out[i].Text, out[i].Flag, out[i].Words = nil, c.Text, "", nil
			}
			continue
		}
		out[i].Corrected = &Corrected{Machine: at.machine, By: c.By, At: c.At}
		if strings.TrimSpace(c.Text) == "" {
			out[i].Flag = FlagStruck
			continue
		}
		out[i].Flag, out[i].Text = "", c.Text
		out[i].Words = retimed(s.Words, strings.Fields(c.Text), s.StartMS, s.EndMS)
	}
	for _, c := range last {
		if c.Text != c.Machine {
			lost++
		}
	}
	return out, lost
}

// Waiting gives of each line the last correction, where the transcript is
// without it: it was made after the audit.
func Waiting(segments []Segment, corrections []Correction) []Correction {
	out := []Correction{}
	for _, seg := range segments {
		at := line{seg.Source, seg.StartMS, seg.EndMS, seg.MachineText()}
		for _, c := range slices.Backward(corrections) {
			if at != (line{c.Source, c.StartMS, c.EndMS, c.Machine}) {
				continue
			}
			now := seg.Text
			if seg.Flag == FlagStruck {
				now = ""
			}
			if c.Text != now {
				out = append(out, c)
			}
			break
		}
	}
	return out
}

// retimed gives the words of a corrected line their times: those that it begins
// and ends with as before keep theirs, the others share the time between.
func retimed(old []Word, texts []string, start, end int64) []Word {
	if len(old) == 0 {
		return nil
	}
	words := make([]Word, len(texts))
	head := 0
	for head < len(old) && head < len(texts) && old[head].Text == texts[head] {
		words[head] = old[head]
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(texts)-head && old[len(old)-1-tail].Text == texts[len(texts)-1-tail] {
		words[len(texts)-1-tail] = old[len(old)-1-tail]
		tail++
	}
	if head > 0 {
		start = old[head-1].EndMS
	}
	if tail > 0 {
		end = old[len(old)-tail].StartMS
	}
	n := int64(len(texts) - head - tail)
	for i := range n {
		words[head+int(i)] = Word{Text: texts[head+int(i)], StartMS: start + (end-start)*i/n, EndMS: start + (end-start)*(i+1)/n}
	}
	return words
}
