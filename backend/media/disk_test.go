package media_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/media"
)

// smallDisk gives a folder on a disk of so many bytes.
func smallDisk(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skipf("SKIPPED: a small disk cannot be mounted here (needs root): %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return dir
}

func leftovers(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestFullDisk(t *testing.T) {
	info := probe(t, h264(t, "a.mp4", "20"))
	dir := smallDisk(t, "size=64k")
	wantError(t, media.ExtractAudio(t.Context(), info, 0, filepath.Join(dir, "a.wav"), nil), audit.CodeStorage, "disk is full")
	leftovers(t, dir)
	wantError(t, media.Proxy(t.Context(), info, 0, filepath.Join(dir, "p.mp4"), nil), audit.CodeStorage, "disk is full")
	leftovers(t, dir)
	wantError(t, media.WriteFile(filepath.Join(dir, "x"), "the transcript", make([]byte, 1<<20)), audit.CodeStorage, "disk is full")
	leftovers(t, dir)
}

func TestReadOnlyDisk(t *testing.T) {
	info := probe(t, h264(t, "a.mp4", "1"))
	dir := smallDisk(t, "size=64k")
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("SKIPPED: the disk cannot be made read-only: %v", err)
	}
	wantError(t, media.ExtractAudio(t.Context(), info, 0, filepath.Join(dir, "a.wav"), nil), audit.CodeStorage, "read-only")
	wantError(t, media.WriteFile(filepath.Join(dir, "x"), "the transcript", nil), audit.CodeStorage, "read-only")
	_, err := os.Stat(filepath.Join(dir, "a.wav"))
	if err == nil {
		t.Error("it was written")
	}
}

// A file on a read-only disk is audited like any other: nothing is written
// beside it.
func TestInputOnAReadOnlyDisk(t *testing.T) {
	video := h264(t, "a.mp4", "1")
	content, err := os.ReadFile(video)
	if err != nil {
		t.Fatal(err)
	}
	dir := smallDisk(t, "size=4m")
	path := filepath.Join(dir, "a.mp4")
	if err := os.WriteFile(path, content, 0o400); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skipf("SKIPPED: the disk cannot be made read-only: %v", err)
	}
	info := probe(t, path)
	if err := media.ExtractAudio(t.Context(), info, 0, filepath.Join(t.TempDir(), "a.wav"), nil); err != nil {
		t.Fatal(err)
	}
}
