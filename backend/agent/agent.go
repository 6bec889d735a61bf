package agent

import (
	"context"
	"sync"

	"veristream/backend/agent/applicability"
	"veristream/backend/audit"
)

// Retriever finds the passages of the rules that matter for a candidate: at
// most ten, with the category's own paragraph pinned.
type Retriever interface {
	Retrieve(ctx context.Context, q RuleQuery) ([]audit.Hit, error)
}

// RuleQuery asks for rules: sentences that name regulator, rule and behaviour,
// and the paragraphs that must be among what comes back.
type RuleQuery struct {
	Sentences []string
	Regulator string
	Citations []string
	AsOf      string // the date whose law counts
	Quick     bool   // no model will read the passages: the order matters little
	Top       int
}

// Vectors embeds texts of the program's own, which may be cached by their hash.
type Vectors interface {
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// Auditor decides about one video at a time. Embedder, Screener and LLM may be
// nil: the lexicon and the tests in code then work alone, and what they find
// needs review.
type Auditor struct {
	Data      *Data
	Table     *applicability.Table
	Retriever Retriever
	Embedder  audit.Embedder
	Vectors   Vectors
	Screener  audit.Classifier
	LLM       audit.LLM
	Cards     map[string]audit.Card // by citation
	// MaxCalls bounds what one video may ask of the language model.
	MaxCalls int

	mu       sync.Mutex
	examples map[string]exampleVectors
}

// Input is a video as it is audited.
type Input struct {
	Segments   []audit.Segment
	Facts      audit.Facts
	AsOf       string
	DurationMS int64
}

// Candidate is a claim that may break a category's rule, with all that was
// found out about it.
type Candidate struct {
	Category Category
	Claim    int
	Signal   Signal
	Answer   applicability.Answer
	Outcome  Outcome
	Tested   bool
	Citation string // after the outcome chose among the category's paragraphs
	Hits     []audit.Hit
	Judge    Judgement
	// Chance is the fitted probability that it is right, -1 without a screener.
	Chance float64
}

// Judgement is what the language model said about a candidate.
type Judgement struct {
	Asked     bool
	Triggered float64 // probability of "yes" to: is the rule triggered by these words
	Met       float64 // probability of "yes" to: is its requirement met elsewhere
}

// Screened is what screening found.
type Screened struct {
	Claims     []Claim
	Signals    []Signal
	Answers    map[string]applicability.Answer
	Candidates []Candidate
	Proposed   []audit.ProposedFact
	view       *View
	classes    []map[string]float64 // what the screener said of each claim in its context
	vectors    [][]float32          // of the claims; nil without an embedder
}

// With gives an auditor for one video that is the same but for its language
// model; nil means none. Its small models remember what they were asked.
func (a *Auditor) With(llm audit.LLM) *Auditor {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := &Auditor{
		Data: a.Data, Table: a.Table, Retriever: a.Retriever, Vectors: a.Vectors, LLM: llm, Cards: a.Cards, MaxCalls: a.MaxCalls,
		examples: a.examples,
	}
	out.Screener, out.Embedder = remembering(a.Screener, a.Embedder)
	return out
}
