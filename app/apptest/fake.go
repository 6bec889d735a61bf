// Package apptest has machines for tests of the window: in memory, always the
// same, and as slow as a test wants. No program imports it.
package apptest

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"veristream/app"
	"veristream/app/batch"
	"veristream/app/dirs"
	"veristream/backend/audit"
	"veristream/backend/pipeline"
	"veristream/backend/store"
)

// Machines implements every part of app.Parts.
type Machines struct {
	Video audit.Video
	// Step is how long each stage of an audit takes.
	Step time.Duration
	// Fails makes every audit end with this error.
	Fails error

	mu        sync.Mutex
	audits    int
	home      string // where the queue's database lies
	results   map[string]audit.Result
	decisions map[string][]audit.Decision
	corrected []audit.Correction
	deleted   map[string]bool
	imported  []audit.Document
}

// New makes machines that know one video and keep what they keep in a folder.
func New(home string, v audit.Video) *Machines {
	return &Machines{
		Video: v, home: home, results: map[string]audit.Result{}, decisions: map[string][]audit.Decision{}, deleted: map[string]bool{},
	}
}

// Parts gives the machines as the window takes them.
func (m *Machines) Parts() app.Parts {
	return app.Parts{
		Auditor: m, Queue: m.queue(), Prober: m, Archive: m, Record: m, Pictures: m, Exporter: m, Inspector: m, Comparer: m, Corrector: m, Asker: m, Rulebook: m, Importer: m,
	}
}

// queue gives a queue in a real database, opened when it is first asked for.
func (m *Machines) queue() app.QueueFunc {
	open := sync.OnceValues(func() (*batch.Queue, error) {
		d := dirs.Dirs{Data: filepath.Join(m.home, "data"), Cache: filepath.Join(m.home, "cache")}
		st, err := store.Open(context.Background(), d.Database())
		return &batch.Queue{Store: st, Dirs: d}, err
	})
	return func(context.Context) (*batch.Queue, error) { return open() }
}

// Segments are what every audit hears and reads.
func (m *Machines) Segments() []audit.Segment {
	var out []audit.Segment
	for i, text := range []string{
		"Welcome back to the channel.",
		"You cannot lose money with this note.",
		"Talk to someone who knows before you buy.",
		"See you next week.",
	} {
		start := int64(i)*m.Video.DurationMS/4 + 250
		out = append(out, audit.Segment{
			ID: fmt.Sprintf("s%d", i+1), Source: audit.Speech, StartMS: start, EndMS: start + 1500, Text: text, Confidence: 0.9,
		})
	}
	return append(out, audit.Segment{
		ID: "x1", Source: audit.Screen, StartMS: 500, EndMS: 2000, Text: "9.5% a year",
		Box: &audit.Box{X: 0.1, Y: 0.1, Width: 0.4, Height: 0.1, LineHeight: 0.1}, Contrast: 9,
	})
}

// Findings are what every audit finds.
func (m *Machines) Findings() []audit.Finding {
	second := m.Segments()[1]
	rule := audit.RuleRef{Citation: "FINRA 2210(d)(1)(B)", Title: "Promissory claims", Text: "No promise of a result.", SHA256: "00ff"}
	return []audit.Finding{
		{
			ID: "f1", Category: "promissory_claim", Regulator: audit.FINRA, Citation: rule.Citation, Severity: audit.High,
			Status: audit.Confirmed, Source: audit.Speech, SegmentID: second.ID, StartMS: second.StartMS, EndMS: second.EndMS,
			Excerpt: "You cannot lose money", Rationale: "The words promise that no loss can happen.", Remedy: "Name the risk.",
			Applies: "The video is for the public.", Rule: rule,
		},
		{
			ID: "f2", Category: "missing_disclosure", Regulator: audit.FTC, Citation: "16 CFR 255.5(a)", Severity: audit.Low,
			Status: audit.NeedsReview, Source: audit.Speech, StartMS: 0, EndMS: m.Video.DurationMS,
			Evidence: "No disclosure was found in 4 sentences.", Applies: "It depends on whether the speaker is paid.",
			Rule: audit.RuleRef{Citation: "16 CFR 255.5(a)", Title: "Ties", Text: "Say who pays.", SHA256: "00fe"},
		},
	}
}

