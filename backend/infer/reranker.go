package infer

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"

	"github.com/knights-analytics/hugot"
	"github.com/knights-analytics/hugot/pipelines"

	"veristream/backend/audit"
)

// The lengths at which the model was measured (its card): a pair of at most 320
// tokens, with a query that leaves room for the passage.
const (
	maxPairTokens  = 320
	maxQueryTokens = 64
	maxHeadTokens  = 96
	maxWindows     = 6
)

// Reranker is a cross-encoder (audit.Reranker). Its scores are logits: ranks
// within one query and not probabilities.
type Reranker struct {
	rt    *Runtime
	model model

	mu   sync.Mutex
	free chan *pipelines.CrossEncoderPipeline
}

// Reranker finds the cross-encoder in a folder; it is loaded when it is first
// used.
func (r *Runtime) Reranker(dir string) (*Reranker, error) {
	m, err := findModel(dir, "reranker")
	if err != nil {
		return nil, err
	}
	return &Reranker{rt: r, model: m}, nil
}

// ModelID names the model by its folder and its digest.
func (r *Reranker) ModelID() string { return r.model.id }

// pair is a window of a passage, ready to be scored.
type pair struct {
	passage int
	text    string
}

// Rerank scores each passage. One that is too long is scored in windows that
// overlap, each under the passage's first line, and its best window counts.
func (r *Reranker) Rerank(ctx context.Context, query string, passages []string) ([]float32, error) {
	if len(passages) == 0 {
		return nil, ctx.Err()
	}
	free, err := r.load(ctx)
	if err != nil {
		return nil, err
	}
	query, pairs, err := r.pairs(ctx, free, query, passages)
	if err != nil {
		return nil, fmt.Errorf("rerank %d passages: %w", len(passages), err)
	}
	texts := make([]string, len(pairs))
	for i, p := range pairs {
		texts[i] = p.text
	}
	scores := make([]float32, len(pairs))
	err = each(ctx, free, byLength(texts), func(p *pipelines.CrossEncoderPipeline, i int) error {
		res, err := p.RunPipeline(query, texts[i:i+1])
		if err != nil {
			return audit.Wrap(err, audit.CodeModel, "The reranker failed on a passage.")
		}
		scores[i] = logit(res.Results[0].Score)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("rerank %d passages: %w", len(passages), err)
	}
	out := make([]float32, len(passages))
	for i := range out {
		out[i] = float32(math.Inf(-1))
	}
	for i, p := range pairs {
		out[p.passage] = max(out[p.passage], scores[i])
	}
	return out, nil
}

// pairs cleans the texts and cuts them to what fits beside the query.
func (r *Reranker) pairs(ctx context.Context, free chan *pipelines.CrossEncoderPipeline, query string, passages []string) (string, []pair, error) {
	var p *pipelines.CrossEncoderPipeline
	select {
	case p = <-free:
		defer func() { free <- p }()
	case <-ctx.Done():
		return "", nil, ctx.Err()
	}
	tk := p.Model.Tokenizer
	query, used := fit(tk, clean(query), maxQueryTokens)
	room := maxPairTokens - 3 - used
	var out []pair
	for i, text := range passages {
		if err := ctx.Err(); err != nil {
			return "", nil, err
		}
		text = clean(text)
		if len(text) <= room { // a token has one byte or more
			out = append(out, pair{i, text})
			continue
		}
		if head, _ := fit(tk, text, room); len(head) == len(text) {
			out = append(out, pair{i, text})
			continue
		}
		head, body, ok := strings.Cut(text, "\n")
		if !ok {
			head, body = "", text
		}
		head, n := fit(tk, head, maxHeadTokens)
		for _, w := range windows(tk, body, room-n, maxWindows) {
			out = append(out, pair{i, strings.TrimPrefix(head+"\n"+w, "\n")})
		}
	}
	return query, out, nil
}

// logit undoes the sigmoid that the pipeline puts on the model's output: near 0
// and 1 it would make unlike scores alike.
func logit(p float32) float32 {
	const edge = 1e-7
	x := min(max(float64(p), edge), 1-edge)
	return float32(math.Log(x / (1 - x)))
}

func (r *Reranker) load(ctx context.Context) (chan *pipelines.CrossEncoderPipeline, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.free != nil {
		return r.free, nil
	}
	free, err := load(ctx, r.rt, r.model, func(s *hugot.Session, name string) (*pipelines.CrossEncoderPipeline, error) {
		p, err := hugot.NewPipeline(s, hugot.CrossEncoderConfig{
			ModelPath: r.model.dir, OnnxFilename: onnxFile, Name: name,
			Options: []hugot.CrossEncoderOption{pipelines.WithBatchSize(1), pipelines.WithSortResults(false)},
		})
		if err != nil {
			return nil, err
		}
		return p, prepare(p.BasePipeline)
	})
	if err != nil {
		return nil, fmt.Errorf("load the reranker: %w", err)
	}
	r.free = free
	return free, nil
}
