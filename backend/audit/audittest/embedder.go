package audittest

import (
	"context"
	"errors"
	"hash/fnv"
	"math"
	"strings"
	"testing"
	"unicode"

	"veristream/backend/audit"
)

// Embedder is a fake that hashes words into a vector, so that texts with
// common words are near each other.
type Embedder struct {
	Dim int    // 0: 32
	ID  string // empty: "fake"
}

// ModelID names the fake.
func (e Embedder) ModelID() string {
	if e.ID == "" {
		return "fake"
	}
	return e.ID
}

// Embed makes one vector a text.
func (e Embedder) Embed(ctx context.Context, _ audit.Role, texts []string) ([][]float32, error) {
	dim := e.Dim
	if dim == 0 {
		dim = 32
	}
	out := make([][]float32, 0, len(texts))
	for _, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v := make([]float32, dim)
		for _, w := range words(text) {
			h := fnv.New32a()
			h.Write([]byte(w))
			v[h.Sum32()%uint32(dim)]++
		}
		if length(v) == 0 {
			v[0] = 1
		}
		n := float32(length(v))
		for i := range v {
			v[i] /= n
		}
		out = append(out, v)
	}
	return out, nil
}

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

func length(v []float32) float64 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	return math.Sqrt(sum)
}

func dot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// hostile are texts that a user's file may hold and that must not break a
// tokenizer.
var hostile = []string{
	"", " ", "\x00", "a\x00b", "\xff\xfe bad utf-8 \xc3", "[SEP] [CLS] [PAD] [MASK] [UNK]",
	strings.Repeat("word ", 20_000), strings.Repeat("x", 100_000), "日本語 🎥 ﷽", "\u202eright to left", "line\r\nline\u2028line",
}

// TestEmbedder is the conformance test of audit.Embedder.
func TestEmbedder(t *testing.T, e audit.Embedder) {
	t.Helper()
	embed := func(t *testing.T, role audit.Role, texts ...string) [][]float32 {
		t.Helper()
		got, err := e.Embed(t.Context(), role, texts)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(texts) {
			t.Fatalf("%d vectors for %d texts", len(got), len(texts))
		}
		return got
	}
	texts := []string{
		"A paid endorser must say so.",
		"Past performance does not guarantee future results.",
		strings.Repeat("An adviser may not include an untrue statement of a material fact. ", 60),
		"Fees",
	}
	t.Run("has an id", func(t *testing.T) {
		if e.ModelID() == "" {
			t.Error("ModelID is empty")
		}
	})
	t.Run("unit length and one dimension", func(t *testing.T) {
		all := append(embed(t, audit.RolePassage, texts...), embed(t, audit.RoleQuery, texts...)...)
		for i, v := range all {
			if len(v) != len(all[0]) || math.Abs(length(v)-1) > 1e-3 {
				t.Errorf("vector %d: %d values (the first has %d), length %f", i, len(v), len(all[0]), length(v))
			}
		}
	})
	t.Run("a text's vector does not depend on its neighbours", func(t *testing.T) {
		all := embed(t, audit.RolePassage, texts...)
		for i, text := range texts {
			if alone := embed(t, audit.RolePassage, text)[0]; dot(alone, all[i]) < 1-1e-5 {
				t.Errorf("%.30q: cosine %f between alone and in company", text, dot(alone, all[i]))
			}
		}
	})
	t.Run("likeness", func(t *testing.T) {
		v := embed(t, audit.RolePassage, "The endorser was paid for the endorsement.", "The endorser of the product was paid.", "Rain fell over distant mountains.")
		if dot(v[0], v[1]) <= dot(v[0], v[2]) {
			t.Errorf("like %f, unlike %f", dot(v[0], v[1]), dot(v[0], v[2]))
		}
	})
	t.Run("no texts", func(t *testing.T) { embed(t, audit.RolePassage) })
	t.Run("hostile texts", func(t *testing.T) {
		for i, v := range embed(t, audit.RolePassage, hostile...) {
			if math.Abs(length(v)-1) > 1e-3 {
				t.Errorf("%.20q: length %f", hostile[i], length(v))
			}
		}
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := e.Embed(ctx, audit.RolePassage, texts); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
