package storage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"veristream/app/dirs"
	"veristream/backend/audit"
	"veristream/backend/store"
)

// Kind is a sort of files that take space.
type Kind string

// The kinds. Those of the cache can be cleaned: they are made again, or fetched
// again, when they are needed.
const (
	Sound     Kind = "sound"     // taken out of videos, for speech and the waveform
	Copies    Kind = "copies"    // playback copies of what the player cannot play
	Pictures  Kind = "pictures"  // of videos, for timeline, library and reports
	Downloads Kind = "downloads" // videos that came from addresses
	Temporary Kind = "temporary" // of audits that are running
	Models    Kind = "models"
	Texts     Kind = "database" // audits, transcripts, rules: what cannot be made again
)

// Cleanable lists the kinds that can be cleaned, those first that are made again
// on this computer.
func Cleanable() []Kind { return []Kind{Copies, Sound, Pictures, Downloads} }

// Usage is what one kind takes.
type Usage struct {
	Kind      Kind  `json:"kind"`
	Bytes     int64 `json:"bytes"`
	Items     int   `json:"items"`
	Cleanable bool  `json:"cleanable"`
}

// Disk tells what takes how much.
type Disk struct {
	Kinds []Usage `json:"kinds"`
	Cache int64   `json:"cache_bytes"` // of the kinds that can be cleaned
	Quota int64   `json:"quota_bytes"` // of them; 0: no bound
	Free  int64   `json:"free_bytes"`  // on the disk of the cache
}

// DefaultQuota is how much the cache may take until somebody says otherwise.
const DefaultQuota = 20e9

const quotaSetting = "cache_quota"

// Quota gives how much the cache may take; 0 is no bound.
func Quota(ctx context.Context, st *store.Store) (int64, error) {
	n := int64(DefaultQuota)
	if _, err := st.Setting(ctx, quotaSetting, &n); err != nil {
		return 0, fmt.Errorf("read the quota: %w", err)
	}
	return n, nil
}

// SetQuota keeps how much the cache may take.
func SetQuota(ctx context.Context, st *store.Store, n int64) error {
	if n < 0 {
		return audit.Errorf(audit.CodeUsage, "The quota cannot be negative; 0 is no bound.")
	}
	return st.SetSetting(ctx, quotaSetting, n)
}

// item is a file or folder of the cache that is cleaned as one.
type item struct {
	kind  Kind
	path  string
	in    string // the folder that a run says it uses
	bytes int64
	at    time.Time // last written or used
}

// Measure tells what takes how much.
func Measure(ctx context.Context, d dirs.Dirs, st *store.Store) (Disk, error) {
	items, err := list(d)
	if err != nil {
		return Disk{}, err
	}
	sum := map[Kind]*Usage{}
	var r Disk
	for _, kind := range append(Cleanable(), Temporary, Models, Texts) {
		sum[kind] = &Usage{Kind: kind, Cleanable: slices.Contains(Cleanable(), kind)}
	}
	for _, i := range items {
		sum[i.kind].Bytes += i.bytes
		sum[i.kind].Items++
		r.Cache += i.bytes
	}
	for kind, path := range map[Kind]string{Temporary: temps(d), Models: d.Models()} {
		sum[kind].Bytes, sum[kind].Items, _ = sizeOf(path)
	}
	ours, _, _ := sizeOf(d.LLM())
	sum[Models].Bytes += ours
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if f, err := os.Stat(d.Database() + suffix); err == nil {
			sum[Texts].Bytes += f.Size()
			sum[Texts].Items++
		}
	}
	for _, kind := range append(Cleanable(), Temporary, Models, Texts) {
		r.Kinds = append(r.Kinds, *sum[kind])
	}
	var disk unix.Statfs_t
	if err := unix.Statfs(d.Cache, &disk); err == nil {
		r.Free = int64(disk.Bavail) * disk.Bsize //nolint:gosec // a disk's size fits
	}
	r.Quota, err = Quota(ctx, st)
	return r, err
}

