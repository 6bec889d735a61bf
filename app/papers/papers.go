// Package papers makes what leaves the computer from what the database holds:
// it gathers an audit, its decisions, its pictures and the record's head for
// package report. The command line and the window share it.
package papers

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	"veristream/app/dirs"
	"veristream/backend/agent"
	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/report"
	"veristream/backend/store"
)

// Maker makes papers of audits.
type Maker struct {
	Store   *store.Store
	Dirs    dirs.Dirs
	Version string
	Prompts fs.FS // the texts of the language model's prompts; nil: only their digests are known
	Now     func() time.Time
}

// Options are what a person chooses.
type Options struct {
	Language string // "en" or "de"
	Name     string // of who prepares; empty: the identity's, or the user of this computer
	Firm     string
	// Alignment is a file that veristream align --json wrote, to go into the
	// report; empty: none does.
	Alignment string
}

// Find gives the id of an audit that a person means: an id, the beginning of
// one, or "latest".
func (m *Maker) Find(ctx context.Context, id string) (string, error) {
	list, err := m.Store.ListAudits(ctx, store.AuditFilter{State: store.StateDone})
	if err != nil {
		return "", err
	}
	var found []string
	for _, a := range list {
		if id == "latest" || a.ID == id {
			return a.ID, nil
		}
		if len(id) >= 4 && len(a.ID) > len(id) && a.ID[:len(id)] == id {
			found = append(found, a.ID)
		}
	}
	switch len(found) {
	case 0:
		return "", audit.Errorf(audit.CodeInput, "There is no finished audit %q. Run veristream audit first; its number is in the last line.", id)
	case 1:
		return found[0], nil
	}
	return "", audit.Errorf(audit.CodeUsage, "%d audits begin with %q; give more of the number.", len(found), id)
}

// Gather puts together what a report of an audit is made of.
func (m *Maker) Gather(ctx context.Context, r *audit.Result, o Options) (report.Input, error) {
	now := m.Now()
	in := report.Input{
		Result: r, Language: o.Language, Created: now, Titles: map[string]string{},
		Program:  report.Program{Version: m.Version, Platform: runtime.GOOS + "/" + runtime.GOARCH, SHA256: executable()},
		Prepared: report.Person{Name: o.Name, Organisation: o.Firm, At: now},
	}
	if in.Prepared.Name == "" {
		in.Prepared.Name = userName()
	}
	data, err := agent.LoadData()
	if err != nil {
		return in, fmt.Errorf("load the categories: %w", err)
	}
	for _, c := range data.Categories {
		in.Titles[c.ID] = c.Title
	}
	if in.Texts, err = m.Store.Texts(ctx); err != nil {
		return in, err
	}
	if in.Prompts, err = m.prompts(r.Run.Prompts); err != nil {
		return in, err
	}
	if in.Measured, err = measured(r.Run); err != nil {
		return in, err
	}
	if r.ID != "" {
		if in.Stored, err = m.Store.ResultJSON(ctx, r.ID); err != nil && !errors.Is(err, store.ErrNotFound) {
			return in, err
		}
		if in.Decisions, err = m.Store.Decisions(ctx, r.ID); err != nil {
			return in, err
		}
	}
	if r.Video.SHA256 != "" {
		if in.Corrections, err = m.Store.Corrections(ctx, r.Video.SHA256); err != nil {
			return in, err
		}
	}
	events, err := m.Store.Events(ctx, 0, 0)
	if err != nil {
		return in, err
	}
	in.Events = events
	if n := len(events); n > 0 {
		in.Record = report.Head{Events: n, Hash: events[n-1].Hash, At: events[n-1].At.Format(time.RFC3339)}
	}
	if in.Alignment, err = alignment(o.Alignment, events); err != nil {
		return in, err
	}
	if sounds, err := filepath.Glob(filepath.Join(m.Dirs.Work(r.Video.SHA256), "sound-*.wav")); err == nil && len(sounds) == 1 && r.Video.SHA256 != "" {
		if in.AudioSHA256, err = FileSHA256(sounds[0]); err != nil {
			in.AudioSHA256 = "" // it can be made again, and is not needed for the report
		}
	}
	in.Frames, err = m.frames(ctx, r)
	return in, err
}

// frames takes the pictures at findings on the screen. A video that is gone
// gives none; the report then has the words alone.
func (m *Maker) frames(ctx context.Context, r *audit.Result) ([]report.Frame, error) {
	if !r.Video.HasVideo {
		return nil, nil
	}
	var out []report.Frame
	var info *media.ProbeInfo
	taken := map[int64][]byte{}
	for _, f := range r.Findings {
		if f.Source != audit.Screen {
			continue
		}
		ms := (f.StartMS + f.EndMS) / 2
		if taken[ms] == nil {
			if info == nil {
				_, probed, err := media.Probe(ctx, r.Video.Path)
				if err != nil {
					return nil, ctx.Err()
				}
				info = &probed
			}
			data, err := m.frame(ctx, r.Video.SHA256, *info, ms)
			if err != nil {
				return nil, err
			}
			taken[ms] = data
		}
		out = append(out, report.Frame{FindingID: f.ID, AtMS: ms, JPEG: taken[ms]})
	}
	return out, nil
}

// frame reads a kept picture, or takes it and keeps it.
func (m *Maker) frame(ctx context.Context, sha256 string, info media.ProbeInfo, ms int64) ([]byte, error) {
	dir := filepath.Join(m.Dirs.Work(sha256), "pictures")
	path := filepath.Join(dir, "evidence-"+strconv.FormatInt(ms, 10)+".jpg")
	if data, err := os.ReadFile(path); err == nil {
		return data, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, audit.Wrap(err, audit.CodeStorage, "The folder %s for pictures cannot be made.", dir)
	}
	if err := media.Frame(ctx, info, ms, path); err != nil {
		return nil, fmt.Errorf("take a picture of the video: %w", err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeStorage, "The picture %s cannot be read.", path)
	}
	return data, nil
}

func userName() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	if u.Name != "" {
		return u.Name
	}
	return u.Username
}

// executable gives the digest of this program's own file.
func executable() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	sum, err := FileSHA256(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return ""
	}
	return sum
}
