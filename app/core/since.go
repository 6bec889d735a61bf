package core

import (
	"context"
	"fmt"
	"time"

	"veristream/backend/audit"
	"veristream/backend/reaudit"
	"veristream/backend/store"
)

// SinceNone as Job.Since compares an audit with none.
const SinceNone = "none"

// since compares a result with the earlier audit that the job names, or with
// the last one of the same work, and gives the decisions that carry over.
func (c *Core) since(ctx context.Context, rec store.Audit, r *audit.Result, want string) ([]audit.Decision, error) {
	if want == SinceNone {
		return nil, nil
	}
	found := audit.SinceChosen
	if want == "" {
		earlier, why, ok, err := c.Store.Earlier(ctx, rec)
		if err != nil || !ok {
			return nil, err
		}
		want, found = earlier.ID, why
	}
	then, err := c.audited(ctx, want)
	if err != nil {
		return nil, err
	}
	cmp := reaudit.Compare(then, reaudit.Audit{Result: r})
	cmp.Since.Found = found
	r.Since = &cmp.Since
	return cmp.Decisions, nil
}

// audited reads a finished audit with what was decided on it.
func (c *Core) audited(ctx context.Context, id string) (a reaudit.Audit, err error) {
	if a.Result, err = c.Store.Result(ctx, id); err != nil {
		return a, fmt.Errorf("read the earlier audit: %w", err)
	}
	if a.Decisions, err = c.Store.Decisions(ctx, id); err != nil {
		return a, fmt.Errorf("read what was decided on the earlier audit: %w", err)
	}
	return a, nil
}

// Compare compares a finished audit with another one than before. What a person
// decided on it stays; what had been carried over from elsewhere and does not
// carry from there is opened again, in the name of who asks.
func (c *Core) Compare(ctx context.Context, id, with, by string) (*audit.Result, error) {
	if id == with {
		return nil, audit.Errorf(audit.CodeUsage, "An audit cannot be compared with itself.")
	}
	now, err := c.audited(ctx, id)
	if err != nil {
		return nil, err
	}
	then, err := c.audited(ctx, with)
	if err != nil {
		return nil, err
	}
	cmp := reaudit.Again(then, now, by, time.Now().UTC())
	cmp.Since.Found = audit.SinceChosen
	now.Result.Since = &cmp.Since
	if err := c.Store.SaveSince(ctx, now.Result, cmp.Decisions); err != nil {
		return nil, err
	}
	return now.Result, nil
}
