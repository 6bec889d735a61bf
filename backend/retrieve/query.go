package retrieve

import (
	"context"

	"veristream/backend/audit"
)

// Lexical is a full-text index over passages.
type Lexical interface {
	SearchBM25(ctx context.Context, q audit.LexicalQuery, f audit.Filter, k int) ([]audit.ScoredID, error)
}

// Dense is a vector index over passages.
type Dense interface {
	SearchDense(ctx context.Context, modelID string, vector []float32, f audit.Filter, k int) ([]audit.ScoredID, error)
	Cosines(ctx context.Context, modelID string, vector []float32, ids []int64) (map[int64]float64, error)
}

// Passages gives passages by id and by citation.
type Passages interface {
	Passages(ctx context.Context, ids []int64) ([]audit.Passage, error)
	Citations(ctx context.Context, ids []int64) (map[int64]string, error)
	PassagesByCitation(ctx context.Context, c audit.Citation, within bool, f audit.Filter) ([]audit.Passage, error)
	PassagesByCitations(ctx context.Context, cs []audit.Citation, f audit.Filter) (map[string][]audit.Passage, error)
	Covers(ctx context.Context, c audit.Citation) (bool, error)
}

// Index is all that a search reads; a store gives it.
type Index interface {
	Lexical
	Dense
	Passages
}

// Query is one question.
type Query struct {
	Text      string
	Filter    audit.Filter     // narrows before the search
	Citations []audit.Citation // pinned, beside those that the text holds
	Top       int              // 0: 10
	NoRerank  bool
	BM25Only  bool
	DenseOnly bool
	// NoRefuse gives the nearest passages even where they answer nothing: the
	// caller judges them itself.
	NoRefuse bool
	// LeaveOut does not compare a question with itself, where it is one of those
	// that are known to be out of scope: so they can be measured with.
	LeaveOut bool

	writtenOut bool // its abbreviations are: it is not asked a third time
}

// Result is what was found. When Refused is set, Reason says why; Hits may
// still hold the nearest passages.
type Result struct {
	Hits    []audit.Hit
	Refused bool
	Reason  string
	Rerank  string  // the reranker's id, or "not installed", or "off"
	Dense   string  // the embedder's id, or "not installed", or "off"
	Score   float64 // how near the best of the pool is; the refusal's measure
	Near    Nearness
	MS      int64
}

// Nearness are the parts of Result.Score.
type Nearness struct {
	Rerank  float64 // the best score of the cross-encoder
	Cosine  float64 // the best cosine
	Overlap float64 // share of the question's words that the first passages hold
	Asked   float64 // the cosine with the nearest everyday questions that the rules answer
	Away    float64 // the cosine with the nearest questions that are known to be out of scope
	Paper   bool    // the nearest passage is of the user's own documents or rules, which may be about anything
}

// What Result.Rerank and Result.Dense say when there is no model.
const (
	NotInstalled = "not installed"
	Off          = "off"
)
