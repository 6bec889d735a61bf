package models

import (
	"embed"
	"io/fs"
)

// The project's own embedder, reranker and screener are 70 MB together, small enough to
// travel in the binary: retrieval then works with nothing downloaded.
//
//go:embed manifest.json
//go:embed embedder/model.onnx embedder/*.json embedder/MODEL_CARD.md
//go:embed reranker/model.onnx reranker/*.json reranker/MODEL_CARD.md
//go:embed screener/model.onnx screener/*.json screener/MODEL_CARD.md
//go:embed minilm/config.json
var embedded embed.FS

// Embedded gives the files that come inside the binary.
func Embedded() fs.FS { return embedded }
