package desk

import (
	"context"

	"veristream/backend/audit"
)

// Corrections implements app.Corrector.
func (d *desk) Corrections(ctx context.Context, sha256 string) ([]audit.Correction, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return nil, err
	}
	return c.Store.Corrections(ctx, sha256)
}

// Correct implements app.Corrector.
func (d *desk) Correct(ctx context.Context, auditID, sha256 string, correction audit.Correction) error {
	c, err := d.ready(ctx)
	if err != nil {
		return err
	}
	return c.Store.SaveCorrection(ctx, sha256, auditID, correction)
}
