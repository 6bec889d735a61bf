package core_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"veristream/app/core"
	"veristream/app/dirs"
	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/store"
)

// clip makes a video of some seconds; longer ones are only larger.
func clip(t *testing.T) []byte {
	t.Helper()
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		if os.Getenv("VERISTREAM_REQUIRE_ALL") == "1" {
			t.Fatal("ffmpeg is missing")
		}
		t.Skip("SKIPPED: ffmpeg is missing")
	}
	path := filepath.Join(t.TempDir(), "clip.mp4")
	out, err := exec.Command("ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=3:s=320x180:r=10",
		"-f", "lavfi", "-i", "sine=d=3", "-c:v", "libx264", "-preset", "ultrafast", "-movflags", "+faststart", path).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// site serves a video in the ways that sites do, well and badly, and counts
// what it was asked.
type site struct {
	*httptest.Server
	asked  atomic.Int64
	mu     sync.Mutex
	ranges []string
}

func newSite(t *testing.T, content []byte) *site {
	t.Helper()
	s := &site{}
	mux := http.NewServeMux()
	serve := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "video/mp4")
		w.Header().Set("ETag", `"one"`)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(string(content)))
	}
	mux.HandleFunc("/My%20talk.mp4", serve)
	mux.HandleFunc("/bare", serve)
	mux.Handle("/moved.mp4", http.RedirectHandler("/My%20talk.mp4", http.StatusFound))
	mux.Handle("/moved", http.RedirectHandler("/My%20talk.mp4", http.StatusMovedPermanently))
	page := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprintf(w, "<html><head><title>A page</title></head><body>%s</body></html>", body)
		}
	}
	mux.HandleFunc("/page.html", page(`<video src="/bare.mp4"></video>`))
	mux.HandleFunc("/bare.mp4", serve)
	mux.HandleFunc("/words.html", page("only words"))
	mux.HandleFunc("/lying.mp4", page("only words"))
	for _, code := range []int{403, 404, 429, 500} {
		mux.HandleFunc(fmt.Sprintf("/%d.mp4", code), func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) })
	}
	mux.HandleFunc("/empty.mp4", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "video/mp4") })
	mux.HandleFunc("/text.mp4", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "video/mp4")
		fmt.Fprint(w, strings.Repeat("this is no video\n", 100))
	})
	half := func(w http.ResponseWriter, from int) {
		w.Header().Set("Content-Length", fmt.Sprint(len(content)-from))
		_, _ = w.Write(content[from : from+(len(content)-from)/2])
	}
	mux.HandleFunc("/cut.mp4", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "video/mp4")
		half(w, 0)
	})
	mux.HandleFunc("/resumed.mp4", func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.ranges = append(s.ranges, r.Header.Get("Range"))
		s.mu.Unlock()
		if r.Header.Get("Range") != "" {
			serve(w, r)
			return
		}
		w.Header().Set("Content-Type", "video/mp4")
		w.Header().Set("ETag", `"one"`)
		half(w, 0)
	})
	mux.HandleFunc("/slow.mp4", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "video/mp4")
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		_, _ = w.Write(content[:100])
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

