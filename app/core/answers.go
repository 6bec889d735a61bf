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
	"veristream/models"
)

// Answers holds what questions need: the search and, where one is installed,
// a language model. The command line, the window and the server answer through
// it.
type Answers struct {
	*finder.Finder
	Asker *ask.Asker
	Model string // name of the language model; empty: none

	server *llm.Server
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
	a := &Answers{Finder: f, Asker: &ask.Asker{Search: Search{f.Searcher}, Rules: f.Store, Reranker: f.Reranker}}
	if o.NoLLM {
		return a, nil
	}
	if err := a.useLLM(ctx, o); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

func (a *Answers) useLLM(ctx context.Context, o Options) error {
	c := &Core{Dirs: o.Dirs}
	var err error
	if c.models, err = weights.Open(o.Dirs); err != nil {
		return err
	}
	status, err := c.pickLLM(o.LLM)
	if err != nil || status.Name == "" {
		return err
	}
	m := llm.Model{Name: status.Name, Ref: status.OllamaRef}
	if status.OllamaRef == "" || status.State != models.StateOllama {
		in, err := c.models.Get(ctx, status.Name)
		if err != nil {
			return weights.Explain(err)
		}
		m = llm.Model{Name: in.Name, GGUF: in.Path, SHA256: in.SHA256}
	}
	a.server = NewServer(o.Dirs)
	// An answer needs no probabilities, and they cost a third of its time.
	a.Asker.LLM = llm.NewClient(a.server, llm.Options{Model: m, TopTokens: -1})
	a.Model = m.Name
	return nil
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

// Close stops a server of ours and frees everything else.
func (a *Answers) Close() error {
	var err error
	if a.server != nil {
		err = a.server.Close()
	}
	return errors.Join(err, a.Finder.Close())
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