// Clean deletes what is of these kinds and not in use, and gives the bytes that
// it freed.
func Clean(ctx context.Context, d dirs.Dirs, kinds ...Kind) (freed int64, err error) {
	for _, k := range kinds {
		if !slices.Contains(Cleanable(), k) {
			return 0, audit.Errorf(audit.CodeUsage, "%s cannot be cleaned.", k)
		}
	}
	return remove(ctx, d, func(i item, _ int64) bool { return slices.Contains(kinds, i.kind) })
}

// Enforce deletes the oldest of the cache until it is within the quota: first
// what is made again on this computer, then what must be fetched again.
func Enforce(ctx context.Context, d dirs.Dirs, quota int64) (freed int64, err error) {
	if quota <= 0 {
		return 0, nil
	}
	return remove(ctx, d, func(_ item, total int64) bool { return total > quota })
}

// remove deletes the items that goes says, the oldest first, and those that
// must be fetched again last. goes is told how much the cache takes then.
func remove(ctx context.Context, d dirs.Dirs, goes func(i item, total int64) bool) (freed int64, err error) {
	unlock, err := cleaning(d)
	if err != nil {
		return 0, err
	}
	defer unlock()
	items, err := list(d)
	if err != nil {
		return 0, err
	}
	inUse, err := used(d)
	if err != nil {
		return 0, err
	}
	slices.SortStableFunc(items, func(a, b item) int {
		if (a.kind == Downloads) != (b.kind == Downloads) {
			if b.kind == Downloads {
				return -1
			}
			return 1
		}
		return a.at.Compare(b.at)
	})
	total := int64(0)
	for _, i := range items {
		total += i.bytes
	}
	var errs []error
	for _, i := range items {
		if err := ctx.Err(); err != nil {
			return freed, err
		}
		if inUse[i.in] || !goes(i, total) {
			continue
		}
		if err := os.RemoveAll(i.path); err != nil {
			errs = append(errs, err)
			continue
		}
		_ = os.Remove(i.in) // where it was the last
		freed += i.bytes
		total -= i.bytes
	}
	if err := errors.Join(errs...); err != nil {
		return freed, audit.Wrap(err, audit.CodeStorage, "Not all of it could be deleted.")
	}
	return freed, nil
}

// list finds what of the cache can be cleaned. What it does not know it leaves.
func list(d dirs.Dirs) ([]item, error) {
	var out []item
	work, err := subfolders(d.Work(""))
	if err != nil {
		return nil, err
	}
	for _, dir := range work {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // it has gone meanwhile
		}
		for _, e := range entries {
			var kind Kind
			switch name := e.Name(); {
			case strings.HasPrefix(name, "sound-"):
				kind = Sound
			case strings.HasPrefix(name, "player-"):
				kind = Copies
			case name == "pictures" || strings.HasPrefix(name, "evidence-") || strings.HasPrefix(name, "thumbs"):
				kind = Pictures
			default:
				continue
			}
			out = append(out, measured(kind, filepath.Join(dir, e.Name()), dir))
		}
	}
	fetched, err := subfolders(d.Fetched(""))
	if err != nil {
		return nil, err
	}
	for _, dir := range fetched {
		out = append(out, measured(Downloads, dir, dir))
	}
	return out, nil
}

func subfolders(root string) ([]string, error) {
	entries, err := os.ReadDir(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeStorage, "The folder %s cannot be read.", root)
	}
	var out []string
	for _, e := range entries {
		if e.IsDir() { // never a link: what it leads to is not ours
			out = append(out, filepath.Join(root, e.Name()))
		}
	}
	return out, nil
}

func measured(kind Kind, path, in string) item {
	i := item{kind: kind, path: path, in: in}
	i.bytes, _, i.at = sizeOf(path)
	return i
}

// sizeOf gives what a file or a folder takes, the number of its files, and when
// the last of them was written.
func sizeOf(path string) (bytes int64, files int, at time.Time) {
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil //nolint:nilerr // what has gone meanwhile takes nothing
		}
		info, err := d.Info()
		if err != nil || !info.Mode().IsRegular() {
			return nil //nolint:nilerr // as above
		}
		bytes += info.Size()
		files++
		if info.ModTime().After(at) {
			at = info.ModTime()
		}
		return nil
	})
	return bytes, files, at
}
