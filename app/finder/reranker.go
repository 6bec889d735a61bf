package finder

import (
	"context"
	"fmt"

	"veristream/app/dirs"
	"veristream/app/weights"
	"veristream/backend/audit"
	"veristream/backend/retrieve"
	"veristream/backend/store"
	"veristream/models"
)

const rerankerSetting = "reranker"

// ChosenReranker gives the name of the cross-encoder that searches use: the
// user's choice, else the one that comes with the program.
func ChosenReranker(ctx context.Context, st *store.Store) (string, error) {
	var name string
	if _, err := st.Setting(ctx, rerankerSetting, &name); err != nil {
		return "", fmt.Errorf("read which reranker is used: %w", err)
	}
	if name == "" {
		name = RerankerName
	}
	return name, nil
}

// ChooseReranker keeps which cross-encoder searches use from now on; it must be
// installed. An empty name gives the choice back to us.
func ChooseReranker(ctx context.Context, st *store.Store, d dirs.Dirs, name string) error {
	if name != "" && name != RerankerName {
		list, err := weights.Open(d)
		if err != nil {
			return err
		}
		status, err := list.Status(name)
		if err != nil {
			return weights.Explain(err)
		}
		if status.Kind != models.KindReranker {
			return audit.Errorf(audit.CodeUsage, "%s is no reranker.", name)
		}
		if _, err := list.Path(name); err != nil {
			return weights.Explain(err)
		}
	}
	if err := st.SetSetting(ctx, rerankerSetting, name); err != nil {
		return fmt.Errorf("keep which reranker is used: %w", err)
	}
	return nil
}

// options are the search's constants. Those of refusal were measured with our
// own reranker: the scores of another have no part in it.
func options(reranker string) retrieve.Options {
	o := retrieve.Defaults()
	if reranker != RerankerName {
		o.Refusal.Rerank, o.Refusal.Least = 0, o.Refusal.PlainLeast
	}
	return o
}
