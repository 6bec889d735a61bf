package regs_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"veristream/backend/audit"
	"veristream/backend/regs"
)

// office is a server in the shapes of the eCFR's versioner and of FINRA's
// rulebook, with failures that a test asks for.
type office struct {
	*httptest.Server
	mu       sync.Mutex
	requests []string
	fail     []func(http.ResponseWriter) // taken one a request before any answer
	etag     string
}

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{etag: `"v1"`}
	o.Server = httptest.NewServer(http.HandlerFunc(o.serve))
	t.Cleanup(o.Close)
	return o
}

func (o *office) serve(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	o.requests = append(o.requests, r.URL.String())
	var fail func(http.ResponseWriter)
	if len(o.fail) > 0 {
		fail, o.fail = o.fail[0], o.fail[1:]
	}
	etag := o.etag
	o.mu.Unlock()
	if fail != nil {
		fail(w)
		return
	}
	switch {
	case r.URL.Path == "/ecfr/titles.json":
		fmt.Fprint(w, `{"titles":[{"number":16,"name":"Commercial Practices","up_to_date_as_of":"2026-05-01","reserved":false}]}`)
	case r.URL.Path == "/ecfr/versions/title-16.json":
		fmt.Fprint(w, `{"content_versions":[{"date":"2009-12-01","identifier":"255.9"},{"date":"2023-07-26","identifier":"255.9"}],"meta":{"title":"16"}}`)
	case strings.HasPrefix(r.URL.Path, "/ecfr/full/") && r.URL.Query().Get("part") == "255":
		year := strings.Split(r.URL.Path, "/")[3][:4]
		fmt.Fprintf(w, `<?xml version="1.0"?><DIV5 N="255" TYPE="PART"><HEAD>PART 255</HEAD><DIV8 N="255.9" TYPE="SECTION"><HEAD>§ 255.9 Things.</HEAD><P>(a) As of %s.</P></DIV8></DIV5>`, year)
	case r.URL.Path == "/finra/2999":
		w.Header().Set("ETag", etag)
		if r.Header.Get("If-None-Match") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		fmt.Fprint(w, `<!DOCTYPE html><html><body><main><h1>2999. Invented Communications</h1><div>(a) Words.</div></main></body></html>`)
	default:
		http.NotFound(w, r)
	}
}

func (o *office) failNext(f ...func(http.ResponseWriter)) { o.fail = append(o.fail, f...) }

func status(code int, header ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
	}
}

// truncated promises more than it sends.
func truncated(w http.ResponseWriter) {
	w.Header().Set("Content-Length", "1000")
	fmt.Fprint(w, "<DIV5")
}

func (o *office) puller(t *testing.T, dir string) (*regs.Puller, *[]time.Duration) {
	t.Helper()
	var pauses []time.Duration
	f := regs.NewFetcher()
	f.Sleep = func(ctx context.Context, d time.Duration) error {
		pauses = append(pauses, d)
		return ctx.Err()
	}
	return &regs.Puller{
		Fetcher: f, Dir: dir,
		Catalogue: regs.Catalogue{APIs: map[string]string{regs.MethodECFR: o.URL + "/ecfr", regs.MethodFINRA: o.URL + "/finra"}},
	}, &pauses
}

func guides() regs.Official {
	s := regs.ECFRSource(16, "255")
	s.ID = "ftc-255"
	return s
}

func invented() regs.Official {
	s := regs.Official{ID: "finra-2999", Covers: "FINRA 2999", Method: regs.MethodFINRA}
	s.FINRA.Rule = "2999"
	return s
}

func TestPullTakesTheVersionInForce(t *testing.T) {
	o := newOffice(t)
	p, _ := o.puller(t, t.TempDir())
	for _, tt := range []struct{ asOf, date, words string }{
		{"", "2023-07-26", "As of 2026."},
		{"2024-01-01", "2023-07-26", ""},
		{"2015-06-01", "2009-12-01", "As of 2015."},
		{"2099-01-01", "2023-07-26", ""},
	} {
		got, err := p.Pull(context.Background(), guides(), tt.asOf)
		if err != nil {
			t.Fatalf("%s: %v", tt.asOf, err)
		}
		if got.Date != tt.date || !strings.Contains(string(got.Data), tt.words) {
			t.Errorf("as of %q: got the text of %s: %s", tt.asOf, got.Date, got.Data)
		}
	}
	_, err := p.Pull(context.Background(), guides(), "1999-01-01")
	if err == nil || !strings.Contains(err.Error(), "first version") {
		t.Errorf("before the first version: %v", err)
	}
}

