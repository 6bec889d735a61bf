package media_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"veristream/app/media"
	"veristream/backend/audit"
)

func start(t *testing.T, frame media.FrameFunc) *media.Server {
	t.Helper()
	s, err := media.Start(frame)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func file(t *testing.T, text string) audit.Video {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a b'ü.mp4")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return audit.Video{Path: path, HasVideo: true}
}

func ask(t *testing.T, method, address string, change func(*http.Request)) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(req)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

func TestLend(t *testing.T) {
	s := start(t, nil)
	v := file(t, "0123456789")
	lent, err := s.Lend(v, v.Path)
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^http://127\.0\.0\.1:\d+/[0-9a-f]{32}/media$`).MatchString(lent.Media) {
		t.Errorf("address %q", lent.Media)
	}
	if lent.Frames != "" {
		t.Errorf("pictures are offered at %q, and nobody makes them", lent.Frames)
	}

	tests := []struct {
		name, method, address string
		change                func(*http.Request)
		status                int
		body                  string
	}{
		{"whole", "GET", lent.Media, nil, 200, "0123456789"},
		{"head", "HEAD", lent.Media, nil, 200, ""},
		{"range", "GET", lent.Media, func(r *http.Request) { r.Header.Set("Range", "bytes=2-4") }, 206, "234"},
		{"range past the end", "GET", lent.Media, func(r *http.Request) { r.Header.Set("Range", "bytes=99-") }, 416, ""},
		{"post", "POST", lent.Media, nil, 405, ""},
		{"put", "PUT", lent.Media, nil, 405, ""},
		{"options", "OPTIONS", lent.Media, nil, 405, ""},
		{"another host", "GET", lent.Media, func(r *http.Request) { r.Host = "evil.example" }, 403, ""},
		{"localhost", "GET", lent.Media, func(r *http.Request) { r.Host = "localhost:1" }, 403, ""},
		{"root", "GET", "http://" + strings.Split(lent.Media, "/")[2] + "/", nil, 404, ""},
		{"another token", "GET", swapToken(lent.Media), nil, 404, ""},
		{"another name", "GET", lent.Media + "/../../etc/passwd", nil, 404, ""},
		{"picture", "GET", strings.TrimSuffix(lent.Media, "media") + "frame?ms=0&w=10", nil, 404, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			resp, body := ask(t, test.method, test.address, test.change)
			if resp.StatusCode != test.status {
				t.Errorf("status %d, want %d", resp.StatusCode, test.status)
			}
			if test.body != "" && body != test.body {
				t.Errorf("body %q, want %q", body, test.body)
			}
		})
	}

	s.Revoke(lent)
	if resp, _ := ask(t, "GET", lent.Media, nil); resp.StatusCode != 404 {
		t.Errorf("after revoking: status %d, want 404", resp.StatusCode)
	}
}

func swapToken(address string) string {
	parts := strings.Split(address, "/")
	parts[3] = strings.Repeat("0", 32)
	return strings.Join(parts, "/")
}

func TestFrames(t *testing.T) {
	s := start(t, func(_ context.Context, _ audit.Video, ms int64, width int) ([]byte, error) {
		if ms == 999 {
			return nil, errors.New("no such frame")
		}
		return []byte{byte(ms), byte(width)}, nil
	})
	v := file(t, "x")
	lent, err := s.Lend(v, "")
	if err != nil {
		t.Fatal(err)
	}
	if lent.Media != "" {
		t.Errorf("a video is lent at %q that nobody asked for", lent.Media)
	}
	for query, status := range map[string]int{
		"?ms=5&w=7": 200, "?ms=-1&w=7": 400, "?ms=5": 400, "?ms=5&w=999999": 400, "": 400, "?ms=999&w=7": 404,
	} {
		resp, body := ask(t, "GET", lent.Frames+query, nil)
		if resp.StatusCode != status {
			t.Errorf("%q: status %d, want %d", query, resp.StatusCode, status)
		}
		if status == 200 && (body != "\x05\x07" || resp.Header.Get("Content-Type") != "image/jpeg") {
			t.Errorf("%q: %q as %q", query, body, resp.Header.Get("Content-Type"))
		}
	}
}
