package media

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"veristream/backend/audit"
)

// Direct brings files of videos and sounds from their own addresses. It needs
// no other program, so it works where yt-dlp is not installed.
type Direct struct {
	// Client asks; nil means one that takes the system's proxies and certificates.
	Client *http.Client
	// MaxBytes stops what turns out to be larger; 0 means no limit.
	MaxBytes int64
}

// ErrPage is in the chain of an error about an address that gives a page and
// not a video: yt-dlp may find a video in it.
var ErrPage = errors.New("the answer is a page")

// ErrLimit is in the chain of an error about a video that is longer or larger
// than the limits allow.
var ErrLimit = errors.New("over the limit")

// directTypes are the endings of names that are files of video or sound.
var directTypes = []string{
	"mp4", "m4v", "mov", "mkv", "webm", "avi", "ts", "mts", "m2ts", "mpg", "mpeg", "wmv", "flv", "ogv", "3gp",
	"mp3", "m4a", "aac", "wav", "flac", "ogg", "oga", "opus",
}

// stall is how long a server may send nothing.
const stall = 30 * time.Second

// tries is how often one download begins or goes on by itself.
const tries = 3

// IsDirect says whether an address names a file and not a page about one.
func IsDirect(address string) bool {
	u, err := url.Parse(address)
	return err == nil && IsURL(address) && slices.Contains(directTypes, endingOf(u))
}

func endingOf(u *url.URL) string {
	return strings.ToLower(strings.TrimPrefix(path.Ext(u.Path), "."))
}

// Look asks about a file without fetching it.
func (d Direct) Look(ctx context.Context, address string) (Remote, error) {
	resp, err := d.open(ctx, address, 0, "")
	if err != nil {
		return Remote{}, err
	}
	resp.Body.Close()
	r, _, err := describeAnswer(address, resp)
	return r, err
}

// Take fetches a file into a folder. What is there of an earlier try is gone on
// with, where the server can tell that its file is still the same.
func (d Direct) Take(ctx context.Context, address, dir string, progress Progress) (Download, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return Download{}, storageError(err, "the folder of the video")
	}
	part := filepath.Join(dir, "direct.part")
	for try := 1; ; try++ {
		got, again, err := d.takeOnce(ctx, address, part, progress)
		switch {
		case err == nil:
			out := filepath.Join(dir, "video."+got.ending)
			if err := os.Rename(part, out); err != nil {
				return Download{}, storageError(err, "the video")
			}
			os.Remove(part + ".tag")
			return Download{Path: out, Remote: got.remote}, nil
		case ctx.Err() != nil:
			return Download{}, ctx.Err()
		case !again || try == tries:
			return Download{}, err
		}
	}
}

// taken is what one try brought.
type taken struct {
	remote Remote
	ending string
}

// takeOnce fetches the rest of a file. again says that another try would go on
// from where this one ended.
func (d Direct) takeOnce(ctx context.Context, address, part string, progress Progress) (got taken, again bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var from int64
	tag, _ := os.ReadFile(part + ".tag")
	if st, err := os.Stat(part); err == nil && len(tag) > 0 {
		from = st.Size()
	}
	resp, err := d.open(ctx, address, from, string(tag))
	if err != nil {
		return got, false, err
	}
	defer resp.Body.Close()
	if got.remote, got.ending, err = describeAnswer(address, resp); err != nil {
		return got, false, err
	}
	if resp.StatusCode != http.StatusPartialContent {
		from = 0
	}
	mark := validator(resp.Header)
	if err := os.WriteFile(part+".tag", []byte(mark), 0o600); err != nil {
		return got, false, storageError(err, "the video")
	}
	f, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return got, false, storageError(err, "the video")
	}
	done, err := d.copy(ctx, cancel, f, resp, from, got.remote.Bytes, progress)
	if err == nil {
		err = f.Sync()
	}
	if closeErr := f.Close(); err == nil && closeErr != nil {
		err = storageError(closeErr, "the video")
	}
	return got, mark != "" && done > from && audit.CodeOf(err) == audit.CodeNetwork, err
}

// copy writes an answer into the file from an offset on and gives the length
// that the file then has.
func (d Direct) copy(ctx context.Context, cancel context.CancelCauseFunc, f *os.File, resp *http.Response, from, total int64, progress Progress) (int64, error) {
	if err := f.Truncate(from); err != nil {
		return from, storageError(err, "the video")
	}
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		return from, storageError(err, "the video")
	}
	watch := time.AfterFunc(stall, func() { cancel(errors.New("nothing came for " + stall.String())) })
	defer watch.Stop()
	done, buf := from, make([]byte, 256<<10)
	for {
		n, err := resp.Body.Read(buf)
		watch.Reset(stall)
		if _, werr := f.Write(buf[:n]); werr != nil {
			return done, storageError(werr, "the video")
		}
		done += int64(n)
		progress.tell(done, total)
		switch {
		case d.MaxBytes > 0 && done > d.MaxBytes:
			return done, Downloader{MaxBytes: d.MaxBytes}.tooLarge(Remote{})
		case errors.Is(err, io.EOF) && done == 0:
			return done, audit.Errorf(audit.CodeNetwork, "The site sent a video of 0 bytes. Try again later.")
		case errors.Is(err, io.EOF) && total > 0 && done != total:
			return done, brokeOff(fmt.Errorf("%d of %d bytes came", done, total))
		case errors.Is(err, io.EOF):
			return done, nil
		case err != nil:
			return done, brokeOff(errors.Join(err, context.Cause(ctx)))
		}
	}
}

