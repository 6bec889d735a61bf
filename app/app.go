package app

import (
	"context"
	"fmt"
	"sync"
	"time"

	"veristream/backend/audit"
)

// Options are what the services need besides the machines.
type Options struct {
	Version string
	DataDir string // shown to the user
	Dir     string // where the window keeps its own small files
	Shell   Shell
	Files   Files
	Open    []string // what the window opens with: paths or addresses
	Now     func() time.Time
}

// App holds the services of the window.
type App struct {
	Library   *LibraryService
	Audits    *AuditService
	Batch     *BatchService
	Storage   *StorageService
	Reviews   *ReviewService
	Settings  *SettingsService
	Questions *AskService
	Rules     *RulesService
	Imports   *ImportService
	Setup     *SetupService
	Reports   *ReportService

	ctx    context.Context
	cancel context.CancelFunc
	runs   *runs
	ended  sync.WaitGroup
}

// New puts the services together. Start must follow before they are used.
func New(parts Parts, o Options) *App {
	if o.Now == nil {
		o.Now = time.Now
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &prefs{dir: o.Dir}
	q := newRuns(ctx, parts.Auditor, parts.Queue, p, o.Shell.Emit)
	settings := &SettingsService{ctx: ctx, prefs: p, inspector: parts.Inspector, network: parts.Switch, about: About{Version: o.Version, Data: o.DataDir}}
	covers := &covers{files: o.Files, lent: map[string]Lent{}}
	a := &App{
		ctx: ctx, cancel: cancel, runs: q, Settings: settings,
		Library: &LibraryService{ctx: ctx, archive: parts.Archive, covers: covers, namer: parts.Namer, prefs: p, emit: o.Shell.Emit},
		Audits: &AuditService{
			ctx: ctx, runs: q, prober: parts.Prober, archive: parts.Archive, shell: o.Shell, covers: covers, given: o.Open, hinter: parts.Hinter,
		},
		Storage: &StorageService{ctx: ctx, keeper: parts.Keeper},
		Batch:   &BatchService{ctx: ctx, runs: q, shell: o.Shell},
		Reviews: &ReviewService{
			ctx: ctx, parts: parts, prefs: p, files: o.Files, shell: o.Shell, now: o.Now,
			reviewer: settings.reviewer, open: map[string]Lent{}, videos: map[string]audit.Video{},
		},
		Rules: &RulesService{ctx: ctx, book: parts.Rulebook},
	}
	a.Questions = &AskService{ctx: ctx, asker: parts.Asker, emit: o.Shell.Emit, now: o.Now, work: &a.ended}
	a.Reports = &ReportService{ctx: ctx, approver: parts.Approver, shell: o.Shell}
	a.Imports = &ImportService{ctx: ctx, importer: parts.Importer, shell: o.Shell, emit: o.Shell.Emit, work: &a.ended}
	a.Setup = &SetupService{
		ctx: ctx, equipment: parts.Equipment, archive: parts.Archive, prefs: p, shell: o.Shell, runs: q,
		downloads: newDownloads(parts.Equipment, p, o.Shell.Emit),
	}
	return a
}

// Services lists what the front end may call.
func (a *App) Services() []any {
	return []any{a.Library, a.Audits, a.Batch, a.Storage, a.Reviews, a.Settings, a.Questions, a.Rules, a.Imports, a.Reports, a.Setup}
}

// Start takes up the queue where it was left.
func (a *App) Start() error {
	if err := a.runs.old(); err != nil {
		return fmt.Errorf("take up the queue: %w", err)
	}
	a.ended.Go(func() { a.runs.work(a.ctx) })
	if a.Setup.equipment == nil {
		return nil
	}
	if err := a.Setup.downloads.resume(); err != nil {
		return fmt.Errorf("take up the downloads: %w", err)
	}
	a.ended.Go(func() { a.Setup.downloads.work(a.ctx) })
	return nil
}

// Busy counts the audits that have not ended.
func (a *App) Busy() int { return a.runs.busy() }

// Close stops what works; it goes on when the program is started again.
func (a *App) Close() {
	a.cancel()
	a.ended.Wait()
	a.Reviews.closeAll()
}
