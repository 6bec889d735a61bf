package audit

// Document is a paper that the user imported to search and ask about.
type Document struct {
	ID     string `json:"id"`    // "apple-10-k-2024"
	Title  string `json:"title"` // "Apple Inc. 10-K FY2024"
	Type   string `json:"type"`  // 10-K, catalog, profile, controls, markdown, pdf, docx, table, data, text
	Format string `json:"format"`
	Origin string `json:"origin"` // the file
	SHA256 string `json:"sha256"` // of the file
	// Reader is the version of what read it: a newer one reads it again.
	Reader    int               `json:"reader"`
	Pages     int               `json:"pages,omitempty"`
	Unread    int               `json:"unread,omitempty"` // pages without text, which are pictures or empty and were not read
	Sections  int               `json:"sections"`
	Passages  int               `json:"passages"`
	Meta      map[string]string `json:"meta,omitempty"` // company, fiscal_year, period_end, ...
	Anomalies []string          `json:"anomalies,omitempty"`
}

// Section is a run of a document under one heading, or one of its tables or
// controls.
type Section struct {
	Path  []string // headings, from the top down
	Kind  string   // prose, table, control, list
	Text  string   // a table as Markdown, with its caption above it
	ID    string   // of a control: "AC-2(1)"
	Type  string   // risk_factor, audit_matter, note, item, ...; empty: none of them
	Meta  map[string]string
	First int // page; 0: the document has none
	Last  int
}

// The kinds of a section.
const (
	SectionProse   = "prose"
	SectionTable   = "table"
	SectionControl = "control"
)

// Metadata of the passages of a document.
const (
	MetaDocument    = "document"
	MetaDocType     = "doc_type"
	MetaSection     = "section"
	MetaSectionType = "section_type"
	MetaControlID   = "control_id"
	MetaFamily      = "family"
	MetaCompany     = "company"
	MetaYear        = "year"
	MetaChunkType   = "chunk_type" // parent, child, standalone
	MetaHasTable    = "has_table"
	MetaSourceURI   = "source_uri"
	MetaAssetType   = "asset_type"
	MetaRiskTier    = "risk_tier"
	MetaPhase       = "sdlc_phase"
	MetaReadFrom    = "read_from"  // picture: by OCR; absent: the document's own text
	MetaConfidence  = "confidence" // of what was read from a picture, 0.00 to 1.00
)

// ReadFromPicture is the value of MetaReadFrom.
const ReadFromPicture = "picture"
