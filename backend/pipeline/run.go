package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"time"

	"veristream/backend/agent"
	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/verify"
)

// Key names what a stage made; see package store, which keeps it.
type Key struct{ Content, Stage, Params, Model string }

// Cache keeps what stages made, so that a run goes on where an earlier one
// ended, however it ended.
type Cache interface {
	Get(ctx context.Context, key Key) (result json.RawMessage, ok bool, err error)
	Put(ctx context.Context, key Key, result json.RawMessage) error
}

// Speech makes a transcriber for one recording. Its segments come in order of
// time; onChunk tells up to where they are final.
type Speech interface {
	ModelID() string
	Transcribe(ctx context.Context, req SpeechRequest) (language string, err error)
}

// SpeechRequest asks for the speech of a WAV file from an offset on.
type SpeechRequest struct {
	WAV        string
	Language   string
	OffsetMS   int64
	FirstID    int
	Emit       func(audit.Segment) error
	OnChunk    func(doneMS int64) error
	OnProgress func(doneMS, totalMS int64)
}

// Screens reads the text that a video shows, merged over time.
type Screens interface {
	ModelID() string
	Read(ctx context.Context, info media.ProbeInfo, emit func(audit.Segment), progress func(doneMS int64)) ([]audit.Segment, error)
}

// Pipeline runs audits. Speech and Screens may be nil where they are not
// installed: then an input that needs them fails with a sentence (speech) or
// goes on with a notice (screens).
type Pipeline struct {
	Cache    Cache
	Speech   Speech
	Screens  Screens
	Auditor  *agent.Auditor
	Rules    agent.RuleSource
	Resolves func(citation string) bool
	// Work gives the folder for one video's intermediate files.
	Work func(sha256 string) string
	// Correct puts what people corrected in a video's transcript in the place of
	// the machine's words; nil where nobody can.
	Correct func(ctx context.Context, sha256 string, segments []audit.Segment) (corrected []audit.Segment, lost int, err error)
	// Prepare brings the rules' index up to date before it is asked.
	Prepare func(ctx context.Context, progress func(done, total int)) error
	// Models says what the parts are, for the record.
	Models       map[string]audit.ModelInfo
	LLMID        string
	RulesVersion string
	Version      string
	Now          func() time.Time
}

// Job is one audit to run.
type Job struct {
	ID          string
	Path        string
	SourceURL   string
	Title       string
	Screen      string // a subtitle file of what is shown
	Description string // a text file
	// DescriptionSegments are the description where it is there already, Proposed
	// is what the place of the video says of its facts, Notices what the reader
	// of the result must know of how the input came.
	DescriptionSegments []audit.Segment
	Proposed            []audit.ProposedFact
	Notices             []audit.Messages
	Facts               audit.Facts
	AsOf                string
	Language            string
	Track               int // sound track; -1 picks the first spoken one
	NoLLM               bool
	// Fresh passes over what earlier runs made.
	Fresh bool
	// Segments and DurationMS are the text where it is there already; Path then
	// only names the input.
	Segments   []audit.Segment
	DurationMS int64
	// OnVideo is told of the video as soon as it is known, OnText of all that is
	// said and shown in it before any of it is judged.
	OnVideo func(context.Context, audit.Video) error
	OnText  func(context.Context, []audit.Segment) error
}

// run is one audit under way.
type run struct {
	*Pipeline
	job     Job
	observe Observer
	started time.Time
	result  audit.Result
	info    media.ProbeInfo
	wav     string
}

