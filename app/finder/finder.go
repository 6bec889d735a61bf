// Package finder puts together what a search needs: the database, the rule
// cards that come with the program, the two small models, and the searcher over
// them. The command line, the window and the agent search through it.
package finder

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"veristream/app/dirs"
	"veristream/app/weights"
	"veristream/backend/audit"
	"veristream/backend/chunk"
	"veristream/backend/infer"
	backendregs "veristream/backend/regs"
	"veristream/backend/retrieve"
	"veristream/backend/store"
	"veristream/regs"
)

// The models of a search by their names in the manifest.
const (
	EmbedderName = "regulation-embedder"
	RerankerName = "regulation-reranker"
)

// Finder holds an open database and the searcher over it.
type Finder struct {
	Store    *store.Store
	Searcher *retrieve.Searcher
	Cards    backendregs.CardSet
	Embedder audit.Embedder // nil where it is not installed
	Reranker audit.Reranker // nil where it is not installed, or none is wanted
	Ranks    string         // its name, or weights.NoReranker
	// Missing says what is not installed, in the order in which it was looked for.
	Missing []error

	runtime *infer.Runtime
	closers []func() error
}

// Open opens the database and the models, and brings the cards of this version
// into the index. It embeds nothing: see Prepare.
func Open(ctx context.Context, d dirs.Dirs) (*Finder, error) {
	st, err := store.Open(ctx, d.Database())
	if err != nil {
		return nil, fmt.Errorf("open the database: %w", err)
	}
	f, err := With(ctx, st, d)
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	f.closers = append(f.closers, st.Close)
	return f, nil
}

// With is Open over a database that the caller has open and closes itself.
func With(ctx context.Context, st *store.Store, d dirs.Dirs) (*Finder, error) {
	f := &Finder{Store: st}
	var err error
	if f.Cards, err = Cards(d); err != nil {
		return nil, err
	}
	if err := f.syncCards(ctx); err != nil {
		return nil, fmt.Errorf("index the rule cards: %w", err)
	}
	if _, err := st.ReplacePassages(ctx, audit.CorpusSections, audit.CorpusSections, retrieve.SectionGists()); err != nil {
		return nil, fmt.Errorf("index what the sections are about: %w", err)
	}
	if err := f.openModels(d); err != nil {
		return nil, err
	}
	if err := f.useReranker(ctx, d); err != nil {
		return nil, err
	}
	f.newSearcher()
	return f, nil
}

func (f *Finder) newSearcher() {
	f.Searcher = retrieve.New(f.Store, f.Embedder, f.Reranker, options(f.Ranks))
	if f.Embedder != nil {
		f.Searcher.Vectors = &Vectors{Store: f.Store, Embedder: f.Embedder}
	}
}

// Cards gives the project's rule cards and the user's house rules.
func Cards(d dirs.Dirs) (backendregs.CardSet, error) {
	own, err := backendregs.LoadCards(regs.Files, "cards")
	if err != nil {
		return own, fmt.Errorf("load the rule cards: %w", err)
	}
	house, err := backendregs.LoadHouseRules(d.HouseRules())
	if err != nil {
		return own, fmt.Errorf("load the house rules in %s: %w", d.HouseRules(), err)
	}
	all, err := own.Merge(house)
	if err != nil {
		return own, fmt.Errorf("join the house rules to the rule cards: %w", err)
	}
	return all, nil
}

// Close frees the models and, where Open opened it, the database.
func (f *Finder) Close() error {
	var err error
	if f.runtime != nil {
		err = f.runtime.Close()
	}
	for _, c := range f.closers {
		err = errors.Join(err, c())
	}
	return err
}

// syncCards writes the cards of every source that changed since the last start.
func (f *Finder) syncCards(ctx context.Context) error {
	cards := map[string][]audit.Card{}
	for _, c := range f.Cards.Cards {
		cards[c.Source] = append(cards[c.Source], c)
	}
	have, err := f.Store.Sources(ctx, audit.CorpusCards)
	if err != nil {
		return err
	}
	for source, list := range cards {
		changed, err := f.Store.ReplacePassages(ctx, audit.CorpusCards, source, cardPassages(list))
		if err != nil {
			return err
		}
		if changed {
			if err := f.Store.ReplaceCards(ctx, source, list); err != nil {
				return err
			}
		}
		delete(have, source)
	}
	for source := range have { // a source that this version does not bring
		if _, err := f.Store.ReplacePassages(ctx, audit.CorpusCards, source, nil); err != nil {
			return err
		}
		if err := f.Store.ReplaceCards(ctx, source, nil); err != nil {
			return err
		}
	}
	return nil
}

// noBreach begins the line of a card that lists what looks like a breach and is
// none. Those examples are for whoever judges a claim; in the index they would
// draw the very questions that the card does not answer.
const noBreach = "No breach: "

func cardPassages(cards []audit.Card) []audit.Passage {
	list := chunk.Cards(cards)
	for i, p := range list {
		var keep []string
		for line := range strings.Lines(p.Body) {
			if !strings.HasPrefix(line, noBreach) {
				keep = append(keep, strings.TrimRight(line, "\n"))
			}
		}
		list[i].Body = strings.Join(keep, "\n")
	}
	return list
}

// openModels finds the library and the embedder. What is missing is noted and
// not an error: a search then says that it went without.
func (f *Finder) openModels(d dirs.Dirs) error {
	models, err := weights.Open(d)
	if err != nil {
		return err
	}
	f.runtime = infer.New(infer.Options{LibraryDirs: libraryDirs(d)})
	if _, err := f.runtime.Library(); err != nil {
		f.Missing = append(f.Missing, err)
		return nil
	}
	if dir, err := models.Path(EmbedderName); err != nil {
		f.Missing = append(f.Missing, weights.Explain(err))
	} else if e, err := f.runtime.Embedder(dir); err != nil {
		f.Missing = append(f.Missing, err)
	} else {
		f.Embedder = e
	}
	return nil
}

// Prepare embeds what waits for its vectors: after an import, after an update
// of the cards, at the first start. It goes on where it was stopped.
func (f *Finder) Prepare(ctx context.Context, progress func(done, total int)) error {
	if err := f.syncAsks(ctx); err != nil {
		return fmt.Errorf("index everyday questions: %w", err)
	}
	if f.Embedder == nil {
		return nil
	}
	return retrieve.EmbedPending(ctx, f.Store, f.Embedder, progress)
}

// libraryDirs are the folders in which onnxruntime may lie.
func libraryDirs(d dirs.Dirs) []string {
	var out []string
	for _, file := range d.Native(infer.LibraryName) {
		out = append(out, filepath.Dir(file))
	}
	return slices.Compact(out)
}
