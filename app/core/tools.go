package core

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"veristream/app/dirs"
	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/proc"
)

// starter runs the unpacked yt-dlp beside it; %s is the folder's name.
const starter = `#!/bin/sh
here=$(CDPATH= cd -- "$(dirname -- "$(readlink -f -- "$0")")" && pwd)
PYTHONPATH=$here/%s exec python3 -m yt_dlp "$@"
`

// UpdateYTDLP puts the newest yt-dlp of the Python package index, checked by
// pip, into the tools' folder and gives its version. Sites change often, and
// what they change breaks an old one.
func UpdateYTDLP(ctx context.Context, d dirs.Dirs) (version string, err error) {
	if err := OnlineAt(ctx, d, "yt-dlp is not updated"); err != nil {
		return "", err
	}
	if err := os.MkdirAll(d.Tools(), 0o700); err != nil {
		return "", audit.Wrap(err, audit.CodeStorage, "The folder for tools, %s, cannot be made.", d.Tools())
	}
	tmp, err := os.MkdirTemp(d.Tools(), ".new-")
	if err != nil {
		return "", audit.Wrap(err, audit.CodeStorage, "The folder for tools, %s, cannot be written to.", d.Tools())
	}
	defer os.RemoveAll(tmp)
	if _, stderr, err := proc.Run(proc.Command(ctx, "python3", "-m", "pip", "download", "--quiet", "--disable-pip-version-check",
		"--no-deps", "--only-binary", ":all:", "--dest", tmp, "yt-dlp")); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		return "", audit.Errorf(audit.CodeNetwork, "yt-dlp could not be downloaded. It needs python3 with pip and the network.").WithDetails(err.Error() + "\n" + stderr)
	}
	wheels, _ := filepath.Glob(filepath.Join(tmp, "yt_dlp-*.whl"))
	if len(wheels) != 1 {
		return "", audit.Errorf(audit.CodeNetwork, "What was downloaded is not yt-dlp.")
	}
	name := strings.TrimSuffix(filepath.Base(wheels[0]), "-py3-none-any.whl")
	if err := unpack(wheels[0], filepath.Join(tmp, name)); err != nil {
		return "", audit.Wrap(err, audit.CodeStorage, "The downloaded yt-dlp cannot be unpacked.")
	}
	exe := filepath.Join(tmp, "yt-dlp")
	if err := os.WriteFile(exe, fmt.Appendf(nil, starter, name), 0o700); err != nil {
		return "", audit.Wrap(err, audit.CodeStorage, "yt-dlp cannot be written to %s.", d.Tools())
	}
	if version, err = (media.Downloader{Exe: exe}).Version(ctx); err != nil { // the old one stays until the new one runs
		return "", err
	}
	return version, install(d.Tools(), tmp, name)
}

// install moves the new folder and then its starter into place, and takes older
// folders away.
func install(tools, tmp, name string) error {
	old, _ := filepath.Glob(filepath.Join(tools, "yt_dlp-*"))
	for _, dir := range old {
		if filepath.Base(dir) == name {
			if err := os.RemoveAll(dir); err != nil {
				return audit.Wrap(err, audit.CodeStorage, "The old yt-dlp cannot be replaced.")
			}
		}
	}
	for _, part := range []string{name, "yt-dlp"} {
		if err := os.Rename(filepath.Join(tmp, part), filepath.Join(tools, part)); err != nil {
			return audit.Wrap(err, audit.CodeStorage, "yt-dlp cannot be put into %s.", tools)
		}
	}
	for _, dir := range old {
		if filepath.Base(dir) != name {
			_ = os.RemoveAll(dir) // it is not used any more; what is left is taken next time
		}
	}
	return nil
}

// unpack writes a wheel's files into a folder.
func unpack(wheel, dir string) error {
	r, err := zip.OpenReader(wheel)
	if err != nil {
		return fmt.Errorf("open %s: %w", filepath.Base(wheel), err)
	}
	defer r.Close()
	for _, f := range r.File {
		if strings.HasSuffix(f.Name, "/") {
			continue
		}
		if !filepath.IsLocal(f.Name) {
			return fmt.Errorf("unpack %q: it leads out of the folder", f.Name)
		}
		if err := unpackFile(f, filepath.Join(dir, f.Name)); err != nil {
			return fmt.Errorf("unpack %s: %w", f.Name, err)
		}
	}
	return nil
}

func unpackFile(f *zip.File, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in) //nolint:gosec // pip has checked the package; its size is known
	return errors.Join(err, out.Close())
}
