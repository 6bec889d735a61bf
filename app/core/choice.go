package core

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"veristream/app/finder"
	"veristream/app/weights"
	"veristream/backend/audit"
	"veristream/backend/llm"
	"veristream/backend/store"
	"veristream/models"
)

// OllamaPrefix begins the name of a language model that the user's own Ollama
// keeps and the list of models does not know.
const OllamaPrefix = "ollama:"

// Choice says which models the user wants; an empty name leaves it to us. The
// window and the command line share it.
type Choice struct {
	Speech   string `json:"speech,omitempty"`
	Language string `json:"language,omitempty"`
}

const choiceSetting = "models"

// ReadChoice gives what the user has chosen.
func ReadChoice(ctx context.Context, st *store.Store) (Choice, error) {
	var c Choice
	if _, err := st.Setting(ctx, choiceSetting, &c); err != nil {
		return c, fmt.Errorf("read which models are used: %w", err)
	}
	return c, nil
}

// Choose keeps which model is used for a kind of work; an empty name gives the
// choice back to us.
func (c *Core) Choose(ctx context.Context, kind models.Kind, name string) error {
	choice, err := ReadChoice(ctx, c.Store)
	if err != nil {
		return err
	}
	if name != "" && !strings.HasPrefix(name, OllamaPrefix) {
		st, err := c.models.Status(name)
		switch {
		case err != nil:
			return weights.Explain(err)
		case st.Kind != kind:
			return audit.Errorf(audit.CodeUsage, "%s cannot be used for that.", name)
		case !usable(st):
			return audit.Errorf(audit.CodeModelMissing, "The model %s is not installed.", name)
		}
	}
	switch kind {
	case models.KindWhisper:
		choice.Speech = name
	case models.KindLLM:
		choice.Language = name
	default:
		return audit.Errorf(audit.CodeUsage, "There is nothing to choose among models of the kind %q.", kind)
	}
	if err := c.Store.SetSetting(ctx, choiceSetting, choice); err != nil {
		return fmt.Errorf("keep which models are used: %w", err)
	}
	return nil
}

// has says whether a chosen model can be used: one that was removed since must
// not keep the program from starting.
func (c *Core) has(name string) bool {
	if strings.HasPrefix(name, OllamaPrefix) {
		return true
	}
	st, err := c.models.Status(name)
	return name != "" && err == nil && usable(st)
}

// Renew looks anew at which models are installed and chosen. No audit and no
// question may run meanwhile.
func (c *Core) Renew(ctx context.Context) error {
	var err error
	if c.server != nil {
		err = c.server.Close()
		c.server, c.model = nil, llm.Model{}
	}
	for _, end := range c.closers { // the reader of screens is made anew
		err = errors.Join(err, end())
	}
	c.closers = nil
	c.Pipeline.Speech, c.Pipeline.Screens, c.Pipeline.Auditor.LLM, c.Pipeline.LLMID = nil, nil, nil, ""
	return errors.Join(err, c.useModels(ctx))
}

// Used says which models the next audit works with, by name.
type Used struct {
	Names  map[string]bool
	Chosen map[string]bool // by the user
}

// Used looks at what is installed and chosen now; what an audit under way works
// with is in its record.
func (c *Core) Used(ctx context.Context) (Used, error) {
	u := Used{Names: map[string]bool{}, Chosen: map[string]bool{}}
	choice, err := ReadChoice(ctx, c.Store)
	if err != nil {
		return u, err
	}
	for _, k := range []struct {
		kind      models.Kind
		chosen    string
		preferred []string
	}{
		{models.KindWhisper, choice.Speech, preferredSpeech},
		{models.KindLLM, choice.Language, preferredLLM},
		{models.KindOCR, "", preferredOCR},
		{models.KindScreener, "", []string{"regulation-screener"}},
	} {
		if c.has(k.chosen) {
			u.Names[k.chosen], u.Chosen[k.chosen] = true, true
			continue
		}
		have, err := c.installed(k.kind, k.preferred)
		if err != nil {
			return u, err
		}
		if len(have) > 0 {
			u.Names[have[0].Name] = true
		}
	}
	if c.Embedder != nil {
		u.Names[finder.EmbedderName] = true
	}
	if c.Reranker != nil {
		name, err := finder.ChosenReranker(ctx, c.Store)
		if err != nil {
			return u, err
		}
		u.Names[name], u.Chosen[name] = true, name != finder.RerankerName
	}
	return u, nil
}

// Try asks the language model one thing, to see that it works.
func (c *Core) Try(ctx context.Context, req audit.Request) (model string, reply audit.Response, err error) {
	if c.server == nil {
		return "", reply, audit.Errorf(audit.CodeModelMissing, "No language model is installed.")
	}
	reply, err = llm.NewClient(c.server, llm.Options{Model: c.model, TopTokens: -1}).Complete(ctx, req)
	return c.model.Name, reply, err
}
