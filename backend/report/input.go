package report

import (
	"encoding/json"
	"slices"
	"time"

	"veristream/backend/audit"
	"veristream/backend/said"
)

// Input is everything that a report is made of. Only Result is needed.
type Input struct {
	Result    *audit.Result
	Stored    json.RawMessage  // Result as it was kept, where it was: an earlier version may have written it
	Decisions []audit.Decision // the oldest first
	// Corrections are those of the video's transcript, the oldest first; some may be newer than the audit.
	Corrections []audit.Correction
	Titles      map[string]string // category -> what to call it
	Frames      []Frame
	Texts       []audit.Text      // the official texts that are installed
	Prompts     map[string]string // name -> text, attached whole
	Measured    *Measured         // how well the program finds issues; nil: not measured like this
	Events      []audit.Event     // the whole record; what is not about this audit goes in by its digest alone
	Record      Head
	Alignment   *Alignment // of the user's documents, as the record keeps it; nil: none
	// AudioSHA256 is the digest of the sound that was transcribed.
	AudioSHA256 string
	Program     Program
	Prepared    Person
	Approved    *Person
	Language    string // "en" or "de"
	Created     time.Time
}

// Person is who answers for something, and when.
type Person struct {
	Name         string    `json:"name"`
	Organisation string    `json:"organisation,omitempty"`
	At           time.Time `json:"at,omitzero"`
}

// Frame is a picture of the video at a finding.
type Frame struct {
	FindingID string
	AtMS      int64
	JPEG      []byte
}

// Head is the end of the event log: what comes before it cannot change without
// changing it.
type Head struct {
	Events int    `json:"events"`
	Hash   string `json:"hash"`
	At     string `json:"at,omitempty"`
}

// Program is the build that made a report.
type Program struct {
	Version  string `json:"version"`
	Platform string `json:"platform"`
	SHA256   string `json:"sha256,omitempty"` // of the executable
}

// The states of a finding.
const (
	stateOpen      = "open"
	stateAccepted  = "accepted"
	stateDismissed = "dismissed"
)

// item is a finding with what people made of it.
type item struct {
	audit.Finding
	number   int // in the order of the video, from 1
	severity audit.Severity
	state    string
	last     *audit.Decision // the one that decided
	lastAt   int             // its place in history
	history  []audit.Decision
	frame    *Frame
}

// items puts findings in the order of the video, with their decisions. The
// last decision of a kind counts.
func (in *Input) items() []item {
	findings := slices.Clone(in.Result.Findings)
	slices.SortStableFunc(findings, func(a, b audit.Finding) int { return int(a.StartMS - b.StartMS) })
	out := make([]item, len(findings))
	at := map[string]int{}
	for i, f := range findings {
		out[i] = item{Finding: f, number: i + 1, severity: f.Severity, state: stateOpen}
		at[f.ID] = i
	}
	for i := range in.Decisions {
		d := in.Decisions[i]
		n, ok := at[d.FindingID]
		if !ok {
			continue
		}
		it := &out[n]
		it.history = append(it.history, d)
		switch d.Action {
		case "accept":
			it.state, it.last, it.lastAt = stateAccepted, &d, len(it.history)-1
		case "dismiss":
			it.state, it.last, it.lastAt = stateDismissed, &d, len(it.history)-1
		case "reopen":
			it.state, it.last, it.lastAt = stateOpen, &d, len(it.history)-1
		case "severity":
			it.severity = d.Severity
		}
	}
	for i := range in.Frames {
		if n, ok := at[in.Frames[i].FindingID]; ok {
			out[n].frame = &in.Frames[i]
		}
	}
	return out
}

// shown is what is printed: the same audit in the report's language.
func (in *Input) shown() *Input {
	out := *in
	out.Result, _ = said.InLanguage(in.Result, in.Language)
	out.Titles = said.Titles(in.Titles, in.Language)
	return &out
}

func (in *Input) title(category string) string {
	if t := in.Titles[category]; t != "" {
		return t
	}
	return category
}
