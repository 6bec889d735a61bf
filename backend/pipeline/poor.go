package pipeline

import (
	"fmt"
	"strconv"

	"veristream/backend/audit"
	"veristream/backend/transcribe"
)

// mostPoor is how many stretches of poor sound are named.
const mostPoor = 12

// tellPoorSound says where many words are uncertain: an audit of them may miss
// what was said, and quote what was not.
func (r *run) tellPoorSound(segments []audit.Segment) {
	poor := transcribe.PoorStretches(segments)
	if len(poor) == 0 {
		return
	}
	words, uncertain := 0, 0
	var where []string
	for _, p := range poor {
		words, uncertain = words+p.Words, uncertain+p.Uncertain
		if len(where) < mostPoor {
			where = append(where, clock(p.StartMS)+"–"+clock(p.EndMS))
		}
	}
	told := audit.Say("The sound is poor: {0} % of the words are uncertain there. Compare the transcript with the video.", strconv.Itoa((100*uncertain+words/2)/words)).
		And(audit.Say("Poor stretches: {*}.", where...))
	if more := len(poor) - len(where); more > 0 {
		told = told.And(audit.Say("There are {0} more.", strconv.Itoa(more)))
	}
	r.notice(told)
}

func clock(ms int64) string { return fmt.Sprintf("%d:%02d", ms/60_000, ms/1000%60) }
