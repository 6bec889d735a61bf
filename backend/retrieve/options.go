package retrieve

import "veristream/backend/audit"

// Options are the measured constants of a search (see eval/retrieval).
type Options struct {
	Depth          int // of each list
	Pool           int // paragraphs that are looked at closely
	Texts          int // that the cross-encoder reads of them: a paragraph may have a card, too
	WeightBM25     float64
	WeightDense    float64
	WeightExpanded float64 // the question with its abbreviations written out
	WeightScope    float64 // the lists within what the question names
	WeightSection  float64 // the lists within the sections that the first fusion favours
	WeightGist     float64 // the lists within the sections whose description is near
	WeightCards    float64 // the vectors of cards, which are many and in everyday words
	WeightAsks     float64 // the lists of everyday questions
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
	// Gist is added to what stands in the section whose description is nearest;
	// the second gets half of it, the third a third.
	Gist float64
	// Asked times how far the cosine with the nearest everyday question that a
	// paragraph answers is above AskedFrom is added.
	Asked, AskedFrom float64
	// Named is added to what stands in the section, the body of rules or among
	// the rules of the regulator that the question names.
	Named float64
	// Related is added to what stands above, below and beside a cited paragraph.
	Related float64

	NoRerank bool // never read by the cross-encoder: the user wants none

	Links  int // rules fetched because a result refers to them
	Budget int // bytes of text in all results together

	Refusal Refusal
}

// Refusal holds the measured line below which nothing answers the question:
// Rerank x (best score of the cross-encoder) + Cosine x (best cosine) + Overlap
// x (share of the question's words in the first passages) - Away x (mean cosine with
// the nearest questions that are known to be out of scope) + Asked x (that with the
// nearest that the rules answer) < Least. Where the user's own
// papers are nearest, PaperAway and PaperAsked stand for those cosines. Without a
// cross-encoder its part is left out and PlainLeast is the line; at 0 nothing
// is refused for its score then.
type Refusal struct {
	Rerank, Cosine, Overlap, Away, Least float64
	Asked                                float64
	PaperAway, PaperAsked                float64
	PlainLeast                           float64
}

// Defaults are the constants as measured on the tune half of eval/retrieval.
func Defaults() Options {
	return Options{
		Depth: 50, Pool: 30, Texts: 40,
		WeightBM25: 1, WeightDense: 1, WeightExpanded: 0.5, WeightScope: 1,
		WeightSection: 0.3, WeightGist: 1, WeightCards: 0.7, WeightAsks: 1, WeightDefine: 0.7,
		Columns: audit.LexicalWeights{Header: 1.5, Body: 1, Extra: 0.7, Cites: 2},
		Cosine:  1, Fusion: 0.5, PlainCosine: 1,
		Asked: 8, AskedFrom: 0.5, Named: 4, Related: 1, Behind: 0.05, Gist: 0.4,
		Links: 2, Budget: 16_000,
		Refusal: Refusal{
			Rerank: 0.06, Cosine: 1, Away: 3, Asked: 4, PaperAway: 0.431, PaperAsked: 0.45, Least: 0.8446, PlainLeast: 0.9,
		},
	}
}
