package window

import "testing"

func TestResting(t *testing.T) {
	const mb = 1 << 20
	var r resting
	for i, c := range []struct {
		now  uint64
		free bool
		why  string
	}{
		{30 * mb, false, "it starts: at work"},
		{30*mb + 100, true, "it came to rest after work"},
		{30*mb + 200, false, "nothing was taken since"},
		{31 * mb, false, "little was taken since"},
		{60 * mb, false, "an audit is read"},
		{90 * mb, false, "and sent"},
		{90 * mb, true, "it came to rest again"},
	} {
		if got := r.look(c.now); got != c.free {
			t.Errorf("look %d (%s): gives back: %v", i, c.why, got)
		}
	}
}

func TestTaken(t *testing.T) {
	before := taken()
	kept := make([]byte, 4<<20)
	if got := taken() - before; got < uint64(len(kept)) {
		t.Errorf("%d bytes were taken, and it counts %d", len(kept), got)
	}
}
