package audit

// Kind says what a rule's paragraph or a passage is.
type Kind string

// The kinds. A card is the project's own plain-words account of a paragraph.
const (
	KindRule       Kind = "rule"
	KindDefinition Kind = "definition"
	KindExample    Kind = "example"
	KindCommentary Kind = "commentary"
	KindScope      Kind = "scope"
	KindException  Kind = "exception"
	KindCompanion  Kind = "companion"
	KindCard       Kind = "card"
	KindTable      Kind = "table"
	KindAppendix   Kind = "appendix"
	KindFootnote   Kind = "footnote"
	KindDocument   Kind = "document"
)

// Kinds lists what a passage can be.
var Kinds = []Kind{
	KindRule, KindDefinition, KindExample, KindCommentary, KindScope, KindException, KindCompanion, KindCard,
	KindTable, KindAppendix, KindFootnote, KindDocument,
}

// Regulators whose rules the project's cards cover.
const (
	FTC   = "FTC"
	SEC   = "SEC"
	FINRA = "FINRA"
)

// Rule is one citable paragraph of an installed official text.
type Rule struct {
	Citation  Citation `json:"citation"`
	Regulator string   `json:"regulator"`
	Source    string   `json:"source"` // id of the text it stands in
	Kind      Kind     `json:"kind"`
	Title     string   `json:"title"`    // its own heading, or the nearest above
	Headings  []string `json:"headings"` // from the part down to its own
	Marker    string   `json:"marker"`   // "(a)", "Example 3", "2."
	Text      string   `json:"text"`     // its own words, without those of its children
	Order     int      `json:"order"`    // place in the text
	FirstPage int      `json:"first_page,omitempty"`
	LastPage  int      `json:"last_page,omitempty"`
	// Ambiguous tells of a marker that more than one reading fits.
	Ambiguous string `json:"ambiguous,omitempty"`
}

// Text is one official text, as installed: a regulation at a date.
type Text struct {
	ID        string `json:"id"` // "ftc-255@2026-08-01"
	Regulator string `json:"regulator"`
	Part      string `json:"part"` // "16 CFR 255"
	Title     string `json:"title"`
	AsOf      string `json:"as_of"` // YYYY-MM-DD: in force then
	SHA256    string `json:"sha256"`
	Origin    string `json:"origin"` // file name or address
	Format    string `json:"format"`
}

// Card is the project's own plain-words account of one citable paragraph.
type Card struct {
	Citation    string    `json:"citation" yaml:"citation"`
	Aliases     []string  `json:"aliases,omitempty" yaml:"aliases"`
	Illustrates string    `json:"illustrates,omitempty" yaml:"illustrates"` // of an example: what a finding cites
	Kind        Kind      `json:"kind" yaml:"kind"`
	Title       string    `json:"title" yaml:"title"`
	Requires    string    `json:"requires" yaml:"requires"`
	Binds       Binds     `json:"binds" yaml:"binds"`
	Effective   Effective `json:"effective" yaml:"effective"`
	Triggers    []string  `json:"triggers" yaml:"triggers"`
	LookAlikes  []string  `json:"look_alikes" yaml:"look_alikes"`
	SatisfiedBy []string  `json:"satisfied_by" yaml:"satisfied_by"`
	Severity    Severity  `json:"severity" yaml:"severity"`
	Remedy      string    `json:"remedy" yaml:"remedy"`
	Related     []string  `json:"related" yaml:"related"`
	Gist        string    `json:"gist" yaml:"gist"`
	Checked     bool      `json:"checked" yaml:"checked"`
	Audited     bool      `json:"audited" yaml:"audited"`

	// Filled in by the loader from the file's head.
	Regulator string `json:"regulator" yaml:"-"`
	Source    string `json:"source" yaml:"-"`
	SHA256    string `json:"sha256" yaml:"-"` // of the card's canonical JSON
}

// Binds says whom a card's paragraph can bind.
type Binds struct {
	Who      []string `json:"who" yaml:"who"`
	Sponsors []string `json:"sponsors,omitempty" yaml:"sponsors"` // through whom a speaker not in Who is reached
	Audience string   `json:"audience" yaml:"audience"`           // any, retail, institutional
	Needs    []string `json:"needs" yaml:"needs"`                 // paid, options, performance, testimonial
	Note     string   `json:"note" yaml:"note"`
}

// Effective holds the dates from and to which a paragraph is in force; an
// empty To means that it still is.
type Effective struct {
	From string `json:"from" yaml:"from"`
	To   string `json:"to,omitempty" yaml:"to"`
	Note string `json:"note,omitempty" yaml:"note"`
}

// InForce says whether the paragraph was in force on a date (YYYY-MM-DD).
func (e Effective) InForce(date string) bool {
	return (e.From == "" || e.From <= date) && (e.To == "" || date <= e.To)
}

// Passage is what is indexed, searched and shown to a model: one or more
// paragraphs under a header that names them.
type Passage struct {
	ID        int64             `json:"id"`
	Corpus    string            `json:"corpus"` // "rules", "cards", "documents"
	Source    string            `json:"source"` // id of the text, card file or document
	Regulator string            `json:"regulator"`
	Kind      Kind              `json:"kind"`
	Citation  string            `json:"citation"`  // the first paragraph
	Citations []string          `json:"citations"` // every paragraph in it
	Title     string            `json:"title"`
	Header    string            `json:"header"`
	Body      string            `json:"body"`
	Extra     string            `json:"extra,omitempty"` // indexed, not shown: a card's triggers, a gist
	ParentID  int64             `json:"parent_id,omitempty"`
	Order     int               `json:"order"`
	FirstPage int               `json:"first_page,omitempty"`
	LastPage  int               `json:"last_page,omitempty"`
	SHA256    string            `json:"sha256"`
	Meta      map[string]string `json:"meta,omitempty"`
}

// Text gives the passage as it is embedded and read: header, then body.
func (p Passage) Text() string { return p.Header + "\n" + p.Body }

// Hit is a passage that a search found, with the parts of its score.
type Hit struct {
	Passage Passage `json:"passage"`
	Rank    int     `json:"rank"`
	Pinned  bool    `json:"pinned"`
	Scores  Scores  `json:"scores"`
	Why     string  `json:"why,omitempty"`
	// Card is the project's own account of the paragraph, where the passage is
	// its official text. Matched is the part that was found, where the passage
	// is the parent that is read.
	Card    *Passage `json:"card,omitempty"`
	Matched string   `json:"matched,omitempty"`
}

// Scores are the parts of a hit's score. Rerank is nil when no reranker ran.
type Scores struct {
	BM25   float64  `json:"bm25"`
	Dense  float64  `json:"dense"`
	RRF    float64  `json:"rrf"`
	Rerank *float64 `json:"rerank"`
}
