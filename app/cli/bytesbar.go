package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"veristream/models"
)

// bytesBar shows the progress of a download or a check: one line that is
// redrawn on a terminal, a line for each stage and each quarter elsewhere.
type bytesBar struct {
	out   io.Writer
	width int // of the terminal; 0 where there is none
	stage string
	next  int64 // the quarter that is told next
	drawn bool
}

func newBytesBar(out io.Writer) *bytesBar {
	b := &bytesBar{out: out}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		b.width = 80
		if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 20 {
			b.width = w
		}
	}
	return b
}

// Report is a models.ProgressFunc.
func (b *bytesBar) Report(p models.Progress) {
	switch p.Stage {
	case models.StageSource:
		b.end()
		fmt.Fprintf(b.out, "%s: %s did not work: %v\n", p.Model, p.Source, p.Err)
		b.stage = ""
		return
	case models.StageDone:
		b.end()
		b.stage = ""
		return
	case models.StageWaiting:
		b.end()
		fmt.Fprintf(b.out, "%s: waiting for another VeriStream that is fetching it\n", p.Model)
		return
	}
	if b.width > 0 {
		b.draw(p)
		return
	}
	if at := p.Model + string(p.Stage) + p.Source; at != b.stage {
		b.stage, b.next = at, 1
		fmt.Fprintf(b.out, "%s: %s, %s%s\n", p.Model, p.Stage, sizeOf(p.Total), fromSource(p.Source))
	}
	if p.Total > 0 && p.Done < p.Total && p.Done*4/p.Total >= b.next {
		b.next = p.Done*4/p.Total + 1
		fmt.Fprintf(b.out, "%s: %s %d %%%s\n", p.Model, p.Stage, p.Done*100/p.Total, pace(p))
	}
}

func (b *bytesBar) draw(p models.Progress) {
	if at := p.Model + string(p.Stage) + p.Source; at != b.stage {
		b.end()
		b.stage = at
	}
	head := fmt.Sprintf("%s %-8s ", p.Model, p.Stage)
	tail := " " + models.FormatBytes(p.Done)
	bar := ""
	if p.Total > 0 {
		tail = fmt.Sprintf(" %3d %% of %s%s", p.Done*100/p.Total, models.FormatBytes(p.Total), pace(p))
		// The bar gives way on a narrow terminal; figures do not.
		if room := min(30, b.width-1-len(head)-len(tail)-2); room >= 8 {
			full := int(p.Done * int64(room) / p.Total)
			bar = "[" + strings.Repeat("=", full) + strings.Repeat(" ", room-full) + "]"
		}
	}
	line := head + bar + tail
	if len(line) > b.width-1 {
		line = line[:b.width-1]
	}
	fmt.Fprintf(b.out, "\r\x1b[2K%s", line)
	b.drawn = true
}

// end leaves the last drawing on a line of its own.
func (b *bytesBar) end() {
	if b.drawn {
		fmt.Fprintln(b.out)
		b.drawn = false
	}
}

func pace(p models.Progress) string {
	s := ""
	if p.Rate > 0 {
		s = fmt.Sprintf(", %s/s", models.FormatBytes(int64(p.Rate)))
	}
	if p.ETA > 0 {
		s += ", " + clock(p.ETA) + " left"
	}
	return s
}

// clock writes a duration as minutes and seconds, with hours where needed.
func clock(d time.Duration) string {
	s := int(d.Seconds())
	if s >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	}
	return fmt.Sprintf("%d:%02d", s/60, s%60)
}

func sizeOf(n int64) string {
	if n <= 0 {
		return "size unknown"
	}
	return models.FormatBytes(n)
}

func fromSource(source string) string {
	if source == "" {
		return ""
	}
	return " from " + source
}
