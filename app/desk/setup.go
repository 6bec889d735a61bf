package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"veristream/app"
	"veristream/app/core"
	"veristream/app/demo"
	"veristream/app/doctor"
	"veristream/app/weights"
	"veristream/backend/audit"
	"veristream/backend/llm"
	"veristream/models"
)

// Machine implements app.Equipment.
func (d *desk) Machine(context.Context) (app.Machine, error) {
	total, free := doctor.Memory()
	disk, err := doctor.FreeDisk(d.dirs.Models())
	if err != nil {
		disk = 0 // not known; a download that does not fit says so itself
	}
	return app.Machine{Memory: total, FreeMemory: free, FreeDisk: disk, Cores: runtime.NumCPU()}, nil
}

// weights opens the store of this user's models.
func (d *desk) weights(more ...models.Option) (*models.Store, error) {
	return weights.Open(d.dirs, slices.Concat(d.models, more)...)
}

// Models implements app.Equipment. It waits for nothing: the list is there
// before the database is open, only without what is used.
func (d *desk) Models(ctx context.Context) ([]app.Model, error) {
	st, err := d.weights()
	if err != nil {
		return nil, err
	}
	all, err := st.List()
	if err != nil {
		return nil, weights.Explain(err)
	}
	var used core.Used
	select {
	case <-d.opened:
		if d.core != nil {
			if used, err = d.core.Used(ctx); err != nil {
				return nil, err
			}
		}
	default:
	}
	out := make([]app.Model, 0, len(all))
	for _, m := range all {
		out = append(out, app.Model{
			Name: m.Name, Kind: string(m.Kind), State: string(m.State), Description: m.Description, Licence: m.Licence, Size: m.Size,
			Memory: int64(m.MemoryMB) * 1e6, SHA256: m.SHA256, Source: m.Source, Default: m.Default, User: m.User,
			Used: used.Names[m.Name], Chosen: used.Chosen[m.Name],
		})
	}
	return out, nil
}

// PullModel implements app.Equipment.
func (d *desk) PullModel(ctx context.Context, name string, tell func(app.ModelProgress)) (err error) {
	server := core.NewServer(d.dirs) // started only for a model of Ollama's own library
	defer func() { err = errors.Join(err, server.Close()) }()
	st, err := d.weights(models.WithOllama(server))
	if err != nil {
		return err
	}
	if have, err := st.Status(name); err == nil && have.State != models.StateBuiltIn {
		if err := core.OnlineAt(ctx, d.dirs, "no model is downloaded"); err != nil {
			return err
		}
	}
	if err := st.Pull(ctx, name, progressOf(tell)); err != nil {
		return weights.Explain(err)
	}
	d.stale.Store(true)
	return nil
}

func progressOf(tell func(app.ModelProgress)) models.ProgressFunc {
	return func(p models.Progress) {
		tell(app.ModelProgress{
			Stage: string(p.Stage), Source: p.Source, Done: p.Done, Total: p.Total, Rate: int64(p.Rate), LeftMS: p.ETA.Milliseconds(),
		})
	}
}

// ImportModel implements app.Equipment.
func (d *desk) ImportModel(ctx context.Context, path string, tell func(app.ModelProgress)) (string, error) {
	st, err := d.weights()
	if err != nil {
		return "", err
	}
	name, err := st.Import(ctx, path, "", "", progressOf(tell))
	if errors.Is(err, os.ErrNotExist) {
		return "", audit.Wrap(err, audit.CodeInput, "There is nothing at that path")
	}
	if err != nil {
		return "", weights.Explain(err)
	}
	d.stale.Store(true)
	return name, nil
}

// RemoveModel implements app.Equipment.
func (d *desk) RemoveModel(ctx context.Context, name string) error {
	st, err := d.weights()
	if err != nil {
		return err
	}
	if err := st.Remove(ctx, name); err != nil {
		return weights.Explain(err)
	}
	d.stale.Store(true)
	return nil
}

