// Package core puts the parts of an audit together: the database, the rules,
// the models and the pipeline. The command line and the window run audits
// through it and through nothing else.
package core

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"veristream/app/dirs"
	"veristream/app/finder"
	"veristream/app/weights"
	"veristream/backend/agent"
	"veristream/backend/agent/applicability"
	"veristream/backend/audit"
	"veristream/backend/llm"
	"veristream/backend/pipeline"
	"veristream/models"
)

// Options choose what a Core works with. Empty names mean: the default, or the
// first of its kind that is installed.
type Options struct {
	Dirs        dirs.Dirs
	Version     string
	SpeechModel string
	LLM         string
	NoLLM       bool
	Models      []models.Option // how models are found; none: as the program finds them
}

// Core holds what audits need. It is opened once a process.
type Core struct {
	*finder.Finder
	Dirs     dirs.Dirs
	Pipeline *pipeline.Pipeline

	models    *models.Store
	retriever *retriever
	server    *llm.Server
	model     llm.Model // of the server; the zero Model: none
	asked     Options
	closers   []func() error
}

// Open opens the database and looks at what is installed. It starts no server
// and loads no model: those come when they are first needed.
func Open(ctx context.Context, o Options) (*Core, error) {
	if err := o.Dirs.Make(); err != nil {
		return nil, err
	}
	f, err := finder.Open(ctx, o.Dirs)
	if err != nil {
		return nil, err
	}
	c := &Core{Finder: f, Dirs: o.Dirs}
	if err := c.assemble(ctx, o); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Close stops a server of ours and frees everything else.
func (c *Core) Close() error {
	var errs []error
	for _, end := range c.closers {
		errs = append(errs, end())
	}
	if c.server != nil {
		errs = append(errs, c.server.Close())
	}
	return errors.Join(append(errs, c.Finder.Close())...)
}

func (c *Core) assemble(ctx context.Context, o Options) error {
	var err error
	if c.models, err = weights.Open(o.Dirs, o.Models...); err != nil {
		return err
	}
	data, err := agent.LoadData()
	if err != nil {
		return fmt.Errorf("load the categories: %w", err)
	}
	table, err := applicability.Load()
	if err != nil {
		return fmt.Errorf("load the applicability table: %w", err)
	}
	cards := map[string]audit.Card{}
	for _, card := range c.Cards.Cards {
		cards[card.Citation] = card
	}
	rules := &ruleSource{store: c.Store, cards: cards}
	c.retriever = &retriever{searcher: c.Searcher, reranker: c.Ranks, store: c.Store, cache: cache{c.Store}}
	a := &agent.Auditor{
		Data: data, Table: table, Retriever: c.retriever, Embedder: c.Embedder, Cards: cards,
		Vectors: &finder.Vectors{Store: c.Store, Embedder: c.Embedder},
	}
	c.Pipeline = &pipeline.Pipeline{
		Cache: cache{c.Store}, Auditor: a, Rules: rules, Resolves: rules.resolves, Work: o.Dirs.Work,
		Correct: c.correct, Prepare: c.Prepare, Models: c.describe(), RulesVersion: c.Cards.Version, Version: o.Version, Now: time.Now,
	}
	c.asked = o
	return c.useModels(ctx)
}

// useModels takes the models that the options name, else those that the user
// has chosen, else the first of each kind.
func (c *Core) useModels(ctx context.Context) error {
	speech, language := c.asked.SpeechModel, c.asked.LLM
	choice, err := weights.ReadChoice(ctx, c.Store)
	if err != nil {
		return err
	}
	if speech == "" && c.has(choice.Speech) {
		speech = choice.Speech
	}
	if language == "" && c.has(choice.Language) {
		language = choice.Language
	}
	if err := c.useSpeech(ctx, speech); err != nil {
		return err
	}
	if err := c.useScreens(ctx); err != nil {
		return err
	}
	if c.Pipeline.Auditor.Screener == nil {
		if err := c.useScreener(ctx); err != nil {
			return err
		}
	}
	if c.asked.NoLLM {
		return nil
	}
	return c.useLLM(ctx, language)
}

// describe says what the small models are, and which are missing.
func (c *Core) describe() map[string]audit.ModelInfo {
	m := map[string]audit.ModelInfo{
		"embedder": {Name: "none", Note: "embedder: not installed"},
		"reranker": {Name: "none", Note: "rerank: not installed"},
	}
	if c.Embedder != nil {
		m["embedder"] = audit.ModelInfo{Name: c.Embedder.ModelID()}
	}
	switch {
	case c.Reranker != nil:
		m["reranker"] = audit.ModelInfo{Name: c.Reranker.ModelID()}
	case c.Ranks == weights.NoReranker && c.Embedder != nil: // else the runtime is missing that both need
		m["reranker"] = audit.ModelInfo{Name: weights.NoReranker, Note: "rerank: switched off in the settings"}
	}
	return m
}

// Preferred models of each kind, the first that is installed is used.
var (
	preferredSpeech = []string{"whisper-base", "whisper-tiny.en"}
	preferredLLM    = []string{"qwen2.5-7b", "qwen2.5-coder-1.5b", "qwen2.5-coder-0.5b"}
)

// useSpeech picks the speech model. That none is installed is told only when
// one is needed: a transcript needs none.
func (c *Core) useSpeech(ctx context.Context, name string) error {
	in, ok, err := c.pick(ctx, models.KindWhisper, name, preferredSpeech)
	if err != nil || !ok {
		c.Pipeline.Models["whisper"] = audit.ModelInfo{Name: "none", Note: "speech model: not installed"}
		return err
	}
	c.Pipeline.Speech = &speech{model: in}
	c.Pipeline.Models["whisper"] = audit.ModelInfo{Name: in.Name, SHA256: in.SHA256}
	return nil
}

// useScreener picks the classifier of sentences; it comes inside the program.
func (c *Core) useScreener(ctx context.Context) error {
	c.Pipeline.Models["screener"] = audit.ModelInfo{Name: "none", Note: "screener: not installed"}
	in, ok, err := c.pick(ctx, models.KindScreener, "", []string{"regulation-screener"})
	if err != nil || !ok {
		return err
	}
	s, err := c.Finder.Classifier(in.Path)
	if audit.CodeOf(err) == audit.CodeMissing {
		return nil // no onnxruntime: the note says so
	}
	if err != nil {
		return err
	}
	c.Pipeline.Auditor.Screener = s
	c.Pipeline.Models["screener"] = audit.ModelInfo{Name: in.Name, SHA256: in.SHA256}
	return nil
}

// useLLM picks the language model. Without one an audit is still made, by the
// lexicon, the small models and the tests in code, and says so.
func (c *Core) useLLM(ctx context.Context, name string) error {
	m, err := c.languageModel(ctx, name)
	if err != nil {
		return err
	}
	if m.Name == "" {
		c.Pipeline.Models["llm"] = audit.ModelInfo{Name: "none", Note: "language model: not installed"}
		return nil
	}
	c.server, c.model = NewServer(c.Dirs), m
	client := llm.NewClient(c.server, llm.Options{Model: m})
	c.Pipeline.Auditor.LLM = client // each run takes its own copy: what With remembers is one video's
	c.Pipeline.LLMID = client.ModelID()
	c.Pipeline.Models["llm"] = audit.ModelInfo{Name: m.Name, SHA256: m.SHA256}
	return nil
}

// languageModel gives the model of that name, or the first that is installed;
// the zero Model where there is none.
func (c *Core) languageModel(ctx context.Context, name string) (llm.Model, error) {
	if ref, ok := strings.CutPrefix(name, weights.OllamaPrefix); ok {
		return llm.Model{Name: ref, Ref: ref}, nil
	}
	status, err := c.pickLLM(name)
	if err != nil || status.Name == "" {
		return llm.Model{}, err
	}
	if status.OllamaRef != "" && status.State == models.StateOllama {
		return llm.Model{Name: status.Name, Ref: status.OllamaRef}, nil
	}
	in, err := c.models.Get(ctx, status.Name)
	if err != nil {
		return llm.Model{}, weights.Explain(err)
	}
	return llm.Model{Name: in.Name, GGUF: in.Path, SHA256: in.SHA256}, nil
}

// TextsChanged lets the next audit look anew at which rules are installed.
func (c *Core) TextsChanged() { c.retriever.forget() }

// NewServer gives the server of language models: the user's own, or one of
// ours, started when it is first needed.
func NewServer(d dirs.Dirs) *llm.Server { return llm.NewServer(weights.Server(d)) }

// pick gives the model of that name, or the first preferred one that is
// installed, or any installed one of the kind.
func (c *Core) pick(ctx context.Context, kind models.Kind, name string, preferred []string) (in models.Installed, ok bool, err error) {
	if name != "" {
		in, err = c.models.Get(ctx, name)
		return in, err == nil, weights.Explain(err)
	}
	names, err := c.installed(kind, preferred)
	if err != nil || len(names) == 0 {
		return models.Installed{}, false, err
	}
	in, err = c.models.Get(ctx, names[0].Name)
	return in, err == nil, weights.Explain(err)
}

func (c *Core) pickLLM(name string) (models.Status, error) {
	if name != "" {
		st, err := c.models.Status(name)
		if err != nil {
			return st, weights.Explain(err)
		}
		if !weights.Usable(st) { // one that Ollama keeps is asked for, and told as missing, when it is used
			return st, audit.Errorf(audit.CodeModelMissing, "The model %s is not installed. Run: veristream models pull %s", name, name)
		}
		return st, nil
	}
	names, err := c.installed(models.KindLLM, preferredLLM)
	if err != nil || len(names) == 0 {
		return models.Status{}, err
	}
	return names[0], nil
}

// installed lists the usable models of a kind, the preferred ones first.
func (c *Core) installed(kind models.Kind, preferred []string) ([]models.Status, error) {
	all, err := c.models.List()
	if err != nil {
		return nil, weights.Explain(err)
	}
	var out []models.Status
	for _, name := range preferred {
		for _, st := range all {
			if st.Name == name && st.Kind == kind && weights.Usable(st) && st.State != models.StateOllama {
				out = append(out, st)
			}
		}
	}
	for _, st := range all {
		if st.User && st.Kind == kind && weights.Usable(st) {
			out = append([]models.Status{st}, out...) // what the user brought was brought to be used
		}
	}
	return out, nil
}
