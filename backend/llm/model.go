package llm

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/ollama/ollama/api"

	"veristream/backend/audit"
)

// Model says which model is asked: one that the server keeps under Ref, or a
// GGUF file of ours, which is registered with the server when it is missing.
type Model struct {
	Name   string // what the user calls it
	Ref    string // name on the server
	GGUF   string // the file; empty for a model that only the server has
	SHA256 string // of the file
}

// ref is the name on the server. The digest is part of a registered model's
// name, so that a changed file never meets its predecessor.
func (m Model) ref() string {
	if m.GGUF == "" {
		return m.Ref
	}
	return "veristream/" + safeName(m.Name) + ":" + m.SHA256[:min(12, len(m.SHA256))]
}

// safeName keeps what may stand in a model's name on the server.
func safeName(s string) string {
	s = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, strings.ToLower(s))
	return strings.Trim(s, ".-_")
}

// chatML is the chat format of Qwen and many others, as Ollama's templates
// write it.
const chatML = `{{ range .Messages }}<|im_start|>{{ .Role }}{{ "\n" }}{{ .Content }}<|im_end|>{{ "\n" }}{{ end }}<|im_start|>assistant{{ "\n" }}`

// noTemplate is what a server uses where it did not recognise a file's chat
// format: the bare prompt, which a chat model answers badly.
const noTemplate = "{{ .Prompt }}"

// ensure makes the server ready to be asked for the model, and gives the
// model's longest context.
func (s *Server) ensure(ctx context.Context, client *api.Client, m Model) (window int, err error) {
	ref := m.ref()
	found, err := findModel(ctx, client, ref)
	if err != nil {
		return 0, err
	}
	if found == nil {
		if m.GGUF == "" {
			return 0, audit.Wrap(ErrNoModel, audit.CodeModelMissing,
				"The language model %s is not on the Ollama server (run: ollama pull %s)", m.Name, ref)
		}
		if err := s.register(ctx, client, m, ref); err != nil {
			return 0, err
		}
	}
	show, err := client.Show(ctx, &api.ShowRequest{Model: ref})
	if err != nil {
		return 0, fmt.Errorf("look at model: %w", err)
	}
	if show.RemoteHost != "" {
		// A cloud model answers from elsewhere through the local server.
		return 0, audit.Wrap(ErrRemote, audit.CodeUsage,
			"The model %s runs on another computer, and nothing may leave this one; choose another model", m.Name)
	}
	for key, v := range show.ModelInfo {
		if n, ok := v.(float64); ok && strings.HasSuffix(key, ".context_length") {
			window = int(n)
		}
	}
	return window, nil
}

// register brings a GGUF file to the server and gives it its chat format.
func (s *Server) register(ctx context.Context, client *api.Client, m Model, ref string) error {
	if _, err := os.Stat(m.GGUF); err != nil {
		return audit.Wrap(cause(ErrNoModel, err), audit.CodeModelMissing,
			"The language model %s is not installed (run: veristream models pull %s)", m.Name, m.Name)
	}
	template, err := chatTemplate(m.GGUF)
	if err != nil {
		return audit.Wrap(err, audit.CodeModelMissing, "The file of the language model %s cannot be read", m.Name)
	}
	digest := "sha256:" + m.SHA256
	if err := s.upload(ctx, client, m.GGUF, digest); err != nil {
		return fmt.Errorf("bring %s to the server: %w", m.Name, err)
	}
	req := &api.CreateRequest{Model: ref, Files: map[string]string{filepath.Base(m.GGUF): digest}}
	if strings.Contains(template, "<|im_start|>") {
		req.Template = chatML
		req.Parameters = map[string]any{"stop": []string{"<|im_start|>", "<|im_end|>"}}
	}
	if err := client.Create(ctx, req, func(api.ProgressResponse) error { return nil }); err != nil {
		return fmt.Errorf("register %s: %w", m.Name, err)
	}
	show, err := client.Show(ctx, &api.ShowRequest{Model: ref})
	if err != nil {
		return fmt.Errorf("look at model: %w", err)
	}
	if strings.TrimSpace(show.Template) == noTemplate {
		_ = client.Delete(ctx, &api.DeleteRequest{Model: ref})
		return audit.Errorf(audit.CodeModel,
			"Ollama does not know the chat format of %s; give it one with 'ollama create' and choose that model.", m.Name)
	}
	return nil
}

// upload makes the file a blob of the server. For a server of ours on the same
// disk a hard link does, which saves a gigabyte and its copying.
func (s *Server) upload(ctx context.Context, client *api.Client, path, digest string) error {
	if s.hasBlob(ctx, digest) {
		return nil
	}
	if s.link(path, digest) && s.hasBlob(ctx, digest) {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("open file: %w", err)
	}
	defer func() { _ = f.Close() }()
	return client.CreateBlob(ctx, digest, f)
}

func (s *Server) hasBlob(ctx context.Context, digest string) bool {
	s.mu.Lock()
	base := s.base
	s.mu.Unlock()
	if base == nil {
		return false
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodHead, base.JoinPath("/api/blobs/"+digest).String(), nil)
	if err != nil {
		return false
	}
	resp, err := s.http.Do(req)
	if err != nil {
		return false
	}
	_ = resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func (s *Server) link(path, digest string) bool {
	s.mu.Lock()
	ours := s.child != nil
	s.mu.Unlock()
	if !ours {
		return false
	}
	blobs := filepath.Join(s.opts.Dir, "models", "blobs")
	if err := os.MkdirAll(blobs, 0o700); err != nil {
		return false
	}
	return os.Link(path, filepath.Join(blobs, strings.Replace(digest, ":", "-", 1))) == nil
}
