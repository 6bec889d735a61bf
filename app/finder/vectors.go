package finder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"veristream/backend/audit"
	"veristream/backend/store"
)

// Vectors embeds texts that come with the program and keeps their vectors in
// the database.
type Vectors struct {
	Store    *store.Store
	Embedder audit.Embedder
}

// Embed gives the vectors of texts, from the database where the same texts
// were embedded by the same model before.
func (v *Vectors) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	h := sha256.New()
	for _, t := range texts {
		fmt.Fprintf(h, "%d:%s", len(t), t)
	}
	key := store.Key{Content: hex.EncodeToString(h.Sum(nil)), Stage: "vectors", Model: v.Embedder.ModelID()}
	raw, ok, err := v.Store.StageResult(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("look for vectors: %w", err)
	}
	var out [][]float32
	if ok && json.Unmarshal(raw, &out) == nil && len(out) == len(texts) {
		return out, nil
	}
	if out, err = v.Embedder.Embed(ctx, audit.RoleQuery, texts); err != nil {
		return nil, fmt.Errorf("embed texts of the program: %w", err)
	}
	if raw, err = json.Marshal(out); err != nil {
		return nil, fmt.Errorf("keep vectors: %w", err)
	}
	return out, v.Store.SaveStage(ctx, key, raw)
}