// Run runs an audit from the first stage that is missing to the last, and
// tells the observer of all that happens.
func (p *Pipeline) Run(ctx context.Context, job Job, observe Observer) (*audit.Result, error) {
	if observe == nil {
		observe = func(Event) {}
	}
	r := &run{Pipeline: p, job: job, observe: observe, started: p.Now()}
	r.result = audit.Result{
		Schema: audit.SchemaVersion, ID: job.ID, Facts: job.Facts.WithDefaults(), AsOf: job.AsOf, Said: audit.Said{},
		Segments: []audit.Segment{}, Findings: []audit.Finding{}, NotApplicable: []audit.NotApplicable{},
		Checked: []audit.Checked{}, Dropped: []audit.Dropped{},
		Run: audit.Run{
			Version: p.Version, StartedAt: r.started.UTC(), Models: map[string]audit.ModelInfo{}, RulesVersion: p.RulesVersion,
		},
	}
	for _, m := range job.Notices {
		r.notice(m)
	}
	for k, v := range p.Models {
		r.result.Run.Models[k] = v
	}
	for _, s := range Stages() {
		r.tell(Progress{Stage: s, State: Waits})
	}
	for _, step := range []func(context.Context) error{r.read, r.decide} {
		if err := step(ctx); err != nil {
			if ctx.Err() != nil {
				return nil, fmt.Errorf("audit %s: %w", job.Path, ctx.Err())
			}
			return nil, err
		}
	}
	r.result.Run.PeakRSSMB = peakRSS()
	return &r.result, nil
}

// read gets all the text of the input: speech, screens, description.
func (r *run) read(ctx context.Context) error {
	read := r.readVideo
	switch {
	case r.job.Segments != nil:
		read = r.takeSegments
	case media.IsTranscript(r.job.Path):
		read = r.readTranscript
	}
	if err := read(ctx); err != nil {
		return err
	}
	if r.job.Description != "" {
		segments, err := media.ReadSubtitles(r.job.Description, audit.Description)
		if err != nil {
			return fmt.Errorf("read the description: %w", err)
		}
		r.add(segments)
	}
	r.add(r.job.DescriptionSegments)
	if err := r.correct(ctx); err != nil {
		return err
	}
	if r.job.OnText == nil {
		return nil
	}
	return r.job.OnText(ctx, r.result.Segments)
}

// notice adds what the reader of the result must know.
func (r *run) notice(m audit.Messages) {
	r.result.Notices = append(r.result.Notices, r.result.Said.Say(m))
}

// correct puts the words of people in the place of the machine's.
func (r *run) correct(ctx context.Context) error {
	if r.Correct == nil || r.result.Video.SHA256 == "" {
		return nil
	}
	segments, lost, err := r.Correct(ctx, r.result.Video.SHA256, r.result.Segments)
	if err != nil {
		return fmt.Errorf("read the corrections: %w", err)
	}
	r.result.Segments = segments
	if lost > 0 {
		r.notice(audit.Say("{0} corrections of an earlier transcript fit no line of this one: the machine came to other words.", strconv.Itoa(lost)))
	}
	return nil
}

// add takes segments into the result in order of time and tells of each.
func (r *run) add(segments []audit.Segment) {
	for i := range segments {
		r.observe(Event{Segment: &segments[i]})
	}
	r.result.Segments = mergeByTime(r.result.Segments, segments)
}

