package pipeline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"veristream/backend/agent"
	"veristream/backend/agent/applicability"
	"veristream/backend/audit"
	"veristream/backend/audit/audittest"
	"veristream/backend/pipeline"
)

// memory is a cache that outlives runs, as the database does.
type memory struct {
	mu     sync.Mutex
	m      map[pipeline.Key]json.RawMessage
	failOn string
}

func (c *memory) Get(_ context.Context, k pipeline.Key) (json.RawMessage, bool, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.m[k]
	return v, ok, nil
}

func (c *memory) Put(_ context.Context, k pipeline.Key, v json.RawMessage) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k.Stage == c.failOn {
		return audit.Errorf(audit.CodeStorage, "The disk is full.")
	}
	if c.m == nil {
		c.m = map[pipeline.Key]json.RawMessage{}
	}
	c.m[k] = slices.Clone(v)
	return nil
}

type rules struct{}

func (rules) Retrieve(_ context.Context, q agent.RuleQuery) ([]audit.Hit, error) {
	var hits []audit.Hit
	for _, c := range q.Citations {
		hits = append(hits, audit.Hit{Passage: audit.Passage{Citation: c, Citations: []string{c}}})
	}
	return hits, nil
}

func (rules) RuleRef(_ context.Context, citation, _ string) (audit.RuleRef, error) {
	return audit.RuleRef{Citation: citation}, nil
}

// spoken is a recogniser that tells given sentences in chunks of two, and can
// die after some of them.
type spoken struct {
	language string // "" is English
	lines    []audit.Segment
	dieAfter int
	asked    []int64 // the offsets it was asked to begin at
}

func (*spoken) ModelID() string { return "spoken" }

func (s *spoken) Transcribe(ctx context.Context, req pipeline.SpeechRequest) (string, error) {
	s.asked = append(s.asked, req.OffsetMS)
	language := s.language
	if language == "" {
		language = "en"
	}
	told := 0
	for i, l := range s.lines {
		if l.StartMS < req.OffsetMS {
			continue
		}
		if s.dieAfter > 0 && told == s.dieAfter {
			return language, audit.Errorf(audit.CodeWorker, "The speech worker died.")
		}
		if err := req.Emit(l); err != nil {
			return language, err
		}
		told++
		if i%2 == 1 {
			if err := req.OnChunk(l.EndMS); err != nil {
				return language, err
			}
		}
	}
	return language, ctx.Err()
}

func lines() []audit.Segment {
	texts := []string{
		"Hello and welcome.", "You cannot lose with this note.", "It is a lovely day.",
		"Our back-test shows eighteen percent a year.", "See you soon.", "Goodbye.",
	}
	var out []audit.Segment
	for i, t := range texts {
		out = append(out, audit.Segment{ID: fmt.Sprintf("s%d", i+1), Source: audit.Speech, StartMS: int64(i) * 500, EndMS: int64(i)*500 + 400, Text: t})
	}
	return out
}

func sound(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "a b'c é.mp4")
	out, err := exec.Command("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=d=3", "-c:a", "aac", "file:"+path).CombinedOutput()
	if errors.Is(err, exec.ErrNotFound) && os.Getenv("VERISTREAM_REQUIRE_ALL") == "" {
		t.Skip("ffmpeg is not installed: this test needs a real sound file")
	}
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

func newPipeline(t *testing.T, c pipeline.Cache, s pipeline.Speech, llm audit.LLM) *pipeline.Pipeline {
	t.Helper()
	data, err := agent.LoadData()
	if err != nil {
		t.Fatal(err)
	}
	table, err := applicability.Load()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	return &pipeline.Pipeline{
		Cache: c, Speech: s, Rules: rules{}, Now: time.Now, LLMID: "fake",
		Auditor:  &agent.Auditor{Data: data, Table: table, Retriever: rules{}, LLM: llm},
		Resolves: func(string) bool { return true },
		Work:     func(sha string) string { return filepath.Join(dir, sha) },
	}
}

func job(path string) pipeline.Job {
	return pipeline.Job{ID: "1", Path: path, Facts: audit.Facts{Speaker: "finra_member"}, AsOf: "2026-01-01", Track: -1}
}

func yes() *audittest.LLM {
	return &audittest.LLM{Reply: func(audit.Request) (string, error) { return `{"triggered":"yes","met":"no"}`, nil }}
}

func summary(r *audit.Result) []string {
	var out []string
	for _, f := range r.Findings {
		out = append(out, fmt.Sprintf("%s %s %d %q", f.ID, f.Citation, f.StartMS, f.Excerpt))
	}
	return out
}

