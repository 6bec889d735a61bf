package models_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veristream/models"
)

func ggufFile(seed uint64) []byte {
	head := append([]byte("GGUF"), 3, 0, 0, 0)
	head = binary.LittleEndian.AppendUint64(head, 12)
	head = binary.LittleEndian.AppendUint64(head, 5)
	return append(head, blob(500, seed)...)
}

func ggmlFile(vocab, mels uint32) []byte {
	b := make([]byte, 64)
	copy(b, "lmgg")
	binary.LittleEndian.PutUint32(b[4:], vocab)
	binary.LittleEndian.PutUint32(b[40:], mels)
	return b
}

// layDown writes files below a new folder and gives it.
func layDown(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "My Model (v2)")
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestImport(t *testing.T) {
	onnx := append([]byte{0x08, 0x07}, blob(100, 1)...)
	embedder := []byte(`{"architectures":["BertModel"]}`)
	reranker := []byte(`{"architectures":["BertForSequenceClassification"],"id2label":{"0":"LABEL_0"}}`)
	sorter := []byte(`{"architectures":["BertForSequenceClassification"],"id2label":{"0":"a","1":"b"}}`)
	tok := []byte(`{}`)
	tests := []struct {
		name     string
		files    map[string][]byte
		path     string // in the folder; "" for the folder
		as       string
		kind     models.Kind
		wantName string
		wantKind models.Kind
		message  string
	}{
		{name: "gguf under any ending", files: map[string][]byte{"Llama 3.Q4.dat": ggufFile(1)}, path: "Llama 3.Q4.dat", wantName: "llama-3.q4.dat", wantKind: models.KindLLM},
		{name: "gguf with a name", files: map[string][]byte{"x.gguf": ggufFile(1)}, path: "x.gguf", as: "mine", wantName: "mine", wantKind: models.KindLLM},
		{name: "ggml", files: map[string][]byte{"ggml-large-v3.bin": ggmlFile(51866, 128)}, path: "ggml-large-v3.bin", wantName: "ggml-large-v3", wantKind: models.KindWhisper},
		{name: "embedder", files: map[string][]byte{"model.onnx": onnx, "tokenizer.json": tok, "config.json": embedder}, wantName: "my-model-v2", wantKind: models.KindEmbedder},
		{name: "reranker, as hubs lay it out", files: map[string][]byte{"onnx/model.onnx": onnx, "tokenizer.json": tok, "config.json": reranker}, wantName: "my-model-v2", wantKind: models.KindReranker},
		{name: "kind given and right", files: map[string][]byte{"x.gguf": ggufFile(1)}, path: "x.gguf", kind: models.KindLLM, wantName: "x", wantKind: models.KindLLM},

		{name: "kind given and wrong", files: map[string][]byte{"x.gguf": ggufFile(1)}, path: "x.gguf", kind: models.KindWhisper, message: "is a model of kind llm, not whisper"},
		{name: "name of a known model", files: map[string][]byte{"x.gguf": ggufFile(1)}, path: "x.gguf", as: "m", message: "belongs to a known model"},
		{name: "a name that leads elsewhere", files: map[string][]byte{"x.gguf": ggufFile(1)}, path: "x.gguf", as: "../x", message: "cannot be a name"},
		{name: "classifier", files: map[string][]byte{"model.onnx": onnx, "tokenizer.json": tok, "config.json": sorter}, message: "2 classes"},
		{name: "no tokenizer", files: map[string][]byte{"model.onnx": onnx, "config.json": embedder}, message: "has no tokenizer.json"},
		{name: "not onnx", files: map[string][]byte{"model.onnx": []byte("<html>"), "tokenizer.json": tok, "config.json": embedder}, message: "is not an ONNX file"},
		{name: "onnx file alone", files: map[string][]byte{"a.onnx": onnx}, path: "a.onnx", message: "give the folder"},
		{name: "empty", files: map[string][]byte{"a.gguf": {}}, path: "a.gguf", message: "is empty"},
		{name: "web page", files: map[string][]byte{"a.gguf": []byte("<!DOCTYPE html>")}, path: "a.gguf", message: "a web page"},
		{name: "old ggml of another model", files: map[string][]byte{"a.bin": ggmlFile(32000, 0)}, path: "a.bin", message: "not supported"},
		{name: "safetensors", files: map[string][]byte{"a": append([]byte{9, 0, 0, 0, 0, 0, 0, 0}, `{"a":1}`...)}, path: "a", message: "safetensors"},
		{name: "nothing there", path: "a", message: "no such file"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newStore(t, oneFile(blob(10, 1), from("http://127.0.0.1:1/")))
			path := filepath.Join(layDown(t, tt.files), tt.path)
			name, err := s.Import(t.Context(), path, tt.as, tt.kind, nil)
			if tt.message != "" {
				if err == nil || !strings.Contains(err.Error(), tt.message) {
					t.Errorf("error %v, want one with %q", err, tt.message)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if name != tt.wantName {
				t.Errorf("name %q, want %q", name, tt.wantName)
			}
			in, err := s.Get(t.Context(), name)
			if err != nil || in.Kind != tt.wantKind || in.SHA256 == "" {
				t.Errorf("Get = %+v, %v", in, err)
			}
			all, err := s.List()
			if err != nil || len(all) != 2 || !all[1].User || all[1].State != models.StateInstalled {
				t.Errorf("List = %+v, %v", all, err)
			}
			if err := s.Verify(t.Context(), name, nil); err != nil {
				t.Error(err)
			}
			if err := s.Remove(t.Context(), name); err != nil {
				t.Error(err)
			}
			if _, err := s.Path(name); !errors.Is(err, models.ErrUnknown) {
				t.Errorf("after removal: %v", err)
			}
		})
	}
}

func TestImportAgain(t *testing.T) {
	s := newStore(t, oneFile(blob(10, 1), from("http://127.0.0.1:1/")))
	dir := layDown(t, map[string][]byte{"x.gguf": ggufFile(1), "y/x.gguf": ggufFile(2)})
	for range 2 {
		if _, err := s.Import(t.Context(), filepath.Join(dir, "x.gguf"), "", "", nil); err != nil {
			t.Fatal(err)
		}
	}
	_, err := s.Import(t.Context(), filepath.Join(dir, "y", "x.gguf"), "", "", nil)
	if !errors.Is(err, models.ErrExists) {
		t.Errorf("error %v, want: already there", err)
	}
	path, err := s.Path("x")
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, ggufFile(1)) {
		t.Error("the first model was overwritten")
	}
	// A damaged copy says that it has to be imported again.
	if err := os.WriteFile(path, ggufFile(3), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Path("x"); !errors.Is(err, models.ErrDamaged) || !strings.Contains(err.Error(), "models import") {
		t.Errorf("error %v", err)
	}
	if _, err := s.Import(t.Context(), filepath.Join(dir, "x.gguf"), "", "", nil); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Path("x"); err != nil {
		t.Error(err)
	}
}

// TestImportKnown: a file fetched by hand is installed as what it is.
func TestImportKnown(t *testing.T) {
	content := ggufFile(1)
	ts := httptest.NewServer(&server{content: content})
	defer ts.Close()
	s := newStore(t, oneFile(content, from(ts.URL+"/m")))
	name, err := s.Import(t.Context(), filepath.Join(layDown(t, map[string][]byte{"download(1).gguf": content}), "download(1).gguf"), "", "", nil)
	if err != nil || name != "m" {
		t.Fatalf("name %q, %v", name, err)
	}
	mustHold(t, s, content)
	if st, _ := s.Status("m"); st.User || st.State != models.StateInstalled {
		t.Errorf("status %+v", st)
	}
}

func TestImportNoSpace(t *testing.T) {
	s := newStore(t, oneFile(blob(10, 1), from("http://127.0.0.1:1/")),
		models.WithFreeSpace(func(string) (int64, error) { return 100, nil }))
	_, err := s.Import(t.Context(), filepath.Join(layDown(t, map[string][]byte{"x.gguf": ggufFile(1)}), "x.gguf"), "", "", nil)
	if !errors.Is(err, models.ErrNoSpace) {
		t.Errorf("error %v", err)
	}
}