func brokeOff(cause error) error {
	return audit.Errorf(audit.CodeNetwork, "The download broke off. Try again: it goes on where it stopped, if the site allows it.").WithDetails(cause.Error())
}

// open asks for a file from an offset on. What is no success is an error.
func (d Direct) open(ctx context.Context, address string, from int64, tag string) (*http.Response, error) {
	if !IsURL(address) {
		return nil, audit.Errorf(audit.CodeUsage, "%s is not an address that begins with https:// or http://.", quote(address))
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeUsage, "%s is not an address.", quote(address))
	}
	req.Header.Set("User-Agent", "VeriStream")
	req.Header.Set("Accept-Encoding", "identity") // packed, the length would not be the file's
	if from > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", from))
		req.Header.Set("If-Range", tag)
	}
	client := d.Client
	if client == nil {
		client = directClient
	}
	resp, err := client.Do(req)
	switch {
	case ctx.Err() != nil:
		if err == nil {
			resp.Body.Close()
		}
		return nil, ctx.Err()
	case err != nil:
		return nil, audit.Errorf(audit.CodeNetwork, "The site cannot be reached. Check the network and the address.").WithDetails(err.Error())
	case from > 0 && resp.StatusCode == http.StatusPartialContent && !strings.HasPrefix(resp.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", from)),
		from > 0 && resp.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		resp.Body.Close()
		return d.open(ctx, address, 0, "") // the part does not fit the file: begin again
	case resp.StatusCode != http.StatusOK && resp.StatusCode != http.StatusPartialContent:
		resp.Body.Close()
		return nil, statusError(resp)
	}
	return resp, nil
}

// directClient gives up on a server that takes the question and never answers.
var directClient = func() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone() //nolint:forcetypeassert // it is documented to be one
	t.DialContext = (&net.Dialer{Timeout: 20 * time.Second}).DialContext
	t.ResponseHeaderTimeout = 30 * time.Second
	return &http.Client{Transport: t}
}()

// describeAnswer takes what the headers tell, and refuses what is no video.
func describeAnswer(address string, resp *http.Response) (r Remote, ending string, err error) {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	final := resp.Request.URL
	name := path.Base(final.Path)
	if _, params, err := mime.ParseMediaType(resp.Header.Get("Content-Disposition")); err == nil && params["filename"] != "" {
		name = path.Base(params["filename"])
	}
	ending = strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
	named, sort := slices.Contains(directTypes, ending), kind
	if i := strings.IndexByte(kind, '/'); i > 0 {
		sort = kind[:i]
	}
	isPage := kind == "text/html" || kind == "application/xhtml+xml" || kind == "application/json" || sort == "image"
	if isPage || (!named && sort != "video" && sort != "audio") {
		return r, "", audit.Wrap(ErrPage, audit.CodeInput, "This address gives no video but a page (%s).", orUnknown(kind))
	}
	if !named {
		ending = "mp4"
		if found, _ := mime.ExtensionsByType(kind); len(found) > 0 {
			ending = strings.TrimPrefix(found[0], ".")
		}
	}
	r = Remote{URL: address, Title: strings.TrimSuffix(name, path.Ext(name)), Bytes: max(0, resp.ContentLength)}
	if _, total, ok := strings.Cut(resp.Header.Get("Content-Range"), "/"); ok && resp.StatusCode == http.StatusPartialContent {
		r.Bytes, _ = strconv.ParseInt(total, 10, 64)
	}
	return r, ending, nil
}

func orUnknown(kind string) string {
	if kind == "" {
		return "of no stated kind"
	}
	return kind
}

// validator is what tells one state of a file from the next. A weak tag does
// not say that the bytes are the same.
func validator(h http.Header) string {
	if tag := h.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") {
		return tag
	}
	return h.Get("Last-Modified")
}

func statusError(resp *http.Response) error {
	details := fmt.Sprintf("HTTP Error %d: %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	if resp.StatusCode == http.StatusForbidden { // another program would not be let in either
		return audit.Errorf(audit.CodeNetwork, "The site refuses to send this video (403). Ask for the file.").WithDetails(details)
	}
	for _, f := range downloadFailures {
		if f.words.MatchString(details) {
			return audit.Errorf(f.code, "%s", f.sentence).WithDetails(details)
		}
	}
	return audit.Errorf(audit.CodeNetwork, "The site did not send the video.").WithDetails(details)
}
