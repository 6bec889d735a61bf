// Package demo is a small input that can be audited without a single download:
// what is said and shown in a minute of an invented video, with planted issues
// and sentences that look like issues and are none. build/demo makes the video.
package demo

import (
	"embed"
	"io/fs"
	"os"
	"path/filepath"

	"veristream/app/files"
	"veristream/backend/audit"
)

//go:embed *.srt
var texts embed.FS

// Title is what the demo is called in the library.
const Title = "Demo: How I invest my savings"

// Lay writes the demo into a folder and gives its transcript and its facts.
func Lay(dir string) (path string, facts audit.Facts, err error) {
	facts = audit.Facts{
		Speaker: "paid_endorser", Paid: "yes", Options: audit.Unknown, Audience: "retail", Sponsor: "finra_member", Published: "2026-06-01",
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", facts, audit.Wrap(err, audit.CodeStorage, "The folder %s cannot be made.", dir)
	}
	names, err := fs.Glob(texts, "*.srt")
	if err != nil {
		return "", facts, err
	}
	for _, name := range names {
		data, err := texts.ReadFile(name)
		if err != nil {
			return "", facts, err
		}
		if err := files.Write(filepath.Join(dir, name), data); err != nil {
			return "", facts, err
		}
	}
	return filepath.Join(dir, "harbor-pine.srt"), facts, nil
}
