package apptest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"veristream/app"
	"veristream/backend/audit"
)

// Equipment implements app.Equipment: two models to download, byte by byte.
type Equipment struct {
	// Step is how long a tenth of a download takes.
	Step time.Duration

	mu   sync.Mutex
	have map[string]int64 // bytes that have come, by name
	used map[string]string
	Fail map[string]error
}

const modelSize = 1000

// Machine implements app.Equipment.
func (e *Equipment) Machine(context.Context) (app.Machine, error) {
	return app.Machine{Memory: 8e9, FreeMemory: 5e9, FreeDisk: 100e9, Cores: 4}, nil
}

// Models implements app.Equipment.
func (e *Equipment) Models(context.Context) ([]app.Model, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []app.Model
	for _, m := range []app.Model{
		{Name: "ears", Kind: "whisper", Size: modelSize, Memory: 600e6, Default: true},
		{Name: "judge", Kind: "llm", Size: modelSize, Memory: 2500e6, Default: true},
		{Name: "sage", Kind: "llm", Size: modelSize, Memory: 8000e6},
	} {
		m.State = "missing"
		switch n := e.have[m.Name]; {
		case n == modelSize:
			m.State = "installed"
		case n > 0:
			m.State = "partial"
		}
		m.Used = e.used[m.Kind] == m.Name
		out = append(out, m)
	}
	return out, nil
}

// PullModel implements app.Equipment; it goes on where it was stopped.
func (e *Equipment) PullModel(ctx context.Context, name string, tell func(app.ModelProgress)) error {
	for {
		e.mu.Lock()
		if e.have == nil {
			e.have = map[string]int64{}
		}
		n := e.have[name]
		err := e.Fail[name]
		e.mu.Unlock()
		switch {
		case err != nil:
			return err
		case n == modelSize:
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("pull %s: %w", name, ctx.Err())
		case <-time.After(e.Step):
		}
		e.mu.Lock()
		e.have[name] = n + modelSize/10
		e.mu.Unlock()
		tell(app.ModelProgress{Stage: "download", Done: n + modelSize/10, Total: modelSize, Rate: 100})
	}
}

// ImportModel implements app.Equipment.
func (e *Equipment) ImportModel(_ context.Context, path string, _ func(app.ModelProgress)) (string, error) {
	return "own", nil
}

// RemoveModel implements app.Equipment.
func (e *Equipment) RemoveModel(_ context.Context, name string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.have, name)
	return nil
}

// UseModel implements app.Equipment.
func (e *Equipment) UseModel(_ context.Context, kind, name string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.used == nil {
		e.used = map[string]string{}
	}
	e.used[kind] = name
	return nil
}

// Ollama implements app.Equipment.
func (e *Equipment) Ollama(context.Context) (app.Ollama, error) {
	return app.Ollama{State: "managed", Binary: "/usr/bin/ollama"}, nil
}

// TryModel implements app.Equipment.
func (e *Equipment) TryModel(context.Context) (app.Trial, error) {
	return app.Trial{}, audit.Errorf(audit.CodeModelMissing, "No language model is installed.")
}

// Demo implements app.Equipment.
func (e *Equipment) Demo(context.Context) (app.NewAudit, error) {
	return app.NewAudit{Path: "/demo.srt", Title: "Demo"}, nil
}
