package pipeline

import (
	"time"

	"veristream/backend/audit"
)

// Stage names a stage of an audit, in the order in which they start.
type Stage string

// The stages.
const (
	StageProbe      Stage = "probe"      // look at the file, hash it
	StageAudio      Stage = "audio"      // take out the sound
	StageTranscribe Stage = "transcribe" // write down speech
	StageScreen     Stage = "screen"     // read screens
	StageScreening  Stage = "screening"  // look for claims
	StageJudge      Stage = "judge"      // judge claims
	StageTests      Stage = "tests"      // tests over the whole video
	StageVerify     Stage = "verify"     // verify words and citations
)

// Stages lists them all, in order.
func Stages() []Stage {
	return []Stage{
		StageProbe, StageAudio, StageTranscribe, StageScreen,
		StageScreening, StageJudge, StageTests, StageVerify,
	}
}

// State is that of one stage.
type State string

// The states of a stage.
const (
	Waits   State = "waits"
	Runs    State = "runs"
	Done    State = "done"
	Skipped State = "skipped"
	Failed  State = "failed"
)

// Progress is what a stage tells about itself. Done and Total are in Unit
// ("ms" of video, "claims", "bytes"); Total 0 means that the end is not known.
type Progress struct {
	Stage   Stage         `json:"stage"`
	State   State         `json:"state"`
	Done    int64         `json:"done"`
	Total   int64         `json:"total"`
	Unit    string        `json:"unit"`
	Elapsed time.Duration `json:"elapsed_ns"`
	Left    time.Duration `json:"left_ns"` // 0: not known yet
	Cached  bool          `json:"cached"`
	Note    string        `json:"note,omitempty"`
}

// Event is one thing that happened in a run: exactly one field is set.
type Event struct {
	Progress *Progress      `json:"progress,omitempty"`
	Segment  *audit.Segment `json:"segment,omitempty"`
	Finding  *audit.Finding `json:"finding,omitempty"` // not yet verified
	Video    *audit.Video   `json:"video,omitempty"`
}

// Observer is told what happens. It must return at once.
type Observer func(Event)
