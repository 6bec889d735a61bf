package app

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"veristream/backend/audit"
)

// AuditService starts audits and tells how they go.
type AuditService struct {
	ctx     context.Context
	runs    *runs
	prober  Prober
	archive Archive
	shell   Shell
	covers  *covers
	given   []string
	hinter  Hinter
}

// Given gives what the program was started with, once: paths or addresses.
func (s *AuditService) Given() []string {
	s.runs.mu.Lock()
	defer s.runs.mu.Unlock()
	given := append([]string{}, s.given...)
	s.given = nil
	return given
}

// Choose asks the user for files.
func (s *AuditService) Choose(title string) ([]string, error) {
	paths, err := s.shell.OpenFiles(title, FilesRecordings)
	if err != nil {
		return nil, fmt.Errorf("ask for a file: %w", err)
	}
	if paths == nil {
		paths = []string{}
	}
	return paths, nil
}

// Inspect looks at a file before it is audited. An address is not fetched:
// that is the first stage of its audit.
func (s *AuditService) Inspect(path string) (Inspection, error) {
	path = strings.TrimSpace(path)
	if isAddress(path) {
		return Inspection{
			Video: audit.Video{Path: path, SourceURL: path, Title: path},
			Facts: audit.Facts{}.WithDefaults(), Companions: []Companion{}, Proposed: []audit.ProposedFact{},
		}, nil
	}
	video, err := s.prober.Probe(s.ctx, path)
	if err != nil {
		return Inspection{}, fmt.Errorf("look at the file: %w", err)
	}
	in := Inspection{Video: video, Facts: audit.Facts{}.WithDefaults(), Companions: companionsOf(path), Thumb: s.covers.thumb(video), Proposed: []audit.ProposedFact{}}
	if in.Video.Title == "" {
		in.Video.Title = titleOf(path)
	}
	for _, c := range in.Companions {
		if c.Role != "facts" {
			continue
		}
		data, err := os.ReadFile(c.Path)
		if err != nil {
			return Inspection{}, audit.Wrap(err, audit.CodeInput, "The facts beside the video could not be read: %s.", c.Path)
		}
		if in.Facts, err = audit.ParseFacts(data); err != nil {
			return Inspection{}, fmt.Errorf("read the facts beside the video: %w", err)
		}
	}
	rows, err := s.archive.Audits(s.ctx)
	if err != nil {
		return Inspection{}, fmt.Errorf("look for earlier audits: %w", err)
	}
	for _, r := range rows {
		if r.Path == path {
			in.EarlierID = r.ID
			break
		}
	}
	in.Proposed = append(in.Proposed, s.proposed(in)...)
	return in, nil
}

// proposed gives what an earlier audit heard and read of the facts; before there
// is one, what a transcript or a description says. It is a help and fails
// silently: the questions are asked all the same.
func (s *AuditService) proposed(in Inspection) []audit.ProposedFact {
	if in.EarlierID != "" {
		if r, err := s.archive.Result(s.ctx, in.EarlierID); err == nil && len(r.Proposed) > 0 {
			return r.Proposed
		}
	}
	if s.hinter == nil {
		return nil
	}
	paths := []string{in.Video.Path}
	for _, c := range in.Companions {
		if c.Role != "facts" {
			paths = append(paths, c.Path)
		}
	}
	out, err := s.hinter.Propose(s.ctx, paths)
	if err != nil {
		return nil
	}
	return out
}

// Look asks the site of an address about its video: title, length, day, and what
// its description says of the facts. No video is fetched.
func (s *AuditService) Look(address string) (Inspection, error) {
	in, err := s.Inspect(address)
	if err != nil || s.hinter == nil || !isAddress(in.Video.Path) {
		return in, err
	}
	site, err := s.hinter.Look(s.ctx, in.Video.Path)
	if err != nil {
		return in, fmt.Errorf("ask the site: %w", err)
	}
	in.Video, in.Proposed = site.Video, append(in.Proposed, site.Proposed...)
	in.Entries, in.Over = site.Entries, site.Over
	return in, nil
}

// Start queues an audit and gives the id of its run.
func (s *AuditService) Start(req NewAudit) (string, error) {
	req.Path = strings.TrimSpace(req.Path)
	if req.Path == "" {
		return "", audit.Errorf(audit.CodeUsage, "Choose a video first.")
	}
	if err := req.Facts.Validate(); err != nil {
		return "", fmt.Errorf("check the facts: %w", err)
	}
	id, err := s.runs.add(req)
	if err != nil {
		return "", fmt.Errorf("queue the audit: %w", err)
	}
	return id, nil
}

// Runs gives every run of this session as it stands.
func (s *AuditService) Runs() []Run { return s.runs.list() }

// Cancel stops a run, or takes it out of the queue.
func (s *AuditService) Cancel(id string) error { return s.runs.stop(id) }

// Forget takes a run that has ended off the list.
func (s *AuditService) Forget(id string) error { return s.runs.drop(id) }

// isAddress says whether the text is a web address rather than a path.
func isAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// companionsOf finds the files that are used with a video when they lie
// beside it: x.screen.srt, x.description.txt, x.facts.json.
func companionsOf(path string) []Companion {
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	found := []Companion{}
	for _, c := range []Companion{
		{Path: stem + ".screen.srt", Role: "screen"},
		{Path: stem + ".description.txt", Role: "description"},
		{Path: stem + ".facts.json", Role: "facts"},
	} {
		if !missing(c.Path) {
			found = append(found, c)
		}
	}
	return found
}
