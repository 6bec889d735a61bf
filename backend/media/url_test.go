package media_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"veristream/backend/audit"
	"veristream/backend/media"
)

// site serves a video in the ways that sites do, well and badly.
func site(t *testing.T) *httptest.Server {
	t.Helper()
	t.Setenv("NO_PROXY", "127.0.0.1")
	t.Setenv("no_proxy", "127.0.0.1")
	video := h264(t, "clip.mp4", "3", "-movflags", "+faststart")
	content, err := os.ReadFile(video)
	if err != nil {
		t.Fatal(err)
	}
	hls := t.TempDir()
	playlist := filepath.Join(hls, "list.m3u8")
	run := h264(t, "hls.ts", "3")
	segment, err := os.ReadFile(run)
	if err != nil {
		t.Fatal(err)
	}
	list := "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:3\n#EXTINF:3.0,\npart.ts\n#EXT-X-ENDLIST\n"
	if err := os.WriteFile(playlist, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	serve := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "video/mp4")
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(string(content)))
	}
	mux.HandleFunc("/good.mp4", serve)
	mux.HandleFunc("/list.m3u8", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, playlist) })
	mux.HandleFunc("/part.ts", func(w http.ResponseWriter, _ *http.Request) { w.Write(segment) })
	mux.Handle("/moved", http.RedirectHandler("/good.mp4", http.StatusFound))
	mux.HandleFunc("/page.html", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<html><head><title>A page</title></head><body><video src="/good.mp4"></video></body></html>`)
	})
	mux.HandleFunc("/words.html", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<html><body>only words</body></html>`)
	})
	for _, code := range []int{401, 403, 404, 429, 500} {
		mux.HandleFunc(fmt.Sprintf("/%d.mp4", code), func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) })
	}
	mux.HandleFunc("/empty.mp4", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "video/mp4") })
	mux.HandleFunc("/broken.mp4", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "video/mp4")
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		if r.Method != http.MethodHead {
			w.Write(content[:len(content)/2])
		}
	})
	mux.HandleFunc("/slow.mp4", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "video/mp4")
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		for i := 0; r.Method != http.MethodHead && i < len(content); i += 256 {
			if _, err := w.Write(content[i:min(len(content), i+256)]); err != nil {
				return
			}
			w.(http.Flusher).Flush()
			select {
			case <-r.Context().Done():
				return
			case <-time.After(100 * time.Millisecond):
			}
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

func TestFetch(t *testing.T) {
	need(t, "yt-dlp")
	server := site(t)
	for _, path := range []string{"/good.mp4", "/moved", "/page.html", "/list.m3u8"} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "it's a [folder] 100%d")
			got, err := media.Downloader{}.Fetch(t.Context(), server.URL+path, dir, nil)
			if err != nil {
				t.Fatalf("%v\n%s", err, audit.DetailsOf(err))
			}
			if info := probe(t, got.Path); info.DurationMS < 2800 || info.DurationMS > 3300 {
				t.Errorf("lasts %d ms", info.DurationMS)
			}
			if filepath.Dir(got.Path) != dir || got.Remote.Title == "" {
				t.Errorf("%+v", got)
			}
		})
	}
}

func TestFetchTellsProgress(t *testing.T) {
	need(t, "yt-dlp")
	var done, total int64
	_, err := media.Downloader{}.Fetch(t.Context(), site(t).URL+"/good.mp4", t.TempDir(), func(d, n int64) { done, total = d, n })
	if err != nil || done == 0 || done != total {
		t.Fatalf("%d of %d, %v", done, total, err)
	}
}

func TestFetchFailures(t *testing.T) {
	need(t, "yt-dlp")
	server := site(t)
	for path, want := range map[string]string{
		"/401.mp4": "signed in", "/403.mp4": "refuses", "/404.mp4": "There is no video", "/429.mp4": "too many requests",
		"/500.mp4": "trouble of its own", "/words.html": "No video was found",
	} {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			_, err := media.Downloader{}.Fetch(t.Context(), server.URL+path, t.TempDir(), nil)
			if err == nil || !strings.Contains(audit.SentenceOf(err), want) || audit.DetailsOf(err) == "" {
				t.Errorf("%v\n%s", err, audit.DetailsOf(err))
			}
		})
	}
	t.Run("broken off", func(t *testing.T) {
		t.Parallel()
		got, err := media.Downloader{}.Fetch(t.Context(), server.URL+"/broken.mp4", t.TempDir(), nil)
		if err == nil {
			t.Errorf("taken as whole: %+v", got)
		}
	})
	t.Run("empty", func(t *testing.T) {
		t.Parallel()
		got, err := media.Downloader{}.Fetch(t.Context(), server.URL+"/empty.mp4", t.TempDir(), nil)
		if err == nil {
			t.Errorf("taken: %+v", got)
		}
	})
	t.Run("nobody there", func(t *testing.T) {
		t.Parallel()
		_, err := media.Downloader{}.Look(t.Context(), "http://127.0.0.1:9/x.mp4")
		wantError(t, err, audit.CodeNetwork, "cannot be reached")
	})
}

func TestFetchCancelled(t *testing.T) {
	need(t, "yt-dlp")
	ctx, cancel := context.WithCancel(t.Context())
	_, err := media.Downloader{}.Fetch(ctx, site(t).URL+"/slow.mp4", t.TempDir(), func(int64, int64) { cancel() })
	wantError(t, err, audit.CodeCancelled)
}

func TestDownloaderRefuses(t *testing.T) {
	_, err := media.Downloader{Offline: true, Exe: "/no/such/program"}.Fetch(t.Context(), "https://example.com/x", t.TempDir(), nil)
	wantError(t, err, audit.CodeNetwork, "switched off")
	_, err = media.Downloader{Exe: "/no/such/program"}.Look(t.Context(), "https://example.com/x")
	wantError(t, err, audit.CodeMissing, "yt-dlp is not installed")
	for _, bad := range []string{"file:///etc/passwd", "--exec=id", "talk.mp4", "ftp://example.com/x", "http://"} {
		if media.IsURL(bad) {
			t.Errorf("%q is taken for an address", bad)
		}
		_, err := media.Downloader{}.Look(t.Context(), bad)
		wantError(t, err, audit.CodeUsage, "not an address")
	}
}

func TestDescriptionSegments(t *testing.T) {
	got := lines(media.DescriptionSegments("Sponsored by Acme. Enjoy!\n\nhttps://example.com\n"))
	if got != "d1 0-0 Sponsored by Acme.\nd2 0-0 Enjoy!\nd3 0-0 https://example.com\n" {
		t.Errorf("got:\n%s", got)
	}
}
