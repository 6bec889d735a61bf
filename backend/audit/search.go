package audit

// Filter narrows a search before it begins. Empty fields do not narrow; the
// values of one field are alternatives.
type Filter struct {
	Corpora    []string   // "rules", "cards", "documents"
	Regulators []string   // "FTC", "SEC", "FINRA", "CFPB", "FinCEN"
	Sources    []string   // ids of texts, card files or documents
	Kinds      []Kind     //
	Within     []Citation // passages that hold a paragraph at or below one of these
	Meta       map[string][]string
	AsOf       string // YYYY-MM-DD: of a part's texts, the one in force then; empty is today
}

// ScoredID is a passage that one index found, best first. Higher is better.
type ScoredID struct {
	ID    int64
	Score float64
}

// The corpora that a passage can belong to.
const (
	CorpusRules     = "rules"
	CorpusCards     = "cards"
	CorpusDocuments = "documents"
	CorpusSections  = "sections" // what a section is about: it leads to its paragraphs and is never a result
	CorpusAsks      = "asks"     // everyday questions that a paragraph answers: they lead to it and are never a result
)

// LexicalQuery is what a full-text index is asked: any of the words, phrases
// and citations, with a weight for each column in which they stand.
type LexicalQuery struct {
	Words     []string
	Phrases   []string
	Citations []Citation
	Weights   LexicalWeights
}

// LexicalWeights weigh the columns of a passage.
type LexicalWeights struct{ Header, Body, Extra, Cites float64 }

// PassageVectors are the vectors of one passage: of its text first, then of
// whatever else it may be found by.
type PassageVectors struct {
	PassageID int64
	Vectors   [][]float32
}
