package transcribe_test

import (
	"reflect"
	"slices"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/transcribe"
)

// uttered makes segments of ten words a second each, of which some are uncertain.
func uttered(from int64, uncertain ...int) []audit.Segment {
	var out []audit.Segment
	for i, n := range uncertain {
		s := audit.Segment{Source: audit.Speech, StartMS: from + int64(i)*1000}
		s.EndMS = s.StartMS + 1000
		for w := range 10 {
			p := 0.9
			if w < n {
				p = 0.3
			}
			s.Words = append(s.Words, audit.Word{Text: "word", StartMS: s.StartMS + int64(w)*100, EndMS: s.StartMS + int64(w+1)*100, Probability: p})
		}
		out = append(out, s)
	}
	return out
}

func TestPoorStretches(t *testing.T) {
	ten := func(n int) []int { return []int{n, n, n, n, n, n, n, n, n, n} }
	flagged := uttered(10_000, ten(10)...)
	for i := range flagged {
		flagged[i].Flag = transcribe.FlagUnsure
	}
	for _, tt := range []struct {
		name     string
		segments []audit.Segment
		want     []transcribe.Poor
	}{
		{"nothing said", nil, nil},
		{"too little to tell", uttered(0, 10, 10, 10), nil},
		{"clear", uttered(0, ten(1)...), nil},
		{"poor", uttered(0, ten(3)...), []transcribe.Poor{{StartMS: 0, EndMS: 10_000, Words: 100, Uncertain: 30}}},
		{"poor in the middle", uttered(0, slices.Concat(ten(0), ten(3), ten(2), ten(1))...), []transcribe.Poor{{StartMS: 10_000, EndMS: 30_000, Words: 200, Uncertain: 50}}},
		{"what is left belongs to the last", uttered(0, append(ten(3), 3, 3)...), []transcribe.Poor{{StartMS: 0, EndMS: 12_000, Words: 120, Uncertain: 36}}},
		{"what is left out anyway does not count", append(uttered(0, ten(0)...), flagged...), nil},
	} {
		if got := transcribe.PoorStretches(tt.segments); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}
