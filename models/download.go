package models

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

const (
	maxRetries  = 5                // in a row without a new byte
	idleTimeout = 30 * time.Second // a connection that delivers nothing is given up
	maxBackoff  = 20 * time.Second
)

// download is one file on its way from an HTTP server to the disk. It lies in
// path+".part" until its digest is right; path+".part.json" remembers which
// version of the remote file the partial one belongs to.
type download struct {
	client *http.Client
	sleep  func(context.Context, time.Duration) error
	idle   time.Duration
	url    string
	path   string
	want   File
	report func(done int64)

	file *os.File
	hash hash.Hash
	n    int64
	mark validator
}

// validator is what the server said about the version that it sends.
type validator struct {
	URL          string `json:"url"`
	ETag         string `json:"etag,omitempty"`
	LastModified string `json:"last_modified,omitempty"`
}

// ifRange gives the validator that a conditional range may use: a weak ETag
// does not promise equal bytes (RFC 9110, 13.1.5).
func (v validator) ifRange() string {
	if v.ETag != "" && !strings.HasPrefix(v.ETag, "W/") {
		return v.ETag
	}
	return v.LastModified
}

// permanentError is an answer that another try at the same URL will not change.
type permanentError struct{ err error }

func (e *permanentError) Error() string { return e.err.Error() }
func (e *permanentError) Unwrap() error { return e.err }

func permanent(format string, args ...any) error {
	return &permanentError{fmt.Errorf(format, args...)}
}

// run downloads the file and leaves it, checked and synced, at path. A partial
// file of an earlier run is continued. When ctx ends, what is there is kept.
func (d *download) run(ctx context.Context) error {
	resumed, err := d.open()
	if err != nil {
		return err
	}
	defer func() { _ = d.file.Close() }()
	for {
		if err := d.fetch(ctx); err != nil {
			if d.n == 0 {
				d.discard() // nothing to go on from
			}
			return err
		}
		err := d.finish()
		if errors.Is(err, ErrDigest) && resumed {
			// The start may stem from another version of the remote file: one
			// clean download decides whether the source is wrong.
			resumed = false
			if err := d.restart(); err != nil {
				return err
			}
			continue
		}
		if errors.Is(err, ErrDigest) {
			d.discard()
		}
		return err
	}
}

// open opens the partial file and hashes what is already in it.
func (d *download) open() (resumed bool, err error) {
	d.hash = sha256.New()
	d.file, err = os.OpenFile(d.part(), os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return false, fmt.Errorf("open partial download: %w", err)
	}
	if data, err := os.ReadFile(d.part() + ".json"); err == nil {
		_ = json.Unmarshal(data, &d.mark) // an unreadable mark counts as none
	}
	d.n, err = io.Copy(d.hash, d.file)
	if err != nil {
		return false, fmt.Errorf("read partial download: %w", err)
	}
	if d.n > d.want.Size || d.mark.URL != "" && d.mark.URL != d.url {
		return false, d.restart()
	}
	return d.n > 0, nil
}

func (d *download) part() string { return d.path + ".part" }

