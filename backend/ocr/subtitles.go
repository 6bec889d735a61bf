package ocr

import (
	"math"
	"strings"

	"veristream/backend/audit"
)

// FlagSubtitle is the flag of a text that only repeats what is said.
const FlagSubtitle = "subtitle of the speech"

const (
	// leastSubtitles in one band of the frame, most of them repeating the speech, are subtitles.
	// Fewer may be a claim or a disclosure that is both said and shown, which counts twice.
	leastSubtitles = 4
	repeatedShare  = 0.6
	bandHeight     = 0.08
	slackMS        = 1500
)

// FlagSubtitles flags burnt-in subtitles among the texts on the screen, so that
// they are not audited a second time. It works on the slice it is given.
func FlagSubtitles(screen, speech []audit.Segment) {
	words := speechWords(speech)
	repeats := make([]bool, len(screen))
	for i, s := range screen {
		repeats[i] = s.Box != nil && saidThen(s, words)
	}
	for i := range screen {
		if !repeats[i] || screen[i].Flag != "" {
			continue
		}
		all, repeating := 0, 0
		for j := range screen {
			if screen[j].Box != nil && math.Abs(middle(screen[j])-middle(screen[i])) < bandHeight {
				all++
				if repeats[j] {
					repeating++
				}
			}
		}
		if repeating >= leastSubtitles && float64(repeating) >= repeatedShare*float64(all) {
			screen[i].Flag = FlagSubtitle
		}
	}
}

func middle(s audit.Segment) float64 { return s.Box.Y + s.Box.Height/2 }

type spoken struct {
	word string
	at   int64
}

func speechWords(speech []audit.Segment) []spoken {
	var out []spoken
	for _, s := range speech {
		if len(s.Words) == 0 {
			for _, w := range strings.Fields(s.Text) {
				out = append(out, spoken{bare(w), (s.StartMS + s.EndMS) / 2})
			}
		}
		for _, w := range s.Words {
			out = append(out, spoken{bare(w.Text), w.StartMS})
		}
	}
	return out
}

// saidThen says whether most words of a text are said while it is shown.
func saidThen(s audit.Segment, words []spoken) bool {
	near := map[string]bool{}
	for _, w := range words {
		if w.at >= s.StartMS-slackMS && w.at <= s.EndMS+slackMS {
			near[w.word] = true
		}
	}
	all, said := 0, 0
	for _, w := range strings.Fields(s.Text) {
		if w = bare(w); w != "" {
			all++
			if near[w] {
				said++
			}
		}
	}
	return all >= 2 && said*10 >= all*8
}
