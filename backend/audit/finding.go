package audit

import "time"

// Severity comes from the table of categories in code, never from a model.
type Severity string

// The severities.
const (
	High   Severity = "high"
	Medium Severity = "medium"
	Low    Severity = "low"
)

// Rank orders severities: high first.
func (s Severity) Rank() int {
	switch s {
	case High:
		return 0
	case Medium:
		return 1
	}
	return 2
}

// Status says how sure the app is of a finding.
type Status string

// The statuses. Whatever a check rejects is dropped and listed instead.
const (
	Confirmed   Status = "confirmed"    // every check passed
	NeedsReview Status = "needs_review" // a check was uncertain, or a fact is unknown
)

// Finding is a potential issue: words at a time, against a paragraph.
type Finding struct {
	ID        string   `json:"id"`
	Category  string   `json:"category"`
	Regulator string   `json:"regulator"`
	Citation  string   `json:"citation"`
	Severity  Severity `json:"severity"`
	Status    Status   `json:"status"`
	Source    Source   `json:"source"`
	SegmentID string   `json:"segment_id,omitempty"`
	StartMS   int64    `json:"start_ms"`
	EndMS     int64    `json:"end_ms"`
	// Excerpt is a run of the segment's own characters; empty when something
	// is missing from the video.
	Excerpt   string `json:"excerpt"`
	Evidence  string `json:"evidence"`
	Rationale string `json:"rationale"`
	Remedy    string `json:"remedy"`
	// Applies says why the rule can bind this speaker, or which answer would
	// settle it.
	Applies string       `json:"applies"`
	Related []string     `json:"related,omitempty"`
	Rule    RuleRef      `json:"rule"`
	Signals Signals      `json:"signals"`
	Context []SegmentRef `json:"context,omitempty"`
}

// RuleRef is the rule that a finding cites, as it was when the audit ran.
type RuleRef struct {
	Citation string `json:"citation"`
	Title    string `json:"title"`
	Text     string `json:"text"`
	Official bool   `json:"official"`
	SHA256   string `json:"sha256"`
	AsOf     string `json:"as_of,omitempty"`
	Source   string `json:"source,omitempty"`
}

// Signals are the measures that led to a finding.
type Signals struct {
	Lexicon    float64 `json:"lexicon"`
	Similarity float64 `json:"similarity"`
	Rerank     float64 `json:"rerank"`
	Screener   float64 `json:"screener"`
	Judge      string  `json:"judge,omitempty"` // yes, no, unsure, not asked
	// Chance is the fitted probability that an examiner would write this up, the
	// language model's answer included; 0 where there was no screener.
	Chance float64 `json:"chance,omitempty"`
}

// SegmentRef points at a segment that a finding looked at.
type SegmentRef struct {
	SegmentID string `json:"segment_id"`
	StartMS   int64  `json:"start_ms"`
	EndMS     int64  `json:"end_ms"`
	Why       string `json:"why"`
}

// Decision is what a person decided about a finding.
type Decision struct {
	FindingID string    `json:"finding_id"`
	Action    string    `json:"action"` // accept, dismiss, reopen, severity, comment
	Reason    string    `json:"reason,omitempty"`
	Severity  Severity  `json:"severity,omitempty"`
	By        string    `json:"by"`
	At        time.Time `json:"at"`
	// Carried is set where a person decided this in an earlier audit of the
	// same work.
	Carried *Origin `json:"carried,omitempty"`
}

// NotApplicable is a paragraph that cannot bind this speaker, and why.
type NotApplicable struct {
	Regulator string `json:"regulator"`
	Citation  string `json:"citation"`
	Reason    string `json:"reason"`
}

// Checked is what became of a category in an audit.
type Checked struct {
	Category string `json:"category"`
	Result   string `json:"result"` // finding, clear, not_applicable, not_checked
	Note     string `json:"note,omitempty"`
}

// The results of a category.
const (
	ResultFinding       = "finding"
	ResultClear         = "clear"
	ResultNotApplicable = "not_applicable"
	ResultNotChecked    = "not_checked"
)

// Dropped is a candidate that a check rejected.
type Dropped struct {
	Reason   string `json:"reason"`
	Excerpt  string `json:"excerpt"`
	Citation string `json:"citation"`
	Category string `json:"category,omitempty"`
	StartMS  int64  `json:"start_ms,omitempty"`
}

// Result is a whole audit, as `veristream audit --json` writes it.
type Result struct {
	Schema        int             `json:"schema"`
	ID            string          `json:"id,omitempty"`
	Video         Video           `json:"video"`
	Facts         Facts           `json:"facts"`
	Proposed      []ProposedFact  `json:"proposed_facts,omitempty"`
	AsOf          string          `json:"as_of"`
	Segments      []Segment       `json:"segments"`
	Findings      []Finding       `json:"findings"`
	NotApplicable []NotApplicable `json:"not_applicable"`
	Checked       []Checked       `json:"checked"`
	Dropped       []Dropped       `json:"dropped"`
	Notices       []string        `json:"notices,omitempty"`
	Since         *Since          `json:"since,omitempty"`
	Run           Run             `json:"run"`
	// Said tells what the English sentences above were made of, for whoever says
	// them in another language.
	Said Said `json:"said,omitempty"`
}

// ProposedFact is what the video itself says about its speaker, for a person
// to confirm.
type ProposedFact struct {
	Fact      string `json:"fact"`
	Value     string `json:"value"`
	SegmentID string `json:"segment_id"`
	StartMS   int64  `json:"start_ms"`
	Excerpt   string `json:"excerpt"`
}

// Run tells with what an audit was made.
type Run struct {
	Version      string               `json:"version"`
	StartedAt    time.Time            `json:"started_at"`
	Models       map[string]ModelInfo `json:"models"`
	RulesVersion string               `json:"rules_version"`
	Prompts      map[string]string    `json:"prompts,omitempty"` // name -> sha256
	Stages       []StageRun           `json:"stages"`
	LLM          LLMUse               `json:"llm"`
	PeakRSSMB    int                  `json:"peak_rss_mb"`
}

// ModelInfo names a model that took part; Note says so when one is missing
// ("rerank: not installed").
type ModelInfo struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256,omitempty"`
	Note   string `json:"note,omitempty"`
}

// ID names the model by what makes it itself; one that is missing says so.
func (m ModelInfo) ID() string {
	switch {
	case m.Note != "":
		return m.Note
	case m.SHA256 != "":
		return m.Name + "@" + m.SHA256
	}
	return m.Name
}

// StageRun is one stage of a run.
type StageRun struct {
	Name   string `json:"name"`
	MS     int64  `json:"ms"`
	Cached bool   `json:"cached"`
}

// LLMUse counts what the language model was asked.
type LLMUse struct {
	Calls        int `json:"calls"`
	PromptTokens int `json:"prompt_tokens"`
	OutputTokens int `json:"output_tokens"`
}

// SchemaVersion is the version of the JSON that the command line writes.
const SchemaVersion = 1
