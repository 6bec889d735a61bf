package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"veristream/app/storage"
	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/pipeline"
	"veristream/backend/store"
)

// Job is one audit to run, as a person asks for it. Files beside the input
// (x.screen.srt, x.description.txt, x.facts.json) fill what is left empty.
type Job struct {
	Path        string
	Title       string
	SourceURL   string
	Screen      string
	Description string
	FactsFile   string
	Facts       *audit.Facts
	AsOf        string
	Language    string
	NoLLM       bool
	Fresh       bool
	Limits      *Limits // of what is fetched; nil means DefaultLimits
	// Since is the audit to compare with: its id, empty for the last one of the
	// same work, or SinceNone.
	Since string
}

// Audit runs an audit of a file or of an address and keeps its record: it is listed from the moment that
// it starts, and stays listed when it fails or is cancelled.
func (c *Core) Audit(ctx context.Context, job Job, observe pipeline.Observer) (*audit.Result, error) {
	if err := job.complete(); err != nil {
		return nil, err
	}
	if err := c.CloseInterrupted(ctx); err != nil {
		return nil, err
	}
	if job.Since != "" && job.Since != SinceNone {
		if _, err := c.Store.Result(ctx, job.Since); err != nil { // told now, not after an hour's work
			return nil, audit.Wrap(err, audit.CodeUsage, "There is no finished audit %s to compare with.", job.Since)
		}
	}
	rec := store.Audit{
		ID: store.NewID(time.Now()), Path: absolute(job.Path), Address: job.SourceURL, Title: job.title(), Facts: *job.Facts, AsOf: job.AsOf, State: store.StateRunning,
	}
	release, err := c.holdRun(rec.ID)
	if err != nil {
		return nil, err
	}
	defer release()
	work, err := storage.Begin(c.Dirs, rec.ID)
	if err != nil {
		return nil, err
	}
	defer c.tidy(ctx, work)
	ctx = media.WithTemp(ctx, work.Dir)
	rec, err = c.Store.CreateAudit(ctx, rec)
	if err != nil {
		return nil, fmt.Errorf("begin the record: %w", err)
	}
	run := pipeline.Job{
		ID: rec.ID, Path: job.Path, SourceURL: job.SourceURL, Title: job.Title, Screen: job.Screen,
		Description: job.Description, Facts: *job.Facts, AsOf: job.AsOf, Language: job.Language, Track: -1,
		NoLLM: job.NoLLM, Fresh: job.Fresh,
		OnVideo: func(ctx context.Context, v audit.Video) error {
			rec.VideoSHA256 = v.SHA256
			if err := work.Use(c.Dirs.Work(v.SHA256)); err != nil {
				return err
			}
			if err := c.Store.SaveVideo(ctx, v); err != nil {
				return err
			}
			if err := c.Store.UpdateAudit(ctx, rec); err != nil {
				return err
			}
			return c.Store.AppendEvent(ctx, "video opened", rec.ID, map[string]any{"sha256": v.SHA256, "size": v.Size, "duration_ms": v.DurationMS})
		},
		OnText: func(ctx context.Context, segments []audit.Segment) error { return c.noteText(ctx, rec.ID, segments) },
	}
	if media.IsURL(job.Path) {
		if err := work.Use(c.Dirs.Fetched(hash(job.Path)[:32])); err != nil {
			return nil, c.ended(ctx, rec, err)
		}
		if err := c.fetch(ctx, job, &run, observe); err != nil {
			return nil, c.ended(ctx, rec, err)
		}
		rec.Path, rec.Title, rec.Address = run.Path, run.Title, run.SourceURL
	}
	result, err := c.Pipeline.Run(ctx, run, observe)
	if err != nil {
		return nil, c.ended(ctx, rec, err)
	}
	carried, err := c.since(ctx, rec, result, job.Since)
	if err != nil {
		return nil, c.ended(ctx, rec, err)
	}
	if err := c.Store.SaveResult(ctx, result, carried...); err != nil {
		return nil, fmt.Errorf("save the result: %w", err)
	}
	return result, nil
}

// tidy removes what an audit needed only while it ran, and keeps the cache
// within its quota. What it cannot remove the next start removes: the audit has
// its result all the same.
func (c *Core) tidy(ctx context.Context, work *storage.Run) {
	_ = work.End()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
	defer cancel()
	if quota, err := storage.Quota(ctx, c.Store); err == nil {
		_, _ = storage.Enforce(ctx, c.Dirs, quota)
	}
}

// noteText writes into the record what was heard and read, before any of it is
// judged.
func (c *Core) noteText(ctx context.Context, id string, segments []audit.Segment) error {
	count := map[audit.Source]int{}
	for _, s := range segments {
		count[s.Source]++
	}
	text, err := json.Marshal(segments)
	if err != nil {
		return fmt.Errorf("write the transcript: %w", err)
	}
	sum, err := audit.Digest(text)
	if err != nil {
		return fmt.Errorf("write the transcript: %w", err)
	}
	return c.Store.AppendEvent(ctx, "transcribed", id, map[string]any{
		"segments": count, "sha256": sum, "whisper": c.Pipeline.Models["whisper"].ID(), "ocr": c.Pipeline.Models["ocr"].ID(),
	})
}

// ended writes into the record how a run ended that gave no result. The context
// may be over; the record is still written.
func (c *Core) ended(ctx context.Context, rec store.Audit, err error) error {
	rec.State, rec.Error = store.StateFailed, audit.SentenceOf(err)
	if ctx.Err() != nil {
		rec.State, rec.Error = store.StateCancelled, ""
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if saveErr := c.Store.UpdateAudit(ctx, rec); saveErr != nil {
		return errors.Join(err, saveErr)
	}
	return err
}

// complete takes in the files beside the input.
func (j *Job) complete() error {
	stem := strings.TrimSuffix(j.Path, filepath.Ext(j.Path))
	for _, side := range []struct {
		into *string
		path string
	}{{&j.Screen, stem + ".screen.srt"}, {&j.Description, stem + ".description.txt"}, {&j.FactsFile, stem + ".facts.json"}} {
		if *side.into == "" && side.path != j.Path && isFile(side.path) {
			*side.into = side.path
		}
	}
	if j.Facts == nil {
		j.Facts = &audit.Facts{}
		if j.FactsFile != "" {
			data, err := os.ReadFile(j.FactsFile)
			if err != nil {
				return audit.Wrap(err, audit.CodeInput, "The facts file %s cannot be read.", j.FactsFile)
			}
			facts, err := audit.ParseFacts(data)
			if err != nil {
				return fmt.Errorf("read %s: %w", j.FactsFile, err)
			}
			j.Facts = &facts
		}
	}
	facts := j.Facts.WithDefaults()
	j.Facts = &facts
	if j.AsOf == "" {
		j.AsOf = time.Now().Format(time.DateOnly)
		if _, ok := facts.PublishedOn(); ok {
			j.AsOf = facts.Published
		}
	}
	if _, err := time.Parse(time.DateOnly, j.AsOf); err != nil {
		return audit.Wrap(err, audit.CodeUsage, "The as-of date must look like 2026-03-01, not %q.", j.AsOf)
	}
	return facts.Validate()
}

func (j *Job) title() string {
	if j.Title != "" {
		return j.Title
	}
	if media.IsURL(j.Path) {
		return j.Path
	}
	return strings.TrimSuffix(filepath.Base(j.Path), filepath.Ext(j.Path))
}

func isFile(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.Mode().IsRegular()
}

func absolute(path string) string {
	if media.IsURL(path) {
		return path
	}
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
