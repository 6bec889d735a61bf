package cli

import (
	"fmt"
	"io"
	"time"
)

// timeBar shows how far a step has come through a recording: redrawn on a
// terminal, a line for each quarter elsewhere.
type timeBar struct {
	bytesBar
	what  string
	began time.Time
	last  time.Time
}

func newTimeBar(out io.Writer, what string) *timeBar {
	return &timeBar{bytesBar: *newBytesBar(out), what: what, began: time.Now()}
}

// At tells a place, in milliseconds of the recording.
func (b *timeBar) At(done, total int64) {
	if total <= 0 {
		return
	}
	now := time.Now()
	left := ""
	if elapsed := now.Sub(b.began); done > 0 && done < total && elapsed > time.Second {
		left = ", " + clock(time.Duration(float64(elapsed)*float64(total-done)/float64(done))) + " left"
	}
	percent := done * 100 / total
	if b.width > 0 {
		if now.Sub(b.last) < 100*time.Millisecond && done < total {
			return
		}
		b.last = now
		line := fmt.Sprintf("%s %3d %% of %s%s", b.what, percent, clock(time.Duration(total)*time.Millisecond), left)
		fmt.Fprintf(b.out, "\r\x1b[2K%.*s", b.width-1, line)
		b.drawn = true
		return
	}
	if done*4/total >= b.next {
		b.next = done*4/total + 1
		fmt.Fprintf(b.out, "%s %d %%%s\n", b.what, percent, left)
	}
}
