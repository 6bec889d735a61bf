package app

import (
	"context"
	"fmt"

	"veristream/app/storage"
	"veristream/backend/audit"
)

// StorageService tells what takes how much space, cleans the cache and sets its
// quota.
type StorageService struct {
	ctx    context.Context
	keeper Keeper
}

// Get tells what takes how much.
func (s *StorageService) Get() (storage.Disk, error) {
	if s.keeper == nil {
		return storage.Disk{Kinds: []storage.Usage{}}, nil
	}
	d, err := s.keeper.Disk(s.ctx)
	if err != nil {
		return storage.Disk{}, fmt.Errorf("measure the cache: %w", err)
	}
	return d, nil
}

// Clean deletes a kind of the cache, but what a running audit needs, and gives
// the bytes that it freed.
func (s *StorageService) Clean(kind string) (int64, error) {
	if s.keeper == nil {
		return 0, audit.Errorf(audit.CodeUsage, "The cache cannot be cleaned here.")
	}
	freed, err := s.keeper.Clean(s.ctx, storage.Kind(kind))
	if err != nil {
		return freed, fmt.Errorf("clean the cache: %w", err)
	}
	return freed, nil
}

// SetQuota says how much the cache may take from now on; 0 is no bound. It gives
// the bytes that it freed.
func (s *StorageService) SetQuota(bytes int64) (int64, error) {
	if s.keeper == nil {
		return 0, audit.Errorf(audit.CodeUsage, "The quota cannot be set here.")
	}
	freed, err := s.keeper.SetQuota(s.ctx, bytes)
	if err != nil {
		return freed, fmt.Errorf("set the quota: %w", err)
	}
	return freed, nil
}
