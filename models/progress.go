package models

import (
	"sync"
	"time"
)

// Stage says what a pull is doing.
type Stage string

// The stages.
const (
	StageWaiting  Stage = "waiting" // another process pulls the same model
	StageDownload Stage = "download"
	StageUnpack   Stage = "unpack"
	StageConvert  Stage = "convert"
	StageVerify   Stage = "verify"
	StageCopy     Stage = "copy"
	StageSource   Stage = "source" // a source failed, the next one is tried
	StageDone     Stage = "done"
)

// Progress is one report of a pull, an import or a verification.
type Progress struct {
	Model  string
	Stage  Stage
	Source string
	Done   int64
	Total  int64         // 0 where it is not known
	Rate   float64       // bytes a second over the last seconds
	ETA    time.Duration // 0 where it is not known
	Err    error         // with StageSource: why the source failed
}

// ProgressFunc receives reports, at most ten a second and one at the end of
// each stage. It is called from one goroutine at a time.
type ProgressFunc func(Progress)

const (
	reportEvery = 100 * time.Millisecond
	rateWindow  = 5 * time.Second
)

// meter turns a count of bytes into reports with rate and ETA.
type meter struct {
	mu      sync.Mutex
	fn      ProgressFunc
	now     func() time.Time
	base    Progress
	last    time.Time
	samples []sample
}

type sample struct {
	at time.Time
	n  int64
}

func newMeter(fn ProgressFunc, now func() time.Time, model string, stage Stage, source string, total int64) *meter {
	return &meter{fn: fn, now: now, base: Progress{Model: model, Stage: stage, Source: source, Total: total}}
}

// set says how many bytes are done. Bytes that were already there at the first
// call do not count for the rate.
func (m *meter) set(done int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.now()
	if done < m.base.Done {
		m.samples = nil // started over
	}
	m.base.Done = done
	if n := len(m.samples); n == 0 || t.Sub(m.samples[n-1].at) >= reportEvery/2 {
		m.samples = append(m.samples, sample{t, done})
	}
	for len(m.samples) > 2 && t.Sub(m.samples[0].at) > rateWindow {
		m.samples = m.samples[1:]
	}
	if m.fn == nil || t.Sub(m.last) < reportEvery && done != m.base.Total {
		return
	}
	m.last = t
	m.fn(m.report(t))
}

func (m *meter) report(t time.Time) Progress {
	p := m.base
	first := m.samples[0]
	if d := t.Sub(first.at).Seconds(); d > 0 {
		p.Rate = float64(p.Done-first.n) / d
	}
	if p.Rate > 0 && p.Total > p.Done {
		p.ETA = time.Duration(float64(p.Total-p.Done) / p.Rate * float64(time.Second)).Round(time.Second)
	}
	return p
}
