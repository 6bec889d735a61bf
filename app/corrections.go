package app

import (
	"fmt"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// Correct puts a person's words in the place of a line of an audit's video; empty
// words strike it out, the machine's own take a correction back. The audit stays
// as it is until it is made again. It gives the corrections that wait for that.
func (s *ReviewService) Correct(id, segmentID, text string) ([]audit.Correction, error) {
	result, err := s.parts.Archive.Result(s.ctx, id)
	if err != nil {
		return nil, fmt.Errorf("open audit %s: %w", id, err)
	}
	if s.parts.Corrector == nil || result.Video.SHA256 == "" {
		return nil, audit.Errorf(audit.CodeUsage, "The transcript of this audit cannot be corrected.")
	}
	i := slices.IndexFunc(result.Segments, func(seg audit.Segment) bool { return seg.ID == segmentID })
	if i < 0 {
		return nil, audit.Errorf(audit.CodeUsage, "This audit has no line %s.", segmentID)
	}
	seg := result.Segments[i]
	if seg.Source == audit.Description {
		return nil, audit.Errorf(audit.CodeUsage, "The description is not a machine's: change it where it comes from.")
	}
	c := audit.Correction{
		Source: seg.Source, StartMS: seg.StartMS, EndMS: seg.EndMS, Machine: seg.MachineText(),
		Text: strings.Join(strings.Fields(text), " "), By: s.reviewer(), At: s.now().UTC(),
	}
	if err := s.parts.Corrector.Correct(s.ctx, id, result.Video.SHA256, c); err != nil {
		return nil, fmt.Errorf("keep the correction: %w", err)
	}
	return s.corrections(result)
}

// corrections gives of each corrected line the last correction, where the audit
// was made without it.
func (s *ReviewService) corrections(r audit.Result) ([]audit.Correction, error) {
	if s.parts.Corrector == nil || r.Video.SHA256 == "" {
		return []audit.Correction{}, nil
	}
	all, err := s.parts.Corrector.Corrections(s.ctx, r.Video.SHA256)
	if err != nil {
		return nil, fmt.Errorf("read the corrections: %w", err)
	}
	return audit.Waiting(r.Segments, all), nil
}
