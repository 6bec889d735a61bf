package models_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"veristream/models"
)

func itoa(n int) string { return strconv.Itoa(n) }

// TestDownload plays servers that behave in the ways that servers do.
func TestDownload(t *testing.T) {
	content := blob(600_000, 1)
	half := len(content) / 2
	tests := []struct {
		name    string
		etag    string
		partial []byte // lies there from an earlier process
		mark    string // what that process noted
		answer  func(n int, w http.ResponseWriter, r *http.Request) bool
		want    []string // the ranges asked for
		fails   error
		message string
	}{
		{name: "whole file", want: []string{""}},
		{
			name: "cut off half-way, resumed", etag: `"v1"`,
			answer: func(n int, w http.ResponseWriter, _ *http.Request) bool {
				if n == 0 {
					cutAfter(w, content, half)
				}
				return false
			},
			want: []string{"", "bytes=" + itoa(half) + "-"},
		},
		{
			name: "range ignored: from the start", partial: content[:half],
			answer: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				_, _ = w.Write(content)
				return true
			},
			want: []string{"bytes=" + itoa(half) + "-"},
		},
		{
			name: "partial file of a killed process", partial: content[:1234], etag: `"v1"`, mark: `"v1"`,
			want: []string{"bytes=1234-"},
		},
		{
			name: "complete file of a killed process", partial: content, want: nil,
		},
		{
			name: "the file changed between the attempts", partial: blob(half, 9), etag: `"v2"`, mark: `"v1"`,
			want: []string{"bytes=" + itoa(half) + "-"}, // If-Range makes the server send all
		},
		{
			name: "partial file of other bytes, no ETag: one clean start", partial: blob(half, 9),
			want: []string{"bytes=" + itoa(half) + "-", ""},
		},
		{
			name: "partial file longer than the model", partial: blob(len(content)+1, 9), want: []string{""},
		},
		{
			name: "range of another place", partial: content[:half],
			answer: func(n int, w http.ResponseWriter, _ *http.Request) bool {
				if n == 0 {
					w.Header().Set("Content-Range", fmt.Sprintf("bytes 0-%d/%d", len(content)-1, len(content)))
					w.WriteHeader(http.StatusPartialContent)
					_, _ = w.Write(content)
				}
				return n == 0
			},
			want: []string{"bytes=" + itoa(half) + "-", ""},
		},
		{
			name: "range of another version without If-Range", partial: content[:half], etag: `"v2"`, mark: `"v1"`,
			answer: func(n int, _ http.ResponseWriter, r *http.Request) bool {
				if n == 0 {
					r.Header.Del("If-Range")
				}
				return false
			},
			want: []string{"bytes=" + itoa(half) + "-", ""},
		},
		{
			name: "not satisfiable", partial: content[:half],
			answer: func(n int, w http.ResponseWriter, _ *http.Request) bool {
				if n == 0 {
					w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
				}
				return n == 0
			},
			want: []string{"bytes=" + itoa(half) + "-", ""},
		},
		{
			name: "busy three times, then there",
			answer: func(n int, w http.ResponseWriter, _ *http.Request) bool {
				if n < 3 {
					w.Header().Set("Retry-After", "1")
					w.WriteHeader([]int{503, 429, 500}[n])
				}
				return n < 3
			},
			want: []string{"", "", "", ""},
		},
		{
			name: "always busy",
			answer: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				w.WriteHeader(http.StatusBadGateway)
				return true
			},
			want: make([]string, 6), message: "gave up after 6 tries: the server answered 502",
		},
		{
			name: "not found",
			answer: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				w.WriteHeader(http.StatusNotFound)
				return true
			},
			want: []string{""}, message: "404 Not Found",
		},
		{
			name: "another length",
			answer: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				_, _ = w.Write(content[:100])
				return true
			},
			want: []string{""}, message: "another file of 100 B, expected 600 kB",
		},
		{
			name: "more than the length, unannounced",
			answer: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				w.(http.Flusher).Flush()
				_, _ = w.Write(append(bytes.Clone(content), 1))
				return true
			},
			want: []string{""}, message: "sends more than",
		},
		{
			name: "wrong bytes of the right length",
			answer: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
				_, _ = w.Write(blob(len(content), 7))
				return true
			},
			want: []string{""}, fails: models.ErrDigest, message: "wrong SHA-256",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv := &server{content: content, etag: tt.etag, answer: tt.answer}
			ts := httptest.NewServer(srv)
			defer ts.Close()
			s := newStore(t, oneFile(content, from(ts.URL+"/m.bin")))
			if tt.partial != nil {
				leavePartial(t, s, tt.partial, ts.URL+"/m.bin", tt.mark)
			}
			err := s.Pull(t.Context(), "m", nil)
			if got := srv.ranges(); len(got) != len(tt.want) || len(got) > 0 && !reflect.DeepEqual(got, tt.want) {
				t.Errorf("ranges asked for: %q, want %q", got, tt.want)
			}
			if tt.message == "" && tt.fails == nil {
				if err != nil {
					t.Fatal(err)
				}
				mustHold(t, s, content)
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.message) || tt.fails != nil && !errors.Is(err, tt.fails) {
				t.Errorf("error %v, want one with %q", err, tt.message)
			}
			mustNotHave(t, s)
		})
	}
}

