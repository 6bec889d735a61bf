package audittest

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"veristream/backend/audit"
)

// Reranker is a fake that counts the query's words in a passage.
type Reranker struct{ ID string }

// ModelID names the fake.
func (r Reranker) ModelID() string {
	if r.ID == "" {
		return "fake"
	}
	return r.ID
}

// Rerank gives one score a passage.
func (r Reranker) Rerank(ctx context.Context, query string, passages []string) ([]float32, error) {
	out := make([]float32, 0, len(passages))
	for _, p := range passages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		have := words(p)
		n := 0
		for _, w := range words(query) {
			if slices.Contains(have, w) {
				n++
			}
		}
		out = append(out, float32(n)/float32(len(words(query))+1))
	}
	return out, nil
}

// TestReranker is the conformance test of audit.Reranker.
func TestReranker(t *testing.T, r audit.Reranker) {
	t.Helper()
	const query = "How long must a creditor keep records?"
	passages := []string{
		"[FTC 16 CFR 255.3(a) - Experts | Type: rule]\nAn expert must have the expertise that is claimed.",
		"[CFPB 12 CFR 1026.25(a) - Record retention | Type: rule]\nA creditor shall keep records of compliance for two years.",
		"[SEC - Testimonials | Type: rule]\nAn adviser discloses that a testimonial was paid.",
		"[CFPB - Long | Type: rule]\n" + strings.Repeat("A card issuer computes a charge for each cycle. ", 120),
	}
	rerank := func(t *testing.T, query string, passages []string) []float32 {
		t.Helper()
		got, err := r.Rerank(t.Context(), query, passages)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(passages) {
			t.Fatalf("%d scores for %d passages", len(got), len(passages))
		}
		for i, s := range got {
			if math.IsNaN(float64(s)) || math.IsInf(float64(s), 0) {
				t.Errorf("score %d is %f", i, s)
			}
		}
		return got
	}
	t.Run("has an id", func(t *testing.T) {
		if r.ModelID() == "" {
			t.Error("ModelID is empty")
		}
	})
	t.Run("the answer is first", func(t *testing.T) {
		scores := rerank(t, query, passages)
		if slices.Max(scores) != scores[1] {
			t.Errorf("got %v", scores)
		}
	})
	t.Run("a score does not depend on its neighbours", func(t *testing.T) {
		scores := rerank(t, query, passages)
		turned := slices.Clone(passages)
		slices.Reverse(turned)
		again := rerank(t, query, turned)
		slices.Reverse(again)
		for i, p := range passages {
			alone := rerank(t, query, []string{p})[0]
			for _, other := range []float32{again[i], alone} {
				if math.Abs(float64(scores[i]-other)) > 1e-4 {
					t.Errorf("passage %d: %f, %f in reverse, %f alone", i, scores[i], again[i], alone)
				}
			}
		}
	})
	t.Run("the end of a long passage counts", func(t *testing.T) {
		long := passages[3]
		with := rerank(t, query, []string{long, long + passages[1]})
		if with[1] <= with[0] {
			t.Errorf("%f without the answer, %f with it at the end", with[0], with[1])
		}
	})
	t.Run("no passages", func(t *testing.T) { rerank(t, query, nil) })
	t.Run("hostile texts", func(t *testing.T) {
		rerank(t, query, hostile)
		for _, q := range hostile {
			rerank(t, q, passages[:1])
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := r.Rerank(ctx, query, passages); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
