// Package retrieve finds the passages that answer a question: it reads the
// question (citations, regulators, abbreviations), asks the full-text and the
// vector index, fuses both lists (reciprocal rank fusion: Cormack, Clarke and
// Buettcher, SIGIR 2009), puts a cross-encoder over what is left, and gives at
// most ten numbered passages, or a refusal.
//
// What it promises: a paragraph that the question cites comes first; a rule's
// text is never crowded out by commentary or by cards; a card and the text of
// its paragraph are one result; a rule that the first results refer to, and a
// definition that they use, are fetched with them. Without a reranker it says
// so, and nothing stands in for it.
//
// It knows no database: it declares the three small interfaces that it needs.
package retrieve
