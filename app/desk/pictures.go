package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"veristream/backend/audit"
	"veristream/backend/media"
)

// previewWidth is up to which width a picture may be the nearest key frame: a
// thumbnail. Larger ones are looked at as evidence and are exact.
const previewWidth = 640

// Playable implements app.Pictures: the video itself, or a copy of it that the
// webview plays, which is made once and kept with the video's other work.
func (d *desk) Playable(ctx context.Context, v audit.Video) (path string, offset int64, err error) {
	info, err := d.info(ctx, v.Path)
	if err != nil {
		return "", 0, err
	}
	track := info.DefaultTrack()
	if _, needed := media.NeedsProxy(info, max(track, 0)); !needed {
		return v.Path, info.PlayOffsetMS(), nil
	}
	if v.SHA256 == "" {
		return "", 0, audit.Errorf(audit.CodeInput, "The player cannot play %s.", filepath.Base(v.Path))
	}
	dir := d.dirs.Work(v.SHA256)
	path = filepath.Join(dir, "player-"+strconv.Itoa(max(track, 0))+".mp4")
	d.copies.Lock()
	defer d.copies.Unlock()
	if _, err := os.Stat(path); err == nil {
		now := time.Now()
		_ = os.Chtimes(path, now, now) // what is watched is not the oldest of the cache
		return path, 0, nil
	} else if !errors.Is(err, os.ErrNotExist) {
		return "", 0, audit.Wrap(err, audit.CodeStorage, "The playback copy %s cannot be looked at.", path)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", 0, audit.Wrap(err, audit.CodeStorage, "The folder %s for the playback copy cannot be made.", dir)
	}
	if err := media.Proxy(ctx, info, track, path, nil); err != nil {
		return "", 0, err
	}
	return path, 0, nil
}

// Frame implements app.Pictures. Pictures are kept: the library and the
// timeline ask for the same ones again and again.
func (d *desk) Frame(ctx context.Context, v audit.Video, ms int64, width int) ([]byte, error) {
	info, err := d.info(ctx, v.Path)
	if err != nil {
		return nil, err
	}
	if v.SHA256 == "" { // not audited yet, so nothing is kept
		return media.Preview(ctx, info, ms, width)
	}
	dir := filepath.Join(d.dirs.Work(v.SHA256), "pictures")
	path := filepath.Join(dir, fmt.Sprintf("%d-%d.jpg", ms, width))
	if data, err := os.ReadFile(path); err == nil {
		return data, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, audit.Wrap(err, audit.CodeStorage, "The folder %s for pictures cannot be made.", dir)
	}
	if width > previewWidth {
		if err := media.Frame(ctx, info, ms, path); err != nil {
			return nil, err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, audit.Wrap(err, audit.CodeStorage, "The picture %s cannot be read.", path)
		}
		return data, nil
	}
	data, err := media.Preview(ctx, info, ms, width)
	if err != nil {
		return nil, err
	}
	return data, media.WriteFile(path, "a picture of the video", data)
}

// Peaks implements app.Pictures, from the sound that the audit took out; none
// where it took out none.
func (d *desk) Peaks(ctx context.Context, v audit.Video, n int) ([]float32, error) {
	found, err := filepath.Glob(filepath.Join(d.dirs.Work(v.SHA256), "sound-*.wav"))
	if err != nil || len(found) == 0 || v.SHA256 == "" {
		return []float32{}, nil
	}
	peaks, err := media.Peaks(ctx, found[0], n)
	if err != nil {
		return nil, err
	}
	// The loudest place fills the lane: most speech is far from full scale.
	var top float32
	for _, p := range peaks {
		top = max(top, p)
	}
	for i := range peaks {
		peaks[i] /= max(top, 0.05)
	}
	return peaks, nil
}

func (d *desk) info(ctx context.Context, path string) (media.ProbeInfo, error) {
	d.mu.Lock()
	info, ok := d.probed[path]
	d.mu.Unlock()
	if ok {
		return info, nil
	}
	_, info, err := media.Probe(ctx, path)
	if err != nil {
		return media.ProbeInfo{}, err
	}
	d.remember(info)
	return info, nil
}

func (d *desk) remember(info media.ProbeInfo) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.probed[info.Path] = info
}