// UseModel implements app.Equipment.
func (d *desk) UseModel(ctx context.Context, kind, name string) error {
	c, err := d.ready(ctx)
	if err != nil {
		return err
	}
	if err := c.Choose(ctx, models.Kind(kind), name); err != nil {
		return err
	}
	d.stale.Store(true)
	return nil
}

// hold keeps the models as they are until release is called. Before, it looks at
// what has been installed or chosen since; while an audit runs, what comes anew
// waits for its end.
func (d *desk) hold(ctx context.Context, c *core.Core) (release func(), err error) {
	if d.stale.Load() && d.using.TryLock() {
		d.stale.Store(false)
		err := c.Renew(ctx)
		d.mu.Lock()
		d.asking = nil
		d.mu.Unlock()
		d.using.Unlock()
		if err != nil {
			return nil, fmt.Errorf("take up the new models: %w", err)
		}
	}
	d.using.RLock()
	return d.using.RUnlock, nil
}

// Ollama implements app.Equipment. It starts nothing.
func (d *desk) Ollama(ctx context.Context) (app.Ollama, error) {
	o := weights.Server(d.dirs)
	running := llm.NewServer(llm.ServerOptions{Host: o.Host})
	defer func() { _ = running.Close() }()
	out := app.Ollama{State: "missing"}
	st, err := running.State(ctx)
	switch {
	case err == nil:
		out.State, out.Address, out.Version = "running", st.Address, st.Version
	case errors.Is(err, llm.ErrRemote):
		out.Detail = audit.SentenceOf(err)
		return out, nil
	}
	for _, binary := range o.Binaries {
		if info, err := os.Stat(binary); err == nil && info.Mode().IsRegular() {
			out.Binary = binary
			break
		}
	}
	if out.State == "missing" {
		if out.Binary == "" {
			return out, nil
		}
		out.State = "managed"
		return out, nil
	}
	kept, err := running.Models(ctx)
	if err != nil {
		out.Detail = audit.SentenceOf(err)
		return out, nil
	}
	chosen := ""
	select {
	case <-d.opened:
		if d.core != nil {
			choice, err := weights.ReadChoice(ctx, d.core.Store)
			if err != nil {
				return out, err
			}
			chosen = choice.Language
		}
	default:
	}
	for _, k := range kept {
		out.Models = append(out.Models, app.OllamaModel{
			Ref: k.Ref, Size: k.Size, Details: k.Details, Ours: k.Ours, Used: chosen == weights.OllamaPrefix+k.Ref,
		})
	}
	return out, nil
}

// What a trial asks: a reply of one word is enough to know that a model works.
const (
	trialSystem = "You answer with one short sentence."
	trialPrompt = "Say in one short sentence what a disclosure is."
)

// TryModel implements app.Equipment.
func (d *desk) TryModel(ctx context.Context) (app.Trial, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return app.Trial{}, err
	}
	release, err := d.hold(ctx, c)
	if err != nil {
		return app.Trial{}, err
	}
	defer release()
	begun := time.Now()
	name, reply, err := c.Try(ctx, audit.Request{System: trialSystem, Prompt: trialPrompt, MaxTokens: 60})
	if err != nil {
		return app.Trial{Model: name}, err
	}
	out := app.Trial{Model: name, Reply: strings.TrimSpace(reply.Text), MS: time.Since(begun).Milliseconds()}
	if s := reply.Duration.Seconds(); s > 0 {
		out.Rate = float64(reply.OutputTokens) / s
	}
	return out, nil
}

// Demo implements app.Equipment: it lays the demo out among the user's data, so
// that it can be audited again like any other input.
func (d *desk) Demo(context.Context) (app.NewAudit, error) {
	path, facts, err := demo.Lay(filepath.Join(d.dirs.Data, "demo"))
	if err != nil {
		return app.NewAudit{}, err
	}
	return app.NewAudit{Path: path, Title: demo.Title, Facts: facts, AsOf: facts.Published}, nil
}
