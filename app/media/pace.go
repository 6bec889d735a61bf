package media

import (
	"context"
	"io"
	"os"
	"time"
)

// The webview reads a film as fast as it is given and keeps what it has not
// played: its network process what is on the way, its player up to a fiftieth of
// the film and what came before it could say stop. So a film is given as fast as
// it is played many times over, and no faster.
const (
	atOnce  = 4 << 20  // of a response: what the player needs for the first picture
	ends    = 32 << 20 // of the file: containers keep their index at one of its ends
	slowest = 1 << 20  // bytes a second: eight megabits, whatever the film has on average
	faster  = 8        // than the film on average
)

// paced is a film that is read no faster than its pace.
type paced struct {
	*os.File
	ctx   context.Context //nolint:containedctx // of the one request that reads
	size  int64
	rate  int64 // bytes a second
	at    int64
	given int64     // since begun, what counts
	begun time.Time // when the first byte was read after a seek
}

// pace gives a film of this size and length its pace.
func pace(ctx context.Context, f *os.File, size, durationMS int64) *paced {
	rate := int64(slowest)
	if durationMS > 0 {
		rate = max(rate, faster*size/durationMS*1000)
	}
	return &paced{File: f, ctx: ctx, size: size, rate: rate}
}

// Seek implements io.Seeker: each response begins with one.
func (p *paced) Seek(offset int64, whence int) (int64, error) {
	at, err := p.File.Seek(offset, whence)
	p.at, p.given, p.begun = at, 0, time.Time{}
	return at, err //nolint:wrapcheck // net/http asks for the file's own error
}

// Read implements io.Reader.
func (p *paced) Read(b []byte) (int, error) {
	if p.begun.IsZero() {
		p.begun = time.Now()
	}
	if err := p.wait(); err != nil {
		return 0, err
	}
	n, err := p.File.Read(b)
	if p.at >= ends && p.at < p.size-ends {
		p.given += int64(n)
	}
	p.at += int64(n)
	return n, err //nolint:wrapcheck // io.EOF is one of them
}

// wait waits until what was given is due.
func (p *paced) wait() error {
	due := time.Duration(float64(p.given-atOnce) / float64(p.rate) * float64(time.Second))
	ahead := due - time.Since(p.begun)
	if ahead <= 0 {
		return nil
	}
	timer := time.NewTimer(ahead)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-p.ctx.Done():
		return io.ErrUnexpectedEOF
	}
}
