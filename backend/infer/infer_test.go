package infer_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/audit/audittest"
	"veristream/backend/infer"
)

const modelsDir = "../../models"

var rt *infer.Runtime

func TestMain(m *testing.M) {
	rt = infer.New(infer.Options{LibraryDirs: []string{os.Getenv("VERISTREAM_ORT_LIB")}})
	code := m.Run()
	if err := rt.Close(); err != nil {
		panic(err)
	}
	os.Exit(code)
}

// needRuntime skips where the native part is absent; the project's own test
// run does not allow that.
func needRuntime(t *testing.T) {
	t.Helper()
	if _, err := rt.Library(); err != nil {
		if os.Getenv("VERISTREAM_REQUIRE_ALL") != "" {
			t.Fatal(err)
		}
		t.Skipf("SKIPPED, a native part is absent: %v (source build/env)", err)
	}
}

func embedder(t *testing.T) *infer.Embedder {
	t.Helper()
	needRuntime(t)
	e, err := rt.Embedder(filepath.Join(modelsDir, "embedder"))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func reranker(t *testing.T) *infer.Reranker {
	t.Helper()
	needRuntime(t)
	r, err := rt.Reranker(filepath.Join(modelsDir, "reranker"))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEmbedderConforms(t *testing.T) { audittest.TestEmbedder(t, embedder(t)) }

func TestRerankerConforms(t *testing.T) { audittest.TestReranker(t, reranker(t)) }

// reference holds what onnxruntime gives in Python for a few texts, on the same
// files: see testdata/reference.py. On one version and processor the values are
// the same to 1e-5; a tie in the quantisation may fall the other way elsewhere.
type reference struct {
	Texts   []string    `json:"texts"`
	Vectors [][]float32 `json:"vectors"` // the first values of each
	Query   string      `json:"query"`
	Pairs   []string    `json:"pairs"`
	Logits  []float64   `json:"logits"`
}

func TestSameAsReference(t *testing.T) {
	data, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var ref reference
	if err := json.Unmarshal(data, &ref); err != nil {
		t.Fatal(err)
	}
	vectors, err := embedder(t).Embed(t.Context(), audit.RolePassage, ref.Texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range ref.Vectors {
		for j, x := range want {
			if math.Abs(float64(vectors[i][j]-x)) > 0.01 {
				t.Errorf("text %d, value %d: got %f, want %f", i, j, vectors[i][j], x)
			}
		}
	}
	scores, err := reranker(t).Rerank(t.Context(), ref.Query, ref.Pairs)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range ref.Logits {
		if math.Abs(float64(scores[i])-want) > 0.1 {
			t.Errorf("pair %d: got %f, want %f", i, scores[i], want)
		}
	}
}

func TestLongTextsAreCut(t *testing.T) {
	e := embedder(t)
	head := strings.Repeat("An adviser may not include an untrue statement. ", 40)
	v, err := e.Embed(t.Context(), audit.RolePassage, []string{head + "Bananas.", head + "Apples and oranges."})
	if err != nil {
		t.Fatal(err)
	}
	for i := range v[0] {
		if v[0][i] != v[1][i] {
			t.Fatal("what stands behind the cut changes the vector")
		}
	}
}

func TestMissing(t *testing.T) {
	empty := t.TempDir()
	if _, err := rt.Embedder(empty); audit.CodeOf(err) != audit.CodeModelMissing || !strings.Contains(audit.SentenceOf(err), "models pull") {
		t.Errorf("got %v", err)
	}
	if _, err := rt.Reranker(empty); audit.CodeOf(err) != audit.CodeModelMissing {
		t.Errorf("got %v", err)
	}
	other := infer.New(infer.Options{LibraryDirs: []string{empty}})
	defer other.Close()
	e, err := other.Embedder(filepath.Join(modelsDir, "embedder"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), audit.RoleQuery, []string{"x"}); audit.CodeOf(err) != audit.CodeMissing || !strings.Contains(audit.SentenceOf(err), "build/setup") {
		t.Errorf("got %v", err)
	}
}

func TestBrokenModel(t *testing.T) {
	needRuntime(t)
	dir := filepath.Join(t.TempDir(), "embedder")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(modelsDir, "embedder"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "model.onnx")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "model.onnx"), []byte("not a model"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	e, err := rt.Embedder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), audit.RoleQuery, []string{"x"}); audit.CodeOf(err) != audit.CodeModel {
		t.Errorf("got %v", err)
	}
	if after, err := os.Getwd(); err != nil || after != before {
		t.Errorf("the working directory is left at %s, %v", after, err)
	}
}

func TestClosed(t *testing.T) {
	r := infer.New(infer.Options{})
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	e, err := r.Embedder(filepath.Join(modelsDir, "embedder"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), audit.RoleQuery, []string{"x"}); err == nil {
		t.Error("a closed runtime embedded")
	}
}
