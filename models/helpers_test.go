package models_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"veristream/models"
)

// blob is a file of n bytes that look like weights.
func blob(n int, seed uint64) []byte {
	b := make([]byte, n)
	src := rand.NewChaCha8([32]byte{byte(seed)})
	_, _ = src.Read(b)
	return b
}

func digest(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// oneFile is a manifest with one model of one file and the given sources.
func oneFile(content []byte, sources ...models.Source) *models.Manifest {
	return &models.Manifest{Schema: 1, Models: []models.Model{{
		Name: "m", Kind: models.KindLLM, Licence: "MIT", Description: "a test", File: "m.bin",
		Size: int64(len(content)), SHA256: digest(content), Sources: sources,
	}}}
}

func from(url string) models.Source {
	return models.Source{Type: models.SourceHTTP, Files: []models.SourceFile{{Name: "m.bin", URL: url}}}
}

// newStore opens a store in a temporary folder. Waits between tries end at
// once; the free space is plenty.
func newStore(t *testing.T, m *models.Manifest, opts ...models.Option) *models.Store {
	t.Helper()
	dir := t.TempDir()
	opts = append([]models.Option{
		models.WithManifest(m), models.WithClient(&http.Client{Transport: &http.Transport{}}),
		models.WithClock(time.Now, func(ctx context.Context, _ time.Duration) error { return ctx.Err() }),
		models.WithFreeSpace(func(string) (int64, error) { return 1 << 40, nil }),
	}, opts...)
	s, err := models.Open(filepath.Join(dir, "models"), filepath.Join(dir, "downloads"), opts...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// mustHold fails unless the model's file is there with this content, and no
// temporary file lies beside it.
func mustHold(t *testing.T, s *models.Store, content []byte) {
	t.Helper()
	path, err := s.Path("m")
	if err != nil {
		t.Fatalf("Path: %v", err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, content) {
		t.Fatalf("the installed file differs: %d bytes, want %d", len(got), len(content))
	}
	entries, _ := os.ReadDir(filepath.Dir(path))
	for _, e := range entries {
		if strings.Contains(e.Name(), ".part") || strings.HasPrefix(e.Name(), ".tmp-") {
			t.Errorf("%s was left behind", e.Name())
		}
	}
}

// mustNotHave fails when the model can be used.
func mustNotHave(t *testing.T, s *models.Store) {
	t.Helper()
	if path, err := s.Path("m"); err == nil {
		t.Fatalf("the model is usable: %s", path)
	}
}

// server serves one file and notes what it was asked.
type server struct {
	mu      sync.Mutex
	content []byte
	etag    string
	asked   []string // the Range header of each request, "" for all
	answer  func(n int, w http.ResponseWriter, r *http.Request) bool
}

// ServeHTTP lets answer act first; what it leaves is served as Go's file
// server does, with Range and If-Range.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	n := len(s.asked)
	s.asked = append(s.asked, r.Header.Get("Range"))
	content, etag, answer := s.content, s.etag, s.answer
	s.mu.Unlock()
	if etag != "" {
		w.Header().Set("ETag", etag)
	}
	if answer != nil && answer(n, w, r) {
		return
	}
	http.ServeContent(w, r, "m.bin", time.Time{}, bytes.NewReader(content))
}

func (s *server) ranges() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string{}, s.asked...)
}

// cutAfter sends the first n bytes under the full length and breaks off.
func cutAfter(w http.ResponseWriter, content []byte, n int) {
	w.Header().Set("Content-Length", itoa(len(content)))
	w.WriteHeader(http.StatusOK)
	_, _ = w.Write(content[:n])
	panic(http.ErrAbortHandler)
}