// A worker that dies in the middle loses nothing: the next run begins where its
// last chunk ended, and the result is that of an undisturbed run.
func TestGoesOnAfterADeath(t *testing.T) {
	path := sound(t)
	undisturbed, err := newPipeline(t, &memory{}, &spoken{lines: lines()}, yes()).Run(t.Context(), job(path), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(undisturbed.Findings) == 0 {
		t.Fatal("nothing was found")
	}
	cache := &memory{}
	s := &spoken{lines: lines(), dieAfter: 3}
	p := newPipeline(t, cache, s, yes())
	if _, err := p.Run(t.Context(), job(path), nil); audit.CodeOf(err) != audit.CodeWorker {
		t.Fatalf("the first run ended with %v", err)
	}
	s.dieAfter = 0
	got, err := p.Run(t.Context(), job(path), nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int64{0, 900}; !slices.Equal(s.asked, want) {
		t.Errorf("the recogniser began at %v, want %v", s.asked, want)
	}
	if !slices.Equal(summary(got), summary(undisturbed)) {
		t.Errorf("after a death %v, undisturbed %v", summary(got), summary(undisturbed))
	}
}

// The second run of the same video does nothing again, and asks no model.
func TestSecondRunIsCached(t *testing.T) {
	path, cache, llm := sound(t), &memory{}, yes()
	s := &spoken{lines: lines()}
	p := newPipeline(t, cache, s, llm)
	first, err := p.Run(t.Context(), job(path), nil)
	if err != nil {
		t.Fatal(err)
	}
	asked := len(llm.Requests())
	second, err := p.Run(t.Context(), job(path), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(summary(first), summary(second)) {
		t.Errorf("first %v, second %v", summary(first), summary(second))
	}
	if n := len(llm.Requests()); n != asked {
		t.Errorf("the model was asked %d times more", n-asked)
	}
	if len(s.asked) != 1 {
		t.Errorf("speech was written down %d times", len(s.asked))
	}
	if second.Run.LLM.Calls != 0 {
		t.Errorf("the record counts %d calls that were not made", second.Run.LLM.Calls)
	}
	fresh := job(path)
	fresh.Fresh = true
	if _, err := p.Run(t.Context(), fresh, nil); err != nil {
		t.Fatal(err)
	}
	if len(s.asked) != 2 || len(llm.Requests()) == asked {
		t.Error("--fresh took results from an earlier run")
	}
}

// Cancelling in any stage ends the run with the context's error.
func TestCancelInEveryStage(t *testing.T) {
	path := sound(t)
	for _, stage := range []pipeline.Stage{pipeline.StageProbe, pipeline.StageTranscribe, pipeline.StageScreening, pipeline.StageJudge, pipeline.StageTests} {
		t.Run(string(stage), func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			_, err := newPipeline(t, &memory{}, &spoken{lines: lines()}, yes()).Run(ctx, job(path), func(e pipeline.Event) {
				if e.Progress != nil && e.Progress.Stage == stage && e.Progress.State == pipeline.Runs {
					cancel()
				}
			})
			if audit.CodeOf(err) != audit.CodeCancelled {
				t.Errorf("ended with %v", err)
			}
		})
	}
}

// A disk that is full while a chunk is kept is told, and not passed over.
func TestFullDisk(t *testing.T) {
	for _, stage := range []string{"probe", "transcribe-partial", "transcribe", "llm"} {
		_, err := newPipeline(t, &memory{failOn: stage}, &spoken{lines: lines()}, yes()).Run(t.Context(), job(sound(t)), nil)
		if audit.CodeOf(err) != audit.CodeStorage {
			t.Errorf("%s: %v", stage, err)
		}
	}
}

// A model that fails ends the audit with its error: never with "no findings".
func TestModelFails(t *testing.T) {
	llm := &audittest.LLM{Reply: func(audit.Request) (string, error) {
		return "", audit.Errorf(audit.CodeMemory, "Not enough memory.")
	}}
	r, err := newPipeline(t, &memory{}, &spoken{lines: lines()}, llm).Run(t.Context(), job(sound(t)), nil)
	if r != nil || audit.CodeOf(err) != audit.CodeMemory {
		t.Errorf("result %v, error %v", r, err)
	}
}

// Without a speech model a video cannot be audited, and the sentence says what
// to run; a transcript needs none.
func TestNoSpeechModel(t *testing.T) {
	p := newPipeline(t, &memory{}, nil, nil)
	if _, err := p.Run(t.Context(), job(sound(t)), nil); audit.CodeOf(err) != audit.CodeModelMissing {
		t.Errorf("video: %v", err)
	}
	srt := filepath.Join(t.TempDir(), "a.srt")
	if err := os.WriteFile(srt, []byte("1\n00:00:01,000 --> 00:00:04,000\nYou cannot lose with this note.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := p.Run(t.Context(), job(srt), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) == 0 || r.Findings[0].Status != audit.NeedsReview {
		t.Errorf("findings %+v", r.Findings)
	}
}

// screener counts the sentences that it was asked about.
type screener struct{ asked int }

func (s *screener) ModelID() string { return "fake" }

func (s *screener) Classify(_ context.Context, texts []audit.TextInContext) ([]map[string]float64, error) {
	s.asked += len(texts)
	out := make([]map[string]float64, len(texts))
	for i := range out {
		out[i] = map[string]float64{"promise": 0.9}
	}
	return out, nil
}

// What the screener said of a video is kept, too, and asked anew on demand.
func TestSecondRunAsksNoScreener(t *testing.T) {
	path, s := sound(t), &screener{}
	p := newPipeline(t, &memory{}, &spoken{lines: lines()}, yes())
	p.Auditor.Screener = s
	first, err := p.Run(t.Context(), job(path), nil)
	if err != nil {
		t.Fatal(err)
	}
	asked := s.asked
	second, err := p.Run(t.Context(), job(path), nil)
	if err != nil {
		t.Fatal(err)
	}
	if asked == 0 || s.asked != asked || !slices.Equal(summary(first), summary(second)) {
		t.Errorf("asked %d, then %d more; first %v, second %v", asked, s.asked-asked, summary(first), summary(second))
	}
	fresh := job(path)
	fresh.Fresh = true
	if _, err := p.Run(t.Context(), fresh, nil); err != nil || s.asked != 2*asked {
		t.Errorf("a fresh run asked %d, want %d: %v", s.asked-asked, asked, err)
	}
}
