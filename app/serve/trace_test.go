package serve_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"veristream/app/serve"
	"veristream/backend/audit"
)

// collector takes what is sent to it.
type collector struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []string
	paths  []string
	answer func(http.ResponseWriter) // nil: all is well
}

func newCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.bodies, c.paths = append(c.bodies, string(body)), append(c.paths, r.URL.Path)
		if c.answer != nil {
			c.answer(w)
		}
	}))
	t.Cleanup(c.Close)
	return c
}

func (c *collector) got() (bodies, paths string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Join(c.bodies, "\n"), strings.Join(c.paths, " ")
}

// ask sends requests to a server that writes its traces somewhere, and closes
// the traces.
func ask(t *testing.T, to string) (closed error) {
	t.Helper()
	traces, err := serve.OpenTraces(t.Context(), to, "test", func(error) {})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(serve.Handler(engine{}, serve.Options{Token: "secret", Tracer: traces.Tracer()}))
	defer srv.Close()
	for _, r := range []struct{ path, body, accept string }{
		{"/search", `{"query":"porcupine"}`, ""},
		{"/search", `{"query":"bad"}`, ""},
		{"/ask", `{"query":"porcupine"}`, "text/event-stream"},
		{"/porcupine?porcupine", ``, ""},
	} {
		req, err := http.NewRequest("POST", srv.URL+r.path, strings.NewReader(r.body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer secret")
		req.Header.Set("Accept", r.accept)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
	return traces.Close()
}

// A collector on this computer gets the spans, without a word of what was asked.
func TestTracesToACollector(t *testing.T) {
	for _, name := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "HTTP_PROXY"} {
		t.Setenv(name, "http://192.0.2.1:4318") // nothing of the environment changes where they go
	}
	c := newCollector(t)
	if err := ask(t, c.URL); err != nil {
		t.Fatal(err)
	}
	bodies, paths := c.got()
	for _, want := range []string{"POST /search", "POST /ask", "wait for the models", "http.response.status_code", "veristream", "input"} {
		if !strings.Contains(bodies, want) {
			t.Errorf("the collector was not told %q", want)
		}
	}
	if strings.Contains(bodies, "porcupine") || strings.Contains(bodies, "secret") {
		t.Error("the collector was told what was asked")
	}
	if !strings.Contains(paths, "/v1/traces") {
		t.Errorf("sent to %q", paths)
	}
}

// A collector cannot send the traces elsewhere.
func TestTracesFollowNoRedirect(t *testing.T) {
	elsewhere, c := newCollector(t), newCollector(t)
	c.answer = func(w http.ResponseWriter) {
		w.Header().Set("Location", elsewhere.URL+"/v1/traces")
		w.WriteHeader(http.StatusTemporaryRedirect)
	}
	err := ask(t, c.URL)
	if sent, _ := c.got(); sent == "" {
		t.Fatalf("nothing was sent: %v", err)
	}
	if sent, _ := elsewhere.got(); sent != "" {
		t.Error("the traces went where the collector sent them")
	}
}

func TestTracesToAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "traces.json")
	for range 2 {
		if err := ask(t, file); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	names := map[string]int{}
	for dec := json.NewDecoder(f); ; {
		var span struct{ Name string }
		err := dec.Decode(&span)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names[span.Name]++
	}
	// A second run adds to the file.
	for name, n := range map[string]int{"POST /search": 4, "search": 4, "POST /ask": 2, "ask": 2, "request": 2} {
		if names[name] != n {
			t.Errorf("%d spans %q, want %d: %v", names[name], name, n, names)
		}
	}
	data, err := os.ReadFile(file)
	if err != nil || strings.Contains(string(data), "porcupine") {
		t.Errorf("the file holds what was asked, or %v", err)
	}
}

// Whatever is not on this computer is refused before anything is opened.
func TestTracesStayHere(t *testing.T) {
	for _, to := range []string{
		"http://192.0.2.1:4318", "http://collector.example.com", "http://0.0.0.0:4318", "http://[::]:4318", "http://127.0.0.1.example.com:4318",
		"https://127.0.0.1:4318", "grpc://127.0.0.1:4317", "http://", "http://127.0.0.1@192.0.2.1/", "http://2130706433:4318",
	} {
		traces, err := serve.OpenTraces(t.Context(), to, "test", func(error) {})
		if err == nil {
			traces.Close()
			t.Errorf("%s was opened", to)
		} else if audit.CodeOf(err) != audit.CodeUsage || !strings.HasSuffix(audit.SentenceOf(err), ".") {
			t.Errorf("%s: %v", to, err)
		}
	}
	if _, err := serve.OpenTraces(context.Background(), filepath.Join(t.TempDir(), "no", "file"), "test", func(error) {}); audit.CodeOf(err) != audit.CodeInput {
		t.Errorf("a folder that is not there: %v", err)
	}
	for _, to := range []string{"http://localhost:4318", "http://127.0.0.1", "http://[::1]:4318/v1/traces"} {
		traces, err := serve.OpenTraces(t.Context(), to, "test", func(error) {})
		if err != nil {
			t.Errorf("%s: %v", to, err)
			continue
		}
		traces.Close()
	}
}
