package eval

import (
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"veristream/backend/audit"
	"veristream/backend/retrieve"
	"veristream/backend/store"
)

// BenchSearch measures a search without a reranker over many passages, whose
// vectors are random: the index does the same work for any. The questions are
// embedded by the real embedder, which is part of the time.
func BenchSearch(ctx context.Context, w io.Writer, e audit.Embedder, passages int) error {
	if passages == 0 {
		passages = 20_000
	}
	dir, err := os.MkdirTemp("", "bench-search-*")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	st, err := store.Open(ctx, filepath.Join(dir, "bench.db"))
	if err != nil {
		return err
	}
	defer st.Close()
	if err := benchFill(ctx, st, e, passages); err != nil {
		return err
	}
	questions, err := RetrievalQuestions()
	if err != nil {
		return err
	}
	s := retrieve.New(st, e, nil, retrieve.Defaults())
	var ms, lexical, dense []float64
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(questions), func(i, j int) { questions[i], questions[j] = questions[j], questions[i] })
	for i, q := range questions[:min(110, len(questions))] {
		took := func(query retrieve.Query) (float64, error) {
			start := time.Now()
			_, err := s.Search(ctx, query)
			return float64(time.Since(start).Microseconds()) / 1000, err
		}
		all, err := took(retrieve.Query{Text: q.Text, NoRefuse: true})
		if err != nil {
			return err
		}
		words, err := took(retrieve.Query{Text: q.Text, NoRefuse: true, BM25Only: true})
		if err != nil {
			return err
		}
		vectors, err := took(retrieve.Query{Text: q.Text, NoRefuse: true, DenseOnly: true})
		if err != nil {
			return err
		}
		if i >= 10 { // the first ones fill the caches
			ms, lexical, dense = append(ms, all), append(lexical, words), append(dense, vectors)
		}
	}
	fmt.Fprintf(w, "search %d passages without a reranker: p50 %.1f ms, p95 %.1f ms (p50 at most 15); words alone p50 %.1f ms, vectors alone p50 %.1f ms\n",
		passages, quantile(ms, 0.5), quantile(ms, 0.95), quantile(lexical, 0.5), quantile(dense, 0.5))
	return nil
}

func benchFill(ctx context.Context, st *store.Store, e audit.Embedder, n int) error {
	rng := rand.New(rand.NewPCG(1, 2))
	texts := realisticPassages(rng, n)
	list := make([]audit.Passage, n)
	for i, t := range texts {
		c := audit.Citation{Code: audit.CodeCFR, Title: 12, Section: fmt.Sprintf("%d.%d", 1000+i%30, 1+i/30%8), Path: []string{"a", fmt.Sprint(1 + i/240)}} // 83 passages a section, as in Regulation Z
		list[i] = audit.Passage{
			Regulator: "CFPB", Kind: audit.KindRule, Citation: c.String(), Citations: []string{c.String()},
			Header: "[" + c.String() + " - Duties | Type: rule]", Body: t,
		}
	}
	if _, err := st.ReplacePassages(ctx, audit.CorpusRules, "bench", list); err != nil {
		return err
	}
	one, err := e.Embed(ctx, audit.RolePassage, texts[:1])
	if err != nil {
		return err
	}
	for {
		batch, err := st.PassagesWithoutVectors(ctx, e.ModelID(), 2000)
		if err != nil || len(batch) == 0 {
			return err
		}
		out := make([]audit.PassageVectors, len(batch))
		for i, p := range batch {
			out[i] = audit.PassageVectors{PassageID: p.ID, Vectors: [][]float32{randomUnit(rng, len(one[0]))}}
		}
		if err := st.SaveVectors(ctx, e.ModelID(), out); err != nil {
			return err
		}
	}
}

// realisticPassages makes texts of the words and with the frequencies that
// questions and rules have: sentences of the everyday questions, shuffled.
func realisticPassages(rng *rand.Rand, n int) []string {
	var sentences []string
	for _, p := range retrieve.Asks() {
		sentences = append(sentences, p.Body)
		sentences = append(sentences, strings.Split(p.Extra, "\n")...)
	}
	out := make([]string, n)
	for i := range out {
		var t strings.Builder
		for range 4 + rng.IntN(8) {
			t.WriteString(sentences[rng.IntN(len(sentences))] + ". ")
		}
		out[i] = t.String()
	}
	return out
}

func randomUnit(rng *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	var sum float64
	for i := range v {
		x := rng.NormFloat64()
		v[i] = float32(x)
		sum += x * x
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}