// fetch asks the server until the file is complete.
func (d *download) fetch(ctx context.Context) error {
	tries := 0
	for d.n < d.want.Size {
		before := d.n
		wait, err := d.request(ctx)
		if err == nil {
			continue // complete, or the server wants to be asked anew
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var perm *permanentError
		if errors.As(err, &perm) {
			return perm.err
		}
		if d.n > before {
			tries = 0
		}
		if tries++; tries > maxRetries {
			return fmt.Errorf("gave up after %d tries: %w", tries, err)
		}
		if wait == 0 {
			wait = min(time.Second<<(tries-1), maxBackoff)
		}
		if err := d.sleep(ctx, wait); err != nil {
			return err
		}
	}
	return nil
}

// request makes one request and reads its body as far as it goes. wait is the
// time that the server asked for, if it did.
func (d *download) request(ctx context.Context) (wait time.Duration, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	idle := time.AfterFunc(d.idle, func() {
		cancel(fmt.Errorf("the server sent nothing for %s", d.idle))
	})
	defer idle.Stop()

	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.url, nil)
	if err != nil {
		return 0, permanent("make request: %w", err)
	}
	// Ranges count the bytes on the wire: a compressed body would not fit them.
	req.Header.Set("Accept-Encoding", "identity")
	req.Header.Set("User-Agent", "veristream")
	if d.n > 0 {
		req.Header.Set("Range", fmt.Sprintf("bytes=%d-", d.n))
		if v := d.mark.ifRange(); v != "" {
			req.Header.Set("If-Range", v)
		}
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return 0, connectError(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	wait, err = d.accept(resp)
	if err != nil {
		return wait, err
	}
	return 0, d.read(ctx, resp.Body, func() { idle.Reset(d.idle) })
}

// accept looks at the status and the headers and brings the partial file to
// where the body begins.
func (d *download) accept(resp *http.Response) (wait time.Duration, err error) {
	switch code := resp.StatusCode; {
	case code == http.StatusPartialContent:
		start, total, ok := contentRange(resp.Header.Get("Content-Range"))
		if ok && total > 0 && total != d.want.Size {
			return 0, permanent("the server has another file of %s, expected %s", FormatBytes(total), FormatBytes(d.want.Size))
		}
		other := d.mark.ETag != "" && resp.Header.Get("ETag") != "" && resp.Header.Get("ETag") != d.mark.ETag
		if !ok || start != d.n || other {
			// A range that was not asked for is useless; the next request asks for all.
			if err := d.restart(); err != nil {
				return 0, err
			}
			return 0, fmt.Errorf("the server sent the range %q of another version", resp.Header.Get("Content-Range"))
		}
	case code == http.StatusOK:
		if resp.ContentLength >= 0 && resp.ContentLength != d.want.Size {
			return 0, permanent("the server has another file of %s, expected %s", FormatBytes(resp.ContentLength), FormatBytes(d.want.Size))
		}
		if d.n > 0 {
			// The server ignores Range, or its file has changed (If-Range).
			if err := d.restart(); err != nil {
				return 0, err
			}
		}
	case code == http.StatusRequestedRangeNotSatisfiable && d.n > 0:
		if err := d.restart(); err != nil {
			return 0, err
		}
		return 0, fmt.Errorf("the server answered %s", resp.Status)
	case code >= 500 || code == http.StatusTooManyRequests || code == http.StatusRequestTimeout:
		if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s >= 0 {
			wait = min(time.Duration(s)*time.Second, maxBackoff)
		}
		return wait, fmt.Errorf("the server answered %s", resp.Status)
	default:
		return 0, permanent("the server answered %s", resp.Status)
	}
	d.mark = validator{URL: d.url, ETag: resp.Header.Get("ETag"), LastModified: resp.Header.Get("Last-Modified")}
	data, err := json.Marshal(d.mark)
	if err != nil {
		return 0, permanent("remember version: %w", err)
	}
	if err := os.WriteFile(d.part()+".json", data, 0o644); err != nil {
		return 0, permanent("remember version: %w", err)
	}
	return 0, nil
}

// read copies the body to the file and to the hash.
func (d *download) read(ctx context.Context, body io.Reader, alive func()) error {
	buf := make([]byte, 256<<10)
	for {
		n, err := body.Read(buf)
		if n > 0 {
			alive()
			if d.n+int64(n) > d.want.Size {
				_ = d.restart()
				return permanent("the server sends more than %s", FormatBytes(d.want.Size))
			}
			if _, err := d.file.Write(buf[:n]); err != nil {
				return permanent("write download: %w", err)
			}
			_, _ = d.hash.Write(buf[:n])
			d.n += int64(n)
			d.report(d.n)
		}
		if err != nil {
			if d.n == d.want.Size {
				return nil
			}
			if cause := context.Cause(ctx); cause != nil {
				return cause
			}
			return fmt.Errorf("the connection broke off after %s of %s: %w", FormatBytes(d.n), FormatBytes(d.want.Size), err)
		}
	}
}

// finish checks the digest and gives the file its name.
func (d *download) finish() error {
	if got := hex.EncodeToString(d.hash.Sum(nil)); got != d.want.SHA256 {
		return &DigestError{File: d.want.Name, Got: got, Want: d.want.SHA256}
	}
	if err := d.file.Sync(); err != nil {
		return fmt.Errorf("sync download: %w", err)
	}
	if err := os.Rename(d.part(), d.path); err != nil {
		return fmt.Errorf("name download: %w", err)
	}
	_ = os.Remove(d.part() + ".json")
	return syncDir(d.path)
}

// restart empties the partial file.
func (d *download) restart() error {
	if err := d.file.Truncate(0); err != nil {
		return permanent("empty partial download: %w", err)
	}
	if _, err := d.file.Seek(0, io.SeekStart); err != nil {
		return permanent("empty partial download: %w", err)
	}
	d.hash.Reset()
	d.n = 0
	d.mark = validator{}
	_ = os.Remove(d.part() + ".json")
	return nil
}

// discard removes what was downloaded: it is the wrong file.
func (d *download) discard() {
	_ = os.Remove(d.part())
	_ = os.Remove(d.part() + ".json")
}

// connectError sorts the failures before an answer: a name that does not
// exist or a refused connection will not be better in a second.
func connectError(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return permanent("the address of %s was not found (no network?)", dns.Name)
	}
	var cert *tls.CertificateVerificationError
	if errors.As(err, &cert) {
		return permanent("the server's certificate is not trusted: %w", cert.Err)
	}
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" {
		return permanent("no connection to %s: %w", op.Addr, op.Err)
	}
	return err
}

// contentRange reads "bytes 100-999/1000"; total is -1 where it is "*".
func contentRange(h string) (start, total int64, ok bool) {
	rest, ok := strings.CutPrefix(h, "bytes ")
	if !ok {
		return 0, 0, false
	}
	span, size, ok := strings.Cut(rest, "/")
	if !ok {
		return 0, 0, false
	}
	from, _, ok := strings.Cut(span, "-")
	if !ok {
		return 0, 0, false
	}
	start, err := strconv.ParseInt(from, 10, 64)
	if err != nil || start < 0 {
		return 0, 0, false
	}
	if size == "*" {
		return start, -1, true
	}
	total, err = strconv.ParseInt(size, 10, 64)
	return start, total, err == nil
}

// newClient makes the client of the downloader. http.ProxyFromEnvironment and
// Go's default roots give the user's proxy and the system's certificates.
func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 15 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:     true,
		TLSHandshakeTimeout:   15 * time.Second,
		ResponseHeaderTimeout: idleTimeout,
		IdleConnTimeout:       30 * time.Second,
		MaxIdleConnsPerHost:   2,
	}}
}

// sleepCtx waits for d or until ctx ends.
func sleepCtx(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
