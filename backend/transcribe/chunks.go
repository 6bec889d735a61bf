package transcribe

const (
	// firstChunkMS is short so that the first lines come early; chunkMS is about ten minutes: what is
	// lost at most when the worker dies.
	firstChunkMS = 60_000
	chunkMS      = 600_000
	// longPauseMS and more of silence is cut down to the padding on both sides.
	longPauseMS = 1200
	// leastMS of sound is needed for a word to be in it.
	leastMS = 120
)

// Chunk is a part of a recording that is recognised in one go: the stretches
// of sound in it, long pauses between them taken out.
type Chunk struct {
	StartMS, EndMS int64 // in the recording
	Keep           []Span
}

// KeptMS is the length of what is given to the model.
func (c Chunk) KeptMS() int64 {
	sum := int64(0)
	for _, s := range c.Keep {
		sum += s.EndMS - s.StartMS
	}
	return sum
}

// Plan cuts a recording into chunks at pauses. It depends on the recording
// alone, so a run that begins later finds the same chunks.
func (a *Activity) Plan() []Chunk {
	heard := int64(0)
	for _, s := range a.Spans {
		heard += s.EndMS - s.StartMS
	}
	if heard < leastMS {
		return nil
	}
	var chunks []Chunk
	limit := int64(firstChunkMS)
	cur := Chunk{}
	flush := func(end int64) {
		if len(cur.Keep) > 0 {
			cur.EndMS = end
			chunks = append(chunks, cur)
			limit = chunkMS
		}
		cur = Chunk{StartMS: end}
	}
	for _, s := range a.padded() {
		for {
			if len(cur.Keep) > 0 && cur.KeptMS()+s.EndMS-s.StartMS > limit && cur.KeptMS() > limit/3 {
				flush((cur.Keep[len(cur.Keep)-1].EndMS + s.StartMS) / 2)
			}
			room := limit - cur.KeptMS()
			if s.EndMS-s.StartMS <= room {
				break
			}
			// Sound without a pause that is longer than a chunk: cut it where it is quietest.
			at := a.quietest(s.StartMS+room*2/3, s.StartMS+room)
			cur.Keep = append(cur.Keep, Span{s.StartMS, at})
			s.StartMS = at
			flush(at)
		}
		cur.Keep = append(cur.Keep, s)
	}
	flush(a.total)
	return chunks
}

// padded gives the stretches with some room around them, joined where the
// pause between them is not long.
func (a *Activity) padded() []Span {
	var out []Span
	for _, s := range a.Spans {
		p := Span{max(0, s.StartMS-padMS), min(a.total, s.EndMS+padMS)}
		if n := len(out); n > 0 && s.StartMS-a.lastEnd(out) < longPauseMS {
			out[n-1].EndMS = p.EndMS
			continue
		}
		out = append(out, p)
	}
	return out
}

func (a *Activity) lastEnd(out []Span) int64 { return out[len(out)-1].EndMS - padMS }

// toRecording maps a time within what the model was given to the recording. A
// time at a seam belongs to the stretch before it when it is an end, and to the
// one after it when it is a beginning.
func (c Chunk) toRecording(ms int64, isEnd bool) int64 {
	at := int64(0)
	for i, s := range c.Keep {
		length := s.EndMS - s.StartMS
		if ms < at+length || (isEnd && ms == at+length) || i == len(c.Keep)-1 {
			return min(s.EndMS, s.StartMS+max(0, ms-at))
		}
		at += length
	}
	return c.StartMS + ms
}
