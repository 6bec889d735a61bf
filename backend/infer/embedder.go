package infer

import (
	"context"
	"fmt"
	"sync"

	"github.com/knights-analytics/hugot"
	"github.com/knights-analytics/hugot/backends"
	"github.com/knights-analytics/hugot/pipelines"

	"veristream/backend/audit"
)

// maxEmbedTokens is where texts are cut; the model's card says so. Two of them
// are the marks at the beginning and the end.
const maxEmbedTokens = 256

// Embedder is a sentence embedder (audit.Embedder): the mean of its token
// vectors, at unit length. It needs no prefix for queries or passages.
type Embedder struct {
	rt    *Runtime
	model model

	mu   sync.Mutex
	free chan *pipelines.FeatureExtractionPipeline
}

// Embedder finds the embedder in a folder; it is loaded when it is first used.
func (r *Runtime) Embedder(dir string) (*Embedder, error) {
	m, err := findModel(dir, "embedder")
	if err != nil {
		return nil, err
	}
	return &Embedder{rt: r, model: m}, nil
}

// ModelID names the model by its folder and its digest.
func (e *Embedder) ModelID() string { return e.model.id }

// Embed gives one vector of unit length for each text.
func (e *Embedder) Embed(ctx context.Context, _ audit.Role, texts []string) ([][]float32, error) {
	if len(texts) == 0 {
		return nil, ctx.Err()
	}
	free, err := e.load(ctx)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	err = each(ctx, free, byLength(texts), func(p *pipelines.FeatureExtractionPipeline, i int) error {
		text := clean(texts[i])
		if len(text) > maxEmbedTokens-2 { // a token has one byte or more
			text, _ = fit(p.Model.Tokenizer, text, maxEmbedTokens-2)
		}
		res, err := p.RunPipeline([]string{text})
		if err != nil {
			return audit.Wrap(err, audit.CodeModel, "The embedder failed on a text.")
		}
		out[i] = res.Embeddings[0]
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("embed %d texts: %w", len(texts), err)
	}
	return out, nil
}

func (e *Embedder) load(ctx context.Context) (chan *pipelines.FeatureExtractionPipeline, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.free != nil {
		return e.free, nil
	}
	free, err := load(ctx, e.rt, e.model, func(s *hugot.Session, name string) (*pipelines.FeatureExtractionPipeline, error) {
		p, err := hugot.NewPipeline(s, hugot.FeatureExtractionConfig{
			ModelPath: e.model.dir, OnnxFilename: onnxFile, Name: name,
			Options: []hugot.FeatureExtractionOption{pipelines.WithNormalization()},
		})
		if err != nil {
			return nil, err
		}
		return p, prepare(p.BasePipeline)
	})
	if err != nil {
		return nil, fmt.Errorf("load the embedder: %w", err)
	}
	e.free = free
	return free, nil
}

// prepare asks the tokenizer for the offsets that fit needs; the pipelines of
// a model share it, so it is asked once.
func prepare(p *backends.BasePipeline) error {
	batch := backends.NewBatch(1)
	backends.TokenizeInputs(batch, p.Model.Tokenizer, []string{"a"})
	if len(batch.Input[0].Offsets) == 0 {
		backends.AllInputTokens(p)
	}
	return nil
}
