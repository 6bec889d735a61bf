package llm_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/llm"
)

func TestRegister(t *testing.T) {
	const qwen = `{%- for m in messages %}{{ '<|im_start|>' + m.role }}{% endfor %}`
	tests := []struct {
		name     string
		template string
		server   string // what the server makes of it
		wantChat string // part of the template that we set
		code     audit.Code
	}{
		{name: "chatml is set by us", template: qwen, wantChat: "<|im_start|>assistant"},
		{name: "another one that the server knows", template: "llama", server: "{{ llama }}"},
		{name: "one that nobody knows", template: "?", server: "{{ .Prompt }}", code: audit.CodeModel},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			f.template = tt.server
			f.chat = says("ok", "stop", 10, 1)
			path, sha := gguf(t, tt.template)
			model := llm.Model{Name: "My Model", GGUF: path, SHA256: sha}
			_, err := client(t, f, llm.Options{Model: model}).Complete(t.Context(), audit.Request{Prompt: "p"})
			if audit.CodeOf(err) != tt.code {
				t.Fatalf("error %v", err)
			}
			if tt.code != "" {
				if len(f.models) != 0 {
					t.Errorf("it stays registered: %v", f.models)
				}
				return
			}
			name := "veristream/my-model:" + sha[:12]
			template, _ := f.created[0]["template"].(string)
			if f.created[0]["model"] != name || !strings.Contains(template, tt.wantChat) || tt.wantChat == "" && template != "" {
				t.Errorf("created %v", f.created[0])
			}
			if f.blobs["sha256:"+sha] == 0 {
				t.Error("the file was not brought to the server")
			}
			// A second client finds the model there.
			if _, err := client(t, f, llm.Options{Model: model}).Complete(t.Context(), audit.Request{Prompt: "p"}); err != nil {
				t.Fatal(err)
			}
			if len(f.created) != 1 || f.chats[1]["model"] != name {
				t.Errorf("%d registrations, asked for %v", len(f.created), f.chats[1]["model"])
			}
		})
	}
}

func TestModelNotThere(t *testing.T) {
	f := newFake(t)
	gone := llm.Model{Name: "qwen", GGUF: filepath.Join(t.TempDir(), "gone.gguf"), SHA256: strings.Repeat("0", 64)}
	_, err := client(t, f, llm.Options{Model: gone}).Complete(t.Context(), audit.Request{Prompt: "p"})
	if audit.CodeOf(err) != audit.CodeModelMissing || !strings.Contains(audit.SentenceOf(err), "veristream models pull qwen") {
		t.Errorf("file: %v", err)
	}
	_, err = client(t, f, llm.Options{Model: llm.Model{Name: "big", Ref: "big:7b"}}).Complete(t.Context(), audit.Request{Prompt: "p"})
	if audit.CodeOf(err) != audit.CodeModelMissing || !strings.Contains(audit.SentenceOf(err), "ollama pull big:7b") {
		t.Errorf("reference: %v", err)
	}
	junk := filepath.Join(t.TempDir(), "junk.gguf")
	if err := os.WriteFile(junk, []byte("not a model"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err = client(t, f, llm.Options{Model: llm.Model{Name: "junk", GGUF: junk, SHA256: strings.Repeat("0", 64)}}).Complete(t.Context(), audit.Request{Prompt: "p"})
	if audit.CodeOf(err) != audit.CodeModelMissing || !strings.Contains(audit.SentenceOf(err), "cannot be read") {
		t.Errorf("junk: %v", err)
	}
}

func TestLibrary(t *testing.T) {
	f := newFake(t, "a:latest")
	s := llm.NewServer(llm.ServerOptions{Host: strings.TrimPrefix(f.url, "http://")})
	for ref, want := range map[string]bool{"a": true, "a:latest": true, "b": false} {
		if got, err := s.Has(t.Context(), ref); err != nil || got != want {
			t.Errorf("Has(%s) = %v, %v", ref, got, err)
		}
	}
	var done, total int64
	if err := s.Pull(t.Context(), "b:7b", func(d, n int64) { done, total = d, n }); err != nil || done != 34 || total != 40 {
		t.Errorf("pull: %d of %d, %v", done, total, err)
	}
	st, err := s.State(t.Context())
	if err != nil || st.Version != "0.17.4" || st.Ours || !strings.Contains(f.url, st.Address) {
		t.Errorf("state %+v, %v", st, err)
	}
}

func TestHost(t *testing.T) {
	for _, host := range []string{"http://", "ftp://127.0.0.1", "127.0.0.1:x"} {
		s := llm.NewServer(llm.ServerOptions{Host: host})
		if _, err := s.Connect(t.Context()); audit.CodeOf(err) != audit.CodeUsage {
			t.Errorf("%q: %v", host, err)
		}
	}
	for _, host := range []string{"127.0.0.1:1", "localhost:1", "http://[::1]:1/", `"0.0.0.0:1"`} {
		s := llm.NewServer(llm.ServerOptions{Host: host})
		if _, err := s.Connect(t.Context()); !errors.Is(err, llm.ErrNoServer) {
			t.Errorf("%q: %v", host, err)
		}
	}
}

// script writes a program that stands in for a server that cannot run.
func script(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ollama")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestServerThatEndsAtOnce(t *testing.T) {
	dir := t.TempDir()
	s := llm.NewServer(llm.ServerOptions{
		Host: "127.0.0.1:1", Dir: dir, Binaries: []string{script(t, "echo cannot find my library >&2; exit 1")},
	})
	_, err := s.Connect(t.Context())
	if audit.CodeOf(err) != audit.CodeModel || !strings.Contains(audit.DetailsOf(err), "cannot find my library") {
		t.Errorf("error %v, details %q", err, audit.DetailsOf(err))
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// TestChildEnvironment: what a server of ours is told.
func TestChildEnvironment(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("OLLAMA_NO_CLOUD", "0")
	t.Setenv("OLLAMA_FLASH_ATTENTION", "1")
	s := llm.NewServer(llm.ServerOptions{Host: "127.0.0.1:1", Dir: dir, Binaries: []string{script(t, "env >&2; exit 1")}})
	_, err := s.Connect(t.Context())
	env := "\n" + audit.DetailsOf(err) + "\n"
	for _, want := range []string{
		"OLLAMA_NO_CLOUD=1", "OLLAMA_NUM_PARALLEL=1", "OLLAMA_MAX_LOADED_MODELS=1", "OLLAMA_FLASH_ATTENTION=1",
		"OLLAMA_MODELS=" + filepath.Join(dir, "models"), "HOME=" + filepath.Join(dir, "home"), "OLLAMA_HOST=127.0.0.1:",
	} {
		if !strings.Contains(env, "\n"+want) {
			t.Errorf("the environment lacks %s", want)
		}
	}
}