// newFetcher works in a home of its own; without yt-dlp where alone is true.
func newFetcher(t *testing.T, alone bool) core.Fetcher {
	t.Helper()
	t.Setenv("NO_PROXY", "127.0.0.1")
	t.Setenv("no_proxy", "127.0.0.1")
	t.Setenv("VERISTREAM_OFFLINE", "")
	if alone {
		bin := t.TempDir()
		for _, name := range []string{"ffmpeg", "ffprobe"} {
			path, err := exec.LookPath(name)
			if err != nil {
				t.Skipf("SKIPPED: %s is missing", name)
			}
			if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("PATH", bin)
		t.Setenv("HOME", t.TempDir())
		t.Setenv("XDG_CACHE_HOME", t.TempDir())
		t.Setenv("VERISTREAM_CACHE", "")
	}
	t.Setenv("VERISTREAM_HOME", "")
	dirs.Find() // takes in the changed environment
	t.Setenv("VERISTREAM_HOME", t.TempDir())
	d := dirs.Find()
	switch found := d.YTDLP(); {
	case alone && found != "":
		t.Fatalf("yt-dlp is found: %s", found)
	case !alone && found == "" && os.Getenv("VERISTREAM_REQUIRE_ALL") == "1":
		t.Fatal("yt-dlp is missing")
	case !alone && found == "":
		t.Skip("SKIPPED: yt-dlp is missing")
	}
	if err := d.Make(); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(t.Context(), d.Database())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return core.Fetcher{Dirs: d, Store: st, Limits: core.DefaultLimits}
}

func TestFetchDirect(t *testing.T) {
	content := clip(t)
	s := newSite(t, content)
	f := newFetcher(t, true)
	for _, path := range []string{"/My%20talk.mp4", "/moved.mp4", "/moved", "/bare", "/resumed.mp4"} {
		t.Run(path, func(t *testing.T) {
			var last int64
			f.Tell = func(_ string, done, _ int64) { last = done }
			got, err := f.Fetch(t.Context(), s.URL+path)
			if err != nil {
				t.Fatalf("%v: %s", err, audit.DetailsOf(err))
			}
			data, err := os.ReadFile(got.File)
			if err != nil || string(data) != string(content) || last != int64(len(content)) {
				t.Errorf("%v, %d bytes of %d, told %d", err, len(data), len(content), last)
			}
			if strings.Contains(path, "talk") && got.Remote.Title != "My talk" || got.Remote.DurationMS != 3000 || got.Reused {
				t.Errorf("%+v", got)
			}
			asked := s.asked.Load()
			again, err := f.Fetch(t.Context(), s.URL+path)
			if err != nil || !again.Reused || again.File != got.File || s.asked.Load() != asked {
				t.Errorf("not reused: %+v, %v, asked %d times", again, err, s.asked.Load()-asked)
			}
		})
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	want := fmt.Sprintf("bytes=%d-", len(content)/2)
	if len(s.ranges) != 3 || s.ranges[2] != want {
		t.Errorf("asked for %q, want the last %q", s.ranges, want)
	}
}

func TestFetchFailures(t *testing.T) {
	s := newSite(t, clip(t))
	f := newFetcher(t, true)
	for _, tt := range []struct {
		path, says string
		code       audit.Code
	}{
		{"/403.mp4", "refuses", audit.CodeNetwork},
		{"/404.mp4", "There is no video", audit.CodeInput},
		{"/429.mp4", "too many requests", audit.CodeNetwork},
		{"/500.mp4", "trouble of its own", audit.CodeNetwork},
		{"/empty.mp4", "0 bytes", audit.CodeNetwork},
		{"/cut.mp4", "broke off", audit.CodeNetwork},
		{"/text.mp4", "no video and no sound", audit.CodeInput},
		{"/lying.mp4", "yt-dlp", audit.CodeMissing},
		{"/words.html", "yt-dlp", audit.CodeMissing},
	} {
		t.Run(tt.path, func(t *testing.T) {
			for range 2 { // what is left of the first try must not make the second succeed
				_, err := f.Fetch(t.Context(), s.URL+tt.path)
				if err == nil || audit.CodeOf(err) != tt.code || !strings.Contains(audit.SentenceOf(err), tt.says) {
					t.Errorf("%v (%s)", err, audit.CodeOf(err))
				}
				if tt.code != audit.CodeMissing && tt.path != "/empty.mp4" && audit.DetailsOf(err) == "" {
					t.Errorf("no details: %v", err)
				}
			}
		})
	}
	if _, err := f.Fetch(t.Context(), "http://127.0.0.1:9/x.mp4"); audit.CodeOf(err) != audit.CodeNetwork || !strings.Contains(err.Error(), "cannot be reached") {
		t.Error(err)
	}
	if _, err := f.Fetch(t.Context(), "file:///etc/passwd"); audit.CodeOf(err) != audit.CodeUsage {
		t.Error(err)
	}
}

// A page goes to yt-dlp, also one that hides behind the name of a file.
func TestFetchPage(t *testing.T) {
	content := clip(t)
	s := newSite(t, content)
	f := newFetcher(t, false)
	got, err := f.Fetch(t.Context(), s.URL+"/page.html")
	if err != nil {
		t.Fatalf("%v: %s", err, audit.DetailsOf(err))
	}
	if data, err := os.ReadFile(got.File); err != nil || string(data) != string(content) || got.Remote.Title == "" {
		t.Errorf("%v: %+v", err, got)
	}
	for _, path := range []string{"/words.html", "/lying.mp4"} {
		if _, err := f.Fetch(t.Context(), s.URL+path); audit.CodeOf(err) != audit.CodeInput || !strings.Contains(err.Error(), "No video was found") {
			t.Errorf("%s: %v: %s", path, err, audit.DetailsOf(err))
		}
	}
}

// What is over the limits is not fetched, or not used, until the user says so.
func TestFetchLimits(t *testing.T) {
	content := clip(t)
	s := newSite(t, content)
	f := newFetcher(t, true)
	f.Limits = core.Limits{Bytes: 1000}
	over := func() {
		t.Helper()
		if _, err := f.Fetch(t.Context(), s.URL+"/bare"); audit.CodeOf(err) != audit.CodeUsage || !strings.Contains(fmt.Sprint(err), "limit") {
			t.Fatalf("%v", err)
		}
	}
	over()
	if s.asked.Load() != 1 {
		t.Errorf("asked %d times for what is too large", s.asked.Load())
	}
	f.Limits = core.Limits{Duration: time.Second} // the site tells no length: it is seen in the file
	over()
	asked := s.asked.Load()
	over()
	f.Limits = core.Limits{}
	if got, err := f.Fetch(t.Context(), s.URL+"/bare"); err != nil || !got.Reused || s.asked.Load() != asked {
		t.Errorf("the copy that is there was not taken: %+v, %v", got, err)
	}
	f.Fresh = true
	if got, err := f.Fetch(t.Context(), s.URL+"/bare"); err != nil || got.Reused || s.asked.Load() == asked {
		t.Errorf("not fetched again: %+v, %v", got, err)
	}
}

func TestFetchCancelled(t *testing.T) {
	s := newSite(t, clip(t))
	f := newFetcher(t, true)
	ctx, cancel := context.WithCancel(t.Context())
	f.Tell = func(_ string, done, _ int64) {
		if done > 0 {
			cancel()
		}
	}
	if _, err := f.Fetch(ctx, s.URL+"/slow.mp4"); audit.CodeOf(err) != audit.CodeCancelled {
		t.Error(err)
	}
}

// With the switch off nobody is asked, and what is in the cache stays there.
func TestFetchOffline(t *testing.T) {
	s := newSite(t, clip(t))
	f := newFetcher(t, true)
	refused := func(by string) {
		t.Helper()
		_, err := f.Fetch(t.Context(), s.URL+"/bare")
		if audit.CodeOf(err) != audit.CodeNetwork || !strings.Contains(fmt.Sprint(err), by) {
			t.Errorf("%v", err)
		}
	}
	if err := core.SetOffline(t.Context(), f.Store, true); err != nil {
		t.Fatal(err)
	}
	refused("settings")
	if err := core.SetOffline(t.Context(), f.Store, false); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VERISTREAM_OFFLINE", "1")
	refused("VERISTREAM_OFFLINE")
	if n := s.asked.Load(); n != 0 {
		t.Errorf("the site was asked %d times", n)
	}
	t.Setenv("VERISTREAM_OFFLINE", "0")
	if _, err := f.Fetch(t.Context(), s.URL+"/bare"); err != nil {
		t.Error(err)
	}
}

// An audit of an address: what the site says becomes title, description and a
// proposed fact, and the address stands in the result and in the record.
func TestAuditOfAnAddress(t *testing.T) {
	f := newFetcher(t, true)
	script := filepath.Join(f.Dirs.Tools(), "yt-dlp")
	if err := os.MkdirAll(f.Dirs.Tools(), 0o700); err != nil {
		t.Fatal(err)
	}
	silent := filepath.Join(t.TempDir(), "silent.mp4")
	if out, err := exec.Command("ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=d=2:s=160x90:r=5", silent).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	answer := `{"title":"A talk","description":"You simply cannot lose with this note.","uploader":"Acme","upload_date":"20260203",` +
		`"duration":2,"has_paid_promotion":true,"webpage_url":"https://videos.example/watch?v=1"}`
	// it stands for a site that is asked through yt-dlp, and needs no network
	text := "#!/bin/sh\ncase \"$*\" in\n*--dump-single-json*) /bin/cat <<'EOF'\n" + answer + "\nEOF\n;;\n" +
		"*) while [ $# -gt 0 ]; do [ \"$1\" = --paths ] && dir=$2; shift; done\n/bin/cp '" + silent + "' \"$dir/video.mp4\"\nprintf 'vs-file \"%s/video.mp4\"\\n' \"$dir\";;\nesac\n"
	if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	c, err := core.Open(t.Context(), core.Options{Dirs: f.Dirs, NoLLM: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	address := "https://videos.example/watch?v=1"
	r, err := c.Audit(t.Context(), core.Job{
		Path: address, NoLLM: true, Facts: &audit.Facts{Speaker: "finra_member", Audience: "retail"},
	}, nil)
	if err != nil {
		t.Fatalf("%v: %s", err, audit.DetailsOf(err))
	}
	if r.Video.SourceURL != address || r.Video.Title != "A talk" || !media.IsURL(r.Video.SourceURL) || media.IsURL(r.Video.Path) {
		t.Errorf("video %+v", r.Video)
	}
	var said []string
	for _, s := range r.Segments {
		if s.Source == audit.Description {
			said = append(said, s.Text)
		}
	}
	if want := []string{"A talk", "Includes paid promotion.", "You simply cannot lose with this note."}; !slices.Equal(said, want) || len(r.Findings) == 0 {
		t.Errorf("segments %q, findings %+v", said, r.Findings)
	}
	if len(r.Proposed) < 2 || r.Proposed[0].Fact != "published" || r.Proposed[0].Value != "2026-02-03" ||
		!strings.Contains(r.Proposed[0].Excerpt, "Acme") || r.Proposed[1].Fact != "paid" || r.Proposed[1].Value != "yes" || len(r.Notices) == 0 {
		t.Errorf("proposed %+v, notices %q", r.Proposed, r.Notices)
	}
	if v, err := c.Store.Video(t.Context(), r.Video.SHA256); err != nil || v.SourceURL != address {
		t.Errorf("kept %+v, %v", v, err)
	}
}
