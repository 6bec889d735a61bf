package retrieve

import "veristream/backend/audit"

// Options are the measured constants of a search (see eval/retrieval).
type Options struct {
	Depth          int // of each list
	Pool           int // texts that the cross-encoder reads
	WeightBM25     float64
	WeightDense    float64
	WeightExpanded float64 // the question with its abbreviations written out
	WeightScope    float64 // the lists within what the question names
	WeightSection  float64 // the lists within the sections that the first fusion favours
	WeightCards    float64 // the vectors of cards, which are many and in everyday words
	WeightDefine   float64 // the lists of definitions, where the question asks for one
	Columns        audit.LexicalWeights

	// The order after reranking: z(rerank) + Cosine z(cosine) + Fusion z(rrf),
	// each standardised over the pool. Without a reranker: z(rrf) + PlainCosine z(cosine).
	Cosine      float64
	Fusion      float64
	PlainCosine float64
	// Behind is how far a rule's text is put behind a comment on it that was
	// found, where it would stand lower by itself.
	Behind float64
	// Related is added to what stands above, below and beside a cited paragraph.
	Related float64

	Links  int // rules fetched because a result refers to them
	Budget int // bytes of text in all results together

	Refusal Refusal
}

// Refusal holds the measured line below which nothing answers the question:
// Rerank x (best score of the cross-encoder) + Cosine x (best cosine) < Least.
// Without a cross-encoder the best cosine alone is held against PlainLeast.
type Refusal struct {
	Rerank, Cosine, Least, PlainLeast float64
}

// Defaults are the constants as measured on the tune half of eval/retrieval.
func Defaults() Options {
	return Options{
		Depth: 50, Pool: 30,
		WeightBM25: 1, WeightDense: 1, WeightExpanded: 0.5, WeightScope: 1,
		WeightSection: 0.5, WeightCards: 0.7, WeightDefine: 0.7,
		Columns: audit.LexicalWeights{Header: 1.5, Body: 1, Extra: 0.7, Cites: 2},
		Cosine:  1.5, Fusion: 0, PlainCosine: 1,
		Related: 1, Behind: 0.05,
		Links: 2, Budget: 16_000,
		Refusal: Refusal{Rerank: 0.1, Cosine: 1, Least: 0, PlainLeast: 0},
	}
}
