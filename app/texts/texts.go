// Package texts installs official rule texts: it reads files or fetches them,
// makes passages of their paragraphs and writes both into the database in one
// step, and it holds the rule cards against what is installed. The command line
// and the window share it.
package texts

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"veristream/backend/audit"
	"veristream/backend/chunk"
	"veristream/backend/regs"
)

// Store is what the installer needs of the database.
type Store interface {
	ReplaceText(ctx context.Context, t audit.Text, rules []audit.Rule, passages []audit.Passage) error
	RemoveText(ctx context.Context, id string) error
	Reader
}

// Reader is what showing and verifying need of the database.
type Reader interface {
	Texts(ctx context.Context) ([]audit.Text, error)
	TextRules(ctx context.Context, textID string) ([]audit.Rule, error)
}

// Installer installs official texts.
type Installer struct {
	Store     Store
	Catalogue regs.Catalogue
	Puller    *regs.Puller
	Now       func() time.Time
}

// Report tells what came of installing one text.
type Report struct {
	Text      audit.Text     `json:"text"`
	File      string         `json:"file"`
	Sections  int            `json:"sections"`
	Rules     int            `json:"paragraphs"`
	Passages  int            `json:"passages"`
	Ambiguous int            `json:"ambiguous"`
	Problems  []regs.Problem `json:"problems"`
	MS        int64          `json:"ms"` // reading, cutting and writing
	Again     bool           `json:"again"`
	Notice    string         `json:"notice,omitempty"`
}

// ImportOptions say what a file may not tell of itself.
type ImportOptions struct {
	AsOf      string
	Regulator string
	Title     int // of the CFR
}

// Failure is a file that could not be installed.
type Failure struct {
	File string `json:"file"`
	Err  error  `json:"-"`
}

// Import installs a file, or every file of a folder. In a folder a file that
// cannot be read does not stop the others; it is among the failures.
func (i *Installer) Import(ctx context.Context, path string, opts ImportOptions, tell func(file string)) ([]Report, []Failure, error) {
	files, err := filesIn(path)
	if err != nil {
		return nil, nil, err
	}
	var (
		reports  []Report
		failures []Failure
	)
	for _, file := range files {
		if tell != nil {
			tell(file)
		}
		some, err := i.importFile(ctx, file, opts)
		switch {
		case err == nil:
			reports = append(reports, some...)
		case ctx.Err() != nil:
			return reports, failures, ctx.Err()
		case len(files) == 1:
			return nil, nil, err
		default:
			failures = append(failures, Failure{file, err})
		}
	}
	return reports, failures, nil
}

func filesIn(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "%s cannot be opened.", path)
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	var files []string
	err = filepath.WalkDir(path, func(p string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && strings.HasPrefix(e.Name(), ".") && p != path {
			return filepath.SkipDir
		}
		if e.Type().IsRegular() && !strings.HasPrefix(e.Name(), ".") {
			files = append(files, p)
		}
		return nil
	})
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "The folder %s cannot be read.", path)
	}
	if len(files) == 0 {
		return nil, audit.Errorf(audit.CodeInput, "The folder %s holds no file.", path)
	}
	return files, nil
}

func (i *Installer) importFile(ctx context.Context, file string, opts ImportOptions) ([]Report, error) {
	begun := time.Now()
	info, err := os.Stat(file)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "%s cannot be opened.", file)
	}
	if info.Size() > regs.MaxFile {
		return nil, audit.Errorf(audit.CodeInput, "%s is larger than %d MB; import a part at a time.", file, regs.MaxFile>>20)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "%s cannot be read.", file)
	}
	return i.install(ctx, data, regs.Options{
		Name: filepath.Base(file), AsOf: opts.AsOf, Regulator: opts.Regulator, CFRTitle: opts.Title, Known: i.Catalogue.Sources,
	}, false, begun)
}

// install reads, cuts and writes; each text of the file is written whole or
// not at all.
func (i *Installer) install(ctx context.Context, data []byte, opts regs.Options, undated bool, begun time.Time) ([]Report, error) {
	parts, err := regs.Parse(ctx, data, opts)
	if err != nil {
		return nil, fmt.Errorf("import %s: %w", opts.Name, err)
	}
	have, err := i.Store.Texts(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the installed texts: %w", err)
	}
	reports := make([]Report, 0, len(parts))
	for _, p := range parts {
		again := false
		if undated {
			if again, err = i.readAgain(ctx, p, have); err != nil {
				return nil, err
			}
		}
		notice := i.date(p, have)
		passages := chunk.Rules(p.Text, p.Rules)
		if err := i.Store.ReplaceText(ctx, p.Text, p.Rules, passages); err != nil {
			return nil, fmt.Errorf("install %s: %w", p.Text.ID, err)
		}
		reports = append(reports, Report{
			Text: p.Text, File: opts.Name, Sections: p.Sections(), Rules: len(p.Rules), Passages: len(passages),
			Ambiguous: p.Count(regs.ProblemAmbiguous), Problems: p.Problems, MS: time.Since(begun).Milliseconds(),
			Again:  again || slices.ContainsFunc(have, func(t audit.Text) bool { return t.ID == p.Text.ID && t.SHA256 == p.Text.SHA256 }),
			Notice: notice,
		})
		begun = time.Now()
	}
	return reports, nil
}

