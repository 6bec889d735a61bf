package finder

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"

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
	key := store.Key{Content: hex.EncodeToString(h.Sum(nil)), Stage: "packed vectors", Model: v.Embedder.ModelID()}
	raw, ok, err := v.Store.StageResult(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("look for vectors: %w", err)
	}
	var packed []byte
	if ok && json.Unmarshal(raw, &packed) == nil {
		if out := unpack(packed, len(texts)); out != nil {
			return out, nil
		}
	}
	out, err := v.Embedder.Embed(ctx, audit.RoleQuery, texts)
	if err != nil {
		return nil, fmt.Errorf("embed texts of the program: %w", err)
	}
	if raw, err = json.Marshal(pack(out)); err != nil {
		return nil, fmt.Errorf("keep vectors: %w", err)
	}
	return out, v.Store.SaveStage(ctx, key, raw)
}

// pack writes vectors one after the other, little-endian. As numbers in JSON
// they would take a fifth of a second to read at every start.
func pack(vectors [][]float32) []byte {
	var out []byte
	for _, v := range vectors {
		for _, x := range v {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
		}
	}
	return out
}

// unpack reads n vectors of one length; nil where that cannot be.
func unpack(packed []byte, n int) [][]float32 {
	if n == 0 || len(packed) == 0 || len(packed)%(4*n) != 0 {
		return nil
	}
	dim := len(packed) / (4 * n)
	out := make([][]float32, n)
	for i := range out {
		out[i] = make([]float32, dim)
		for j := range out[i] {
			out[i][j] = math.Float32frombits(binary.LittleEndian.Uint32(packed[4*(i*dim+j):]))
		}
	}
	return out
}
