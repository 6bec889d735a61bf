package serve_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"veristream/app/serve"
	"veristream/backend/audit"
)

type engine struct{}

func (engine) Search(_ context.Context, r serve.Request) (any, error) {
	if r.Query == "bad" {
		return nil, audit.Errorf(audit.CodeInput, "That cannot be searched.")
	}
	return map[string]string{"query": r.Query}, nil
}

func (engine) Ask(_ context.Context, r serve.Request, tell func(any)) (any, error) {
	tell(map[string]string{"text": "first"})
	return map[string]string{"answer": r.Query}, nil
}

func TestServer(t *testing.T) {
	srv := httptest.NewServer(serve.Handler(engine{}, serve.Options{Token: "secret", PerMinute: 20}))
	defer srv.Close()
	for _, c := range []struct {
		name, method, path, token, body, want string
		head                                  map[string]string
		status                                int
	}{
		{"health needs no token", "GET", "/health", "", "", `"status":"ok"`, nil, 200},
		{"its description", "GET", "/openapi.json", "", "", `"openapi"`, nil, 200},
		{"no token", "POST", "/search", "", `{"query":"x"}`, "token", nil, 401},
		{"a wrong token", "POST", "/ask", "guess", `{"query":"x"}`, "token", nil, 401},
		{"a search", "POST", "/search", "secret", `{"query":"x"}`, `{"query":"x"}`, nil, 200},
		{"an answer", "POST", "/ask", "secret", `{"query":"x"}`, `{"answer":"x"}`, nil, 200},
		{"a stream", "POST", "/ask", "secret", `{"query":"x"}`, "event: sentence\ndata: {\"text\":\"first\"}\n\nevent: answer", map[string]string{"Accept": "text/event-stream"}, 200},
		{"no query", "POST", "/search", "secret", `{}`, "no query", nil, 400},
		{"no JSON", "POST", "/search", "secret", `query`, "not JSON", nil, 400},
		{"an unknown key", "POST", "/search", "secret", `{"query":"x","quick":true}`, "not JSON", nil, 400},
		{"too large", "POST", "/search", "secret", `{"query":"` + strings.Repeat("x", 70_000) + `"}`, "too large", nil, 413},
		{"an error of ours", "POST", "/search", "secret", `{"query":"bad"}`, "cannot be searched", nil, 400},
		{"a page in a browser", "POST", "/search", "secret", `{"query":"x"}`, "browser", map[string]string{"Origin": "http://example.com"}, 403},
		{"another name of this computer", "POST", "/search", "secret", `{"query":"x"}`, "loopback", map[string]string{"Host": "example.com"}, 403},
		{"another method", "GET", "/search", "secret", "", "", nil, 405},
	} {
		req, err := http.NewRequest(c.method, srv.URL+c.path, strings.NewReader(c.body))
		if err != nil {
			t.Fatal(err)
		}
		if c.token != "" {
			req.Header.Set("Authorization", "Bearer "+c.token)
		}
		for k, v := range c.head {
			req.Header.Set(k, v)
			if k == "Host" {
				req.Host = v
			}
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != c.status || !strings.Contains(string(body), c.want) {
			t.Errorf("%s: %d %s, want %d with %q", c.name, resp.StatusCode, body, c.status, c.want)
		}
	}
	last := 0
	for range 25 {
		req, _ := http.NewRequest("POST", srv.URL+"/search", strings.NewReader(`{"query":"x"}`))
		req.Header.Set("Authorization", "Bearer secret")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		last = resp.StatusCode
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("after many requests: %d", last)
	}
}

func TestListen(t *testing.T) {
	for _, addr := range []string{"0.0.0.0:0", "192.0.2.1:80", "[::]:0", "example.com:80", ":0", "nothing"} {
		if l, err := serve.Listen(t.Context(), addr); err == nil {
			l.Close()
			t.Errorf("%s was opened", addr)
		} else if audit.CodeOf(err) != audit.CodeUsage {
			t.Errorf("%s: %v", addr, err)
		}
	}
	l, err := serve.Listen(t.Context(), "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}
