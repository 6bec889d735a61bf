package core

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"golang.org/x/sys/unix"

	"veristream/app/files"
	"veristream/app/storage"
	"veristream/backend/store"
)

// Interrupted is the sentence in the record of an audit whose process ended
// before the audit did.
const Interrupted = "VeriStream ended before this audit was done. What it had finished is kept: start the audit again to go on."

// holdRun marks an audit as running in this process, for as long as the
// process lives or until release is called.
func (c *Core) holdRun(id string) (release func(), err error) { return files.Hold(c.runLock(id)) }

func (c *Core) runLock(id string) string { return filepath.Join(c.Dirs.Running(), id+".lock") }

// CloseInterrupted ends the records of audits that a crash or a kill left as
// running, and removes their temporary folders. Those of another process that
// still lives are left alone.
func (c *Core) CloseInterrupted(ctx context.Context) error {
	if err := storage.Sweep(c.Dirs); err != nil {
		return err
	}
	list, err := c.Store.ListAudits(ctx, store.AuditFilter{State: store.StateRunning})
	if err != nil {
		return fmt.Errorf("look for interrupted audits: %w", err)
	}
	for _, rec := range list {
		release, err := c.holdRun(rec.ID)
		if errors.Is(err, unix.EWOULDBLOCK) {
			continue
		}
		if err != nil {
			return err
		}
		now, err := c.Store.Audit(ctx, rec.ID) // it may have ended since it was listed
		if err == nil && now.State == store.StateRunning {
			now.State, now.Error = store.StateFailed, Interrupted
			err = c.Store.UpdateAudit(ctx, now)
		}
		release()
		if err != nil {
			return fmt.Errorf("close the record of %s: %w", rec.ID, err)
		}
	}
	return nil
}
