package batch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"veristream/backend/audit"
	"veristream/backend/media"
)

// recordings are the endings of files that a folder is looked through for.
// Texts are left out: beside a video they belong to it, and a folder of text
// files is seldom one of transcripts. Subtitle files are taken where no
// recording of their name lies beside them.
var (
	recordings = []string{
		".mp4", ".mov", ".m4v", ".mkv", ".webm", ".avi", ".mpg", ".mpeg", ".ts", ".mts", ".m2ts", ".wmv", ".flv", ".3gp", ".ogv",
		".mp3", ".m4a", ".wav", ".flac", ".ogg", ".opus", ".aac",
	}
	subtitles = []string{".srt", ".vtt"}
)

// Expand gives the inputs that one argument stands for: an address or a file
// itself, of a folder all recordings in it and below.
func Expand(given string) ([]string, error) {
	if media.IsURL(given) {
		return []string{given}, nil
	}
	path, err := filepath.Abs(given)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeUsage, "%s is no path.", given)
	}
	st, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, audit.Errorf(audit.CodeInput, "There is no file %s.", path)
	case err != nil:
		return nil, audit.Wrap(err, audit.CodeInput, "%s cannot be looked at.", path)
	case !st.IsDir():
		return []string{path}, nil
	}
	found, err := Recordings(path)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, audit.Errorf(audit.CodeInput, "There is no video, sound or subtitle file in %s.", path)
	}
	return found, nil
}

// Recordings lists what can be audited in a folder and below, in the order of
// its names. What is hidden or cannot be read is passed over.
func Recordings(folder string) ([]string, error) {
	var all []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == folder:
			return err
		case err != nil:
			return nil
		case path != folder && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
		case !d.IsDir() && (is(path, recordings) || is(path, subtitles)):
			if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() {
				all = append(all, path)
			}
		}
		return nil
	})
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "The folder %s cannot be read.", folder)
	}
	stems := map[string]bool{}
	for _, path := range all {
		if is(path, recordings) {
			stems[strings.TrimSuffix(path, filepath.Ext(path))] = true
		}
	}
	return slices.DeleteFunc(all, func(path string) bool {
		if !is(path, subtitles) {
			return false
		}
		stem := strings.TrimSuffix(path, filepath.Ext(path))
		// talk.en.vtt and talk.screen.srt belong to talk.mp4, or to talk.srt.
		return stems[stem] || stems[strings.TrimSuffix(stem, filepath.Ext(stem))] || strings.HasSuffix(stem, ".screen")
	}), nil
}

func is(path string, endings []string) bool {
	return slices.Contains(endings, strings.ToLower(filepath.Ext(path)))
}
