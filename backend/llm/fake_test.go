package llm_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"veristream/backend/llm"
)

// fakeOllama behaves like an Ollama server with one scripted reply.
type fakeOllama struct {
	mu       sync.Mutex
	models   map[string]string // name -> template
	blobs    map[string]int
	chats    []map[string]any
	created  []map[string]any
	window   float64
	remote   string
	template string // that it gives to what is created without one
	chat     func(n int, w http.ResponseWriter, r *http.Request)
	url      string
}

func newFake(t *testing.T, models ...string) *fakeOllama {
	t.Helper()
	f := &fakeOllama{models: map[string]string{}, blobs: map[string]int{}, window: 32768, template: "{{ .Prompt }}"}
	for _, m := range models {
		f.models[m] = "t"
	}
	f.chat = says(`{"a":1}`, "stop", 100, 5)
	ts := httptest.NewServer(f)
	t.Cleanup(ts.Close)
	f.url = ts.URL
	return f
}

// says streams a reply in two pieces.
func says(text, reason string, prompt, output int) func(int, http.ResponseWriter, *http.Request) {
	return func(_ int, w http.ResponseWriter, _ *http.Request) {
		half := len(text) / 2
		line(w, map[string]any{"message": map[string]any{"role": "assistant", "content": text[:half]}})
		line(w, map[string]any{
			"message": map[string]any{"role": "assistant", "content": text[half:]}, "done": true, "done_reason": reason,
			"prompt_eval_count": prompt, "eval_count": output,
		})
	}
}

func fails(status int, message string) func(int, http.ResponseWriter, *http.Request) {
	return func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		line(w, map[string]any{"error": message})
	}
}

func line(w io.Writer, v any) {
	b, _ := json.Marshal(v)
	_, _ = w.Write(append(b, '\n'))
}

// ServeHTTP answers as much of Ollama's API as the package uses.
func (f *fakeOllama) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var body map[string]any
	if strings.HasPrefix(r.URL.Path, "/api/blobs/") {
		f.blob(w, r)
		return
	}
	_ = json.NewDecoder(r.Body).Decode(&body)
	name, _ := body["model"].(string)
	f.mu.Lock()
	defer f.mu.Unlock()
	switch r.URL.Path {
	case "/":
		_, _ = io.WriteString(w, "Ollama is running")
	case "/api/version":
		line(w, map[string]any{"version": "0.17.4"})
	case "/api/tags":
		list := []map[string]any{}
		for m := range f.models {
			list = append(list, map[string]any{"name": m, "digest": "d"})
		}
		line(w, map[string]any{"models": list})
	case "/api/show":
		line(w, map[string]any{
			"template": f.models[name], "remote_host": f.remote,
			"model_info": map[string]any{"qwen2.context_length": f.window},
		})
	case "/api/create":
		f.created = append(f.created, body)
		template, _ := body["template"].(string)
		if template == "" {
			template = f.template
		}
		f.models[name] = template
		line(w, map[string]any{"status": "success"})
	case "/api/delete":
		delete(f.models, name)
	case "/api/pull":
		f.models[name] = "t"
		line(w, map[string]any{"status": "pulling", "digest": "sha256:1", "total": 10, "completed": 4})
		line(w, map[string]any{"status": "pulling", "digest": "sha256:2", "total": 30, "completed": 30})
		line(w, map[string]any{"status": "success"})
	case "/api/chat":
		f.chats = append(f.chats, body)
		n, chat := len(f.chats)-1, f.chat
		f.mu.Unlock()
		defer f.mu.Lock() // before the deferred Unlock, also when chat breaks off
		chat(n, w, r)
	default:
		http.NotFound(w, r)
	}
}

func (f *fakeOllama) blob(w http.ResponseWriter, r *http.Request) {
	digest := strings.TrimPrefix(r.URL.Path, "/api/blobs/")
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.Method == http.MethodHead {
		if _, ok := f.blobs[digest]; !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		return
	}
	h := sha256.New()
	n, _ := io.Copy(h, r.Body)
	if got := "sha256:" + hex.EncodeToString(h.Sum(nil)); got != digest {
		w.WriteHeader(http.StatusBadRequest)
		line(w, map[string]any{"error": "digest mismatch"})
		return
	}
	f.blobs[digest] = int(n)
	w.WriteHeader(http.StatusCreated)
}

// options gives the options of a chat.
func (f *fakeOllama) options(n int) map[string]any {
	f.mu.Lock()
	defer f.mu.Unlock()
	o, _ := f.chats[n]["options"].(map[string]any)
	return o
}

// gguf writes a file with a chat template in its metadata.
func gguf(t *testing.T, template string) (path, sha string) {
	t.Helper()
	b := append([]byte("GGUF"), 3, 0, 0, 0)
	u32 := func(n uint32) { b = binary.LittleEndian.AppendUint32(b, n) }
	u64 := func(n int) { b = binary.LittleEndian.AppendUint64(b, uint64(n)) }
	str := func(s string) { u64(len(s)); b = append(b, s...) }
	u64(1)
	u64(4)
	str("general.architecture")
	u32(8)
	str("qwen2")
	str("qwen2.context_length")
	u32(4)
	u32(32768)
	str("tokenizer.ggml.tokens")
	u32(9)
	u32(8)
	u64(2)
	str("a")
	str("b")
	str("tokenizer.chat_template")
	u32(8)
	str(template)
	path = filepath.Join(t.TempDir(), "tiny.gguf")
	if err := os.WriteFile(path, b, 0o644); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(b)
	return path, hex.EncodeToString(sum[:])
}

func client(t *testing.T, f *fakeOllama, opts llm.Options) *llm.Client {
	t.Helper()
	if opts.Model.Name == "" {
		opts.Model = llm.Model{Name: "m", Ref: "m:latest"}
	}
	s := llm.NewServer(llm.ServerOptions{Host: f.url})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return llm.NewClient(s, opts)
}

// lorem is n bytes of prose.
func lorem(n int) string {
	var b strings.Builder
	for i := 0; b.Len() < n; i++ {
		fmt.Fprintf(&b, "Sentence %d says that returns are not promised. ", i)
	}
	return b.String()[:n]
}
