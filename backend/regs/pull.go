package regs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// Puller fetches official texts from their publishers. What it has fetched
// stays in Dir: a pull that was broken off goes on where it stopped, and a text
// that has not changed is not fetched again.
type Puller struct {
	Fetcher   *Fetcher
	Catalogue Catalogue
	Dir       string
}

// Pulled is a text that was fetched.
type Pulled struct {
	Source  Official
	Date    string // in force then
	Address string
	Data    []byte
	Fresh   bool // fetched now, and not kept from before
}

// kept is what is noted beside a fetched text.
type kept struct {
	Address  string `json:"address"`
	Date     string `json:"date"`
	SHA256   string `json:"sha256"`
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"modified,omitempty"`
}

// Source finds a source by its id or by the part that it covers.
func (c Catalogue) Source(name string) (Official, error) {
	ids := make([]string, 0, len(c.Sources))
	for _, s := range c.Sources {
		if s.ID == name || strings.EqualFold(s.Covers, name) {
			return s, nil
		}
		ids = append(ids, s.ID)
	}
	return Official{}, audit.Errorf(audit.CodeUsage, "There is no source %q; there are %s.", name, strings.Join(ids, ", "))
}

// ECFRSource makes a source of any part of the CFR that a user names.
func ECFRSource(title int, part string) Official {
	o := Official{
		ID: fmt.Sprintf("%d-cfr-%s", title, part), Covers: fmt.Sprintf("%d CFR %s", title, part), Method: MethodECFR,
		Regulator: regulatorOf(audit.Citation{Code: audit.CodeCFR, Title: title}),
		Title:     fmt.Sprintf("%d CFR part %s", title, part),
	}
	o.ECFR.Title, o.ECFR.Part = title, part
	return o
}

// Pull fetches a source as it was in force on a date; empty is the newest.
func (p *Puller) Pull(ctx context.Context, o Official, asOf string) (Pulled, error) {
	switch o.Method {
	case MethodECFR:
		return p.pullECFR(ctx, o, asOf)
	case MethodFINRA:
		if asOf != "" {
			return Pulled{}, audit.Errorf(audit.CodeUsage, "FINRA publishes only the rule in force now; leave the date out, or import an older text from a file.")
		}
		return p.pullFINRA(ctx, o)
	}
	return Pulled{}, audit.Errorf(audit.CodeUsage, "The source %s has no way to be fetched.", o.ID)
}

// pullECFR asks the versioner first for the dates, then for the text at the
// last one that is not later than asked. A date at which nothing changed is
// the same text as the one before, so the date of the change names it.
func (p *Puller) pullECFR(ctx context.Context, o Official, asOf string) (Pulled, error) {
	api := p.Catalogue.APIs[MethodECFR]
	newest, err := p.newestDate(ctx, api, o.ECFR.Title)
	if err != nil {
		return Pulled{}, fmt.Errorf("ask for the dates of title %d: %w", o.ECFR.Title, err)
	}
	if asOf == "" || asOf > newest {
		asOf = newest
	}
	changed, err := p.lastChange(ctx, api, o, asOf)
	if err != nil {
		return Pulled{}, fmt.Errorf("ask for the versions of %s: %w", o.Covers, err)
	}
	q := url.Values{"part": {o.ECFR.Part}}
	if o.ECFR.Section != "" {
		q.Set("section", o.ECFR.Section)
	}
	address := fmt.Sprintf("%s/full/%s/title-%d.xml?%s", api, asOf, o.ECFR.Title, q.Encode())
	return p.fetch(ctx, o, changed, address, ".xml")
}

func (p *Puller) newestDate(ctx context.Context, api string, title int) (string, error) {
	page, err := p.Fetcher.Get(ctx, api+"/titles.json", Page{})
	if err != nil {
		return "", err
	}
	var titles struct {
		Titles []struct {
			Number   int    `json:"number"`
			UpToDate string `json:"up_to_date_as_of"`
		} `json:"titles"`
	}
	if err := json.Unmarshal(page.Body, &titles); err != nil {
		return "", audit.Wrap(err, audit.CodeNetwork, "The eCFR's list of titles cannot be read; its interface may have changed.")
	}
	for _, t := range titles.Titles {
		if t.Number == title && t.UpToDate != "" {
			return t.UpToDate, nil
		}
	}
	return "", audit.Errorf(audit.CodeNetwork, "The eCFR has no title %d.", title)
}

func (p *Puller) lastChange(ctx context.Context, api string, o Official, asOf string) (string, error) {
	q := url.Values{"part": {o.ECFR.Part}}
	if o.ECFR.Section != "" {
		q.Set("section", o.ECFR.Section)
	}
	page, err := p.Fetcher.Get(ctx, fmt.Sprintf("%s/versions/title-%d.json?%s", api, o.ECFR.Title, q.Encode()), Page{})
	if err != nil {
		return "", err
	}
	var versions struct {
		Versions []struct {
			Date       string `json:"date"`
			Amended    string `json:"amendment_date"`
			Identifier string `json:"identifier"`
			Removed    bool   `json:"removed"`
		} `json:"content_versions"`
	}
	if err := json.Unmarshal(page.Body, &versions); err != nil {
		return "", audit.Wrap(err, audit.CodeNetwork, "The eCFR's list of versions cannot be read; its interface may have changed.")
	}
	last, first := "", ""
	for _, v := range versions.Versions {
		if v.Date <= asOf && v.Date > last {
			last = v.Date
		}
		if first == "" || v.Date < first {
			first = v.Date
		}
	}
	if last == "" {
		if first == "" {
			return "", audit.Errorf(audit.CodeNetwork, "The eCFR has no version of %s.", o.Covers)
		}
		return "", audit.Errorf(audit.CodeUsage, "The eCFR's first version of %s is of %s; none was in force on %s.", o.Covers, first, asOf)
	}
	return last, nil
}

// pullFINRA fetches a rule's page. FINRA dates no versions there; the text is
// named by the day on which it was read, which the caller knows.
func (p *Puller) pullFINRA(ctx context.Context, o Official) (Pulled, error) {
	return p.fetch(ctx, o, "", p.Catalogue.APIs[MethodFINRA]+"/"+url.PathEscape(o.FINRA.Rule), ".html")
}

// fetch reads an address, or takes what was kept of it.
func (p *Puller) fetch(ctx context.Context, o Official, date, address, ext string) (Pulled, error) {
	name := o.ID
	if date != "" {
		name += "@" + date
	}
	file := filepath.Join(p.Dir, name+ext)
	note, data := p.keptAt(file)
	if date != "" && data != nil && note.Date == date {
		return Pulled{o, date, note.Address, data, false}, nil // a dated text never changes
	}
	page, err := p.Fetcher.Get(ctx, address, Page{ETag: note.ETag, Modified: note.Modified})
	if err != nil {
		return Pulled{}, fmt.Errorf("fetch %s: %w", o.ID, err)
	}
	if page.Unchanged && data != nil {
		return Pulled{o, note.Date, note.Address, data, false}, nil
	}
	sum := sha256.Sum256(page.Body)
	note = kept{Address: address, Date: date, SHA256: hex.EncodeToString(sum[:]), ETag: page.ETag, Modified: page.Modified}
	if err := p.keep(file, page.Body, note); err != nil {
		return Pulled{}, err
	}
	return Pulled{o, date, address, page.Body, true}, nil
}

// keptAt gives a text that was fetched before, if its bytes are still those.
func (p *Puller) keptAt(file string) (note kept, data []byte) {
	raw, err := os.ReadFile(file + ".json")
	if err != nil || json.Unmarshal(raw, &note) != nil {
		return kept{}, nil
	}
	data, err = os.ReadFile(file)
	if err != nil {
		return kept{}, nil
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != note.SHA256 {
		return kept{}, nil // broken off while it was written
	}
	return note, data
}

// keep writes a text and then its note, each at once.
func (p *Puller) keep(file string, data []byte, note kept) error {
	if err := os.MkdirAll(p.Dir, 0o755); err != nil {
		return audit.Wrap(err, audit.CodeStorage, "The folder for fetched texts cannot be made.")
	}
	body, err := json.Marshal(note)
	if err != nil {
		return fmt.Errorf("note what was fetched: %w", err)
	}
	for _, w := range []struct {
		name string
		data []byte
	}{{file, data}, {file + ".json", body}} {
		if err := writeWhole(w.name, w.data); err != nil {
			return audit.Wrap(err, audit.CodeStorage, "The fetched text cannot be written to %s.", p.Dir)
		}
	}
	return nil
}

// writeWhole writes a file so that no one ever sees a part of it.
func writeWhole(name string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(name), ".part-*")
	if err != nil {
		return err
	}
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Sync()
	}
	err = errors.Join(err, tmp.Close())
	if err == nil {
		err = os.Rename(tmp.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(tmp.Name()))
	}
	return nil
}

// Forget removes the fetched texts of a source.
func (p *Puller) Forget(o Official) error {
	names, err := filepath.Glob(filepath.Join(p.Dir, o.ID+"*"))
	if err != nil {
		return fmt.Errorf("look for fetched texts: %w", err)
	}
	names = slices.DeleteFunc(names, func(n string) bool {
		rest := strings.TrimPrefix(filepath.Base(n), o.ID)
		return !strings.HasPrefix(rest, "@") && !strings.HasPrefix(rest, ".")
	})
	for _, n := range names {
		if err := os.Remove(n); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return audit.Wrap(err, audit.CodeStorage, "The fetched text %s cannot be removed.", n)
		}
	}
	return nil
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	return u.Hostname()
}
