package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"veristream/app/measures"
	"veristream/backend/audit"
	"veristream/backend/said"
)

// ReviewService opens an audit beside its video and takes decisions on it.
type ReviewService struct {
	ctx      context.Context
	parts    Parts
	prefs    *prefs
	files    Files
	shell    Shell
	now      func() time.Time
	reviewer func() string

	mu     sync.Mutex
	open   map[string]Lent        // by audit
	videos map[string]audit.Video // of the audits that are open
}

const positionsFile = "positions.json"

// Actions that a decision may take.
var actions = []string{"accept", "dismiss", "reopen", "severity", "comment"}

// Open gives an audit with its decisions.
func (s *ReviewService) Open(id string) (Review, error) {
	kept, err := s.parts.Archive.Result(s.ctx, id)
	if err != nil {
		return Review{}, fmt.Errorf("open audit %s: %w", id, err)
	}
	result, foreign, err := s.told(kept)
	if err != nil {
		return Review{}, err
	}
	decisions, err := s.parts.Record.Decisions(s.ctx, id)
	if err != nil {
		return Review{}, fmt.Errorf("read the decisions on audit %s: %w", id, err)
	}
	if decisions == nil {
		decisions = []audit.Decision{}
	}
	positions := map[string]int64{}
	if err := s.prefs.load(positionsFile, &positions); err != nil {
		positions = nil // where the playhead stood is a comfort, not a duty
	}
	whole(&result)
	s.remember(id, result.Video)
	words := takeWords(result.Segments)
	r := Review{Result: result, Foreign: foreign, Words: words, Decisions: decisions, Position: positions[id], Formats: []Format{}}
	if r.Measured, err = measuredFor(result); err != nil {
		return Review{}, err
	}
	if s.parts.Exporter != nil {
		r.Formats = s.parts.Exporter.Formats()
	}
	if r.Corrections, err = s.corrections(result); err != nil {
		return Review{}, err
	}
	v := result.Video
	r.Missing = missing(v.Path)
	r.Playable = !r.Missing && s.files != nil && (v.HasVideo || v.HasAudio)
	return r, nil
}

// told gives an audit in the window's language, without what only a translation
// needs, and its sentences that are not wholly in that language.
func (s *ReviewService) told(kept audit.Result) (audit.Result, said.Foreign, error) {
	set, err := loadSettings(s.prefs)
	if err != nil {
		return audit.Result{}, nil, err
	}
	result, foreign := said.InLanguage(&kept, set.Language)
	if foreign == nil {
		foreign = said.Foreign{}
	}
	out := *result
	out.Said = nil
	return out, foreign, nil
}

// Media lends the video of an audit that is open to the player. It may take
// long: a video that the player cannot play is copied into one that it can.
func (s *ReviewService) Media(id string) (Media, error) {
	v, err := s.video(id)
	if err != nil {
		return Media{}, err
	}
	m, play := Media{}, v.Path
	if s.parts.Pictures != nil {
		if play, m.Offset, err = s.parts.Pictures.Playable(s.ctx, v); err != nil {
			return Media{}, fmt.Errorf("make the video playable: %w", err)
		}
	}
	lent, err := s.files.Lend(v, play)
	if err != nil {
		return Media{}, fmt.Errorf("lend the video: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.open[id]; ok {
		s.files.Revoke(old)
	}
	s.open[id] = lent
	m.Video, m.Frames = lent.Media, lent.Frames
	return m, nil
}

func (s *ReviewService) remember(id string, v audit.Video) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.videos[id] = v
}

// video gives the video of an audit that is open; to read a whole audit for it
// would cost as much as to open it.
func (s *ReviewService) video(id string) (audit.Video, error) {
	s.mu.Lock()
	v, ok := s.videos[id]
	s.mu.Unlock()
	if ok {
		return v, nil
	}
	result, err := s.parts.Archive.Result(s.ctx, id)
	if err != nil {
		return audit.Video{}, fmt.Errorf("open audit %s: %w", id, err)
	}
	return result.Video, nil
}

// Peaks gives the loudness of n equal stretches of the video; none where it
// cannot be had.
func (s *ReviewService) Peaks(id string, n int) ([]float32, error) {
	if s.parts.Pictures == nil {
		return []float32{}, nil
	}
	v, err := s.video(id)
	if err != nil {
		return nil, err
	}
	if !v.HasAudio || missing(v.Path) {
		return []float32{}, nil
	}
	peaks, err := s.parts.Pictures.Peaks(s.ctx, v, min(max(n, 1), 20000))
	if err != nil {
		return nil, fmt.Errorf("draw the sound: %w", err)
	}
	return peaks, nil
}

