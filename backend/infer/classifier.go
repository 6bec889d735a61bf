package infer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/knights-analytics/hugot"
	"github.com/knights-analytics/hugot/pipelines"

	"veristream/backend/audit"
)

// What the classifier was trained on (models/train/train_screener.py): so many
// words of the claim and of what stands before and after it.
const (
	maxClaimWords = 70
	maxSideWords  = 24
)

// Classifier says of a sentence in its context how probable each of the
// model's labels is (audit.Classifier). Labels do not exclude each other.
type Classifier struct {
	rt    *Runtime
	model model
	cuts  map[string]float64

	mu   sync.Mutex
	free chan *pipelines.TextClassificationPipeline
}

var _ audit.Classifier = (*Classifier)(nil)

// Classifier finds the classifier in a folder; it is loaded when it is first
// used.
func (r *Runtime) Classifier(dir string) (*Classifier, error) {
	m, err := findModel(dir, "screener")
	if err != nil {
		return nil, err
	}
	c := &Classifier{rt: r, model: m}
	data, err := os.ReadFile(filepath.Join(m.dir, "calibration.json"))
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	var calibration struct {
		Cuts map[string]float64 `json:"cuts"`
	}
	if err == nil {
		err = json.Unmarshal(data, &calibration)
	}
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeModel, "The screener's calibration cannot be read. Run veristream models verify.")
	}
	c.cuts = calibration.Cuts
	return c, nil
}

// calibrated moves a probability so that one half stands at the cut that was
// best for its label on sentences the model had not seen.
func (c *Classifier) calibrated(label string, p float64) float64 {
	cut, ok := c.cuts[label]
	switch {
	case !ok || cut <= 0 || cut >= 1:
		return p
	case p < cut:
		return 0.5 * p / cut
	}
	return 0.5 + 0.5*(p-cut)/(1-cut)
}

// ModelID names the model by its folder and its digest.
func (c *Classifier) ModelID() string { return c.model.id }

// Classify gives the probability of every label for every text.
func (c *Classifier) Classify(ctx context.Context, texts []audit.TextInContext) ([]map[string]float64, error) {
	if len(texts) == 0 {
		return nil, ctx.Err()
	}
	free, err := c.load(ctx)
	if err != nil {
		return nil, err
	}
	joined := make([]string, len(texts))
	for i, t := range texts {
		joined[i] = joinContext(t)
	}
	out := make([]map[string]float64, len(texts))
	err = each(ctx, free, byLength(joined), func(p *pipelines.TextClassificationPipeline, i int) error {
		res, err := p.RunPipeline(joined[i : i+1])
		if err != nil {
			return audit.Wrap(err, audit.CodeModel, "The screener failed on a sentence.")
		}
		out[i] = map[string]float64{}
		for _, l := range res.ClassificationOutputs[0] {
			out[i][l.Label] = c.calibrated(l.Label, float64(l.Score))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("classify %d sentences: %w", len(texts), err)
	}
	return out, nil
}

// joinContext writes the text as the model reads it. The separators are the
// model's own: clean has taken them out of what the user said.
func joinContext(t audit.TextInContext) string {
	before, text, after := strings.Fields(clean(t.Before)), strings.Fields(clean(t.Text)), strings.Fields(clean(t.After))
	before = before[max(0, len(before)-maxSideWords):]
	text = text[:min(len(text), maxClaimWords)]
	after = after[:min(len(after), maxSideWords)]
	joined := strings.Join(before, " ") + " [SEP] " + strings.Join(text, " ") + " [SEP] " + strings.Join(after, " ")
	if len(joined) > maxBytes/2 { // words without spaces: a language, or noise
		joined = " [SEP] " + strings.ToValidUTF8(joined[:maxBytes/16], "") + " [SEP] "
	}
	return joined
}

func (c *Classifier) load(ctx context.Context) (chan *pipelines.TextClassificationPipeline, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.free != nil {
		return c.free, nil
	}
	free, err := load(ctx, c.rt, c.model, func(s *hugot.Session, name string) (*pipelines.TextClassificationPipeline, error) {
		p, err := hugot.NewPipeline(s, hugot.TextClassificationConfig{
			ModelPath: c.model.dir, OnnxFilename: onnxFile, Name: name,
			Options: []hugot.TextClassificationOption{pipelines.WithMultiLabel(), pipelines.WithSigmoid()},
		})
		if err != nil {
			return nil, err
		}
		return p, prepare(p.BasePipeline)
	})
	if err != nil {
		return nil, fmt.Errorf("load the screener: %w", err)
	}
	c.free = free
	return free, nil
}
