package regs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"veristream/backend/audit"
)

// Fetcher reads pages of public offices politely: one request at a time, a
// pause between two, back-off when a server asks for it, and nothing again
// that has not changed.
type Fetcher struct {
	Client *http.Client
	// Pause is kept between two requests; the offices' sites are not ours to hurry.
	Pause time.Duration
	// Attempts bounds the tries for one address.
	Attempts int
	// Backoff is the pause after the first failure; it doubles each time.
	Backoff time.Duration
	// Sleep waits; tests replace it.
	Sleep func(ctx context.Context, d time.Duration) error

	requests int
}

// NewFetcher makes a Fetcher with the usual manners.
func NewFetcher() *Fetcher {
	return &Fetcher{
		Client:   &http.Client{Timeout: 2 * time.Minute},
		Pause:    time.Second,
		Attempts: 5,
		Backoff:  2 * time.Second,
		Sleep:    sleep,
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Page is what came back for an address.
type Page struct {
	Body      []byte
	ETag      string
	Modified  string
	Unchanged bool // the server says that it is as it was
}

// userAgent names the program to the offices whose pages it reads.
const userAgent = "VeriStream (rule text for offline use)"

// connectAttempts bounds the tries where nobody answers: offline is told soon.
const connectAttempts = 2

// maxRetryAfter bounds how long a server can make us wait.
const maxRetryAfter = 2 * time.Minute

// Get reads an address. With the ETag or date of an earlier page it asks
// whether anything has changed.
func (f *Fetcher) Get(ctx context.Context, address string, earlier Page) (Page, error) {
	var last error
	for attempt := range f.Attempts {
		if err := f.wait(ctx, attempt, last); err != nil {
			return Page{}, err
		}
		page, err := f.once(ctx, address, earlier)
		if err == nil {
			return page, nil
		}
		last = err
		if ctx.Err() != nil {
			return Page{}, ctx.Err()
		}
		var again *retryError
		if !errors.As(err, &again) {
			return Page{}, err
		}
		if again.unreached && attempt+1 >= connectAttempts {
			return Page{}, again.err // it says already that nobody is there
		}
	}
	return Page{}, audit.Wrap(last, audit.CodeNetwork, "%s did not answer after %d tries. Nothing was changed.", hostOf(address), f.Attempts)
}

// retryError is a failure that may pass; after is what the server asked for.
type retryError struct {
	err       error
	after     time.Duration
	unreached bool // no answer at all
}

func (e *retryError) Error() string { return e.err.Error() }
func (e *retryError) Unwrap() error { return e.err }

func (f *Fetcher) wait(ctx context.Context, attempt int, last error) error {
	pause := f.Pause
	if f.requests == 0 && attempt == 0 {
		pause = 0
	}
	if attempt > 0 {
		pause = f.Backoff << (attempt - 1)
		var again *retryError
		if errors.As(last, &again) && again.after > 0 {
			pause = min(again.after, maxRetryAfter)
		}
	}
	f.requests++
	if pause == 0 {
		return ctx.Err()
	}
	return f.Sleep(ctx, pause)
}

func (f *Fetcher) once(ctx context.Context, address string, earlier Page) (Page, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return Page{}, fmt.Errorf("ask %s: %w", address, err)
	}
	req.Header.Set("User-Agent", userAgent)
	if earlier.ETag != "" {
		req.Header.Set("If-None-Match", earlier.ETag)
	}
	if earlier.Modified != "" {
		req.Header.Set("If-Modified-Since", earlier.Modified)
	}
	res, err := f.Client.Do(req)
	if err != nil {
		gone := audit.Wrap(err, audit.CodeNetwork, "%s cannot be reached; is this computer offline? Nothing was changed.", hostOf(address))
		var dns *net.DNSError
		if errors.As(err, &dns) && dns.IsNotFound {
			return Page{}, gone // asking again does not make the name known
		}
		return Page{}, &retryError{err: gone, unreached: true}
	}
	defer res.Body.Close()
	switch {
	case res.StatusCode == http.StatusNotModified:
		return Page{ETag: earlier.ETag, Modified: earlier.Modified, Unchanged: true}, nil
	case res.StatusCode == http.StatusTooManyRequests || res.StatusCode >= http.StatusInternalServerError:
		return Page{}, &retryError{
			err:   audit.Errorf(audit.CodeNetwork, "%s answered %s.", hostOf(address), res.Status),
			after: retryAfter(res.Header.Get("Retry-After")),
		}
	case res.StatusCode != http.StatusOK:
		return Page{}, audit.Errorf(audit.CodeNetwork, "%s answered %s for %s. Nothing was changed.", hostOf(address), res.Status, address)
	}
	body, err := io.ReadAll(io.LimitReader(res.Body, MaxFile+1))
	if err != nil {
		return Page{}, &retryError{err: audit.Wrap(err, audit.CodeNetwork, "%s broke off in the middle of its answer.", hostOf(address))}
	}
	if len(body) > MaxFile {
		return Page{}, audit.Errorf(audit.CodeNetwork, "%s sent more than %d MB for %s; it was not read.", hostOf(address), MaxFile>>20, address)
	}
	if res.ContentLength > 0 && int64(len(body)) != res.ContentLength {
		return Page{}, &retryError{err: audit.Errorf(audit.CodeNetwork, "%s broke off after %d of %d bytes.", hostOf(address), len(body), res.ContentLength)}
	}
	return Page{Body: body, ETag: res.Header.Get("ETag"), Modified: res.Header.Get("Last-Modified")}, nil
}

func retryAfter(header string) time.Duration {
	if n, err := strconv.Atoi(header); err == nil && n > 0 {
		return time.Duration(n) * time.Second
	}
	if t, err := http.ParseTime(header); err == nil {
		return max(0, time.Until(t))
	}
	return 0
}
