package store

import (
	"context"

	"veristream/backend/audit"
)

// Earlier gives the last finished audit of the same work before one, and why it
// is taken for that: it has the same path, came from the same address, or has
// the same content. ok is false where there is none.
func (s *Store) Earlier(ctx context.Context, a Audit) (earlier Audit, found string, ok bool, err error) {
	for _, by := range []struct{ found, column, value string }{
		{audit.SincePath, "path", a.Path}, {audit.SinceAddress, "address", a.Address}, {audit.SinceContent, "video_sha256", a.VideoSHA256},
	} {
		if by.value == "" {
			continue
		}
		list, err := queryAll(ctx, s, "look for an earlier audit", scanAudit, selectAudits+
			` WHERE a.`+by.column+` = ? AND a.state = ? AND a.deleted_at IS NULL AND a.id <> ? AND a.created_at <= ?
			  GROUP BY a.id ORDER BY a.created_at DESC, a.id DESC LIMIT 1`,
			by.value, StateDone, a.ID, a.Created.UnixMilli())
		if err != nil {
			return Audit{}, "", false, err
		}
		if len(list) == 1 {
			return list[0], by.found, true, nil
		}
	}
	return Audit{}, "", false, nil
}
