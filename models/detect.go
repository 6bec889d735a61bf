package models

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// detected says what a file or folder of the user's turned out to be.
type detected struct {
	kind  Kind
	main  string            // the file that Path gives; "" for a folder
	files map[string]string // name in the store -> where it lies now
}

// detect finds out what lies at path by its content; names and endings say
// little about models.
func detect(path string) (*detected, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("look at %s: %w", filepath.Base(path), err)
	}
	if st.IsDir() {
		return detectONNX(path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", filepath.Base(path), err)
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 4096)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s: %w", filepath.Base(path), err)
	}
	head = head[:n]
	one := func(k Kind) *detected {
		name := filepath.Base(path)
		return &detected{kind: k, main: name, files: map[string]string{name: path}}
	}
	switch {
	case isGGUF(head):
		return one(KindLLM), nil
	case isGGML(head):
		return one(KindWhisper), nil
	}
	return nil, fmt.Errorf("%w: %s is %s; a GGUF file, a whisper.cpp ggml file or a folder with an ONNX model and its tokenizer.json can be imported",
		ErrNotAModel, filepath.Base(path), guess(head, path))
}

// isGGUF looks at magic, version and counts of a GGUF header.
func isGGUF(b []byte) bool {
	if len(b) < 24 || string(b[:4]) != "GGUF" {
		return false
	}
	version := binary.LittleEndian.Uint32(b[4:])
	tensors := binary.LittleEndian.Uint64(b[8:])
	return version >= 2 && version <= 3 && tensors > 0 && tensors < 1<<20
}

// isGGML looks at magic and hyperparameters of a whisper.cpp file. The same
// magic was used for other models: a Whisper vocabulary has about 51,865
// entries and its spectrogram 80 or 128 bands.
func isGGML(b []byte) bool {
	if len(b) < 48 || binary.LittleEndian.Uint32(b) != ggmlMagic {
		return false
	}
	vocab, mels := binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[40:])
	return vocab >= 51864 && vocab <= 51900 && (mels == 80 || mels == 128)
}

// guess names what people try most often.
func guess(b []byte, path string) string {
	switch {
	case len(b) == 0:
		return "empty"
	case strings.HasPrefix(string(b), "PK\x03\x04"):
		return "a zip archive or PyTorch file"
	case len(b) > 9 && b[8] == '{' && b[9] == '"':
		return "a safetensors file"
	case strings.HasPrefix(string(b), "GGUF"), len(b) >= 4 && binary.LittleEndian.Uint32(b) == ggmlMagic:
		return "a model of a kind or version that is not supported"
	case strings.HasSuffix(path, ".onnx"):
		return "an ONNX file without its folder (give the folder that also holds tokenizer.json)"
	case strings.HasPrefix(strings.ToLower(strings.TrimSpace(string(b))), "<"):
		return "a web page, perhaps a failed download"
	}
	return "no model of a known kind"
}

// detectONNX looks for an ONNX model with its tokenizer; a cross-encoder is
// told from an embedder by the head that config.json names.
func detectONNX(dir string) (*detected, error) {
	d := &detected{kind: KindEmbedder, files: map[string]string{}}
	for _, sub := range []string{".", "onnx"} { // the second is how model hubs lay them out
		for _, f := range []string{"model.onnx", "model.onnx_data"} {
			path := filepath.Join(dir, sub, f)
			if st, err := os.Stat(path); err == nil && st.Mode().IsRegular() && d.files[f] == "" {
				d.files[f] = path
			}
		}
	}
	for _, f := range []string{"tokenizer.json", "config.json", "special_tokens_map.json", "tokenizer_config.json", "vocab.txt"} {
		if st, err := os.Stat(filepath.Join(dir, f)); err == nil && st.Mode().IsRegular() {
			d.files[f] = filepath.Join(dir, f)
		}
	}
	base := filepath.Base(dir)
	for _, need := range []string{"model.onnx", "tokenizer.json", "config.json"} {
		if d.files[need] == "" {
			return nil, fmt.Errorf("%w: the folder %s has no %s", ErrNotAModel, base, need)
		}
	}
	if !isONNX(d.files["model.onnx"]) {
		return nil, fmt.Errorf("%w: %s/model.onnx is not an ONNX file", ErrNotAModel, base)
	}
	var config struct {
		Architectures []string          `json:"architectures"`
		Labels        map[string]string `json:"id2label"`
	}
	data, err := os.ReadFile(d.files["config.json"])
	if err == nil {
		err = json.Unmarshal(data, &config)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %s/config.json cannot be read: %w", ErrNotAModel, base, err)
	}
	if slices.ContainsFunc(config.Architectures, func(a string) bool {
		return strings.HasSuffix(a, "ForSequenceClassification")
	}) {
		if len(config.Labels) > 1 {
			return nil, fmt.Errorf("%w: %s sorts texts into %d classes; a reranker gives one score", ErrNotAModel, base, len(config.Labels))
		}
		d.kind = KindReranker
	}
	return d, nil
}

// isONNX looks for the start of a serialised ModelProto: field 1, the version
// of the format, a small number.
func isONNX(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	head := make([]byte, 3)
	if _, err := io.ReadFull(f, head); err != nil {
		return false
	}
	return head[0] == 0x08 && head[1] > 0 && head[1] < 64
}
