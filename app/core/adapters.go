package core

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"veristream/app/finder"
	"veristream/backend/agent"
	"veristream/backend/audit"
	"veristream/backend/pipeline"
	"veristream/backend/retrieve"
	"veristream/backend/store"
	"veristream/backend/transcribe"
	"veristream/models"
)

// cache lets the pipeline keep its stages in the database.
type cache struct{ store *store.Store }

// Get gives what a stage made.
func (c cache) Get(ctx context.Context, key pipeline.Key) (json.RawMessage, bool, error) {
	return c.store.StageResult(ctx, store.Key(key))
}

// Put keeps what a stage made.
func (c cache) Put(ctx context.Context, key pipeline.Key, result json.RawMessage) error {
	return c.store.SaveStage(ctx, store.Key(key), result)
}

// speech runs whisper in a worker process.
type speech struct{ model models.Installed }

// ModelID names the model.
func (s *speech) ModelID() string { return s.model.Name + "@" + s.model.SHA256 }

// Transcribe writes down the speech of a WAV file.
func (s *speech) Transcribe(ctx context.Context, req pipeline.SpeechRequest) (string, error) {
	language := ""
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	w := &transcribe.Worker{
		ModelPath: s.model.Path, Language: req.Language, OffsetMS: req.OffsetMS, FirstID: req.FirstID,
		OnLanguage: func(l string) { language = l },
		OnProgress: req.OnProgress,
		OnChunk: func(doneMS int64) {
			if err := req.OnChunk(doneMS); err != nil {
				cancel(err) // what cannot be kept must not be lost in silence
			}
		},
	}
	err := w.Transcribe(ctx, req.WAV, req.Emit)
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return language, cause
	}
	return language, err
}

// retriever lets the agent search the rules. The same question to the same
// rules has the same answer: it is kept, so that a second run asks nothing.
type retriever struct {
	searcher *retrieve.Searcher
	reranker string
	store    *store.Store
	cache    cache

	mu    sync.Mutex
	rules string // what is installed, as it was first asked
}

// Retrieve finds the passages for a candidate. The sentences are one question:
// the searcher writes its own variants of it.
func (r *retriever) Retrieve(ctx context.Context, q agent.RuleQuery) ([]audit.Hit, error) {
	rules, err := r.installed(ctx)
	if err != nil {
		return nil, err
	}
	key := pipeline.Key{
		Content: hash(append(append([]string{}, q.Sentences...), q.Citations...)...), Stage: "rules",
		Params: hash(q.Regulator, q.AsOf, fmt.Sprint(q.Top, q.Quick), rules),
	}
	var hits []audit.Hit
	if raw, ok, err := r.cache.Get(ctx, key); err != nil {
		return nil, fmt.Errorf("look for an earlier search: %w", err)
	} else if ok && json.Unmarshal(raw, &hits) == nil {
		return hits, nil
	}
	var pins []audit.Citation
	for _, c := range q.Citations {
		cite, err := audit.ParseCitation(c)
		if err != nil {
			return nil, fmt.Errorf("pin %q: %w", c, err)
		}
		pins = append(pins, cite)
	}
	res, err := r.searcher.Search(ctx, retrieve.Query{
		Text: strings.Join(q.Sentences, " "), Filter: audit.Filter{Regulators: []string{q.Regulator}, AsOf: q.AsOf},
		Citations: pins, Top: q.Top, NoRefuse: true, NoRerank: q.Quick,
	})
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(res.Hits)
	if err != nil {
		return nil, fmt.Errorf("keep a search: %w", err)
	}
	return res.Hits, r.cache.Put(ctx, key, raw)
}

// forget lets the next question look at what is installed.
func (r *retriever) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rules = ""
}

// installed names every source with its hash, and a reranker that is not ours.
func (r *retriever) installed(ctx context.Context) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.rules != "" {
		return r.rules, nil
	}
	var parts []string
	if r.reranker != finder.RerankerName {
		parts = append(parts, "reranker="+r.reranker)
	}
	for _, corpus := range []string{audit.CorpusRules, audit.CorpusCards} {
		sources, err := r.store.Sources(ctx, corpus)
		if err != nil {
			return "", fmt.Errorf("list the installed rules: %w", err)
		}
		for name, sum := range sources {
			parts = append(parts, name+"="+sum)
		}
	}
	slices.Sort(parts)
	r.rules = hash(parts...)
	return r.rules, nil
}

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// ruleSource gives the text to show with a finding.
type ruleSource struct {
	store *store.Store
	cards map[string]audit.Card
}

// RuleRef gives the official paragraph in force on a date, with what stands
// below it, or the project's card where no official text is installed.
func (r *ruleSource) RuleRef(ctx context.Context, citation, asOf string) (audit.RuleRef, error) {
	cite, err := audit.ParseCitation(citation)
	if err != nil {
		return audit.RuleRef{}, err
	}
	rule, err := r.store.Rule(ctx, cite, asOf)
	switch {
	case errors.Is(err, store.ErrNotFound):
		card, ok := r.cards[citation]
		if !ok {
			return audit.RuleRef{Citation: citation, Title: "No text is installed for this paragraph"}, nil
		}
		return audit.RuleRef{
			Citation: citation, Title: card.Title, Text: card.Requires, SHA256: card.SHA256, Source: card.Source, AsOf: card.Effective.From,
		}, nil
	case err != nil:
		return audit.RuleRef{}, fmt.Errorf("read the rule %s: %w", citation, err)
	}
	text := rule.Text
	if children, err := r.store.Children(ctx, cite, asOf); err == nil {
		for _, c := range children {
			if len(text) > 4000 || c.Kind == audit.KindExample {
				break
			}
			text = strings.TrimSpace(text + "\n" + c.Text)
		}
	}
	ref := audit.RuleRef{Citation: citation, Title: rule.Title, Text: text, Official: true, Source: rule.Source}
	ref.SHA256 = hash(text)
	if _, date, ok := strings.Cut(rule.Source, "@"); ok {
		ref.AsOf = date
	}
	return ref, nil
}

// resolves says whether a citation names a paragraph that is installed or has a
// card.
func (r *ruleSource) resolves(citation string) bool {
	if _, ok := r.cards[citation]; ok {
		return true
	}
	cite, err := audit.ParseCitation(citation)
	if err != nil {
		return false
	}
	_, err = r.store.Rule(context.Background(), cite, "")
	return err == nil
}
