package infer

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"veristream/backend/audit"
)

// onnxFile is the model's file in its folder.
const onnxFile = "model.onnx"

// model is a model's folder and the id that its vectors or scores go by.
type model struct {
	dir string
	id  string
}

// findModel checks that a folder holds a model and names it by the folder's
// name and the file's digest, so that two versions are never taken for one.
func findModel(dir, what string) (model, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return model{}, fmt.Errorf("find the %s: %w", what, err)
	}
	for _, name := range []string{onnxFile, "tokenizer.json", "config.json"} {
		if _, err := os.Stat(filepath.Join(abs, name)); err != nil {
			return model{}, audit.Wrap(err, audit.CodeModelMissing,
				"The %s is not installed (%s lacks %s). Run veristream models pull %s.", what, abs, name, what)
		}
	}
	f, err := os.Open(filepath.Join(abs, onnxFile))
	if err != nil {
		return model{}, audit.Wrap(err, audit.CodeModelMissing, "The %s cannot be read. Run veristream models verify.", what)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return model{}, audit.Wrap(err, audit.CodeModel, "The %s cannot be read. Run veristream models verify.", what)
	}
	return model{dir: abs, id: filepath.Base(abs) + "@" + hex.EncodeToString(h.Sum(nil))[:12]}, nil
}
