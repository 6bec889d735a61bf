package app

import (
	"time"

	"veristream/backend/audit"
	"veristream/backend/pipeline"
	"veristream/backend/said"
)

// The events that the window sends. Run updates come at most ten times a
// second for each run.
const (
	EventRun     = "run"     // RunUpdate
	EventLibrary = "library" // nothing: read the list again
	EventQueue   = "queue"   // nothing: read the queue again
	EventOpen    = "open"    // Drop
)

// Summary is an audit as a row of the library.
type Summary struct {
	ID         string      `json:"id"`
	Title      string      `json:"title"`
	Path       string      `json:"path"`
	SourceURL  string      `json:"source_url,omitempty"`
	DurationMS int64       `json:"duration_ms"`
	HasVideo   bool        `json:"has_video"`
	Added      time.Time   `json:"added"`
	High       int         `json:"high"`
	Medium     int         `json:"medium"`
	Low        int         `json:"low"`
	Findings   int         `json:"findings"`
	Decided    int         `json:"decided"`
	Reviewer   string      `json:"reviewer,omitempty"`
	Signed     bool        `json:"signed"`
	Failed     string      `json:"failed,omitempty"` // why it has no result; "cancelled" when a person stopped it
	Facts      audit.Facts `json:"facts"`
	Missing    bool        `json:"missing"` // the file is not where it was
	Thumb      string      `json:"thumb,omitempty"`
}

// FailedCancelled stands as the reason of an audit that a person stopped.
const FailedCancelled = "cancelled"

// Inspection is what can be said about a file before it is audited.
type Inspection struct {
	Video      audit.Video `json:"video"`
	Facts      audit.Facts `json:"facts"`
	Companions []Companion `json:"companions"`
	Thumb      string      `json:"thumb,omitempty"`
	EarlierID  string      `json:"earlier_id,omitempty"` // the last audit of the same file
	// Entries are the videos of an address that is a list of them; Over says that
	// a video is over the limits of what is fetched without being asked.
	Entries []Entry `json:"entries,omitempty"`
	Over    string  `json:"over,omitempty"`
	// Proposed are facts that the video, its page or its description states.
	Proposed []audit.ProposedFact `json:"proposed"`
}

// Entry is a video of a list.
type Entry struct {
	Address    string `json:"address"`
	Title      string `json:"title"`
	DurationMS int64  `json:"duration_ms,omitempty"`
}

// Companion is a file beside the video that is used with it.
type Companion struct {
	Path string `json:"path"`
	Role string `json:"role"` // screen, description, facts
}

// NewAudit is what the front end sends to start one.
type NewAudit struct {
	Path  string      `json:"path"`
	Title string      `json:"title"`
	Facts audit.Facts `json:"facts"`
	AsOf  string      `json:"as_of,omitempty"`
	Fresh bool        `json:"fresh,omitempty"`
	// Admit fetches from an address what is over the limits of size and duration too.
	Admit bool `json:"admit,omitempty"`
}

// RunState is how far a run is.
type RunState string

// The states of a run.
const (
	RunQueued    RunState = "queued"
	RunWorking   RunState = "working"
	RunDone      RunState = "done"
	RunFailed    RunState = "failed"
	RunCancelled RunState = "cancelled"
)

// Run is a run as it stands: everything, for a view that has just opened.
type Run struct {
	ID       string              `json:"id"`
	Path     string              `json:"path"`
	Title    string              `json:"title"`
	Facts    audit.Facts         `json:"facts"`
	State    RunState            `json:"state"`
	Stages   []pipeline.Progress `json:"stages"`
	Video    *audit.Video        `json:"video,omitempty"`
	Segments []audit.Segment     `json:"segments"`
	Findings []audit.Finding     `json:"findings"`
	Share    float64             `json:"share"` // 0..1
	Elapsed  int64               `json:"elapsed_ms"`
	Left     int64               `json:"left_ms"` // 0: not known
	AuditID  string              `json:"audit_id,omitempty"`
	Problem  *Problem            `json:"problem,omitempty"`
}

// RunUpdate is what changed in a run since the last update. SegmentsFrom and
// FindingsFrom are the places at which the new ones stand, so that a view
// that missed an update can see it and read the whole run again.
type RunUpdate struct {
	ID           string              `json:"id"`
	State        RunState            `json:"state"`
	Stages       []pipeline.Progress `json:"stages"`
	Video        *audit.Video        `json:"video,omitempty"`
	SegmentsFrom int                 `json:"segments_from"`
	Segments     []audit.Segment     `json:"segments"`
	FindingsFrom int                 `json:"findings_from"`
	Findings     []audit.Finding     `json:"findings"`
	Share        float64             `json:"share"`
	Elapsed      int64               `json:"elapsed_ms"`
	Left         int64               `json:"left_ms"`
	AuditID      string              `json:"audit_id,omitempty"`
	Problem      *Problem            `json:"problem,omitempty"`
}

