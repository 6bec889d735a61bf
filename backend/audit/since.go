package audit

import "time"

// Since says how the findings of an audit stand to those of an earlier audit of
// the same work. Every finding of this audit is in New or in Carried, and every
// one of the earlier audit is in one of their Was or in Resolved.
type Since struct {
	AuditID  string           `json:"audit_id"`
	At       time.Time        `json:"at"`    // when the earlier audit began
	Found    string           `json:"found"` // why it is the same work: path, address, content, chosen
	New      []NewFinding     `json:"new"`
	Carried  []CarriedFinding `json:"carried"`
	Resolved []EarlierFinding `json:"resolved"`
	// How many words were added and taken away since; what is only written
	// down otherwise does not count.
	WordsNew  int `json:"words_new"`
	WordsGone int `json:"words_gone"`
}

// Why an earlier audit is one of the same work.
const (
	SincePath    = "path"
	SinceAddress = "address"
	SinceContent = "content"
	SinceChosen  = "chosen"
)

// NewFinding is one that the earlier audit did not have. Was is set where it had
// one on other words in this place: the claim was changed, so nothing that was
// decided of it holds.
type NewFinding struct {
	FindingID string          `json:"finding_id"`
	Was       *EarlierFinding `json:"was,omitempty"`
}

// CarriedFinding is one that the earlier audit had as well, on the same words
// under the same rule. Was has more than one entry where sentences were joined.
type CarriedFinding struct {
	FindingID string           `json:"finding_id"`
	Was       []EarlierFinding `json:"was"`
	// Taken says that the earlier decision was taken over. Where there was one
	// and it was not, Why says what stood against it.
	Taken bool    `json:"taken"`
	Why   WhyNot  `json:"why,omitempty"`
	Moved bool    `json:"moved,omitempty"` // the words stand elsewhere in the video now
	Near  bool    `json:"near,omitempty"`  // the words beside them were changed
	Heard []Heard `json:"heard,omitempty"` // words that were written down otherwise
}

// Heard is a word that two transcripts write in two ways.
type Heard struct {
	Was string `json:"was"`
	Now string `json:"now"`
}

// WhyNot is why a decision was not taken over although the finding is the same.
type WhyNot string

// The reasons.
const (
	WhyParagraph WhyNot = "paragraph" // another paragraph of the rule is cited
	WhyRuleText  WhyNot = "rule_text" // the paragraph's official text was amended
	WhyFacts     WhyNot = "facts"     // other facts, and another reason why the rule applies
	WhyGraver    WhyNot = "graver"    // it weighs more than it did
	WhyVideo     WhyNot = "video"     // it is about the whole video, and that was changed
	WhyJoined    WhyNot = "joined"    // findings that were decided differently became one
	WhyReadings  WhyNot = "readings"  // too many words differ from those that were decided on
	WhyPlace     WhyNot = "place"     // the words stand in several places that were decided differently
)

// EarlierFinding is a finding of the earlier audit with what had become of it.
type EarlierFinding struct {
	FindingID string     `json:"finding_id"`
	Category  string     `json:"category"`
	Citation  string     `json:"citation"`
	Severity  Severity   `json:"severity"` // as a person last set it
	Source    Source     `json:"source"`
	StartMS   int64      `json:"start_ms"`
	EndMS     int64      `json:"end_ms"`
	Excerpt   string     `json:"excerpt"`
	Evidence  string     `json:"evidence,omitempty"`
	Stand     string     `json:"stand"` // open, accepted, dismissed
	Reason    string     `json:"reason,omitempty"`
	By        string     `json:"by,omitempty"`
	At        *time.Time `json:"at,omitempty"`
}

// Where a finding stands.
const (
	StandOpen      = "open"
	StandAccepted  = "accepted"
	StandDismissed = "dismissed"
)

// Origin says where a decision was made that was carried into a later audit.
// Decision.By and Decision.At are those of the person who made it there.
type Origin struct {
	AuditID   string `json:"audit_id"`   // in which the person decided
	FindingID string `json:"finding_id"` // about this finding of it
	Excerpt   string `json:"excerpt"`    // on these words
	// From is the audit from which it was carried: AuditID, or one between.
	From string `json:"from"`
	// Heard counts the words that have been written down otherwise since then,
	// over all the audits between.
	Heard int `json:"heard,omitempty"`
}