// decide runs the stages that judge.
func (r *run) decide(ctx context.Context) error {
	in := agent.Input{
		Segments: r.result.Segments, Facts: r.result.Facts, AsOf: r.job.AsOf, DurationMS: r.result.Video.DurationMS,
	}
	if !slices.ContainsFunc(in.Segments, audit.Segment.Audited) { // music and noise are no text
		r.notice(audit.Say("No speech and no text on the screen was found, so nothing could be checked."))
	}
	a, done := r.auditor()
	screened, err := timed(ctx, r, StageScreening, func(ctx context.Context) (*agent.Screened, error) {
		if r.Prepare != nil {
			if err := r.Prepare(ctx, func(done, total int) {
				r.tell(Progress{Stage: StageScreening, State: Runs, Done: int64(done), Total: int64(total), Unit: "passages", Note: "indexing the rules"})
			}); err != nil {
				return nil, fmt.Errorf("index the rules: %w", err)
			}
		}
		s, err := a.Examine(ctx, in)
		if err != nil {
			return nil, err
		}
		return s, a.Attach(ctx, in, s, func(done, total int) {
			r.tell(Progress{Stage: StageScreening, State: Runs, Done: int64(done), Total: int64(total), Unit: "claims"})
		})
	})
	if err != nil {
		return err
	}
	r.result.Proposed = append(slices.Clone(r.job.Proposed), screened.Proposed...)
	if err := r.judge(ctx, a, in, screened); err != nil {
		return err
	}
	r.result.Run.LLM.Calls -= done()
	decided, err := timed(ctx, r, StageTests, func(ctx context.Context) (*agent.Decided, error) {
		return a.Decide(ctx, in, screened, r.Rules)
	})
	if err != nil {
		return err
	}
	for i := range decided.Findings {
		r.observe(Event{Finding: &decided.Findings[i]})
	}
	maps.Copy(r.result.Said, decided.Said)
	_, err = timed(ctx, r, StageVerify, func(context.Context) (struct{}, error) {
		passed, dropped := verify.Findings(decided.Findings, verify.Input{
			Segments: in.Segments, DurationMS: in.DurationMS, Retrieved: decided.Retrieved, Resolves: r.Resolves, Said: r.result.Said,
			Card: func(citation string) string { return a.Cards[citation].Requires },
		})
		r.result.Findings = append(r.result.Findings, passed...)
		r.result.Dropped = append(append(r.result.Dropped, decided.Dropped...), dropped...)
		return struct{}{}, nil
	})
	r.result.NotApplicable, r.result.Checked = decided.NotApplicable, decided.Checked
	return err
}

// auditor gives the agent for this run: without a language model where the job
// asks for none, else with one. What the models say is kept, so that a run that
// was cut off asks nothing twice. done gives the number of the language model's
// answers that were kept before.
func (r *run) auditor() (a *agent.Auditor, done func() int) {
	a, done = r.Auditor.With(nil), func() int { return 0 }
	if !r.job.NoLLM && r.Auditor.LLM != nil {
		c := &cachedLLM{llm: r.Auditor.LLM, id: r.LLMID, cache: r.Cache, fresh: r.job.Fresh}
		a.LLM, done = c, func() int { return c.hits }
	}
	if a.Screener != nil {
		a.Screener = &cachedScreener{Classifier: a.Screener, cache: r.Cache, fresh: r.job.Fresh}
	}
	return a, done
}

func (r *run) judge(ctx context.Context, a *agent.Auditor, in agent.Input, s *agent.Screened) error {
	if a.LLM == nil {
		note := "no language model is used"
		if r.job.NoLLM {
			note = "on request"
			r.result.Run.Models["llm"] = audit.ModelInfo{Name: "none", Note: "--no-llm"}
		}
		r.skip(StageJudge, note)
		return nil
	}
	prompts, err := agent.Prompts()
	if err != nil {
		return err
	}
	r.result.Run.Prompts = prompts
	use, err := timed(ctx, r, StageJudge, func(ctx context.Context) (audit.LLMUse, error) {
		return a.Judge(ctx, in, s, func(done, total int) {
			r.tell(Progress{Stage: StageJudge, State: Runs, Done: int64(done), Total: int64(total), Unit: "claims"})
		})
	})
	r.result.Run.LLM = use
	return err
}

func mergeByTime(a, b []audit.Segment) []audit.Segment {
	out := make([]audit.Segment, 0, len(a)+len(b))
	for len(a) > 0 || len(b) > 0 {
		if len(b) == 0 || (len(a) > 0 && a[0].StartMS <= b[0].StartMS) {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return out
}

func makeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return audit.Wrap(err, audit.CodeStorage, "The folder %s for this video's intermediate files cannot be made.", dir)
	}
	return nil
}
