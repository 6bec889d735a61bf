package media

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// sparse makes a film of that size that takes no room.
func sparse(t *testing.T, size int64) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "film.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	if err := f.Truncate(size); err != nil {
		t.Fatal(err)
	}
	return f
}

// read reads n bytes from an offset, with a reader whose time is up when it
// would have to wait: what it got is what flows freely.
func read(t *testing.T, size, offset, n int64) (int64, error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := pace(ctx, sparse(t, size), size, 1000*3600)
	if _, err := p.Seek(offset, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	return io.CopyN(io.Discard, p, n)
}

func TestPace(t *testing.T) {
	const size = 1 << 30
	for _, c := range []struct {
		name      string
		offset, n int64
		free      bool
	}{
		{"the index at the begin", 0, ends, true},
		{"the index at the end", size - ends, ends, true},
		{"the first picture after a seek", size / 2, atOnce, true},
		{"the middle of the film", size / 2, 64 << 20, false},
		{"from the begin into the film", 0, ends + 64<<20, false},
	} {
		got, err := read(t, size, c.offset, c.n)
		if c.free && (err != nil || got != c.n) {
			t.Errorf("%s: %d of %d bytes flow freely: %v", c.name, got, c.n, err)
		}
		if !c.free && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %d bytes flow without a wait (%v)", c.name, got, err)
		}
	}
}

func TestPaceRate(t *testing.T) {
	const hour = 3_600_000
	f := sparse(t, 1)
	for _, c := range []struct{ size, ms, rate int64 }{
		{100 << 20, hour, slowest}, // a talk
		{36_000_000_000, hour, 80_000_000},
		{100 << 20, 0, slowest}, // of unknown length
	} {
		if got := pace(t.Context(), f, c.size, c.ms).rate; got != c.rate {
			t.Errorf("%d bytes in %d ms flow with %d bytes a second, not %d", c.size, c.ms, got, c.rate)
		}
	}
}

// TestPaceGoesOn reads past what flows at once, and what it gets is the film.
func TestPaceGoesOn(t *testing.T) {
	const size = 256 << 20
	f := sparse(t, size)
	want := []byte("here")
	if _, err := f.WriteAt(want, size/2+atOnce+64<<10); err != nil {
		t.Fatal(err)
	}
	p := pace(t.Context(), f, size, 1000)
	p.rate = 100 << 20
	if _, err := p.Seek(size/2, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	p.begun = time.Now()
	got := make([]byte, atOnce+64<<10+len(want))
	if _, err := io.ReadFull(p, got); err != nil {
		t.Fatal(err)
	}
	if string(got[len(got)-len(want):]) != string(want) {
		t.Errorf("the film goes on with %q", got[len(got)-len(want):])
	}
}
