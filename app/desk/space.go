package desk

import (
	"context"

	"veristream/app/storage"
)

// Disk implements app.Keeper.
func (d *desk) Disk(ctx context.Context) (storage.Disk, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return storage.Disk{}, err
	}
	return storage.Measure(ctx, d.dirs, c.Store)
}

// Clean implements app.Keeper.
func (d *desk) Clean(ctx context.Context, kinds ...storage.Kind) (int64, error) {
	return storage.Clean(ctx, d.dirs, kinds...)
}

// SetQuota implements app.Keeper.
func (d *desk) SetQuota(ctx context.Context, bytes int64) (int64, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return 0, err
	}
	if err := storage.SetQuota(ctx, c.Store, bytes); err != nil {
		return 0, err
	}
	return storage.Enforce(ctx, d.dirs, bytes)
}
