package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"veristream/backend/audit"
)

// The events of imports.
const (
	EventImport = "import" // ImportProgress
	EventRules  = "rules"  // nothing: rules or documents have changed
)

// Importer installs official rule texts and the user's documents.
type Importer interface {
	ImportTexts(ctx context.Context, req ImportRequest, tell func(ImportProgress)) (ImportReport, error)
	// Sources lists what can be fetched from its publishers.
	Sources(ctx context.Context) ([]TextSource, error)
	// PullTexts fetches sources and installs them.
	PullTexts(ctx context.Context, sources []string, tell func(ImportProgress)) (ImportReport, error)
	ImportDocuments(ctx context.Context, paths []string, ocr bool, tell func(ImportProgress)) (ImportReport, error)
	RemoveText(ctx context.Context, id string) error
	RemoveDocument(ctx context.Context, id string) error
}

// TextSource is an official text that its publisher gives.
type TextSource struct {
	ID        string `json:"id"`
	Regulator string `json:"regulator"`
	Covers    string `json:"covers"`
	Title     string `json:"title"`
	Page      string `json:"page"`            // where it is published
	Usual     bool   `json:"usual"`           // audits cite it
	AsOf      string `json:"as_of,omitempty"` // of the text that is installed; empty: none is
}

// ImportRequest are rule texts to install, with what their files may not tell.
type ImportRequest struct {
	Paths     []string `json:"paths"`
	AsOf      string   `json:"as_of,omitempty"`
	Regulator string   `json:"regulator,omitempty"`
}

// ImportProgress tells how far an import is.
type ImportProgress struct {
	Step  string `json:"step"` // file: is read; pages: of a scan are read from their pictures; vectors: are made for the search
	File  string `json:"file"`
	Done  int    `json:"done"`
	Total int    `json:"total"`
}

// The steps of an import.
const (
	ImportFile    = "file"
	ImportPages   = "pages"
	ImportVectors = "vectors"
)

// Imported is a text or document that was installed.
type Imported struct {
	ID         string   `json:"id"`
	Title      string   `json:"title"`
	File       string   `json:"file"`
	State      string   `json:"state"` // imported, again, unchanged, replaced
	AsOf       string   `json:"as_of,omitempty"`
	SHA256     string   `json:"sha256"`
	Sections   int      `json:"sections"`
	Paragraphs int      `json:"paragraphs"`
	Passages   int      `json:"passages"`
	Remarks    []string `json:"remarks"` // what was odd about it
}

// ImportFailure is a file that could not be imported.
type ImportFailure struct {
	File     string `json:"file"`
	Sentence string `json:"sentence"`
	// Said is the sentence for other languages.
	Said *audit.Message `json:"said,omitempty"`
	Scan bool           `json:"scan,omitempty"` // OCR could read it
}

// ImportReport is what came of an import.
type ImportReport struct {
	Imported []Imported      `json:"imported"`
	Failures []ImportFailure `json:"failures"`
	// Unread says that it was stopped before all could be searched by meaning:
	// the next question goes on with that.
	Unread bool `json:"unread"`
}

// ImportService installs rule texts and documents, one import at a time.
type ImportService struct {
	ctx      context.Context
	importer Importer
	shell    Shell
	emit     func(string, any)
	work     *sync.WaitGroup

	mu     sync.Mutex
	cancel context.CancelFunc // while an import runs
}

// Choose asks the user for files: texts or documents.
func (s *ImportService) Choose(what, title string) ([]string, error) {
	kinds := map[string]FileKind{"texts": FilesTexts, "documents": FilesDocuments}
	kind, ok := kinds[what]
	if !ok {
		return nil, audit.Errorf(audit.CodeUsage, "There are no files of the kind %q.", what)
	}
	paths, err := s.shell.OpenFiles(title, kind)
	if err != nil {
		return nil, fmt.Errorf("ask for a file: %w", err)
	}
	if paths == nil {
		paths = []string{}
	}
	return paths, nil
}

