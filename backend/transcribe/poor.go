package transcribe

import "veristream/backend/audit"

// What tells poor sound, as measured with and without noise (eval/MEDIA.md): of
// clear speech at most 15 of a hundred words are less probable than this, of
// speech in loud noise 18 and more.
const (
	uncertainBelow = 0.5
	poorShare      = 0.17
	// poorWords is how many words are looked at together: fewer tell too little.
	poorWords = 100
)

// Poor is a stretch of speech in which many words are uncertain.
type Poor struct {
	StartMS, EndMS   int64
	Words, Uncertain int
}

// PoorStretches finds where the sound was too poor to rely on the words. The
// words stay in the audit: most of them are right.
func PoorStretches(segments []audit.Segment) []Poor {
	var words []audit.Word
	for _, s := range segments {
		if s.Source == audit.Speech && s.Flag == "" {
			words = append(words, s.Words...)
		}
	}
	var out []Poor
	joined := false
	for len(words) >= poorWords {
		n := poorWords
		if len(words) < 2*poorWords { // what is left would be too little by itself
			n = len(words)
		}
		block := Poor{StartMS: words[0].StartMS, EndMS: words[n-1].EndMS, Words: n}
		for _, w := range words[:n] {
			if w.Probability > 0 && w.Probability < uncertainBelow {
				block.Uncertain++
			}
		}
		words = words[n:]
		switch {
		case float64(block.Uncertain) < poorShare*float64(n):
			joined = false
			continue
		case joined:
			last := &out[len(out)-1]
			last.EndMS, last.Words, last.Uncertain = block.EndMS, last.Words+n, last.Uncertain+block.Uncertain
		default:
			out = append(out, block)
		}
		joined = true
	}
	return out
}
