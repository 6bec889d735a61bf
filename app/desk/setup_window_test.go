package desk_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"veristream/app/apptest"
	"veristream/app/dirs"
	"veristream/models"
)

// publisher serves the files of models as slowly as a network does, and keeps
// where each request began.
type publisher struct {
	files map[string][]byte

	mu    sync.Mutex
	pause time.Duration // after each piece
	from  []string      // the Range of every request
}

func (p *publisher) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	data, ok := p.files[filepath.Base(r.URL.Path)]
	if !ok {
		http.NotFound(w, r)
		return
	}
	p.mu.Lock()
	p.from = append(p.from, r.Header.Get("Range"))
	pause := p.pause
	p.mu.Unlock()
	w.Header().Set("ETag", `"1"`)
	http.ServeContent(&slow{w, pause}, r, "model.bin", time.Unix(0, 0), bytes.NewReader(data))
}

func (p *publisher) hurry() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pause = 0
}

func (p *publisher) resumed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.from {
		if r != "" && r != "bytes=0-" {
			return true
		}
	}
	return false
}

type slow struct {
	http.ResponseWriter
	pause time.Duration
}

func (s *slow) Write(b []byte) (int, error) {
	time.Sleep(s.pause)
	return s.ResponseWriter.Write(b)
}

// TestSetUp sets the program up in the real window from a publisher on this
// computer: the download is left in its middle, goes on after a new start from
// where it was, and the page then says that all is there.
func TestSetUp(t *testing.T) {
	apptest.NeedWindow(t)
	home := t.TempDir()
	t.Setenv("VERISTREAM_HOME", home)
	d := dirs.Find()
	p := &publisher{files: map[string][]byte{}, pause: 40 * time.Millisecond}
	server := httptest.NewServer(p)
	defer server.Close()
	// Names and kinds of the real list; the contents are our own.
	m := models.Manifest{Schema: 1}
	for _, k := range []struct {
		name, file string
		kind       models.Kind
		size       int
	}{
		{"whisper-base", "ggml-base.bin", models.KindWhisper, 8 << 20},
		{"qwen2.5-coder-0.5b", "small.gguf", models.KindLLM, 2 << 20},
	} {
		data := bytes.Repeat([]byte(k.name+"\n"), k.size/len(k.name))
		sum := sha256.Sum256(data)
		p.files[k.file] = data
		m.Models = append(m.Models, models.Model{
			Name: k.name, Kind: k.kind, Licence: "MIT", Description: "For a test.", Default: true, MemoryMB: 100,
			File: k.file, Size: int64(len(data)), SHA256: hex.EncodeToString(sum[:]),
			Sources: []models.Source{{Type: models.SourceHTTP, Files: []models.SourceFile{{Name: k.file, URL: server.URL + "/" + k.file}}}},
		})
	}
	list := filepath.Join(t.TempDir(), "manifest.json")
	data, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(list, data, 0o600); err != nil {
		t.Fatal(err)
	}

	s := apptest.StartScreen(t)
	env := []string{asWindow + "=1", withManifest + "=" + list}
	stop := s.Start(t, env...)
	s.WaitTitle(t, "Set up")
	time.Sleep(2 * time.Second) // the checks come in
	s.Shot(t, "set-up-1")
	s.Key(t, "shift+Tab") // the last button of the page: download
	s.Key(t, "Return")
	s.Until(t, "something has come", func() bool {
		parts, _ := filepath.Glob(filepath.Join(d.Models(), "*", "*.part"))
		for _, part := range parts {
			if st, err := os.Stat(part); err == nil && st.Size() > 1<<20 {
				return true
			}
		}
		return false
	})
	s.Shot(t, "set-up-2-half")
	stop()

	p.hurry()
	s.Start(t, env...)
	store, err := models.Open(d.Models(), filepath.Join(d.Cache, "downloads"), models.WithManifest(&m))
	if err != nil {
		t.Fatal(err)
	}
	s.Until(t, "both models are installed", func() bool {
		for _, model := range m.Models {
			if st, err := store.Status(model.Name); err != nil || st.State != models.StateInstalled {
				return false
			}
		}
		return true
	})
	if !p.resumed() {
		t.Errorf("after the new start everything was asked for again: %q", p.from)
	}
	time.Sleep(2 * time.Second)
	s.Shot(t, "set-up-3-done")
	for _, model := range m.Models {
		if err := store.Verify(t.Context(), model.Name, nil); err != nil {
			t.Errorf("%s: %v", model.Name, err)
		}
	}
}
