package audit

// Source says in which channel of a video a text stands. Disclosure rules turn
// on it: what is said must be cured where it is said.
type Source string

// The channels.
const (
	Speech      Source = "speech"
	Screen      Source = "screen"
	Description Source = "description"
)

// Video is a recording (or a bare transcript) that is audited. SHA256 is that
// of the file as the user gave it: the evidence.
type Video struct {
	Path       string `json:"path"`
	SHA256     string `json:"sha256"`
	DurationMS int64  `json:"duration_ms"`
	Title      string `json:"title"`
	SourceURL  string `json:"source_url"`
	Width      int    `json:"width,omitempty"`
	Height     int    `json:"height,omitempty"`
	Size       int64  `json:"size,omitempty"`
	HasVideo   bool   `json:"has_video,omitempty"`
	HasAudio   bool   `json:"has_audio,omitempty"`
	Language   string `json:"language,omitempty"`
}

// Segment is a stretch of text in a video: a sentence that is said, a text
// that is shown, a paragraph of the description.
type Segment struct {
	ID      string `json:"id"`
	Source  Source `json:"source"`
	StartMS int64  `json:"start_ms"`
	EndMS   int64  `json:"end_ms"`
	Text    string `json:"text"`
	// Flag names why a text is not trusted (silence, repetition, compression,
	// stock phrase). A flagged segment is kept and shown, and not audited.
	Flag  string `json:"flag,omitempty"`
	Words []Word `json:"words,omitempty"`
	// Confidence is the recogniser's mean token probability, 0 when unknown.
	Confidence float64 `json:"confidence,omitempty"`
	// Screen text only: the box relative to the frame (0..1), and the ratio of
	// luminance between glyphs and ground (WCAG 2.2, 1 to 21; 0 when unknown).
	Box      *Box    `json:"box,omitempty"`
	Contrast float64 `json:"contrast,omitempty"`
	// Corrected says that a person put other words in the place of the machine's.
	Corrected *Corrected `json:"corrected,omitempty"`
}

// Word is a word with its time and its probability.
type Word struct {
	Text        string  `json:"text"`
	StartMS     int64   `json:"start_ms"`
	EndMS       int64   `json:"end_ms"`
	Probability float64 `json:"p,omitempty"`
}

// Box is a rectangle relative to the frame: all values from 0 to 1. LineHeight
// is the height of one line of the text, also relative to the frame.
type Box struct {
	X          float64 `json:"x"`
	Y          float64 `json:"y"`
	Width      float64 `json:"w"`
	Height     float64 `json:"h"`
	LineHeight float64 `json:"line_h,omitempty"`
}

// TextBox is a text read from one frame, in pixels of that frame.
type TextBox struct {
	Text          string
	X, Y          int
	Width, Height int
	Confidence    float64 // 0..1
}

// Audited says whether the segment takes part in the audit.
func (s Segment) Audited() bool { return s.Flag == "" && s.Text != "" }
