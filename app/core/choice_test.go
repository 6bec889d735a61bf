package core_test

import (
	"testing"

	"veristream/app/core"
	"veristream/app/dirs"
	"veristream/app/weights"
	"veristream/backend/audit"
	"veristream/models"
)

// A chosen model must be there and of its kind; one of the user's Ollama is
// taken by its word; and a choice whose model has gone keeps nothing from starting.
func TestChoice(t *testing.T) {
	t.Setenv("VERISTREAM_HOME", t.TempDir())
	open := func() *core.Core {
		t.Helper()
		c, err := core.Open(t.Context(), core.Options{Dirs: dirs.Find(), Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	c := open()
	for _, tt := range []struct {
		kind models.Kind
		name string
		code audit.Code
	}{
		{models.KindWhisper, "whisper-base", audit.CodeModelMissing},
		{models.KindWhisper, "qwen2.5-coder-1.5b", audit.CodeUsage},
		{models.KindLLM, "no-such-model", audit.CodeUsage},
		{models.KindEmbedder, "", audit.CodeUsage},
	} {
		if err := c.Choose(t.Context(), tt.kind, tt.name); audit.CodeOf(err) != tt.code {
			t.Errorf("choose %s %q: %v, want %s", tt.kind, tt.name, err, tt.code)
		}
	}
	if err := c.Choose(t.Context(), models.KindLLM, weights.OllamaPrefix+"llama3.1:8b"); err != nil {
		t.Fatal(err)
	}
	if err := c.Renew(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := c.Pipeline.Models["llm"].Name; got != "llama3.1:8b" {
		t.Errorf("after the choice the language model is %q", got)
	}
	if err := c.Choose(t.Context(), models.KindLLM, ""); err != nil {
		t.Fatal(err)
	}
	if err := c.Store.SetSetting(t.Context(), "models", weights.Choice{Speech: "gone", Language: "gone", Reranker: "gone"}); err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	again := open()
	if err := again.Close(); err != nil {
		t.Fatal(err)
	}
}
