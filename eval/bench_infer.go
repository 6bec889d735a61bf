package eval

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/knights-analytics/hugot"
	"github.com/knights-analytics/hugot/options"
	"github.com/knights-analytics/hugot/pipelines"

	"veristream/backend/audit"
	"veristream/backend/infer"
)

// InferBench says with what the models are measured.
type InferBench struct {
	LibraryDirs []string
	Embedder    string // folder
	Reranker    string
	Passages    int // to embed; 0: 500
	Pairs       int // to rerank; 0: 30
}

// BenchInfer measures embedding against the same library called directly (one
// text a call, all cores within a call, as its own example does), and a rerank.
func BenchInfer(ctx context.Context, w io.Writer, b InferBench) error {
	if b.Passages == 0 {
		b.Passages = 500
	}
	if b.Pairs == 0 {
		b.Pairs = 30
	}
	texts := benchPassages(b.Passages)
	ours, rerank, err := benchOurs(ctx, b, texts)
	if err != nil {
		return err
	}
	direct, err := benchDirect(b, texts)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "embed %d passages: %d ms; onnxruntime called directly: %d ms; ratio %.2f (at most 1.15)\n",
		b.Passages, ours.Milliseconds(), direct.Milliseconds(), ours.Seconds()/direct.Seconds())
	fmt.Fprintf(w, "rerank %d pairs: %d ms (at most 1000 on two cores)\n", b.Pairs, rerank.Milliseconds())
	return nil
}

func benchOurs(ctx context.Context, b InferBench, texts []string) (embed, rerank time.Duration, err error) {
	rt := infer.New(infer.Options{LibraryDirs: b.LibraryDirs})
	defer rt.Close()
	e, err := rt.Embedder(b.Embedder)
	if err != nil {
		return 0, 0, err
	}
	r, err := rt.Reranker(b.Reranker)
	if err != nil {
		return 0, 0, err
	}
	const question = "How long must a creditor keep evidence of compliance with the rule?"
	// The first call loads the model.
	if _, err := e.Embed(ctx, audit.RolePassage, texts[:1]); err != nil {
		return 0, 0, err
	}
	if _, err := r.Rerank(ctx, question, texts[:1]); err != nil {
		return 0, 0, err
	}
	start := time.Now()
	if _, err := e.Embed(ctx, audit.RolePassage, texts); err != nil {
		return 0, 0, err
	}
	embed = time.Since(start)
	start = time.Now()
	_, err = r.Rerank(ctx, question, texts[:min(b.Pairs, len(texts))])
	return embed, time.Since(start), err
}

// benchDirect embeds the same texts without package infer: one session, as many
// threads within a call as there are cores.
func benchDirect(b InferBench, texts []string) (time.Duration, error) {
	dir, err := infer.New(infer.Options{LibraryDirs: b.LibraryDirs}).Library()
	if err != nil {
		return 0, err
	}
	s, err := hugot.NewORTSession(options.WithOnnxLibraryPath(dir), options.WithIntraOpNumThreads(infer.PhysicalCores()))
	if err != nil {
		return 0, fmt.Errorf("open onnxruntime: %w", err)
	}
	defer s.Destroy() //nolint:errcheck // a bench ends here
	p, err := hugot.NewPipeline(s, hugot.FeatureExtractionConfig{
		ModelPath: b.Embedder, OnnxFilename: "model.onnx", Name: "direct",
		Options: []hugot.FeatureExtractionOption{pipelines.WithNormalization()},
	})
	if err != nil {
		return 0, fmt.Errorf("load the embedder: %w", err)
	}
	if _, err := p.RunPipeline(texts[:1]); err != nil {
		return 0, fmt.Errorf("embed: %w", err)
	}
	start := time.Now()
	for i := range texts {
		if _, err := p.RunPipeline(texts[i : i+1]); err != nil {
			return 0, fmt.Errorf("embed: %w", err)
		}
	}
	return time.Since(start), nil
}

// benchPassages makes texts of about two hundred tokens, no two alike.
func benchPassages(n int) []string {
	subjects := []string{"creditor", "card issuer", "financial institution", "member", "adviser", "endorser", "servicer"}
	acts := []string{"discloses the fee", "keeps evidence", "sends a notice", "credits the payment", "corrects the error", "states the rate"}
	out := make([]string, n)
	for i := range out {
		var t strings.Builder
		fmt.Fprintf(&t, "[12 CFR %d.%d(a)(%d) - Duties | Type: rule]\n", 1000+i%30, i%60, i)
		for j := range 10 {
			fmt.Fprintf(&t, "In case %d a %s %s before day %d of the cycle, unless paragraph (%c) of this section applies. ",
				i*10+j, subjects[(i+j)%len(subjects)], acts[(i*3+j)%len(acts)], (i+j)%31, 'a'+rune((i+j)%26))
		}
		out[i] = t.String()
	}
	return out
}