// date gives a text that does not tell its own a date, and says which. A text
// that is taken for newer than another is preferred to it, which a reader must
// know.
func (i *Installer) date(p *regs.Parsed, have []audit.Text) (notice string) {
	today := i.Now().Format(time.DateOnly)
	switch {
	case p.Document != "" && p.Text.AsOf <= today:
		notice = fmt.Sprintf("the file does not tell its date; the number %s in its name is of %s, whose last day was taken", p.Document, p.Text.AsOf[:4])
	case p.Document != "" || p.Text.AsOf == "":
		p.SetDate(today)
		notice = "the file does not tell its date; today's was taken"
	default:
		return ""
	}
	before := ""
	for _, t := range have {
		if t.Part == p.Text.Part && t.AsOf < p.Text.AsOf && t.AsOf > before {
			before = t.AsOf
		}
	}
	if before != "" {
		notice += ", so it stands before the text of " + before
	}
	return notice
}

// readAgain gives a page that does not tell its date the one of the installed
// text whose paragraphs it has, word for word: read again it is no new version.
func (i *Installer) readAgain(ctx context.Context, p *regs.Parsed, have []audit.Text) (bool, error) {
	same, err := i.installedAlike(ctx, p, have)
	if err != nil || same == "" {
		return false, err
	}
	p.SetDate(same)
	return true, nil
}

func (i *Installer) installedAlike(ctx context.Context, p *regs.Parsed, have []audit.Text) (date string, err error) {
	id, _, _ := strings.Cut(p.Text.ID, "@")
	last := audit.Text{}
	for _, t := range have {
		if strings.HasPrefix(t.ID, id+"@") && t.AsOf >= last.AsOf {
			last = t
		}
	}
	if last.ID == "" {
		return "", nil
	}
	rules, err := i.Store.TextRules(ctx, last.ID)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", last.ID, err)
	}
	alike := slices.EqualFunc(rules, p.Rules, func(a, b audit.Rule) bool {
		return a.Citation.Equal(b.Citation) && regs.WordsHash(a.Text) == regs.WordsHash(b.Text)
	})
	if !alike {
		return "", nil
	}
	return last.AsOf, nil
}

// Pull fetches sources and installs them. A source that cannot be fetched does
// not stop the others.
func (i *Installer) Pull(ctx context.Context, sources []regs.Official, asOf string, tell func(source string)) ([]Report, []Failure, error) {
	var (
		reports  []Report
		failures []Failure
	)
	for _, o := range sources {
		if tell != nil {
			tell(o.ID)
		}
		some, err := i.pullOne(ctx, o, asOf)
		switch {
		case err == nil:
			reports = append(reports, some...)
		case ctx.Err() != nil:
			return reports, failures, ctx.Err()
		case len(sources) == 1:
			return nil, nil, err
		default:
			failures = append(failures, Failure{o.ID, err})
		}
	}
	return reports, failures, nil
}

func (i *Installer) pullOne(ctx context.Context, o regs.Official, asOf string) ([]Report, error) {
	begun := time.Now()
	got, err := i.Puller.Pull(ctx, o, asOf)
	if err != nil {
		return nil, err
	}
	date, undated := got.Date, got.Date == ""
	if undated { // it was in force when it was read
		date = i.Now().Format(time.DateOnly)
	}
	known := append([]regs.Official{o}, i.Catalogue.Sources...)
	reports, err := i.install(ctx, got.Data, regs.Options{
		Name: got.Address, AsOf: date, Regulator: o.Regulator, CFRTitle: o.ECFR.Title, Known: known,
	}, undated, begun)
	if err != nil {
		// What cannot be read is not kept, or the next pull would trip over it.
		return nil, errors.Join(err, i.Puller.Forget(o))
	}
	return reports, nil
}

// Installed reads the installed texts with their paragraphs; of a part's
// versions the one in force on a date (empty: the latest).
func Installed(ctx context.Context, r Reader, asOf string) ([]regs.Installed, error) {
	all, err := r.Texts(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the installed texts: %w", err)
	}
	current := map[string]audit.Text{}
	for _, t := range all {
		best, ok := current[t.Part]
		if !ok || (asOf == "" || t.AsOf <= asOf) && t.AsOf >= best.AsOf {
			current[t.Part] = t
		}
	}
	var out []regs.Installed
	for _, t := range all {
		if current[t.Part].ID != t.ID {
			continue
		}
		rules, err := r.TextRules(ctx, t.ID)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", t.ID, err)
		}
		out = append(out, regs.Installed{Text: t, Rules: rules})
	}
	return out, nil
}
