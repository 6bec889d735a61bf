package window

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// A large audit that was read, put into JSON and sent leaves several times its
// size behind, which the runtime keeps for minutes. So what was left over is
// given back to the system whenever the program comes to rest.
const (
	restLook  = 4 * time.Second
	restQuiet = 1 << 20 // bytes that a program at rest takes between two looks
	restWorth = 8 << 20 // bytes taken since the last time that make it worth a collection
)

// rest gives memory back until ctx ends.
func rest(ctx context.Context) {
	tick := time.NewTicker(restLook)
	defer tick.Stop()
	var r resting
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if r.look(taken()) {
				debug.FreeOSMemory()
			}
		}
	}
}

// resting remembers how much had been taken when it looked.
type resting struct{ last, freed uint64 }

// look says whether to give memory back now: much was taken since the last time,
// and little since the last look.
func (r *resting) look(now uint64) bool {
	quiet := now-r.last < restQuiet
	r.last = now
	if !quiet || now-r.freed < restWorth {
		return false
	}
	r.freed = now
	return true
}

// taken is how many bytes were allocated since the program began.
func taken() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
