package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"veristream/app/files"
)

func TestHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "running", "job-1.lock")
	release, err := files.Hold(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := files.Hold(path); !errors.Is(err, unix.EWOULDBLOCK) {
		t.Errorf("held a second time: %v", err)
	}
	release()
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the lock file is left: %v", err)
	}
	again, err := files.Hold(path)
	if err != nil {
		t.Fatal(err)
	}
	again()
}