// Audit implements app.Auditor.
func (m *Machines) Audit(ctx context.Context, req app.Request, observe pipeline.Observer) (audit.Result, error) {
	video := m.Video
	video.Path = req.Path
	observe(pipeline.Event{Video: &video})
	for i, stage := range pipeline.Stages() {
		observe(pipeline.Event{Progress: &pipeline.Progress{Stage: stage, State: pipeline.Runs, Total: 10, Unit: "ms"}})
		select {
		case <-ctx.Done():
			return audit.Result{}, fmt.Errorf("audit %s: %w", req.Path, ctx.Err())
		case <-time.After(m.Step):
		}
		if m.Fails != nil && stage == pipeline.StageJudge {
			return audit.Result{}, m.Fails
		}
		if stage == pipeline.StageTranscribe {
			for _, s := range m.Segments() {
				observe(pipeline.Event{Segment: &s})
			}
		}
		if stage == pipeline.StageTests {
			for _, f := range m.Findings() {
				observe(pipeline.Event{Finding: &f})
			}
		}
		observe(pipeline.Event{Progress: &pipeline.Progress{Stage: stage, State: pipeline.Done, Done: 10, Total: 10, Unit: "ms", Elapsed: time.Duration(i) * m.Step}})
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.audits++
	facts := audit.Facts{}
	if req.Facts != nil {
		facts = *req.Facts
	}
	result := audit.Result{
		Schema: audit.SchemaVersion, ID: fmt.Sprintf("a%d", m.audits), Video: video, Facts: facts.WithDefaults(), AsOf: req.AsOf,
		Segments: m.Segments(), Findings: m.Findings(),
	}
	m.results[result.ID] = result
	return result, nil
}

// Probe implements app.Prober.
func (m *Machines) Probe(_ context.Context, path string) (audit.Video, error) {
	if path != m.Video.Path {
		return audit.Video{}, audit.Errorf(audit.CodeInput, "There is no video at %s.", path)
	}
	return m.Video, nil
}

// Audits implements app.Archive.
func (m *Machines) Audits(context.Context) ([]app.Summary, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var rows []app.Summary
	for i := m.audits; i > 0; i-- {
		id := fmt.Sprintf("a%d", i)
		if m.deleted[id] {
			continue
		}
		r := m.results[id]
		rows = append(rows, app.Summary{
			ID: id, Title: r.Video.Title, Path: r.Video.Path, DurationMS: r.Video.DurationMS, HasVideo: r.Video.HasVideo,
			Added: time.Date(2026, 11, 24, 9, i, 0, 0, time.UTC), High: 1, Low: 1, Findings: 2, Decided: len(m.decisions[id]),
		})
	}
	return rows, nil
}

// Result implements app.Archive.
func (m *Machines) Result(_ context.Context, id string) (audit.Result, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.results[id]
	if !ok {
		return audit.Result{}, audit.Errorf(audit.CodeUsage, "There is no audit %s.", id)
	}
	return r, nil
}

// SetDeleted implements app.Archive.
func (m *Machines) SetDeleted(_ context.Context, id string, deleted bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.deleted[id] = deleted
	return nil
}

// Decisions implements app.Record.
func (m *Machines) Decisions(_ context.Context, auditID string) ([]audit.Decision, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]audit.Decision(nil), m.decisions[auditID]...), nil
}

// Decide implements app.Record.
func (m *Machines) Decide(_ context.Context, auditID string, d audit.Decision) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.decisions[auditID] = append(m.decisions[auditID], d)
	return nil
}

// Corrections implements app.Corrector.
func (m *Machines) Corrections(context.Context, string) ([]audit.Correction, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]audit.Correction(nil), m.corrected...), nil
}

// Correct implements app.Corrector.
func (m *Machines) Correct(_ context.Context, _, _ string, c audit.Correction) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.corrected = append(m.corrected, c)
	return nil
}

// Compare implements app.Comparer: everything was there before, and nothing was
// decided.
func (m *Machines) Compare(_ context.Context, id, with, _ string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, then := m.results[id], m.results[with]
	if r.ID == "" || then.ID == "" || id == with {
		return audit.Errorf(audit.CodeUsage, "There is no audit %s to compare with.", with)
	}
	r.Since = &audit.Since{AuditID: with, Found: audit.SinceChosen, New: []audit.NewFinding{}, Resolved: []audit.EarlierFinding{}}
	for _, f := range r.Findings {
		was := audit.EarlierFinding{FindingID: f.ID, Category: f.Category, Citation: f.Citation, Excerpt: f.Excerpt, Stand: audit.StandOpen}
		r.Since.Carried = append(r.Since.Carried, audit.CarriedFinding{FindingID: f.ID, Was: []audit.EarlierFinding{was}})
	}
	m.results[id] = r
	return nil
}

// Playable implements app.Pictures.
func (m *Machines) Playable(_ context.Context, v audit.Video) (path string, offset int64, err error) {
	return v.Path, 0, nil
}

// Frame implements app.Pictures.
func (m *Machines) Frame(ctx context.Context, v audit.Video, ms int64, width int) ([]byte, error) {
	out, err := exec.CommandContext(ctx, "ffmpeg", "-v", "error", "-ss", strconv.FormatFloat(float64(ms)/1000, 'f', 3, 64),
		"-i", v.Path, "-frames:v", "1", "-vf", fmt.Sprintf("scale=%d:-2", width), "-f", "mjpeg", "-").Output()
	if err != nil {
		return nil, fmt.Errorf("take a picture: %w", err)
	}
	return out, nil
}

// Peaks implements app.Pictures.
func (m *Machines) Peaks(_ context.Context, _ audit.Video, n int) ([]float32, error) {
	peaks := make([]float32, n)
	for i := range peaks {
		peaks[i] = float32(i%20) / 20
	}
	return peaks, nil
}

// Formats implements app.Exporter.
func (m *Machines) Formats() []app.Format { return []app.Format{{ID: "json", Extension: ".json"}} }

// Export implements app.Exporter.
func (m *Machines) Export(context.Context, string, string, string) error { return nil }

// Inspect implements app.Inspector.
func (m *Machines) Inspect(context.Context) []app.Installed {
	return []app.Installed{{Name: "ffmpeg", State: "ok", Version: "5.1"}}
}
