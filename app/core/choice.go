package core

import (
	"context"
	"errors"
	"slices"
	"strings"

	"veristream/app/finder"
	"veristream/app/weights"
	"veristream/backend/audit"
	"veristream/backend/llm"
	"veristream/models"
)

// Choose keeps which model is used for a kind of work, from the next audit or
// question on; an empty name gives the choice back to us.
func (c *Core) Choose(ctx context.Context, kind models.Kind, name string) error {
	return weights.Choose(ctx, c.Store, c.models, kind, name)
}

// has says whether a chosen model can be used: one that was removed since must
// not keep the program from starting.
func (c *Core) has(name string) bool {
	if strings.HasPrefix(name, weights.OllamaPrefix) {
		return true
	}
	st, err := c.models.Status(name)
	return name != "" && err == nil && weights.Usable(st)
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
	return errors.Join(err, c.renewReranker(ctx), c.useModels(ctx))
}

// renewReranker takes the cross-encoder that is chosen now.
func (c *Core) renewReranker(ctx context.Context) error {
	changed, err := c.Finder.Renew(ctx, c.Dirs)
	if err != nil || !changed {
		return err
	}
	c.retriever.searcher, c.retriever.reranker = c.Searcher, c.Ranks
	c.retriever.forget()
	c.Pipeline.Models["reranker"] = c.describe()["reranker"]
	return nil
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
	choice, err := weights.ReadChoice(ctx, c.Store)
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
	if reranker := c.Finder.RerankerFor(c.models, choice); reranker != weights.NoReranker {
		u.Names[reranker], u.Chosen[reranker] = true, reranker == choice.Reranker
	}
	return u, nil
}

// LanguageModel names the model that audits use; empty: none.
func (c *Core) LanguageModel() string { return c.model.Name }

// SecondModel gives a language model that is not the one that audits use, to
// judge what that one did: the one of that name, else the first that is
// installed; nil where there is none.
func (c *Core) SecondModel(ctx context.Context, name string) (second audit.LLM, used string, err error) {
	if name == "" {
		have, err := c.installed(models.KindLLM, preferredLLM)
		if err != nil {
			return nil, "", err
		}
		i := slices.IndexFunc(have, func(st models.Status) bool { return st.Name != c.model.Name })
		if i < 0 {
			return nil, "", nil
		}
		name = have[i].Name
	}
	m, err := c.languageModel(ctx, name)
	if err != nil {
		return nil, "", err
	}
	if m.Name == c.model.Name {
		return nil, "", audit.Errorf(audit.CodeUsage, "The audits use %s themselves; name another model.", m.Name)
	}
	if c.server == nil {
		c.server = NewServer(c.Dirs)
	}
	return llm.NewClient(c.server, llm.Options{Model: m}), m.Name, nil
}

// Try asks the language model one thing, to see that it works.
func (c *Core) Try(ctx context.Context, req audit.Request) (model string, reply audit.Response, err error) {
	if c.server == nil {
		return "", reply, audit.Errorf(audit.CodeModelMissing, "No language model is installed.")
	}
	reply, err = llm.NewClient(c.server, llm.Options{Model: c.model, TopTokens: -1}).Complete(ctx, req)
	return c.model.Name, reply, err
}
