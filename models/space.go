package models

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// spareRoom stays free on the disk after any pull, so that the database and
// the desktop can still write.
const spareRoom = 64 << 20

// freeSpace gives the bytes that a normal user may still write in dir, or in
// the nearest folder above it that exists.
func freeSpace(dir string) (int64, error) {
	for {
		var st unix.Statfs_t
		err := unix.Statfs(dir, &st)
		if err == nil {
			return int64(st.Bavail) * int64(st.Bsize), nil //nolint:unconvert // the types differ between systems
		}
		parent := filepath.Dir(dir)
		if !os.IsNotExist(err) || parent == dir {
			return 0, fmt.Errorf("ask free space of %s: %w", dir, err)
		}
		dir = parent
	}
}

// needSpace fails with a SpaceError where need bytes do not fit in dir.
func (s *Store) needSpace(dir string, need int64) error {
	if need <= 0 {
		return nil
	}
	free, err := s.free(dir)
	if err != nil {
		// A file system that cannot tell is not a reason to refuse.
		return nil
	}
	if free < need+spareRoom {
		return &SpaceError{Dir: dir, Need: need, Free: free}
	}
	return nil
}

// sameDisk reports whether two folders, or the nearest ones above them that
// exist, share a file system and so its free space.
func sameDisk(a, b string) bool {
	da, okA := device(a)
	db, okB := device(b)
	return okA && okB && da == db
}

func device(dir string) (uint64, bool) {
	for {
		var st unix.Stat_t
		if err := unix.Stat(dir, &st); err == nil {
			return uint64(st.Dev), true //nolint:unconvert // the type differs between systems
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return 0, false
		}
		dir = parent
	}
}

// dirSize gives the bytes of the files right in dir.
func dirSize(dir string) int64 {
	var n int64
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !e.IsDir() {
			n += info.Size()
		}
	}
	return n
}
