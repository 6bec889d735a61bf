package app

import (
	"context"

	"veristream/app/batch"
	"veristream/app/storage"
	"veristream/backend/audit"
	"veristream/backend/pipeline"
)

// Request asks for one audit.
type Request struct {
	Path     string
	Title    string
	Facts    *audit.Facts // nil: those beside the file
	AsOf     string       // YYYY-MM-DD; empty: today
	Language string
	NoLLM    bool
	Fresh    bool // pass over cached stages
	Admit    bool // fetch what is over the limits of size and duration too
}

// QueueFunc gives the queue of audits, once the database is open.
type QueueFunc func(ctx context.Context) (*batch.Queue, error)

// Auditor runs an audit from the first stage that is missing to the last. It
// returns when ctx ends, at most three seconds later.
type Auditor interface {
	Audit(ctx context.Context, req Request, observe pipeline.Observer) (audit.Result, error)
}

// Prober looks at a file without auditing it.
type Prober interface {
	Probe(ctx context.Context, path string) (audit.Video, error)
}

// Site is what a site says of an address.
type Site struct {
	Video    audit.Video
	Proposed []audit.ProposedFact
	Entries  []Entry // where the address is a list of videos
	Over     string  // that it is over the limits of size or duration, as a sentence
}

// Hinter tells what a video's own words, and the page that it stands on, say of
// the facts. What it gives is proposed, never set.
type Hinter interface {
	// Look asks the site of an address; it fetches no video.
	Look(ctx context.Context, address string) (Site, error)
	// Propose reads a transcript, and a description beside a video.
	Propose(ctx context.Context, paths []string) ([]audit.ProposedFact, error)
}

// Archive holds the audits that were made.
type Archive interface {
	Audits(ctx context.Context) ([]Summary, error)
	// Result gives an audit as it is kept: what the program says in it is English.
	Result(ctx context.Context, id string) (audit.Result, error)
	// SetDeleted hides an audit, or brings it back.
	SetDeleted(ctx context.Context, id string, deleted bool) error
}

// Record holds what people decided, as an append-only list.
type Record interface {
	Decisions(ctx context.Context, auditID string) ([]audit.Decision, error)
	Decide(ctx context.Context, auditID string, d audit.Decision) error
}

// Pictures makes what the player and the timeline show of a video.
type Pictures interface {
	// Playable gives a file that the webview can play: the video itself, or a
	// proxy of it. A player adds offset (ms) to our times.
	Playable(ctx context.Context, v audit.Video) (path string, offset int64, err error)
	// Frame gives the picture at a time as a JPEG of at most that width.
	Frame(ctx context.Context, v audit.Video, ms int64, width int) ([]byte, error)
	// Peaks gives the loudness of n equal stretches, each from 0 to 1.
	Peaks(ctx context.Context, v audit.Video, n int) ([]float32, error)
}

// Exporter writes an audit to a file. Formats are those that it names.
type Exporter interface {
	Formats() []Format
	Export(ctx context.Context, auditID, format, path string) error
}

// Inspector says what is installed and what is missing.
type Inspector interface {
	Inspect(ctx context.Context) []Installed
}

// Switch is the network switch: the same setting as that of the command line.
type Switch interface {
	Network(ctx context.Context) (Network, error)
	SetOffline(ctx context.Context, off bool) error
}

// Corrector keeps what people correct in transcripts, beside the machine's words.
type Corrector interface {
	Corrections(ctx context.Context, sha256 string) ([]audit.Correction, error)
	Correct(ctx context.Context, auditID, sha256 string, c audit.Correction) error
}

// Keeper keeps the cache in bounds.
type Keeper interface {
	Disk(ctx context.Context) (storage.Disk, error)
	Clean(ctx context.Context, kinds ...storage.Kind) (freed int64, err error)
	SetQuota(ctx context.Context, bytes int64) (freed int64, err error)
}

// Comparer compares a finished audit with another earlier one of the same work;
// by is who asks.
type Comparer interface {
	Compare(ctx context.Context, id, with, by string) error
}

// Namer gives the titles of categories by their ids, in English.
type Namer interface {
	Categories(ctx context.Context) (map[string]string, error)
}

// Parts are the machines behind the window. Those from Pictures on may be nil:
// then the window does not offer what they do.
type Parts struct {
	Auditor   Auditor
	Queue     QueueFunc
	Prober    Prober
	Archive   Archive
	Record    Record
	Pictures  Pictures
	Exporter  Exporter
	Inspector Inspector
	Switch    Switch
	Namer     Namer
	Comparer  Comparer
	Corrector Corrector
	Keeper    Keeper
	Asker     Asker
	Rulebook  Rulebook
	Importer  Importer
	Approver  Approver
	Equipment Equipment
	Hinter    Hinter
}

// FileKind is what a dialog for files offers first.
type FileKind string

// The kinds of files.
const (
	FilesRecordings FileKind = "recordings" // what can be audited
	FilesTexts      FileKind = "texts"      // official rule texts
	FilesDocuments  FileKind = "documents"  // papers to ask about
	FilesModels     FileKind = "models"     // weights
	FilesReports    FileKind = "reports"    // signed reports
	FilesIdentities FileKind = "identities" // PKCS#12
)

// Shell is the window as the services see it.
type Shell interface {
	// Emit tells the front end that something happened.
	Emit(event string, data any)
	// OpenFiles asks the user for files; none when the user thinks better of it.
	OpenFiles(title string, kind FileKind) ([]string, error)
	// OpenFolder asks the user for a folder; empty when the user thinks better of it.
	OpenFolder(title string) (string, error)
	// SaveFile asks where to write; empty when the user thinks better of it.
	SaveFile(title, name string) (string, error)
}

// Files lends local files to the front end over loopback HTTP.
type Files interface {
	// Lend gives an address for a video and for its pictures.
	Lend(v audit.Video, play string) (Lent, error)
	// Revoke makes the addresses of a loan dead.
	Revoke(l Lent)
}
