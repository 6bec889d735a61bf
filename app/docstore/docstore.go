// Package docstore keeps the user's own papers: it reads files and folders,
// makes passages of them and writes each document in one step, passes over
// what has not changed, and removes. The command line, the window and the
// server share it.
package docstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"veristream/backend/audit"
	"veristream/backend/chunk"
	"veristream/backend/docs"
)

// Store is what the importer needs of the database.
type Store interface {
	ReplaceDocument(ctx context.Context, d audit.Document, passages []audit.Passage) error
	RemoveDocument(ctx context.Context, id string) error
	Documents(ctx context.Context) ([]audit.Document, error)
}

// Importer imports documents.
type Importer struct{ Store Store }

// What came of a file.
const (
	StateImported  = "imported"
	StateUnchanged = "unchanged"
	StateReplaced  = "replaced"
)

// Report tells what came of one file.
type Report struct {
	Document audit.Document `json:"document"`
	File     string         `json:"file"`
	State    string         `json:"state"`
	MS       int64          `json:"ms"`
}

// Failure is a file that could not be imported.
type Failure struct {
	File string `json:"file"`
	Err  error  `json:"-"`
}

// Scan says whether the file is a scan that OCR could read.
func (f Failure) Scan() bool { return errors.Is(f.Err, docs.ErrScan) }

// Options say what a file may not tell of itself.
type Options struct {
	Title string
	Meta  map[string]string // added to the document's metadata
	Fresh bool              // read again what has not changed
	// Scans reads the pages of PDFs that hold no text; nil: they are not read.
	Scans *Scans
	// OnPage is told of each page that was read from its picture; it may be nil.
	OnPage func(file string, done, total int)
}

// Import imports files and folders. A file that cannot be read does not stop
// the others; it is among the failures.
func (i *Importer) Import(ctx context.Context, paths []string, o Options, tell func(file string)) ([]Report, []Failure, error) {
	files, failures := filesIn(paths)
	have, err := i.Store.Documents(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("list the documents: %w", err)
	}
	var reports []Report
	for _, file := range files {
		if tell != nil {
			tell(file)
		}
		r, err := i.importFile(ctx, file, o, have)
		switch {
		case err == nil:
			reports = append(reports, r)
			have = append(slices.DeleteFunc(have, func(d audit.Document) bool { return d.ID == r.Document.ID }), r.Document)
		case ctx.Err() != nil:
			return reports, failures, ctx.Err()
		case audit.CodeOf(err) == audit.CodeStorage:
			return reports, failures, err // the next one would fail as well
		default:
			failures = append(failures, Failure{file, err})
		}
	}
	return reports, failures, nil
}

// licences and lists of sources lie beside documents and are none.
func skipped(name string) bool {
	upper := strings.ToUpper(name)
	return strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~$") || strings.HasPrefix(upper, "LICENSE") || strings.HasPrefix(upper, "SOURCES.")
}

func filesIn(paths []string) (files []string, failures []Failure) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			failures = append(failures, Failure{path, audit.Wrap(err, audit.CodeInput, "%s cannot be opened.", path)})
			continue
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		n := len(files)
		err = filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				failures = append(failures, Failure{p, audit.Wrap(err, audit.CodeInput, "%s cannot be read.", p)})
				return nil
			case e.IsDir() && strings.HasPrefix(e.Name(), ".") && p != path:
				return filepath.SkipDir
			case e.Type().IsRegular() && !skipped(e.Name()):
				files = append(files, p)
			}
			return nil
		})
		if err == nil && len(files) == n && len(failures) == 0 {
			err = fs.ErrNotExist
		}
		if err != nil {
			failures = append(failures, Failure{path, audit.Errorf(audit.CodeInput, "The folder %s holds no file to import.", path)})
		}
	}
	return files, failures
}

func (i *Importer) importFile(ctx context.Context, file string, o Options, have []audit.Document) (Report, error) {
	begun := time.Now()
	r := Report{File: file, State: StateImported}
	origin, err := filepath.Abs(file)
	if err != nil {
		return r, fmt.Errorf("find %s: %w", file, err)
	}
	info, err := os.Stat(file)
	if err != nil {
		return r, audit.Wrap(err, audit.CodeInput, "%s cannot be opened.", file)
	}
	if info.Size() > docs.MaxFile {
		return r, audit.Errorf(audit.CodeInput, "%s is larger than %d MB; import a part at a time.", filepath.Base(file), docs.MaxFile>>20)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return r, audit.Wrap(err, audit.CodeInput, "%s cannot be read.", file)
	}
	sum := sha256.Sum256(data)
	digest := hex.EncodeToString(sum[:])
	id := ""
	for _, d := range have {
		if d.Origin == origin {
			id, r.State = d.ID, StateReplaced
		}
		// Of what was imported without OCR the scans are still to be read.
		unread := d.Unread > 0 && o.Scans != nil
		if d.SHA256 == digest && d.Reader == docs.Version && !o.Fresh && !unread {
			r.Document, r.State, r.MS = d, StateUnchanged, time.Since(begun).Milliseconds()
			return r, nil
		}
	}
	p, err := docs.ParseWith(ctx, data, filepath.Base(file), o.options(file, digest))
	if err != nil {
		return r, err
	}
	d := p.Document
	d.SHA256, d.Origin = digest, origin
	if o.Title != "" {
		d.Title = o.Title
	}
	for k, v := range o.Meta {
		d.Meta[k] = v
	}
	if d.ID = id; id == "" {
		d.ID = freeID(filepath.Base(file), digest, have)
	}
	passages := chunk.Document(d, p.Sections)
	d.Passages = len(passages)
	if err := i.Store.ReplaceDocument(ctx, d, passages); err != nil {
		return r, err
	}
	r.Document, r.MS = d, time.Since(begun).Milliseconds()
	return r, o.forget(ctx, digest)
}

// freeID names a document after its file; another file of that name gets a
// part of its digest.
func freeID(name, digest string, have []audit.Document) string {
	name = strings.TrimSuffix(name, filepath.Ext(name))
	id := strings.Trim(strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' {
			return unicode.ToLower(r)
		}
		return '-'
	}, name), "-.")
	if id == "" {
		id = "document"
	}
	if slices.ContainsFunc(have, func(d audit.Document) bool { return d.ID == id }) {
		id += "-" + digest[:6]
	}
	return id
}

// Remove removes documents by id, by file or by title.
func (i *Importer) Remove(ctx context.Context, names []string) ([]audit.Document, error) {
	have, err := i.Store.Documents(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the documents: %w", err)
	}
	var gone []audit.Document
	var errs []error
	for _, name := range names {
		origin, _ := filepath.Abs(name)
		at := slices.IndexFunc(have, func(d audit.Document) bool {
			return d.ID == name || d.Origin == origin || strings.EqualFold(d.Title, name)
		})
		if at < 0 {
			errs = append(errs, audit.Errorf(audit.CodeInput, "There is no document %q. Run: veristream docs list", name))
			continue
		}
		if err := i.Store.RemoveDocument(ctx, have[at].ID); err != nil {
			return gone, errors.Join(append(errs, err)...)
		}
		gone = append(gone, have[at])
		have = slices.Delete(have, at, at+1)
	}
	return gone, errors.Join(errs...)
}
