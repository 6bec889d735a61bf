package store

import "testing"

// Where each passage has one vector no row is asked for in vain; where it has
// several, enough for most searches to need one walk.
func TestRowsFollowWhatWasFound(t *testing.T) {
	var r repeats
	if got := r.rows("new", 40); got < 50 {
		t.Errorf("of an unknown partition %d rows are asked for", got)
	}
	for range 80 {
		r.saw("single", 40, 40)
		r.saw("several", 80, 40)
	}
	if got := r.rows("single", 40); got != 40 {
		t.Errorf("with one vector a passage %d rows are asked for, not 40", got)
	}
	if got := r.rows("several", 40); got < 80 || got > 100 {
		t.Errorf("with two vectors a passage %d rows are asked for", got)
	}
	r.saw("several", 0, 0) // an empty partition tells nothing
	if got := r.rows("several", 40); got < 80 {
		t.Errorf("after an empty search %d rows are asked for", got)
	}
}
