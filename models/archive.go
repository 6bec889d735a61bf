package models

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// extract appends the named members of an archive to their targets: a wheel
// and a jar are zip files, npm packs a gzipped tar under "package/".
func extract(ctx context.Context, archive string, members []Member, target func(to string) (io.Writer, error), report func(int64)) error {
	if strings.HasSuffix(archive, ".tgz") || strings.HasSuffix(archive, ".tar.gz") {
		return extractTar(ctx, archive, members, target, report)
	}
	zr, err := zip.OpenReader(archive)
	if err != nil {
		return fmt.Errorf("open %s: %w", filepath.Base(archive), err)
	}
	defer func() { _ = zr.Close() }()
	var done int64
	for _, m := range members {
		f, err := zr.Open(m.Path)
		if err != nil {
			return fmt.Errorf("%s has no %s: %w", filepath.Base(archive), m.Path, err)
		}
		n, err := appendTo(ctx, m.To, f, target, done, report)
		_ = f.Close()
		if err != nil {
			return fmt.Errorf("unpack %s of %s: %w", m.Path, filepath.Base(archive), err)
		}
		done += n
	}
	return nil
}

func extractTar(ctx context.Context, archive string, members []Member, target func(string) (io.Writer, error), report func(int64)) error {
	f, err := os.Open(archive)
	if err != nil {
		return fmt.Errorf("open %s: %w", filepath.Base(archive), err)
	}
	defer func() { _ = f.Close() }()
	gz, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("open %s: %w", filepath.Base(archive), err)
	}
	tr := tar.NewReader(gz)
	want := map[string]string{}
	for _, m := range members {
		want[m.Path] = m.To
	}
	var done int64
	for len(want) > 0 {
		h, err := tr.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("read %s: %w", filepath.Base(archive), err)
		}
		name := strings.TrimPrefix(h.Name, "package/")
		to, ok := want[name]
		if !ok || h.Typeflag != tar.TypeReg {
			continue
		}
		n, err := appendTo(ctx, to, tr, target, done, report)
		if err != nil {
			return fmt.Errorf("unpack %s of %s: %w", name, filepath.Base(archive), err)
		}
		done += n
		delete(want, name)
	}
	for name := range want {
		return fmt.Errorf("%s has no %s", filepath.Base(archive), name)
	}
	return nil
}

func appendTo(ctx context.Context, to string, r io.Reader, target func(string) (io.Writer, error), before int64, report func(int64)) (int64, error) {
	w, err := target(to)
	if err != nil {
		return 0, err
	}
	return copyCtx(ctx, w, r, func(n int64) { report(before + n) })
}
