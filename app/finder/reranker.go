package finder

import (
	"context"

	"veristream/app/dirs"
	"veristream/app/weights"
	"veristream/backend/retrieve"
	"veristream/backend/store"
	"veristream/models"
)

// ChosenReranker gives the name of the cross-encoder that searches are to use:
// the user's choice, which may be weights.NoReranker, else the one that comes
// with the program.
func ChosenReranker(ctx context.Context, st *store.Store) (string, error) {
	choice, err := weights.ReadChoice(ctx, st)
	if err != nil || choice.Reranker != "" {
		return choice.Reranker, err
	}
	return RerankerName, nil
}

// RerankerFor gives the name of the cross-encoder that a choice comes to: one
// that was removed since it was chosen gives way to ours, and where none can
// run it is weights.NoReranker.
func (f *Finder) RerankerFor(list *models.Store, choice weights.Choice) string {
	if f.runtime == nil || choice.Reranker == weights.NoReranker {
		return weights.NoReranker
	}
	if _, err := f.runtime.Library(); err != nil {
		return weights.NoReranker // why is in Missing
	}
	status, err := list.Status(choice.Reranker)
	if choice.Reranker != "" && err == nil && weights.Usable(status) {
		return choice.Reranker
	}
	return RerankerName
}

// Renew takes the cross-encoder that is chosen now and says whether it is
// another than before. No search may run meanwhile.
func (f *Finder) Renew(ctx context.Context, d dirs.Dirs) (changed bool, err error) {
	before := f.Ranks
	if err := f.useReranker(ctx, d); err != nil || f.Ranks == before {
		return false, err
	}
	f.newSearcher()
	return true, nil
}

// useReranker finds the chosen cross-encoder. One that is not there is noted.
func (f *Finder) useReranker(ctx context.Context, d dirs.Dirs) error {
	choice, err := weights.ReadChoice(ctx, f.Store)
	if err != nil {
		return err
	}
	list, err := weights.Open(d)
	if err != nil {
		return err
	}
	name := f.RerankerFor(list, choice)
	if name == f.Ranks {
		return nil
	}
	f.Ranks, f.Reranker = name, nil
	if name == weights.NoReranker {
		return nil
	}
	if dir, err := list.Path(name); err != nil {
		f.Missing = append(f.Missing, weights.Explain(err))
	} else if r, err := f.runtime.Reranker(dir); err != nil {
		f.Missing = append(f.Missing, err)
	} else {
		f.Reranker = r
	}
	return nil
}

// options are the search's constants. Those of refusal were measured with our
// own reranker: the scores of another have no part in it.
func options(reranker string) retrieve.Options {
	o := retrieve.Defaults()
	o.NoRerank = reranker == weights.NoReranker
	if reranker != RerankerName {
		o.Refusal.Rerank, o.Refusal.Least = 0, o.Refusal.PlainLeast
	}
	return o
}
