package eval

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"veristream/backend/audit"
)

// Memo remembers what the models said, so that many ablations over the same
// questions cost little more than one. Times measured through it mean nothing.
type Memo struct {
	mu      sync.Mutex
	Vectors map[string][]float32
	Scores  map[string]float32
	path    string
	changed bool
}

// OpenMemo reads what an earlier run remembered; a missing file is an empty one.
func OpenMemo(path string) (*Memo, error) {
	m := &Memo{Vectors: map[string][]float32{}, Scores: map[string]float32{}, path: path}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open the memo: %w", err)
	}
	defer f.Close()
	if err := gob.NewDecoder(f).Decode(m); err != nil {
		return nil, fmt.Errorf("read the memo: %w", err)
	}
	return m, nil
}

// Save writes what is remembered.
func (m *Memo) Save() error {
	if !m.changed {
		return nil
	}
	f, err := os.Create(m.path)
	if err != nil {
		return fmt.Errorf("write the memo: %w", err)
	}
	if err := errors.Join(gob.NewEncoder(f).Encode(m), f.Close()); err != nil {
		return fmt.Errorf("write the memo: %w", err)
	}
	return nil
}

// Embedder remembers an embedder's vectors.
func (m *Memo) Embedder(e audit.Embedder) audit.Embedder { return memoEmbedder{m, e} }

// Reranker remembers a reranker's scores.
func (m *Memo) Reranker(r audit.Reranker) audit.Reranker { return memoReranker{m, r} }

type memoEmbedder struct {
	memo *Memo
	audit.Embedder
}

func (e memoEmbedder) Embed(ctx context.Context, role audit.Role, texts []string) ([][]float32, error) {
	return remember(e.memo, e.memo.Vectors, e.ModelID()+string(role), texts, func(some []string) ([][]float32, error) {
		return e.Embedder.Embed(ctx, role, some)
	})
}

type memoReranker struct {
	memo *Memo
	audit.Reranker
}

func (r memoReranker) Rerank(ctx context.Context, query string, passages []string) ([]float32, error) {
	return remember(r.memo, r.memo.Scores, r.ModelID()+"\x00"+query, passages, func(some []string) ([]float32, error) {
		return r.Reranker.Rerank(ctx, query, some)
	})
}

// remember asks for what is not known yet.
func remember[T any](m *Memo, known map[string]T, prefix string, texts []string, ask func([]string) ([]T, error)) ([]T, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var fresh []string
	for _, t := range texts {
		if _, ok := known[prefix+"\x00"+t]; !ok {
			fresh = append(fresh, t)
		}
	}
	if len(fresh) > 0 {
		got, err := ask(fresh)
		if err != nil {
			return nil, err
		}
		for i, t := range fresh {
			known[prefix+"\x00"+t] = got[i]
		}
		m.changed = true
	}
	out := make([]T, len(texts))
	for i, t := range texts {
		out[i] = known[prefix+"\x00"+t]
	}
	return out, nil
}