// Decide records a decision and gives all of them. It is on disk when this
// returns.
func (s *ReviewService) Decide(id string, v Verdict) ([]audit.Decision, error) {
	if !slices.Contains(actions, v.Action) {
		return nil, audit.Errorf(audit.CodeUsage, "A decision cannot be %q.", v.Action)
	}
	v.Reason = strings.TrimSpace(v.Reason)
	if v.Action == "dismiss" && v.Reason == "" {
		return nil, audit.Errorf(audit.CodeUsage, "Dismissing a finding needs a reason.")
	}
	d := audit.Decision{
		FindingID: v.FindingID, Action: v.Action, Reason: v.Reason, Severity: v.Severity,
		By: s.reviewer(), At: s.now().UTC(),
	}
	if err := s.parts.Record.Decide(s.ctx, id, d); err != nil {
		return nil, fmt.Errorf("record the decision: %w", err)
	}
	s.shell.Emit(EventLibrary, nil)
	decisions, err := s.parts.Record.Decisions(s.ctx, id)
	if err != nil {
		return nil, fmt.Errorf("read the decisions on audit %s: %w", id, err)
	}
	return decisions, nil
}

// Compare compares an audit with another earlier one than before, and gives it
// anew. What a person decided on it stays.
func (s *ReviewService) Compare(id, with string) (Review, error) {
	if s.parts.Comparer == nil {
		return Review{}, audit.Errorf(audit.CodeMissing, "Comparing is not part of this build.")
	}
	if err := s.parts.Comparer.Compare(s.ctx, id, with, s.reviewer()); err != nil {
		return Review{}, fmt.Errorf("compare audit %s with %s: %w", id, with, err)
	}
	s.shell.Emit(EventLibrary, nil)
	return s.Open(id)
}

// Position keeps where the playhead stands, so that opening the audit again
// goes on from there.
func (s *ReviewService) Position(id string, ms int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	positions := map[string]int64{}
	if err := s.prefs.load(positionsFile, &positions); err != nil {
		positions = map[string]int64{}
	}
	positions[id] = ms
	return s.prefs.save(positionsFile, positions)
}

// Export asks where to write and writes an audit there. It gives the path,
// which is empty when the user thought better of it.
func (s *ReviewService) Export(id, format, title string) (string, error) {
	if s.parts.Exporter == nil {
		return "", audit.Errorf(audit.CodeMissing, "Exporting is not part of this build.")
	}
	formats := s.parts.Exporter.Formats()
	i := slices.IndexFunc(formats, func(f Format) bool { return f.ID == format })
	if i < 0 {
		return "", audit.Errorf(audit.CodeUsage, "An audit cannot be exported as %q.", format)
	}
	result, err := s.parts.Archive.Result(s.ctx, id)
	if err != nil {
		return "", fmt.Errorf("open audit %s: %w", id, err)
	}
	path, err := s.shell.SaveFile(title, titleOf(result.Video.Path)+formats[i].Extension)
	if err != nil || path == "" {
		return "", err
	}
	if err := s.parts.Exporter.Export(s.ctx, id, format, path); err != nil {
		return "", fmt.Errorf("export audit %s: %w", id, err)
	}
	return path, nil
}

// Close takes the video back.
func (s *ReviewService) Close(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.videos, id)
	if lent, ok := s.open[id]; ok {
		s.files.Revoke(lent)
		delete(s.open, id)
	}
}

func (s *ReviewService) closeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, lent := range s.open {
		s.files.Revoke(lent)
		delete(s.open, id)
	}
}

// whole makes empty lists of those that are nil: the front end counts on it.
func whole(r *audit.Result) {
	fill(&r.Segments)
	fill(&r.Findings)
	fill(&r.NotApplicable)
	fill(&r.Checked)
	fill(&r.Dropped)
	fill(&r.Run.Stages)
	if r.Run.Models == nil {
		r.Run.Models = map[string]audit.ModelInfo{}
	}
}

func fill[T any](list *[]T) {
	if *list == nil {
		*list = []T{}
	}
}

// measuredFor gives what was measured of the categories that an audit found
// something in, with the same language model or without one.
func measuredFor(r audit.Result) (map[string]Measured, error) {
	f, err := measures.Load()
	if err != nil {
		return nil, err
	}
	out := map[string]Measured{}
	run, ok := f.For(r.Run.Models["llm"].Name)
	if !ok {
		return out, nil
	}
	for _, found := range r.Findings {
		if c, ok := run.Category(found.Category); ok && c.Right+c.Wrong > 0 {
			out[found.Category] = Measured{Right: c.Right, Of: c.Right + c.Wrong}
		}
	}
	return out, nil
}