func TestPullKeepsWhatItFetched(t *testing.T) {
	o := newOffice(t)
	dir := t.TempDir()
	p, _ := o.puller(t, dir)
	first, err := p.Pull(context.Background(), guides(), "")
	if err != nil || !first.Fresh {
		t.Fatalf("fresh %v, %v", first.Fresh, err)
	}
	again, err := p.Pull(context.Background(), guides(), "")
	if err != nil || again.Fresh || string(again.Data) != string(first.Data) {
		t.Fatalf("fetched again: %v, %v", again.Fresh, err)
	}
	// A file that was damaged is not taken for the text.
	if err := os.WriteFile(filepath.Join(dir, "ftc-255@2023-07-26.xml"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	third, err := p.Pull(context.Background(), guides(), "")
	if err != nil || !third.Fresh || string(third.Data) != string(first.Data) {
		t.Fatalf("a damaged file was taken: %q, %v", third.Data, err)
	}
}

func TestPullAsksWhetherAPageHasChanged(t *testing.T) {
	o := newOffice(t)
	p, _ := o.puller(t, t.TempDir())
	ctx := context.Background()
	first, err := p.Pull(ctx, invented(), "")
	if err != nil || !first.Fresh {
		t.Fatal(err)
	}
	if again, err := p.Pull(ctx, invented(), ""); err != nil || again.Fresh {
		t.Fatalf("an unchanged page was fetched: %v", err)
	}
	o.etag = `"v2"`
	if third, err := p.Pull(ctx, invented(), ""); err != nil || !third.Fresh {
		t.Fatalf("a changed page was not fetched: %v", err)
	}
	if _, err := p.Pull(ctx, invented(), "2020-01-01"); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("FINRA has no dates: %v", err)
	}
}

func TestPullIsPolite(t *testing.T) {
	o := newOffice(t)
	o.failNext(status(http.StatusTooManyRequests, "Retry-After", "7"), status(http.StatusBadGateway), truncated)
	p, pauses := o.puller(t, t.TempDir())
	if _, err := p.Pull(context.Background(), guides(), ""); err != nil {
		t.Fatal(err)
	}
	want := []time.Duration{7 * time.Second, 4 * time.Second, 8 * time.Second, time.Second, time.Second}
	if fmt.Sprint(*pauses) != fmt.Sprint(want) {
		t.Errorf("paused %v, want %v", *pauses, want)
	}
	// A server that asks for an hour does not get it.
	o.failNext(status(http.StatusTooManyRequests, "Retry-After", "3600"))
	*pauses = nil
	if _, err := p.Pull(context.Background(), invented(), ""); err != nil {
		t.Fatal(err)
	}
	if longest := (*pauses)[len(*pauses)-1]; longest > 2*time.Minute {
		t.Errorf("waited %v", longest)
	}
}

func TestPullFailures(t *testing.T) {
	for name, tt := range map[string]struct {
		fail []func(http.ResponseWriter)
		want string
	}{
		"always busy":      {[]func(http.ResponseWriter){status(503), status(503), status(503), status(503), status(503)}, "did not answer after 5 tries"},
		"forbidden":        {[]func(http.ResponseWriter){status(403)}, "403"},
		"always truncated": {[]func(http.ResponseWriter){truncated, truncated, truncated, truncated, truncated}, "did not answer"},
		"another answer":   {[]func(http.ResponseWriter){func(w http.ResponseWriter) { fmt.Fprint(w, "<html>maintenance</html>") }}, "interface may have changed"},
	} {
		t.Run(name, func(t *testing.T) {
			o := newOffice(t)
			o.failNext(tt.fail...)
			dir := t.TempDir()
			p, _ := o.puller(t, dir)
			_, err := p.Pull(context.Background(), guides(), "")
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v", err)
			}
			if audit.CodeOf(err) != audit.CodeNetwork {
				t.Errorf("the code is %s", audit.CodeOf(err))
			}
			if left, _ := os.ReadDir(dir); len(left) > 0 {
				t.Errorf("%d files are left", len(left))
			}
		})
	}
}

func TestPullOffline(t *testing.T) {
	o := newOffice(t)
	p, _ := o.puller(t, t.TempDir())
	o.Close()
	_, err := p.Pull(context.Background(), guides(), "")
	if audit.CodeOf(err) != audit.CodeNetwork || !strings.Contains(err.Error(), "offline") {
		t.Errorf("got %v", err)
	}
}

func TestPullCanBeCancelled(t *testing.T) {
	o := newOffice(t)
	p, _ := o.puller(t, t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	o.failNext(func(w http.ResponseWriter) { cancel(); status(503)(w) })
	_, err := p.Pull(ctx, guides(), "")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestForgetTakesOneSourceOnly(t *testing.T) {
	dir := t.TempDir()
	for _, n := range []string{"ftc-255@2023-07-26.xml", "ftc-255@2023-07-26.xml.json", "ftc-2550@2023-07-26.xml", "finra-2999.html"} {
		if err := os.WriteFile(filepath.Join(dir, n), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := &regs.Puller{Dir: dir}
	if err := p.Forget(guides()); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 {
		t.Errorf("%v are left, %v", left, err)
	}
}
