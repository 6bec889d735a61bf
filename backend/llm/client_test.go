package llm_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"veristream/backend/audit"
	"veristream/backend/llm"
)

var schema = json.RawMessage(`{"type":"object","additionalProperties":false,"required":["citation"],
	"properties":{"citation":{"enum":["16 CFR 255.5(a)","none"]}}}`)

// TestErrors: each way to fail is an error of its own, with a code and a
// sentence that a person can act on.
func TestErrors(t *testing.T) {
	hang := func(_ int, _ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	abort := func(_ int, w http.ResponseWriter, _ *http.Request) {
		line(w, map[string]any{"message": map[string]any{"content": `{"cit`}})
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	long := audit.Request{Prompt: lorem(60_000), Schema: schema}
	tests := []struct {
		name     string
		chat     func(int, http.ResponseWriter, *http.Request)
		req      audit.Request
		code     audit.Code
		is       error
		sentence string
	}{
		{"model missing", fails(404, `model "m" not found`), audit.Request{}, audit.CodeModelMissing, llm.ErrNoModel, "m is not on the Ollama server"},
		{"out of memory", fails(500, "model requires more system memory (9.1 GiB) than is available (3.2 GiB)"), audit.Request{}, audit.CodeMemory, llm.ErrMemory, "smaller model"},
		{"runner killed for memory", fails(500, "llama runner process has terminated: signal: killed"), audit.Request{}, audit.CodeMemory, llm.ErrMemory, "not enough memory"},
		{"another server error", fails(500, "boom"), audit.Request{}, audit.CodeModel, llm.ErrServer, "reported an error"},
		{"error in mid-stream", func(_ int, w http.ResponseWriter, _ *http.Request) {
			line(w, map[string]any{"message": map[string]any{"content": "{"}})
			line(w, map[string]any{"error": "an error was encountered while running the model"})
		}, audit.Request{}, audit.CodeModel, llm.ErrServer, "reported an error"},
		{"cut off by length", says(`{"citation":"16 C`, "length", 100, 50), audit.Request{Schema: schema}, audit.CodeReply, llm.ErrCutOff, "cut off after 50 tokens"},
		{"connection lost in mid-reply", abort, audit.Request{}, audit.CodeReply, llm.ErrCutOff, "broke off"},
		{"empty", says(" \n", "stop", 100, 1), audit.Request{}, audit.CodeReply, llm.ErrEmpty, "empty reply"},
		{"not JSON", says("Sure! Here it is", "stop", 100, 5), audit.Request{Schema: schema}, audit.CodeReply, llm.ErrInvalid, "not JSON"},
		{"JSON and more", says(`{"citation":"none"} I hope this helps`, "stop", 100, 5), audit.Request{Schema: schema}, audit.CodeReply, llm.ErrInvalid, "not JSON"},
		{"not of the enum", says(`{"citation":"16 CFR 255.9"}`, "stop", 100, 5), audit.Request{Schema: schema}, audit.CodeReply, llm.ErrInvalid, "not in the form"},
		{"a key too many", says(`{"citation":"none","x":1}`, "stop", 100, 5), audit.Request{Schema: schema}, audit.CodeReply, llm.ErrInvalid, "not in the form"},
		{"deadline", hang, audit.Request{Deadline: 20 * time.Millisecond}, audit.CodeDeadline, context.DeadlineExceeded, "did not answer within"},
		{"part of the prompt dropped", says(`{"citation":"none"}`, "stop", 900, 5), long, audit.CodeModel, llm.ErrTruncated, "dropped a part"},
		{"too long for the server", fails(400, "the input length exceeds the context length"), audit.Request{NumCtx: 2048}, audit.CodeModel, llm.ErrTooLong, "too long"},
		{"too long for any window", says("", "stop", 1, 1), audit.Request{Prompt: lorem(500_000)}, audit.CodeModel, llm.ErrTooLong, "reads 32768 tokens at once"},
		{"bad schema", says("{}", "stop", 100, 1), audit.Request{Schema: json.RawMessage(`{"type":7}`)}, audit.CodeInternal, nil, "bad schema"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, "m:latest")
			f.chat = tt.chat
			c := client(t, f, llm.Options{})
			tt.req.System = "s"
			resp, err := c.Complete(t.Context(), tt.req)
			if err == nil {
				t.Fatalf("no error, reply %+v", resp)
			}
			if !reflect.DeepEqual(resp, audit.Response{}) {
				t.Errorf("a failed call gave %+v", resp)
			}
			if got := audit.CodeOf(err); got != tt.code {
				t.Errorf("code %s, want %s (%v)", got, tt.code, err)
			}
			if tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("error %v is not %v", err, tt.is)
			}
			if got := audit.SentenceOf(err); !strings.Contains(got, tt.sentence) {
				t.Errorf("sentence %q lacks %q", got, tt.sentence)
			}
		})
	}
}

