package core

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"veristream/app/docstore"
	"veristream/app/finder"
	"veristream/app/weights"
	"veristream/backend/ask"
	"veristream/backend/audit"
	"veristream/backend/llm"
	"veristream/backend/retrieve"
)

// Answers holds what questions need: the search and, where one is installed,
// a language model. The command line, the window and the server answer through
// it.
type Answers struct {
	*finder.Finder
	Asker *ask.Asker
	Model string // name of the language model; empty: none

	close func() error // nil: it is closed with the core that it is of
}

// OpenAnswers opens the database and looks at what is installed. The language
// model's server is started when the first question needs it.
func OpenAnswers(ctx context.Context, o Options) (*Answers, error) {
	if err := o.Dirs.Make(); err != nil {
		return nil, err
	}
	f, err := finder.Open(ctx, o.Dirs)
	if err != nil {
		return nil, err
	}
	a := newAnswers(f)
	a.close = f.Close
	if o.NoLLM {
		return a, nil
	}
	c := &Core{Dirs: o.Dirs}
	var m llm.Model
	if c.models, err = weights.Open(o.Dirs); err == nil {
		m, err = c.languageModel(ctx, o.LLM)
	}
	switch {
	case err != nil:
		return nil, errors.Join(err, a.Close())
	case m.Name != "":
		server := NewServer(o.Dirs)
		a.phraseWith(server, m)
		a.close = func() error { return errors.Join(server.Close(), f.Close()) }
	}
	return a, nil
}

// Answers answers questions with what the core has open: one database, one set
// of small models, one server of language models.
func (c *Core) Answers() *Answers {
	a := newAnswers(c.Finder)
	if c.server != nil {
		a.phraseWith(c.server, c.model)
	}
	return a
}

func newAnswers(f *finder.Finder) *Answers {
	return &Answers{Finder: f, Asker: &ask.Asker{Search: Search{f.Searcher}, Rules: f.Store, Reranker: f.Reranker}}
}

// phraseWith has a language model phrase the answers. They need no
// probabilities, which cost a third of the time.
func (a *Answers) phraseWith(server *llm.Server, m llm.Model) {
	a.Asker.LLM = llm.NewClient(server, llm.Options{Model: m, TopTokens: -1})
	a.Model = m.Name
}

// Ask answers a question and keeps it in the record, whose entries each hold
// the digest of the one before: what was asked, what was said, on what words.
func (a *Answers) Ask(ctx context.Context, q ask.Question) (ask.Answer, error) {
	ans, err := a.Asker.Ask(ctx, q)
	if err != nil {
		return ans, err
	}
	entry := newAskedEntry(q, ans, a.Model)
	if err := a.Store.AppendEvent(ctx, audit.EventAsked, "", entry); err != nil {
		return ans, fmt.Errorf("keep the question in the record: %w", err)
	}
	return ans, nil
}

// Narrow reads from a question in which documents its answer must stand, where
// the filter names none yet, and gives what it read for a person to see.
func (a *Answers) Narrow(ctx context.Context, question string, f audit.Filter) (audit.Filter, []docstore.Chip, error) {
	if len(f.Corpora) > 0 || len(f.Sources) > 0 || len(f.Meta) > 0 {
		return f, nil, nil
	}
	have, err := a.Store.Documents(ctx)
	if err != nil {
		return f, nil, fmt.Errorf("list the documents: %w", err)
	}
	read, chips := docstore.Filter(question, have)
	f.Corpora, f.Sources, f.Meta = read.Corpora, read.Sources, read.Meta
	return f, chips, nil
}

// Close stops a server of ours and frees everything else. What is of a core is
// left to the core.
func (a *Answers) Close() error {
	if a.close == nil {
		return nil
	}
	return a.close()
}

// Search lets questions search through the one searcher of the program.
type Search struct{ Searcher *retrieve.Searcher }

// Search finds the passages for a question.
func (s Search) Search(ctx context.Context, q ask.Query) (ask.Found, error) {
	// The line below which a search refuses was measured on rules. Within the
	// documents that a question names, the answer's own checks decide.
	documents := slices.Equal(q.Filter.Corpora, []string{audit.CorpusDocuments})
	r, err := s.Searcher.Search(ctx, retrieve.Query{Text: q.Text, Filter: q.Filter, NoRerank: q.Fast, BM25Only: q.Tables, NoRefuse: documents})
	if err != nil {
		return ask.Found{}, err
	}
	return ask.Found{
		Hits: r.Hits, Refused: r.Refused, Reason: r.Reason, Reranked: r.Rerank != retrieve.Off && r.Rerank != retrieve.NotInstalled,
	}, nil
}