// leavePartial lays down what a killed process would have left.
func leavePartial(t *testing.T, s *models.Store, content []byte, url, etag string) {
	t.Helper()
	dir := filepath.Join(s.Dir, "m")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "m.bin.part"), content, 0o644); err != nil {
		t.Fatal(err)
	}
	if etag == "" {
		return
	}
	mark := fmt.Sprintf(`{"url":%q,"etag":%q}`, url, etag)
	if err := os.WriteFile(filepath.Join(dir, "m.bin.part.json"), []byte(mark), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestNextSourceAfterWrongDigest(t *testing.T) {
	content := blob(50_000, 1)
	bad := httptest.NewServer(&server{content: blob(50_000, 2)})
	defer bad.Close()
	good := httptest.NewServer(&server{content: content})
	defer good.Close()
	s := newStore(t, oneFile(content, from(bad.URL+"/m.bin"), from(good.URL+"/m.bin")))
	var failed []error
	err := s.Pull(t.Context(), "m", func(p models.Progress) {
		if p.Stage == models.StageSource {
			failed = append(failed, p.Err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(failed) != 1 || !errors.Is(failed[0], models.ErrDigest) {
		t.Errorf("told of %v, want one wrong digest", failed)
	}
	mustHold(t, s, content)
}

func TestAllSourcesFail(t *testing.T) {
	content := blob(1000, 1)
	gone := httptest.NewServer(http.NotFoundHandler())
	defer gone.Close()
	bad := httptest.NewServer(&server{content: blob(1000, 2)})
	defer bad.Close()
	refused := httptest.NewServer(http.NotFoundHandler())
	refused.Close()
	s := newStore(t, oneFile(content, from(gone.URL+"/m"), from(bad.URL+"/m"), from(refused.URL+"/m")))
	err := s.Pull(t.Context(), "m", nil)
	for _, want := range []string{"any of its 3 sources", "404", "wrong SHA-256", "no connection to"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q: %v", want, err)
		}
	}
	mustNotHave(t, s)
	if st, _ := s.Status("m"); st.State != models.StateMissing {
		t.Errorf("state %s, want missing", st.State)
	}
}

// TestCancel stops a slow download and goes on with it later.
func TestCancel(t *testing.T) {
	content := blob(400_000, 1)
	reached := make(chan struct{})
	srv := &server{content: content, etag: `"v1"`}
	srv.answer = func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n > 0 {
			return false
		}
		w.Header().Set("Content-Length", itoa(len(content)))
		_, _ = w.Write(content[:100_000])
		w.(http.Flusher).Flush()
		close(reached)
		<-r.Context().Done() // sends nothing more, like a stalled line
		return true
	}
	ts := httptest.NewServer(srv)
	defer ts.Close()
	s := newStore(t, oneFile(content, from(ts.URL+"/m.bin"), from(ts.URL+"/other")))
	ctx, cancel := context.WithCancel(t.Context())
	seen := make(chan struct{})
	go func() {
		<-reached
		<-seen
		cancel()
	}()
	told := false
	err := s.Pull(ctx, "m", func(p models.Progress) {
		if p.Done > 0 && !told {
			told = true
			close(seen)
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want cancelled", err)
	}
	if n := len(srv.ranges()); n != 1 {
		t.Errorf("%d requests, want one: no other source after a cancel", n)
	}
	mustNotHave(t, s)
	if st, _ := s.Status("m"); st.State != models.StatePartial {
		t.Errorf("state %s, want partial", st.State)
	}
	if err := s.Pull(t.Context(), "m", nil); err != nil {
		t.Fatal(err)
	}
	if got := srv.ranges()[1]; !strings.HasPrefix(got, "bytes=") || got == "bytes=0-" {
		t.Errorf("the second pull asked for %q, want a resume", got)
	}
	mustHold(t, s, content)
}

func TestSilentServerIsGivenUp(t *testing.T) {
	content := blob(10_000, 1)
	srv := &server{content: content}
	srv.answer = func(n int, w http.ResponseWriter, r *http.Request) bool {
		if n > 0 {
			return false
		}
		w.Header().Set("Content-Length", itoa(len(content)))
		_, _ = w.Write(content[:5000])
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return true
	}
	ts := httptest.NewServer(srv)
	defer ts.Close()
	s := newStore(t, oneFile(content, from(ts.URL+"/m")), models.WithIdleTimeout(50*time.Millisecond))
	if err := s.Pull(t.Context(), "m", nil); err != nil {
		t.Fatal(err)
	}
	mustHold(t, s, content)
}

func TestNoSpace(t *testing.T) {
	content := blob(10_000, 1)
	srv := &server{content: content}
	ts := httptest.NewServer(srv)
	defer ts.Close()
	free := int64(1000)
	s := newStore(t, oneFile(content, from(ts.URL+"/m")),
		models.WithFreeSpace(func(string) (int64, error) { return free, nil }))
	err := s.Pull(t.Context(), "m", nil)
	var space *models.SpaceError
	if !errors.As(err, &space) || space.Need != 10_000 || space.Free != 1000 || !errors.Is(err, models.ErrNoSpace) {
		t.Fatalf("error %v, want no space for 10 kB", err)
	}
	if len(srv.ranges()) != 0 {
		t.Error("the server was asked although there is no room")
	}
	// What is there already needs no room again.
	leavePartial(t, s, content[:9_000], ts.URL+"/m", "")
	free = 1000 + 64<<20
	if err := s.Pull(t.Context(), "m", nil); err != nil {
		t.Fatal(err)
	}
	mustHold(t, s, content)
}

// TestProxy runs in a process of its own: net/http reads the proxy once.
func TestProxy(t *testing.T) {
	content := blob(1000, 1)
	if os.Getenv("MODELS_TEST_PROXY") == "1" {
		dir := t.TempDir()
		s, err := models.Open(dir, dir+"/c", models.WithManifest(oneFile(content, from("http://models.invalid/m.bin"))))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Pull(t.Context(), "m", nil); err != nil {
			t.Fatal(err)
		}
		return
	}
	var host string
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host = r.URL.Host
		_, _ = w.Write(content)
	}))
	defer proxy.Close()
	cmd := exec.Command(os.Args[0], "-test.run=^TestProxy$", "-test.count=1")
	cmd.Env = append(os.Environ(), "MODELS_TEST_PROXY=1", "HTTP_PROXY="+proxy.URL, "http_proxy="+proxy.URL, "NO_PROXY=", "no_proxy=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if host != "models.invalid" {
		t.Errorf("the proxy was asked for %q", host)
	}
}

// TestCertificates: a server whose certificate the system does not know is
// refused, and another try would not help.
func TestCertificates(t *testing.T) {
	content := blob(1000, 1)
	ts := httptest.NewTLSServer(&server{content: content})
	defer ts.Close()
	s := newStore(t, oneFile(content, from(ts.URL+"/m")))
	if err := s.Pull(t.Context(), "m", nil); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("error %v, want one about the certificate", err)
	}
	s = newStore(t, oneFile(content, from(ts.URL+"/m")), models.WithClient(ts.Client()))
	if err := s.Pull(t.Context(), "m", nil); err != nil {
		t.Fatal(err)
	}
	mustHold(t, s, content)
}

func TestProgress(t *testing.T) {
	content := blob(2_000_000, 1)
	ts := httptest.NewServer(&server{content: content})
	defer ts.Close()
	at := time.Unix(0, 0)
	clock := func() time.Time { at = at.Add(50 * time.Millisecond); return at }
	s := newStore(t, oneFile(content, from(ts.URL+"/m")), models.WithClock(clock, func(context.Context, time.Duration) error { return nil }))
	var reports []models.Progress
	if err := s.Pull(t.Context(), "m", func(p models.Progress) { reports = append(reports, p) }); err != nil {
		t.Fatal(err)
	}
	var rated bool
	for i, p := range reports {
		if i > 0 && p.Stage == models.StageDownload && reports[i-1].Stage == p.Stage && p.Done < reports[i-1].Done {
			t.Errorf("progress went back: %d after %d", p.Done, reports[i-1].Done)
		}
		rated = rated || p.Rate > 0 && p.Total == int64(len(content))
	}
	last := reports[len(reports)-1]
	if !rated || last.Stage != models.StageDone || last.Done != last.Total {
		t.Errorf("no rate, or not done at the end: %+v", last)
	}
}
