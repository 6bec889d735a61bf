package cli

import (
	"context"

	"veristream/app/core"
	"veristream/backend/audit"
)

func (a *App) writeReport(ctx context.Context, c *core.Core, r *audit.Result, path string) error {
	return audit.Errorf(audit.CodeUsage, "Reports cannot be written yet.")
}
