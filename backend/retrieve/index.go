package retrieve

import (
	"context"
	"fmt"
	"strings"

	"veristream/backend/audit"
)

// Pending is a store whose passages wait for their vectors.
type Pending interface {
	CountWithoutVectors(ctx context.Context, modelID string) (int, error)
	PassagesWithoutVectors(ctx context.Context, modelID string, limit int) ([]audit.Passage, error)
	SaveVectors(ctx context.Context, modelID string, list []audit.PassageVectors) error
}

// embedBatch is how many passages are embedded between two saves: a run that is
// stopped loses no more than that.
const embedBatch = 128

// maxExtras bounds the vectors that one passage has beside its own.
const maxExtras = 12

// EmbedPending embeds every passage that has no vectors of this embedder. It
// may be stopped and goes on where it stopped. progress may be nil.
func EmbedPending(ctx context.Context, store Pending, e audit.Embedder, progress func(done, total int)) error {
	total, err := store.CountWithoutVectors(ctx, e.ModelID())
	if err != nil {
		return fmt.Errorf("embed passages: %w", err)
	}
	for done := 0; ; {
		if progress != nil {
			progress(done, total)
		}
		batch, err := store.PassagesWithoutVectors(ctx, e.ModelID(), embedBatch)
		if err != nil {
			return fmt.Errorf("embed passages: %w", err)
		}
		if len(batch) == 0 {
			return nil
		}
		if err := embedPassages(ctx, store, e, batch); err != nil {
			return fmt.Errorf("embed passages: %w", err)
		}
		done += len(batch)
	}
}

func embedPassages(ctx context.Context, store Pending, e audit.Embedder, batch []audit.Passage) error {
	var texts []string
	var of []int
	for i, p := range batch {
		for _, t := range vectorTexts(p) {
			texts, of = append(texts, t), append(of, i)
		}
	}
	vectors, err := e.Embed(ctx, audit.RolePassage, texts)
	if err != nil {
		return err
	}
	out := make([]audit.PassageVectors, len(batch))
	for i, p := range batch {
		out[i].PassageID = p.ID
	}
	for i, v := range vectors {
		out[of[i]].Vectors = append(out[of[i]].Vectors, v)
	}
	return store.SaveVectors(ctx, e.ModelID(), out)
}

// vectorTexts are the texts by which a passage can be found: its own, and each
// line of what is indexed with it and not shown (a gist, a behaviour).
func vectorTexts(p audit.Passage) []string {
	out := []string{p.Text()}
	if p.Corpus == audit.CorpusAsks {
		out[0] = p.Body // a question by itself
	}
	for line := range strings.Lines(p.Extra) {
		if line = strings.TrimSpace(line); line != "" && len(out) <= maxExtras {
			out = append(out, line)
		}
	}
	return out
}
