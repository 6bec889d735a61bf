package audit

import (
	"context"
	"encoding/json"
	"image"
	"time"
)

// Transcriber writes down the speech of a 16 kHz mono WAV file. It calls emit
// for each segment as soon as it is certain, in order of time; when emit
// fails, it stops and returns that error.
type Transcriber interface {
	Transcribe(ctx context.Context, wav string, emit func(Segment) error) error
}

// TextReader reads the text on one frame.
type TextReader interface {
	ReadText(ctx context.Context, frame image.Image) ([]TextBox, error)
}

// Role says what a text is to an embedder: some models treat a question and a
// passage differently.
type Role string

// The roles.
const (
	RoleQuery   Role = "query"
	RolePassage Role = "passage"
)

// Embedder turns texts into vectors of unit length, all of one dimension.
// ModelID names model and version: vectors of different ids never mix.
type Embedder interface {
	Embed(ctx context.Context, role Role, texts []string) ([][]float32, error)
	ModelID() string
}

// Reranker scores each passage against a query: higher is nearer. Scores are
// ranks, not probabilities, unless the implementation says otherwise.
type Reranker interface {
	Rerank(ctx context.Context, query string, passages []string) ([]float32, error)
	ModelID() string
}

// LLM completes a conversation under a JSON schema.
type LLM interface {
	Complete(ctx context.Context, req Request) (Response, error)
}

// Request is one call of a language model. Prefix is the part that many calls
// share (facts, transcript): it goes first, unchanged, so that the server's
// prefix cache pays for it once.
type Request struct {
	System    string
	Prefix    string
	Prompt    string
	Schema    json.RawMessage // the reply must satisfy it; nil for free text
	MaxTokens int             // output budget
	NumCtx    int             // context window to ask for; 0 lets the adapter size it
	Deadline  time.Duration   // 0 means the adapter's default
	// OnText is told each piece of the reply as it comes, before the reply is
	// known to satisfy the schema; nil: nobody waits for it.
	OnText func(piece string) `json:"-"`
}

// Response is a reply that satisfies the request's schema.
type Response struct {
	Text string
	// Tokens are the reply's tokens with the probabilities of what could have
	// stood in their place, where the server tells them; else empty.
	Tokens       []TokenChoice
	PromptTokens int
	OutputTokens int
	Duration     time.Duration
}

// TokenChoice is one token of a reply, and the probabilities of the likeliest
// tokens at its place, its own among them.
type TokenChoice struct {
	Text         string
	Alternatives map[string]float64
}

// Classifier says how probable each of its labels is for a sentence in its
// context. Labels do not exclude each other.
type Classifier interface {
	Classify(ctx context.Context, texts []TextInContext) ([]map[string]float64, error)
	ModelID() string
}

// TextInContext is a sentence with what stands before and after it.
type TextInContext struct{ Before, Text, After string }
