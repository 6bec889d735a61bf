package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"veristream/app/dirs"
	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/store"
)

// Limits bound what is fetched from an address without being asked; 0 means
// that there is no bound.
type Limits struct {
	Duration time.Duration
	Bytes    int64
}

// DefaultLimits let a long talk through, and not a day's recording.
var DefaultLimits = Limits{Duration: 2 * time.Hour, Bytes: 2 << 30}

func (l Limits) admit(r media.Remote) error {
	return media.Downloader{MaxDuration: l.Duration, MaxBytes: l.Bytes}.Admit(r)
}

// Fetcher brings videos from addresses into the cache, each once.
type Fetcher struct {
	Dirs   dirs.Dirs
	Store  *store.Store // holds the network switch
	Limits Limits
	Fresh  bool // fetch again what is in the cache
	// Tell is told what is being done; the figures are bytes.
	Tell func(note string, done, total int64)
}

// Fetched is a video that came from an address, with what its site says.
type Fetched struct {
	Address   string       `json:"address"`
	File      string       `json:"file"` // path; in the record the name alone
	Bytes     int64        `json:"bytes"`
	Remote    media.Remote `json:"remote"`
	Subtitles []string     `json:"subtitles,omitempty"`
	At        time.Time    `json:"at"`
	Admitted  bool         `json:"admitted"` // it is within the limits, or the user said yes
	Reused    bool         `json:"-"`
}

// record is the file beside a fetched video that says that it is whole.
const record = "fetched.json"

// Fetch gives the video of an address: the one in the cache, or a new one. It
// asks the site first and refuses what is over the limits before it fetches.
func (f Fetcher) Fetch(ctx context.Context, address string) (Fetched, error) {
	if !media.IsURL(address) {
		return Fetched{}, audit.Errorf(audit.CodeUsage, "%q is not an address that begins with https:// or http://.", address)
	}
	if err := Online(ctx, f.Store, "no video is fetched from an address"); err != nil {
		return Fetched{}, err
	}
	dir := f.Dirs.Fetched(hash(address)[:32])
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Fetched{}, audit.Wrap(err, audit.CodeStorage, "The folder for fetched videos, %s, cannot be made.", dir)
	}
	unlock, err := f.lock(ctx, dir)
	if err != nil {
		return Fetched{}, err
	}
	defer unlock()
	got, ok := f.cached(dir)
	if !ok {
		if got, err = f.bring(ctx, address, dir); err != nil {
			return Fetched{}, err
		}
	}
	if got.Admitted {
		return got, nil
	}
	if err := f.Limits.admit(got.Remote); err != nil {
		return Fetched{}, err
	}
	got.Admitted = true
	return got, f.keep(dir, got)
}

// cached gives what an earlier run fetched whole.
func (f Fetcher) cached(dir string) (Fetched, bool) {
	var got Fetched
	data, err := os.ReadFile(filepath.Join(dir, record))
	if f.Fresh || err != nil || json.Unmarshal(data, &got) != nil {
		return Fetched{}, false
	}
	got.File = filepath.Join(dir, got.File)
	for i := range got.Subtitles {
		got.Subtitles[i] = filepath.Join(dir, got.Subtitles[i])
	}
	st, err := os.Stat(got.File)
	if err != nil || st.Size() != got.Bytes {
		return Fetched{}, false
	}
	got.Reused = true
	return got, true
}

// keep writes the record. It comes last and by a rename, so a video without one
// is not whole.
func (f Fetcher) keep(dir string, got Fetched) error {
	got.File = filepath.Base(got.File)
	var names []string
	for _, s := range got.Subtitles {
		names = append(names, filepath.Base(s))
	}
	got.Subtitles = names
	data, err := json.MarshalIndent(got, "", "  ")
	if err != nil {
		return fmt.Errorf("keep what was fetched: %w", err)
	}
	return media.WriteFile(filepath.Join(dir, record), "the record of the fetched video", data)
}