// Texts installs official texts and tells what came of them.
func (s *ImportService) Texts(req ImportRequest) (ImportReport, error) {
	if err := checkDay(req.AsOf); err != nil {
		return ImportReport{}, err
	}
	req.Regulator = strings.TrimSpace(req.Regulator)
	return s.run(func(ctx context.Context, tell func(ImportProgress)) (ImportReport, error) {
		return s.importer.ImportTexts(ctx, req, tell)
	})
}

// Sources lists what can be fetched from its publishers.
func (s *ImportService) Sources() ([]TextSource, error) {
	if s.importer == nil {
		return []TextSource{}, nil
	}
	list, err := s.importer.Sources(s.ctx)
	if err != nil {
		return nil, fmt.Errorf("list the official sources: %w", err)
	}
	return append([]TextSource{}, list...), nil
}

// Pull fetches official texts from their publishers and tells what came of it.
func (s *ImportService) Pull(sources []string) (ImportReport, error) {
	if len(sources) == 0 {
		return ImportReport{}, audit.Errorf(audit.CodeUsage, "Choose a text first.")
	}
	return s.run(func(ctx context.Context, tell func(ImportProgress)) (ImportReport, error) {
		return s.importer.PullTexts(ctx, sources, tell)
	})
}

// Documents imports documents and tells what came of them; with ocr the pages of
// scans are read from their pictures.
func (s *ImportService) Documents(paths []string, ocr bool) (ImportReport, error) {
	return s.run(func(ctx context.Context, tell func(ImportProgress)) (ImportReport, error) {
		return s.importer.ImportDocuments(ctx, paths, ocr, tell)
	})
}

func (s *ImportService) run(do func(context.Context, func(ImportProgress)) (ImportReport, error)) (ImportReport, error) {
	if s.importer == nil {
		return ImportReport{}, audit.Errorf(audit.CodeUsage, "Nothing can be imported here.")
	}
	s.mu.Lock()
	if s.cancel != nil {
		s.mu.Unlock()
		return ImportReport{}, audit.Errorf(audit.CodeUsage, "An import is running; stop it, or wait for its end.")
	}
	ctx, cancel := context.WithCancel(s.ctx)
	s.cancel = cancel
	s.work.Add(1)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.cancel = nil
		s.mu.Unlock()
		cancel()
		s.work.Done()
	}()

	var last ImportProgress
	var sent time.Time
	report, err := do(ctx, func(p ImportProgress) {
		if p.Step == last.Step && p.File == last.File && time.Since(sent) < tick {
			return
		}
		last, sent = p, time.Now()
		s.emit(EventImport, p)
	})
	if err != nil {
		return ImportReport{}, fmt.Errorf("import: %w", err)
	}
	report.Imported = append([]Imported{}, report.Imported...)
	report.Failures = append([]ImportFailure{}, report.Failures...)
	for i := range report.Imported {
		report.Imported[i].Remarks = append([]string{}, report.Imported[i].Remarks...)
	}
	if len(report.Imported) > 0 {
		s.emit(EventRules, nil)
	}
	return report, nil
}

// Cancel stops the import that runs. A text or document that was written
// stays, whole.
func (s *ImportService) Cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cancel != nil {
		s.cancel()
	}
}

// Remove takes a text or a document out; the file that it came from stays.
func (s *ImportService) Remove(what, id string) error {
	if s.importer == nil || !slices.Contains([]string{"text", "document"}, what) {
		return audit.Errorf(audit.CodeUsage, "That cannot be removed here.")
	}
	remove := s.importer.RemoveText
	if what == "document" {
		remove = s.importer.RemoveDocument
	}
	if err := remove(s.ctx, id); err != nil {
		return fmt.Errorf("remove %s: %w", id, err)
	}
	s.emit(EventRules, nil)
	return nil
}
