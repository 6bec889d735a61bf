package transcribe

import "veristream/backend/audit"

// Message is one JSON line of a worker.
type Message struct {
	Type     string         `json:"type"`
	Segment  *audit.Segment `json:"segment,omitempty"`
	Language string         `json:"language,omitempty"`
	DoneMS   int64          `json:"done_ms,omitempty"`
	TotalMS  int64          `json:"total_ms,omitempty"`
	Code     audit.Code     `json:"code,omitempty"`
	Sentence string         `json:"sentence,omitempty"`
	Details  string         `json:"details,omitempty"`
}

// The types of messages. A chunk message says that everything before DoneMS is
// final: a later run may begin there.
const (
	typeSegment  = "segment"
	typeProgress = "progress"
	typeLanguage = "language"
	typeChunk    = "chunk"
	typeDone     = "done"
	typeError    = "error"
)

// Options are what a worker is asked.
type Options struct {
	ModelPath string
	WAV       string
	Language  string // "auto", or ISO 639-1
	Threads   int    // 0: one for each physical core
	OffsetMS  int64  // where to begin: the end of a chunk
	Prompt    string // names and terms to expect
	Translate bool   // into English
	BeamSize  int    // 0 or 1: greedy
}

// Token is what the model gives: a piece of text (perhaps half a character),
// its times within the sound it was given, and its probability.
type Token struct {
	Text       string
	StartMS    int64
	EndMS      int64
	P          float64
	SegmentNew bool    // it begins a segment of the model
	NoSpeech   float64 // of the model's segment
}

// Recognizer is the model, as the worker uses it. Recognize calls tokens for
// each stretch of text as soon as it is there.
type Recognizer interface {
	Recognize(samples []float32, opt Options, tokens func([]Token) error, progress func(percent int)) (language string, err error)
}
