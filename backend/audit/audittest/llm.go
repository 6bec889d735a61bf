package audittest

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"veristream/backend/audit"
)

// LLM is a fake that answers with Reply, or else with the least value that
// the request's schema allows. It keeps the requests.
type LLM struct {
	Reply func(audit.Request) (string, error)

	mu       sync.Mutex
	requests []audit.Request
}

// Requests gives what was asked so far.
func (l *LLM) Requests() []audit.Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.requests)
}

// Complete answers one request.
func (l *LLM) Complete(ctx context.Context, req audit.Request) (audit.Response, error) {
	if err := ctx.Err(); err != nil {
		return audit.Response{}, err
	}
	l.mu.Lock()
	l.requests = append(l.requests, req)
	l.mu.Unlock()
	text := "ok"
	if len(req.Schema) > 0 {
		var schema map[string]any
		if err := json.Unmarshal(req.Schema, &schema); err != nil {
			return audit.Response{}, audit.Wrap(err, audit.CodeInternal, "The schema of a request is not JSON.")
		}
		reply, err := json.Marshal(least(schema))
		if err != nil {
			return audit.Response{}, err
		}
		text = string(reply)
	}
	if l.Reply != nil {
		reply, err := l.Reply(req)
		if err != nil {
			return audit.Response{}, err
		}
		text = reply
	}
	count := len(words(req.System)) + len(words(req.Prefix)) + len(words(req.Prompt))
	return audit.Response{Text: text, PromptTokens: count, OutputTokens: len(words(text)) + 1}, nil
}

// least makes the least value of a JSON schema.
func least(schema map[string]any) any {
	if enum, ok := schema["enum"].([]any); ok && len(enum) > 0 {
		return enum[0]
	}
	switch schema["type"] {
	case "object":
		out := map[string]any{}
		props, _ := schema["properties"].(map[string]any)
		required, _ := schema["required"].([]any)
		for _, name := range required {
			key, _ := name.(string)
			sub, _ := props[key].(map[string]any)
			out[key] = least(sub)
		}
		return out
	case "array":
		out := []any{}
		items, _ := schema["items"].(map[string]any)
		n, _ := schema["minItems"].(float64)
		for range int(n) {
			out = append(out, least(items))
		}
		return out
	case "boolean":
		return false
	case "integer", "number":
		if n, ok := schema["minimum"].(float64); ok {
			return n
		}
		return 0
	case "null":
		return nil
	}
	return "text"
}

// TestLLM is the conformance test of audit.LLM.
func TestLLM(t *testing.T, l audit.LLM) {
	t.Helper()
	schema := json.RawMessage(`{"type":"object","additionalProperties":false,"required":["colour","citations"],
		"properties":{"colour":{"type":"string","enum":["red","green"]},
		"citations":{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","enum":["A 1","B 2"]}}}}`)
	req := audit.Request{
		System: "You answer in JSON only.", Prefix: "Grass is green. Rule A 1 is about grass.",
		Prompt: "Which colour has grass, and which rule is about it?", Schema: schema, MaxTokens: 120, NumCtx: 2048,
	}
	t.Run("honours the schema", func(t *testing.T) {
		resp, err := l.Complete(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Colour    string   `json:"colour"`
			Citations []string `json:"citations"`
		}
		dec := json.NewDecoder(strings.NewReader(resp.Text))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&got); err != nil {
			t.Fatalf("%q: %v", resp.Text, err)
		}
		if got.Colour != "red" && got.Colour != "green" {
			t.Errorf("colour %q is none of the enum", got.Colour)
		}
		if len(got.Citations) < 1 || len(got.Citations) > 2 {
			t.Errorf("%d citations", len(got.Citations))
		}
		for _, c := range got.Citations {
			if c != "A 1" && c != "B 2" {
				t.Errorf("citation %q is none of the enum", c)
			}
		}
		if resp.PromptTokens <= 0 || resp.OutputTokens <= 0 {
			t.Errorf("tokens are not counted: %+v", resp)
		}
	})
	t.Run("free text", func(t *testing.T) {
		free := req
		free.Schema = nil
		resp, err := l.Complete(t.Context(), free)
		if err != nil || strings.TrimSpace(resp.Text) == "" {
			t.Errorf("got %q, %v", resp.Text, err)
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := l.Complete(ctx, req); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