// bring asks the site and fetches the video.
func (f Fetcher) bring(ctx context.Context, address, dir string) (Fetched, error) {
	f.tell("asking the site", 0, 0)
	_ = os.Remove(filepath.Join(dir, record)) // whatever is fetched now, the old record is not of it
	remote, take, err := f.look(ctx, address)
	if err != nil {
		return Fetched{}, err
	}
	if err := f.Limits.admit(remote); err != nil {
		return Fetched{}, err
	}
	f.tell("fetching the video", 0, remote.Bytes)
	download, err := take(ctx, dir, func(done, total int64) { f.tell("fetching the video", done, total) })
	if err != nil {
		return Fetched{}, err
	}
	video, _, err := media.Probe(ctx, download.Path)
	if err != nil {
		if ctx.Err() == nil && audit.CodeOf(err) == audit.CodeInput {
			_ = os.Remove(download.Path) // it would be gone on with
			err = audit.Errorf(audit.CodeInput, "What this address gives is no video and no sound that can be read.").WithDetails(audit.SentenceOf(err))
		}
		return Fetched{}, err
	}
	st, err := os.Stat(download.Path)
	if err != nil {
		return Fetched{}, audit.Wrap(err, audit.CodeStorage, "The fetched video is gone from %s.", dir)
	}
	// What the file says of its length counts from here on; a site need not tell one.
	download.Remote.DurationMS, download.Remote.Bytes = video.DurationMS, st.Size()
	if download.Remote.Title == "" {
		download.Remote.Title = video.Title
	}
	got := Fetched{
		Address: address, File: download.Path, Bytes: st.Size(), Remote: download.Remote, Subtitles: download.Subtitles, At: time.Now().UTC(),
	}
	return got, f.keep(dir, got)
}

// taker fetches what was looked at.
type taker func(ctx context.Context, dir string, progress media.Progress) (media.Download, error)

// look asks about an address: a file by itself where the address names one or
// yt-dlp is not there, everything else through yt-dlp.
func (f Fetcher) look(ctx context.Context, address string) (media.Remote, taker, error) {
	exe := f.Dirs.YTDLP()
	if exe == "" || media.IsDirect(address) {
		direct := media.Direct{MaxBytes: f.Limits.Bytes}
		remote, err := direct.Look(ctx, address)
		switch {
		case err == nil:
			return remote, func(ctx context.Context, dir string, p media.Progress) (media.Download, error) {
				return direct.Take(ctx, address, dir, p)
			}, nil
		case !errors.Is(err, media.ErrPage):
			return remote, nil, err
		case exe == "":
			return remote, nil, audit.Errorf(audit.CodeMissing,
				"This address is a page, and yt-dlp, which finds the videos in pages, is not installed. Run build/setup, or: pipx install yt-dlp")
		}
	}
	d := media.Downloader{Exe: exe, MaxDuration: f.Limits.Duration, MaxBytes: f.Limits.Bytes}
	remote, err := d.Look(ctx, address)
	return remote, func(ctx context.Context, dir string, p media.Progress) (media.Download, error) {
		return d.Take(ctx, address, remote, dir, p)
	}, err
}

func (f Fetcher) tell(note string, done, total int64) {
	if f.Tell != nil {
		f.Tell(note, done, total)
	}
}

// lock keeps two processes from fetching one address into one folder. The
// kernel drops it with the process.
func (f Fetcher) lock(ctx context.Context, dir string) (unlock func(), err error) {
	file, err := os.OpenFile(filepath.Join(dir, ".lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeStorage, "The folder for fetched videos, %s, cannot be written to.", dir)
	}
	for {
		err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			return func() { _ = file.Close() }, nil
		}
		if !errors.Is(err, unix.EWOULDBLOCK) && !errors.Is(err, unix.EINTR) {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", dir, err), file.Close())
		}
		f.tell("waiting for another VeriStream that fetches it", 0, 0)
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), file.Close())
		case <-time.After(200 * time.Millisecond):
		}
	}
}
