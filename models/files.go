package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// writeFile copies r to path through a temporary file beside it, with its
// digest: checked against want where that is given, returned in any case. What
// does not match never gets the name.
func writeFile(ctx context.Context, path string, r io.Reader, want string, report func(int64)) (size int64, digest string, err error) {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".tmp-*")
	if err != nil {
		return 0, "", fmt.Errorf("make temporary file: %w", err)
	}
	defer func() {
		if err != nil {
			_ = tmp.Close()
			_ = os.Remove(tmp.Name())
		}
	}()
	h := sha256.New()
	size, err = copyCtx(ctx, io.MultiWriter(tmp, h), r, report)
	if err != nil {
		return 0, "", fmt.Errorf("write %s: %w", filepath.Base(path), err)
	}
	digest = hex.EncodeToString(h.Sum(nil))
	if want != "" && digest != want {
		return 0, "", &DigestError{File: filepath.Base(path), Got: digest, Want: want}
	}
	return size, digest, commitFile(tmp, path)
}

// commitFile syncs and closes a temporary file and gives it its name.
func commitFile(tmp *os.File, path string) error {
	if err := tmp.Sync(); err != nil {
		return fmt.Errorf("sync %s: %w", filepath.Base(path), err)
	}
	if err := tmp.Chmod(0o644); err != nil {
		return fmt.Errorf("set mode of %s: %w", filepath.Base(path), err)
	}
	if err := tmp.Close(); err != nil {
		return fmt.Errorf("close %s: %w", filepath.Base(path), err)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return fmt.Errorf("name %s: %w", filepath.Base(path), err)
	}
	return syncDir(path)
}

// syncDir makes the rename of path durable.
func syncDir(path string) error {
	d, err := os.Open(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	defer func() { _ = d.Close() }()
	// Some file systems refuse to sync a folder; the rename stands anyway.
	_ = d.Sync()
	return nil
}

// copyCtx is io.Copy that stops when ctx ends and says how far it is.
func copyCtx(ctx context.Context, w io.Writer, r io.Reader, report func(int64)) (int64, error) {
	buf := make([]byte, 1<<20)
	var done int64
	for {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		n, err := r.Read(buf)
		if n > 0 {
			if _, err := w.Write(buf[:n]); err != nil {
				return done, err
			}
			done += int64(n)
			if report != nil {
				report(done)
			}
		}
		if err == io.EOF {
			return done, nil
		}
		if err != nil {
			return done, err
		}
	}
}

// hashFile gives the SHA-256 of a file.
func hashFile(ctx context.Context, path string, report func(int64)) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("open %s: %w", filepath.Base(path), err)
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	if _, err := copyCtx(ctx, h, f, report); err != nil {
		return "", fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
