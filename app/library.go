package app

import (
	"context"
	"fmt"

	"veristream/backend/audit"
	"veristream/backend/said"
)

// LibraryService lists the audits that were made.
type LibraryService struct {
	ctx     context.Context
	archive Archive
	covers  *covers
	namer   Namer
	prefs   *prefs
	emit    func(string, any)
}

// Categories gives the titles of categories by their ids, in the window's language.
func (s *LibraryService) Categories() (map[string]string, error) {
	if s.namer == nil {
		return map[string]string{}, nil
	}
	titles, err := s.namer.Categories(s.ctx)
	if err != nil {
		return nil, fmt.Errorf("name the categories: %w", err)
	}
	set, err := loadSettings(s.prefs)
	if err != nil {
		return nil, err
	}
	return said.Titles(titles, set.Language), nil
}

// List gives every audit, the newest first.
func (s *LibraryService) List() ([]Summary, error) {
	rows, err := s.archive.Audits(s.ctx)
	if err != nil {
		return nil, fmt.Errorf("list the audits: %w", err)
	}
	for i := range rows {
		r := &rows[i]
		r.Missing = missing(r.Path)
		r.Thumb = s.covers.thumb(audit.Video{Path: r.Path, DurationMS: r.DurationMS, HasVideo: r.HasVideo})
	}
	if rows == nil {
		rows = []Summary{}
	}
	return rows, nil
}

// Delete hides an audit; Restore brings it back.
func (s *LibraryService) Delete(id string) error { return s.setDeleted(id, true) }

// Restore brings a deleted audit back.
func (s *LibraryService) Restore(id string) error { return s.setDeleted(id, false) }

func (s *LibraryService) setDeleted(id string, deleted bool) error {
	if err := s.archive.SetDeleted(s.ctx, id, deleted); err != nil {
		return fmt.Errorf("delete or restore audit %s: %w", id, err)
	}
	s.emit(EventLibrary, nil)
	return nil
}
