package core

import (
	"context"

	"veristream/backend/audit"
)

// correct puts what people corrected into the transcript of a video.
func (c *Core) correct(ctx context.Context, sha256 string, segments []audit.Segment) ([]audit.Segment, int, error) {
	corrections, err := c.Store.Corrections(ctx, sha256)
	if err != nil || len(corrections) == 0 {
		return segments, 0, err
	}
	out, lost := audit.Correct(segments, corrections)
	return out, lost, nil
}