func TestCancel(t *testing.T) {
	f := newFake(t, "m:latest")
	reached := make(chan struct{})
	f.chat = func(_ int, _ http.ResponseWriter, r *http.Request) {
		close(reached)
		<-r.Context().Done()
	}
	c := client(t, f, llm.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-reached; cancel() }()
	if _, err := c.Complete(ctx, audit.Request{Prompt: "p"}); !errors.Is(err, context.Canceled) || audit.CodeOf(err) != audit.CodeCancelled {
		t.Errorf("error %v", err)
	}
}

func TestNoServer(t *testing.T) {
	s := llm.NewServer(llm.ServerOptions{Host: "127.0.0.1:1", Binaries: []string{"/does/not/exist"}})
	c := llm.NewClient(s, llm.Options{Model: llm.Model{Name: "m", Ref: "m"}})
	_, err := c.Complete(t.Context(), audit.Request{Prompt: "p"})
	if audit.CodeOf(err) != audit.CodeMissing || !errors.Is(err, llm.ErrNoServer) {
		t.Errorf("error %v, want: not installed", err)
	}
}

func TestNothingLeavesTheComputer(t *testing.T) {
	s := llm.NewServer(llm.ServerOptions{Host: "http://203.0.113.7:11434"})
	c := llm.NewClient(s, llm.Options{Model: llm.Model{Name: "m", Ref: "m"}})
	if _, err := c.Complete(t.Context(), audit.Request{Prompt: "p"}); !errors.Is(err, llm.ErrRemote) {
		t.Errorf("another computer: %v", err)
	}
	f := newFake(t, "m:latest")
	f.remote = "https://cloud.invalid"
	if _, err := client(t, f, llm.Options{}).Complete(t.Context(), audit.Request{Prompt: "p"}); !errors.Is(err, llm.ErrRemote) {
		t.Errorf("a cloud model of a local server: %v", err)
	}
	if len(f.chats) != 0 {
		t.Error("it was asked all the same")
	}
}

// TestWhatIsSent: the shared part first and unchanged, every option explicit.
func TestWhatIsSent(t *testing.T) {
	f := newFake(t, "m:latest")
	f.chat = says(`{"citation":"none"}`, "stop", 1000, 7)
	c := client(t, f, llm.Options{Threads: 2, KeepAlive: time.Minute})
	for _, p := range []string{"first?", "second?"} {
		resp, err := c.Complete(t.Context(), audit.Request{System: "sys", Prefix: "facts", Prompt: p, Schema: schema, MaxTokens: 99})
		if err != nil {
			t.Fatal(err)
		}
		if resp.Text != `{"citation":"none"}` || resp.PromptTokens != 1000 || resp.OutputTokens != 7 {
			t.Errorf("response %+v", resp)
		}
	}
	want := map[string]any{"temperature": 0.0, "seed": 1.0, "num_ctx": 4096.0, "num_predict": 99.0, "repeat_penalty": 1.0, "num_thread": 2.0}
	if got := f.options(0); !reflect.DeepEqual(got, want) {
		t.Errorf("options %v", got)
	}
	for i, p := range []string{"first?", "second?"} {
		got, _ := json.Marshal(f.chats[i]["messages"])
		if want := `[{"content":"sys","role":"system"},{"content":"facts\n\n` + p + `","role":"user"}]`; string(got) != want {
			t.Errorf("messages %s", got)
		}
		if f.chats[i]["truncate"] != false || f.chats[i]["shift"] != false || f.chats[i]["keep_alive"] != "1m0s" || f.chats[i]["format"] == nil {
			t.Errorf("request %v", f.chats[i])
		}
	}
}