// Problem is an error as a person reads it.
type Problem struct {
	Code     audit.Code     `json:"code"`
	Sentence string         `json:"sentence"`       // in English
	Said     *audit.Message `json:"said,omitempty"` // for other languages
	Details  string         `json:"details,omitempty"`
}

// Review is an audit, opened. What the program says in it is said in the
// window's language.
type Review struct {
	Result audit.Result `json:"result"`
	// Foreign has the parts of those of its sentences that are not wholly in the
	// window's language, by the sentence.
	Foreign   said.Foreign     `json:"foreign"`
	Decisions []audit.Decision `json:"decisions"`
	// Corrections are the person's words for lines of the video, as far as this
	// audit was made without them.
	Corrections []audit.Correction `json:"corrections"`
	Playable    bool               `json:"playable"`    // there is something for the player: ask for Media
	Missing     bool               `json:"missing"`     // the file is not where it was
	Position    int64              `json:"position_ms"` // where the playhead stood
	Formats     []Format           `json:"formats"`
	// Words are the words of the segments with their times, by segment, which come
	// without them: for each word four numbers between spaces, at which UTF-16 unit
	// of the text it begins and ends, and how many ms after the segment's begin.
	Words map[string]string `json:"words"`
	// Measured says of the findings' categories how many findings were right on
	// labelled cases; a category without a case is left out.
	Measured map[string]Measured `json:"measured"`
}

// Measured is how often findings of a category were right on labelled cases.
type Measured struct {
	Right int `json:"right"`
	Of    int `json:"of"`
}

// Media is a video, lent to the player.
type Media struct {
	Video  string `json:"video"`     // its address
	Frames string `json:"frames"`    // address of its pictures: + "?ms=..&w=.."; empty without any
	Offset int64  `json:"offset_ms"` // what the player adds to our times
}

// Verdict is a decision as the front end sends it; who and when are added here.
type Verdict struct {
	FindingID string         `json:"finding_id"`
	Action    string         `json:"action"`
	Reason    string         `json:"reason,omitempty"`
	Severity  audit.Severity `json:"severity,omitempty"`
}

// Format is a way to export an audit.
type Format struct {
	ID        string `json:"id"`        // pdf, json, csv, srt, vtt
	Extension string `json:"extension"` // with its dot
}

// Installed is a part of the program and whether it is there.
type Installed struct {
	Name    string `json:"name"`
	State   string `json:"state"` // ok, missing, warning
	Version string `json:"version,omitempty"`
	Detail  string `json:"detail,omitempty"`
	// Said is the detail for other languages.
	Said *audit.Message `json:"said,omitempty"`
	Fix  string         `json:"fix,omitempty"` // what to run
}

// Network is the state of the network switch.
type Network struct {
	Offline bool   `json:"offline"`
	By      string `json:"by,omitempty"` // what switched it off: settings or a variable
}

// Settings are how a person likes the window.
type Settings struct {
	Theme    string `json:"theme"`    // system, light, dark
	Language string `json:"language"` // en, de
	Zoom     int    `json:"zoom"`     // percent
	Reviewer string `json:"reviewer"`
	// Organisation stands with the reviewer's name in reports and in the identity that signs.
	Organisation string `json:"organisation"`
	// Approver is the second person: who approves what the reviewer prepared. The
	// two may not be the same.
	Approver string `json:"approver"`
	// Acting says who sits here now: preparer or approver.
	Acting string `json:"acting"`
	// SetUp says that the set-up page was left for good.
	SetUp    bool              `json:"set_up"`
	Keys     map[string]string `json:"keys"` // action -> key, where changed
	Profiles []Profile         `json:"profiles"`
}

// Profile is a set of facts under a name.
type Profile struct {
	Name  string      `json:"name"`
	Facts audit.Facts `json:"facts"`
}

// About says what this program is.
type About struct {
	Version string `json:"version"`
	Data    string `json:"data"` // folder that holds everything
}

// Drop is what was dropped on the window.
type Drop struct {
	Paths []string `json:"paths"`
}

// Lent are the addresses of a file that is lent to the front end.
type Lent struct {
	Media  string
	Frames string
}
