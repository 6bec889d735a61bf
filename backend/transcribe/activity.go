package transcribe

import (
	"context"
	"math"
	"slices"

	"veristream/backend/wav"
)

// frameMS is the grain of the look at loudness.
const frameMS = 20

const (
	// floorPercentile finds the loudness of the pauses; speech must be this much above it.
	floorPercentile = 0.10
	aboveFloorDB    = 7.0
	// quietDB is silence whatever the rest is like (full scale is 0 dB); belowPeakDB drops what is far
	// below the loudest, which is breath and room.
	quietDB     = -58.0
	belowPeakDB = 42.0
	// Sounds nearer to each other than joinMS belong together; shorter ones than clickMS are clicks.
	joinMS  = 400
	clickMS = 60
	// padMS is kept around each stretch: consonants are quieter than vowels.
	padMS = 250
)

// Span is a stretch of time.
type Span struct{ StartMS, EndMS int64 }

// Activity is the loudness of a recording, frame by frame, and the stretches
// in which something is to be heard.
type Activity struct {
	db    []float32
	Spans []Span
	total int64
}

// Listen measures a recording.
func Listen(ctx context.Context, r *wav.Reader) (*Activity, error) {
	size := int64(r.Rate()) * frameMS / 1000
	a := &Activity{total: r.DurationMS(), db: make([]float32, 0, r.Samples()/size+1)}
	buf := make([]int16, size*512)
	for at := int64(0); at < r.Samples(); {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := r.Read(buf, at)
		if err != nil {
			return nil, err
		}
		for from := 0; from < n; from += int(size) {
			a.db = append(a.db, loudness(buf[from:min(n, from+int(size))]))
		}
		at += int64(n)
	}
	a.Spans = a.findSpans()
	return a, nil
}

// loudness gives the power of a frame in dB of full scale, without its offset.
func loudness(frame []int16) float32 {
	var sum, squares float64
	for _, s := range frame {
		v := float64(s) / 32768
		sum += v
		squares += v * v
	}
	n := float64(len(frame))
	power := squares/n - (sum/n)*(sum/n)
	return float32(10 * math.Log10(math.Max(power, 1e-12)))
}

// findSpans finds the stretches above a threshold that follows the recording.
func (a *Activity) findSpans() []Span {
	if len(a.db) == 0 {
		return nil
	}
	sorted := slices.Clone(a.db)
	slices.Sort(sorted)
	floor := float64(sorted[int(float64(len(sorted)-1)*floorPercentile)])
	peak := float64(sorted[int(float64(len(sorted)-1)*0.995)])
	threshold := math.Max(quietDB, math.Max(floor+aboveFloorDB, peak-belowPeakDB))
	// Speech without a pause, or over steady music, has no floor: do not cut into it.
	threshold = math.Min(threshold, math.Max(quietDB, peak-18))
	var spans []Span
	for i := 0; i < len(a.db); i++ {
		if float64(a.db[i]) < threshold {
			continue
		}
		from := i
		for i < len(a.db) && float64(a.db[i]) >= threshold {
			i++
		}
		s := Span{int64(from) * frameMS, int64(i) * frameMS}
		if n := len(spans); n > 0 && s.StartMS-spans[n-1].EndMS < joinMS {
			spans[n-1].EndMS = s.EndMS
		} else {
			spans = append(spans, s)
		}
	}
	spans = slices.DeleteFunc(spans, func(s Span) bool { return s.EndMS-s.StartMS < clickMS })
	for i := range spans {
		spans[i].EndMS = min(spans[i].EndMS, a.total)
	}
	return spans
}

// Share says how much of a stretch lies within sound, from 0 to 1.
func (a *Activity) Share(from, to int64) float64 {
	if to <= from {
		return 0
	}
	heard := int64(0)
	for _, s := range a.Spans {
		if lo, hi := max(from, s.StartMS), min(to, s.EndMS); hi > lo {
			heard += hi - lo
		}
	}
	return float64(heard) / float64(to-from)
}

// swing gives how much the loudness of a stretch varies: its standard
// deviation in dB.
func (a *Activity) swing(from, to int64) float64 {
	lo, hi := int(from/frameMS), min(int(to/frameMS), len(a.db))
	if hi-lo < 5 {
		return math.Inf(1) // too short to tell
	}
	var sum, squares float64
	for _, v := range a.db[lo:hi] {
		sum += float64(v)
		squares += float64(v) * float64(v)
	}
	n := float64(hi - lo)
	return math.Sqrt(math.Max(0, squares/n-(sum/n)*(sum/n)))
}

// quietest gives the quietest moment of a stretch: where to cut.
func (a *Activity) quietest(from, to int64) int64 {
	const around = 5 // frames that are averaged: a pause, not a gap within a word
	best, at := math.Inf(1), from
	for i := int(from / frameMS); i+around < min(int(to/frameMS), len(a.db)); i++ {
		sum := 0.0
		for _, v := range a.db[i : i+around] {
			sum += float64(v)
		}
		if sum < best {
			best, at = sum, (int64(i)+around/2)*frameMS
		}
	}
	return at
}