// TestTokens: probabilities of what else the model might have said.
func TestTokens(t *testing.T) {
	f := newFake(t, "m:latest")
	f.chat = func(_ int, w http.ResponseWriter, _ *http.Request) {
		line(w, map[string]any{
			"message": map[string]any{"content": `{"citation":"none"}`}, "done": true, "done_reason": "stop",
			"prompt_eval_count": 10, "eval_count": 1,
			"logprobs": []any{map[string]any{"token": "none", "logprob": math.Log(0.75), "top_logprobs": []any{
				map[string]any{"token": "none", "logprob": math.Log(0.75)}, map[string]any{"token": "16", "logprob": math.Log(0.25)},
			}}},
		})
	}
	c := client(t, f, llm.Options{})
	resp, err := c.Complete(t.Context(), audit.Request{Prompt: "p", Schema: schema})
	if err != nil || len(resp.Tokens) != 1 || resp.Tokens[0].Text != "none" {
		t.Fatalf("%+v, %v", resp, err)
	}
	if alt := resp.Tokens[0].Alternatives; len(alt) != 2 || math.Abs(alt["16"]-0.25) > 1e-9 {
		t.Errorf("alternatives %v", alt)
	}
	if _, err := c.Complete(t.Context(), audit.Request{Prompt: "p"}); err != nil {
		t.Fatal(err)
	}
	if f.chats[0]["logprobs"] != true || f.chats[1]["logprobs"] != nil {
		t.Error("tokens are told for free text, or not for a schema")
	}
}

// TestAskedAgain: the same question after a useless reply is asked more freely,
// and any other as always.
func TestAskedAgain(t *testing.T) {
	f := newFake(t, "m:latest")
	f.chat = func(n int, w http.ResponseWriter, r *http.Request) {
		says([]string{"no JSON", `{"citation":"none"}`}[min(n, 1)], "stop", 10, 1)(n, w, r)
	}
	c := client(t, f, llm.Options{})
	for i, prompt := range []string{"p", "p", "q"} {
		_, err := c.Complete(t.Context(), audit.Request{Prompt: prompt, Schema: schema})
		if (err != nil) != (i == 0) {
			t.Fatalf("call %d: %v", i, err)
		}
	}
	var got []any
	for i := range 3 {
		got = append(got, f.options(i)["temperature"])
	}
	if want := []any{0.0, 0.4, 0.0}; !reflect.DeepEqual(got, want) {
		t.Errorf("temperatures %v, want %v", got, want)
	}
}

// TestWindow: it grows in steps, never shrinks, and stays below the model's.
func TestWindow(t *testing.T) {
	f := newFake(t, "m:latest")
	f.chat = says("ok", "stop", 20_000, 1)
	c := client(t, f, llm.Options{})
	var got []any
	for _, req := range []audit.Request{
		{Prompt: "short"}, {Prompt: lorem(15_000)}, {Prompt: "short"}, {Prompt: "p", NumCtx: 2048}, {Prompt: lorem(120_000)},
	} {
		if _, err := c.Complete(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		got = append(got, f.options(len(f.chats) - 1)["num_ctx"])
	}
	if want := []any{4096.0, 8192.0, 8192.0, 8192.0, 32768.0}; !reflect.DeepEqual(got, want) {
		t.Errorf("windows %v, want %v", got, want)
	}
}

// TestWindowGrowsWhenTheEstimateWasLow: text with very many tokens.
func TestWindowGrowsWhenTheEstimateWasLow(t *testing.T) {
	f := newFake(t, "m:latest")
	f.chat = func(n int, w http.ResponseWriter, r *http.Request) {
		if n < 2 {
			fails(400, "the input length exceeds the context length")(n, w, r)
			return
		}
		says("ok", "stop", 9000, 1)(n, w, r)
	}
	c := client(t, f, llm.Options{})
	if _, err := c.Complete(t.Context(), audit.Request{Prompt: "p"}); err != nil {
		t.Fatal(err)
	}
	if got := f.options(2)["num_ctx"]; got != 16384.0 {
		t.Errorf("third try with a window of %v", got)
	}
}

func TestBusyServerIsAskedAgain(t *testing.T) {
	f := newFake(t, "m:latest")
	f.chat = func(n int, w http.ResponseWriter, r *http.Request) {
		if n == 0 {
			fails(503, "server busy, please try again")(n, w, r)
			return
		}
		says("ok", "stop", 10, 1)(n, w, r)
	}
	if _, err := client(t, f, llm.Options{}).Complete(t.Context(), audit.Request{Prompt: "p"}); err != nil {
		t.Fatal(err)
	}
}

// TestCallsTakeTurns: a call that waits for another does not lose its deadline.
func TestCallsTakeTurns(t *testing.T) {
	f := newFake(t, "m:latest")
	var mu sync.Mutex
	now, most := 0, 0
	f.chat = func(n int, w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		now++
		most = max(most, now)
		mu.Unlock()
		says("ok", "stop", 10, 1)(n, w, r)
		mu.Lock()
		now--
		mu.Unlock()
	}
	c := client(t, f, llm.Options{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if _, err := c.Complete(context.Background(), audit.Request{Prompt: "p"}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most != 1 {
		t.Errorf("%d calls at once", most)
	}
}
