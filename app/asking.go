package app

import (
	"context"
	"time"

	"veristream/backend/ask"
	"veristream/backend/audit"
)

// EventAsk tells of an exchange as it stands: at most ten times a second.
const EventAsk = "ask" // Exchange

// Asker answers questions over the installed rules and the user's documents.
type Asker interface {
	// Scope says what there is to ask about.
	Scope(ctx context.Context) (Scope, error)
	// Ask answers. What is known before the whole answer is told as it comes.
	Ask(ctx context.Context, q Asked, tell func(AskEvent)) (Answer, error)
	// Past gives the questions that were asked last, in this session and before,
	// the newest first.
	Past(ctx context.Context, limit int) ([]PastQuestion, error)
	// Read opens a document at one of its passages.
	Read(ctx context.Context, document string, passage int64) (DocumentPages, error)
}

// AskMode is how an answer is made.
type AskMode string

// The modes.
const (
	ModeCareful  AskMode = "careful"  // and its sentences read again by the model before they are told
	ModeStandard AskMode = "standard" // phrased by the language model, checked in code
	ModeFast     AskMode = "fast"     // the same without the reranker
	ModePassages AskMode = "passages" // the passages' own sentences
)

// AskRequest is a question as the front end sends it.
type AskRequest struct {
	Thread     string   `json:"thread"` // questions of one thread lean on each other
	Text       string   `json:"text"`
	Mode       AskMode  `json:"mode"`
	Corpora    []string `json:"corpora"` // rules, cards, documents; none: all
	Regulators []string `json:"regulators"`
	Documents  []string `json:"documents"`
	AsOf       string   `json:"as_of,omitempty"`
	// Without are words of the question from which no filter is read: the
	// user has taken it away.
	Without []string `json:"without"`
}

// Asked is a question with those before it.
type Asked struct {
	AskRequest
	Earlier []string
}

// AskStep is how far a question is.
type AskStep string

// The steps.
const (
	StepReading   AskStep = "reading" // what was imported since the last question
	StepSearching AskStep = "searching"
	StepAnswering AskStep = "answering"
)

// AskEvent tells what is known before the answer is whole; only what changed
// is set.
type AskEvent struct {
	Step     AskStep
	Done     int // of reading
	Total    int
	Filters  []AskFilter
	Passages []FoundPassage
	Sentence *ask.Sentence
}

// AskFilter narrows a search; it was read from the question.
type AskFilter struct {
	Key   string `json:"key"` // document, doc_type, year, control_id, item
	Value string `json:"value"`
	From  string `json:"from"` // the words of the question
}

// FoundPassage is a passage that a search found, with where it comes from.
type FoundPassage struct {
	Rank     int        `json:"rank"`
	ID       int64      `json:"id"`
	Citation string     `json:"citation"` // of a document: section and page
	Title    string     `json:"title"`
	Corpus   string     `json:"corpus"`
	Kind     audit.Kind `json:"kind"`
	Source   string     `json:"source"`
	Name     string     `json:"name"` // of the source, as people call it
	AsOf     string     `json:"as_of,omitempty"`
	SHA256   string     `json:"sha256,omitempty"` // of the source's file, or of the card
	Text     string     `json:"text"`
	Pinned   bool       `json:"pinned"`
}

// Answer is what came of a question.
type Answer struct {
	Refused    bool           `json:"refused"`
	Reason     string         `json:"reason"`
	Confidence ask.Confidence `json:"confidence"`
	Sentences  []ask.Sentence `json:"sentences"`
	Passages   []FoundPassage `json:"passages"`
	Filters    []AskFilter    `json:"filters"`
	How        string         `json:"how"`      // direct, list, model, extract
	Coverage   float64        `json:"coverage"` // share of the model's sentences that passed as they were
	Dropped    int            `json:"dropped"`  // sentences without support, taken out
	Notice     string         `json:"notice"`   // what went otherwise than asked
	Anomalies  []string       `json:"anomalies"`
	Model      string         `json:"model"` // that phrased it; empty: none
	MS         int64          `json:"ms"`
}

// ExchangeState is how a question stands.
type ExchangeState string

// The states of a question.
const (
	ExchangeWorking   ExchangeState = "working"
	ExchangeDone      ExchangeState = "done"
	ExchangeFailed    ExchangeState = "failed"
	ExchangeCancelled ExchangeState = "cancelled"
)

// Exchange is a question of this session with what came of it so far.
type Exchange struct {
	ID      string        `json:"id"`
	Request AskRequest    `json:"request"`
	Asked   time.Time     `json:"asked"`
	State   ExchangeState `json:"state"`
	Step    AskStep       `json:"step"`
	Done    int           `json:"done"`
	Total   int           `json:"total"`
	Answer  Answer        `json:"answer"`
	Problem *Problem      `json:"problem,omitempty"`
}

// PastQuestion is a question of the record with its answer.
type PastQuestion struct {
	ID     int64     `json:"id"` // its number in the record
	Text   string    `json:"text"`
	At     time.Time `json:"at"`
	By     string    `json:"by"`
	Mode   AskMode   `json:"mode"`
	AsOf   string    `json:"as_of,omitempty"`
	Answer Answer    `json:"answer"`
}

// Scope is what there is to ask about.
type Scope struct {
	Regulators []string         `json:"regulators"`
	RuleSets   int              `json:"rule_sets"`
	Texts      int              `json:"texts"` // of them with an official text
	Documents  []audit.Document `json:"documents"`
	Model      string           `json:"model"` // language model; empty: passages alone
}

// DocumentPages are a document, opened at a passage.
type DocumentPages struct {
	Document audit.Document `json:"document"`
	Passages []DocumentPage `json:"passages"` // round the one asked for
	At       int            `json:"at"`       // which of them was asked for
	Before   int64          `json:"before"`   // the passage before them; 0: none
	After    int64          `json:"after"`
}

// DocumentPage is a passage of a document, in its order.
type DocumentPage struct {
	ID    int64      `json:"id"`
	Title string     `json:"title"`
	Place string     `json:"place"` // section, page
	Kind  audit.Kind `json:"kind"`
	Text  string     `json:"text"`
}
