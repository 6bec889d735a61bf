package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/sys/unix"

	"veristream/backend/audit"
)

func (r *run) tell(p Progress) { r.observe(Event{Progress: &p}) }

func (r *run) skip(stage Stage, note string) {
	r.tell(Progress{Stage: stage, State: Skipped, Note: note})
}

// timed runs a stage, tells when it starts and how it ends, and writes it into
// the record.
func timed[T any](ctx context.Context, r *run, stage Stage, f func(context.Context) (T, error)) (T, error) {
	start := r.Now()
	r.tell(Progress{Stage: stage, State: Runs})
	v, err := f(ctx)
	if err == nil {
		err = ctx.Err()
	}
	took := r.Now().Sub(start)
	if err != nil {
		r.tell(Progress{Stage: stage, State: Failed, Elapsed: took, Note: audit.SentenceOf(err)})
		return v, err
	}
	r.result.Run.Stages = append(r.result.Run.Stages, audit.StageRun{Name: string(stage), MS: took.Milliseconds()})
	r.tell(Progress{Stage: stage, State: Done, Elapsed: took})
	return v, nil
}

// cached runs a stage whose result is kept: from the cache where it is there,
// else by running it. What the cache holds and cannot be read counts as absent.
func cached[T any](ctx context.Context, r *run, stage Stage, key Key, f func(context.Context) (T, error)) (T, error) {
	start := r.Now()
	key.Stage = string(stage)
	if !r.job.Fresh {
		raw, ok, err := r.Cache.Get(ctx, key)
		if err != nil {
			var zero T
			return zero, fmt.Errorf("look for an earlier result: %w", err)
		}
		var v T
		if ok && json.Unmarshal(raw, &v) == nil {
			took := r.Now().Sub(start)
			r.result.Run.Stages = append(r.result.Run.Stages, audit.StageRun{Name: string(stage), MS: took.Milliseconds(), Cached: true})
			r.tell(Progress{Stage: stage, State: Done, Elapsed: took, Cached: true})
			return v, nil
		}
	}
	v, err := timed(ctx, r, stage, f)
	if err != nil {
		return v, err
	}
	raw, err := json.Marshal(v)
	if err != nil {
		return v, fmt.Errorf("keep the result of stage %s: %w", stage, err)
	}
	if err := r.Cache.Put(ctx, key, raw); err != nil {
		return v, fmt.Errorf("keep the result of stage %s: %w", stage, err)
	}
	return v, nil
}

// hashOf makes a key of parts.
func hashOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// cachedLLM keeps every answer of a language model under its question.
type cachedLLM struct {
	llm   audit.LLM
	id    string
	cache Cache
	fresh bool
	hits  int
}

// Complete gives the kept answer, or asks and keeps it.
func (c *cachedLLM) Complete(ctx context.Context, req audit.Request) (audit.Response, error) {
	key := Key{
		Content: hashOf(req.System, req.Prefix, req.Prompt), Stage: "llm",
		Params: hashOf(string(req.Schema), fmt.Sprint(req.MaxTokens, req.NumCtx)), Model: c.id,
	}
	resp, kept, err := keep(ctx, c.cache, key, c.fresh, func() (audit.Response, error) { return c.llm.Complete(ctx, req) })
	if kept {
		c.hits++
		return audit.Response{Text: resp.Text, Tokens: resp.Tokens}, err
	}
	return resp, err
}

// cachedScreener keeps what the screener said of the sentences of a video.
type cachedScreener struct {
	audit.Classifier

	cache Cache
	fresh bool
}

// Classify gives what was kept, or asks and keeps it.
func (c *cachedScreener) Classify(ctx context.Context, texts []audit.TextInContext) ([]map[string]float64, error) {
	parts := make([]string, 0, 3*len(texts))
	for _, t := range texts {
		parts = append(parts, t.Before, t.Text, t.After)
	}
	key := Key{Content: hashOf(parts...), Stage: "screener", Model: c.ModelID()}
	said, _, err := keep(ctx, c.cache, key, c.fresh, func() ([]map[string]float64, error) { return c.Classifier.Classify(ctx, texts) })
	return said, err
}

// keep gives what is kept under a key, or makes and keeps it.
func keep[T any](ctx context.Context, cache Cache, key Key, fresh bool, make func() (T, error)) (v T, kept bool, err error) {
	if !fresh {
		raw, ok, err := cache.Get(ctx, key)
		if err != nil {
			return v, false, fmt.Errorf("look for an earlier answer: %w", err)
		}
		if ok && json.Unmarshal(raw, &v) == nil {
			return v, true, nil
		}
	}
	if v, err = make(); err != nil {
		return v, false, err
	}
	raw, err := json.Marshal(v)
	if err == nil {
		err = cache.Put(ctx, key, raw)
	}
	if err != nil {
		return v, false, fmt.Errorf("keep an answer: %w", err)
	}
	return v, false, nil
}

// peakRSS is the largest resident memory of this process so far, in MB.
func peakRSS() int {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return int(u.Maxrss / 1024)
}
