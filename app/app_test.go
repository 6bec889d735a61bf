package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"veristream/app"
	"veristream/app/apptest"
	"veristream/backend/audit"
	"veristream/backend/pipeline"
)

// shell is a window that nobody looks at: it keeps what it is told.
type shell struct {
	mu      sync.Mutex
	updates []app.RunUpdate
	events  []string
	save    string

	exchanges []app.Exchange
}

func (s *shell) Emit(event string, data any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, event)
	if u, ok := data.(app.RunUpdate); ok {
		s.updates = append(s.updates, u)
	}
	if e, ok := data.(app.Exchange); ok {
		s.exchanges = append(s.exchanges, e)
	}
}

func (s *shell) OpenFiles(string, app.FileKind) ([]string, error) { return nil, nil }
func (s *shell) OpenFolder(string) (string, error)                { return s.save, nil }
func (s *shell) SaveFile(string, string) (string, error)          { return s.save, nil }

// files lends nothing real and counts what is out.
type files struct {
	mu  sync.Mutex
	out map[string]bool
	n   int
}

func (f *files) Lend(_ audit.Video, play string) (app.Lent, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
	lent := app.Lent{Frames: "http://127.0.0.1:1/" + string(rune('a'+f.n)) + "/frame"}
	if play != "" {
		lent.Media = "http://127.0.0.1:1/" + string(rune('a'+f.n)) + "/media"
		f.out[lent.Media] = true
	}
	return lent, nil
}

func (f *files) Revoke(l app.Lent) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.out, l.Media)
}

type bench struct {
	*app.App
	machines *apptest.Machines
	shell    *shell
	files    *files
	dir      string
	video    string
}

// set puts an app on a bench. dir is where it keeps its small files, so that a
// second one in the same folder is the program started again.
func set(t *testing.T, dir string, change func(*apptest.Machines)) *bench {
	t.Helper()
	video := filepath.Join(dir, "a film.mp4")
	if err := os.WriteFile(video, []byte("film"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := &bench{shell: &shell{}, files: &files{out: map[string]bool{}}, dir: dir, video: video}
	b.machines = apptest.New(dir, audit.Video{Path: video, Title: "A film", DurationMS: 20000, SHA256: "ab", HasVideo: true, HasAudio: true})
	b.machines.Step = time.Millisecond
	if change != nil {
		change(b.machines)
	}
	b.App = app.New(b.machines.Parts(), app.Options{
		Version: "1.2.3", DataDir: dir, Dir: filepath.Join(dir, "window"), Shell: b.shell, Files: b.files,
		Now: func() time.Time { return time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC) },
	})
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// run starts an audit and waits for its end.
func (b *bench) run(t *testing.T) app.RunUpdate {
	t.Helper()
	id, err := b.Audits.Start(app.NewAudit{Path: b.video, Title: "A film"})
	if err != nil {
		t.Fatal(err)
	}
	return b.wait(t, id, app.RunDone, app.RunFailed, app.RunCancelled)
}

// told waits until the front end was told of something.
func (b *bench) told(t *testing.T, event string) {
	t.Helper()
	for range 2000 {
		b.shell.mu.Lock()
		ok := slices.Contains(b.shell.events, event)
		b.shell.mu.Unlock()
		if ok {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("the front end is never told of %q", event)
}

func (b *bench) wait(t *testing.T, id string, states ...app.RunState) app.RunUpdate {
	t.Helper()
	for range 2000 {
		b.shell.mu.Lock()
		for _, u := range b.shell.updates {
			if u.ID == id && slices.Contains(states, u.State) {
				b.shell.mu.Unlock()
				return u
			}
		}
		b.shell.mu.Unlock()
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("run %s never came to %v", id, states)
	return app.RunUpdate{}
}

func TestRun(t *testing.T) {
	b := set(t, t.TempDir(), nil)
	end := b.run(t)
	if end.State != app.RunDone || end.AuditID != "a1" || end.Share != 1 {
		t.Fatalf("the run ended as %s, audit %q, share %v", end.State, end.AuditID, end.Share)
	}
	b.told(t, app.EventLibrary)
	// Updates carry each segment and finding once, at its place.
	b.shell.mu.Lock()
	defer b.shell.mu.Unlock()
	segments, findings, share := 0, 0, 0.0
	for _, u := range b.shell.updates {
		if u.SegmentsFrom != segments || u.FindingsFrom != findings {
			t.Fatalf("an update begins at %d, %d; %d, %d were sent", u.SegmentsFrom, u.FindingsFrom, segments, findings)
		}
		segments += len(u.Segments)
		findings += len(u.Findings)
		if u.Share < share {
			t.Errorf("the bar goes back from %v to %v", share, u.Share)
		}
		share = u.Share
	}
	if segments != 5 || findings != 2 {
		t.Errorf("%d segments and %d findings were told, want 5 and 2", segments, findings)
	}
}

// A bar at 0 % for ever: it moves while an audit works, and stages say which of
// them does.
func TestBarMoves(t *testing.T) {
	b := set(t, t.TempDir(), func(m *apptest.Machines) { m.Step = 150 * time.Millisecond })
	b.run(t)
	b.shell.mu.Lock()
	defer b.shell.mu.Unlock()
	between, working := map[float64]bool{}, map[pipeline.Stage]bool{}
	for _, u := range b.shell.updates {
		if u.State == app.RunWorking && u.Share > 0 && u.Share < 1 {
			between[u.Share] = true
		}
		for _, s := range u.Stages {
			if s.State == pipeline.Runs {
				working[s.Stage] = true
			}
		}
	}
	if len(between) < 4 || len(working) < 4 {
		t.Errorf("the bar stood at %v, and %v were told to work", between, working)
	}
}

func TestRunFails(t *testing.T) {
	b := set(t, t.TempDir(), func(m *apptest.Machines) {
		m.Fails = audit.Errorf(audit.CodeModel, "The model does not answer.").WithDetails("EOF")
	})
	end := b.run(t)
	if end.State != app.RunFailed || end.Problem == nil || end.Problem.Sentence != "The model does not answer." || end.Problem.Details != "EOF" {
		t.Errorf("the run ended as %s: %+v", end.State, end.Problem)
	}
}

func TestCancel(t *testing.T) {
	b := set(t, t.TempDir(), func(m *apptest.Machines) { m.Step = time.Minute })
	first, err := b.Audits.Start(app.NewAudit{Path: b.video})
	if err != nil {
		t.Fatal(err)
	}
	second, err := b.Audits.Start(app.NewAudit{Path: b.video})
	if err != nil {
		t.Fatal(err)
	}
	b.wait(t, first, app.RunWorking)
	if n := b.Busy(); n != 2 {
		t.Errorf("%d runs are busy, want 2", n)
	}
	for _, id := range []string{second, first} { // one that waits, one that works
		if err := b.Audits.Cancel(id); err != nil {
			t.Fatal(err)
		}
		b.wait(t, id, app.RunCancelled)
	}
	if n := b.Busy(); n != 0 {
		t.Errorf("%d runs are busy after cancelling both", n)
	}
	b.Audits.Forget(first)
	if n := len(b.Audits.Runs()); n != 1 {
		t.Errorf("%d runs are listed, want 1", n)
	}
	if err := b.Audits.Cancel("run-99"); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("cancelling what is not there: %v", err)
	}
}

// The queue outlives the program.
func TestResume(t *testing.T) {
	dir := t.TempDir()
	first := set(t, dir, func(m *apptest.Machines) { m.Step = time.Minute })
	var ids []string
	for range 2 {
		id, err := first.Audits.Start(app.NewAudit{Path: first.video, Facts: audit.Facts{Paid: "yes"}})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	first.wait(t, ids[0], app.RunWorking)
	first.Close()

	again := set(t, dir, nil)
	for _, id := range ids {
		again.wait(t, id, app.RunDone)
	}
	if runs := again.Audits.Runs(); len(runs) != 2 || runs[0].Facts.Paid != "yes" || runs[0].Facts.Speaker != audit.Unknown {
		t.Errorf("taken up: %+v", runs)
	}
	again.Close()
	third := set(t, dir, nil)
	if runs := third.Audits.Runs(); len(runs) != 0 {
		t.Errorf("%d runs are taken up after all have ended", len(runs))
	}
}

// What an earlier version kept in a file of its own is queued once.
func TestResumeOfAnEarlierVersion(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "window"), 0o700); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(dir, "window", "queue.json")
	if err := os.WriteFile(old, []byte(`[{"path":"/x/old film.mp4","title":"An old film","facts":{"paid":"yes"}}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		b := set(t, dir, nil)
		b.told(t, app.EventQueue)
		got, err := b.Batch.List()
		if err != nil || len(got.Jobs) != 1 || got.Jobs[0].Title != "An old film" {
			t.Errorf("%+v, %v", got, err)
		}
		b.Close()
	}
}

// Many at once: each is a row, one that fails stops nothing, and the rows that
// wait can be moved.
func TestBatch(t *testing.T) {
	dir := t.TempDir()
	b := set(t, dir, func(m *apptest.Machines) { m.Step = 20 * time.Millisecond })
	folder := filepath.Join(dir, "many")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.mp4", "b.mp4", "c.mp4"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	added, err := b.Batch.Add(app.NewBatch{Inputs: []string{folder, filepath.Join(dir, "none.mp4")}, Facts: &audit.Facts{Paid: "no"}})
	if err != nil || added.Added != 3 || len(added.Passed) != 1 {
		t.Fatalf("%+v, %v", added, err)
	}
	find := func(name string) app.Job {
		t.Helper()
		got, err := b.Batch.List()
		if err != nil {
			t.Fatal(err)
		}
		for _, j := range got.Jobs {
			if filepath.Base(j.Input) == name {
				return j
			}
		}
		t.Fatalf("%s is not listed: %+v", name, got)
		return app.Job{}
	}
	a, c := find("a.mp4"), find("c.mp4")
	b.wait(t, a.ID, app.RunWorking)
	if err := b.Batch.Remove(a.ID); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("removed while it works: %v", err)
	}
	if err := b.Batch.Move(c.ID, find("b.mp4").ID); err != nil {
		t.Fatal(err)
	}
	if err := b.Batch.Cancel(find("b.mp4").ID); err != nil {
		t.Fatal(err)
	}
	b.wait(t, c.ID, app.RunDone)
	if got := find("b.mp4"); got.State != app.RunCancelled {
		t.Errorf("%+v", got)
	}
	if err := b.Batch.Retry(find("b.mp4").ID, false); err != nil {
		t.Fatal(err)
	}
	b.wait(t, find("b.mp4").ID, app.RunDone)
	if err := b.Batch.Watch(folder, nil); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Batch.List(); err != nil || !slices.Equal(got.Watched, []string{folder}) {
		t.Errorf("%+v, %v", got, err)
	}
	if err := b.Batch.Unwatch(folder); err != nil {
		t.Error(err)
	}
	if err := b.Batch.Clear(); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Batch.List(); err != nil || len(got.Jobs) != 0 || got.Jobs == nil {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestStartRefuses(t *testing.T) {
	b := set(t, t.TempDir(), nil)
	for _, req := range []app.NewAudit{{Path: "  "}, {Path: b.video, Facts: audit.Facts{Paid: "perhaps"}}} {
		if _, err := b.Audits.Start(req); audit.CodeOf(err) != audit.CodeUsage {
			t.Errorf("%+v: %v", req, err)
		}
	}
}

func TestReview(t *testing.T) {
	b := set(t, t.TempDir(), nil)
	b.run(t)
	r, err := b.Reviews.Open("a1")
	if err != nil {
		t.Fatal(err)
	}
	if !r.Playable || r.Missing || r.Position != 0 || len(r.Result.Findings) != 2 || r.Decisions == nil {
		t.Errorf("opened: %+v", r)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(data, []byte("null")) {
		t.Errorf("the front end counts on lists, and gets null: %s", data)
	}
	m, err := b.Reviews.Media("a1")
	if err != nil || m.Video == "" || m.Frames == "" {
		t.Fatalf("media: %+v, %v", m, err)
	}
	if len(b.files.out) != 1 {
		t.Errorf("%d videos are lent, want 1", len(b.files.out))
	}

	if _, err := b.Reviews.Decide("a1", app.Verdict{FindingID: "f1", Action: "dismiss", Reason: " "}); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("dismissed without a reason: %v", err)
	}
	if _, err := b.Reviews.Decide("a1", app.Verdict{FindingID: "f1", Action: "erase"}); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("an action that is none: %v", err)
	}
	if err := b.Settings.Set(app.Settings{Theme: "dark", Language: "de", Zoom: 999, Reviewer: "L. Brandt"}); err != nil {
		t.Fatal(err)
	}
	list, err := b.Reviews.Decide("a1", app.Verdict{FindingID: "f1", Action: "dismiss", Reason: " it is a quote "})
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	want := audit.Decision{
		FindingID: "f1", Action: "dismiss", Reason: "it is a quote", By: "L. Brandt",
		At: time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC),
	}
	if list[0] != want {
		t.Errorf("recorded %+v, want %+v", list[0], want)
	}

	if err := b.Reviews.Position("a1", 5250); err != nil {
		t.Fatal(err)
	}
	b.Reviews.Close("a1")
	if len(b.files.out) != 0 {
		t.Error("the video is still lent after closing")
	}
	if r, err = b.Reviews.Open("a1"); err != nil || r.Position != 5250 || len(r.Decisions) != 1 {
		t.Errorf("opened again: %d ms, %d decisions, %v", r.Position, len(r.Decisions), err)
	}
	if _, err := b.Reviews.Open("a9"); err == nil {
		t.Error("an audit that is not there was opened")
	}
}

// A correction stands beside the machine's words, with its time and who made it,
// until it is taken back.
func TestCorrect(t *testing.T) {
	b := set(t, t.TempDir(), nil)
	b.run(t)
	if err := b.Settings.Set(app.Settings{Theme: "dark", Language: "en", Zoom: 100, Reviewer: "L. Brandt"}); err != nil {
		t.Fatal(err)
	}
	got, err := b.Reviews.Correct("a1", "s2", " You can lose  money with this note. ")
	if err != nil || len(got) != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	if c := got[0]; c.Text != "You can lose money with this note." || c.Machine != "You cannot lose money with this note." || c.By != "L. Brandt" || c.At.IsZero() {
		t.Errorf("%+v", c)
	}
	r, err := b.Reviews.Open("a1")
	if err != nil || len(r.Corrections) != 1 || r.Result.Segments[1].Text != "You cannot lose money with this note." {
		t.Errorf("%+v, %v", r.Corrections, err)
	}
	if got, err = b.Reviews.Correct("a1", "s2", "You cannot lose money with this note."); err != nil || len(got) != 0 {
		t.Errorf("taken back: %+v, %v", got, err)
	}
	if _, err := b.Reviews.Correct("a1", "s99", "x"); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("a line that is not there: %v", err)
	}
}

func TestReviewOfAMovedVideo(t *testing.T) {
	b := set(t, t.TempDir(), nil)
	b.run(t)
	if err := os.Remove(b.video); err != nil {
		t.Fatal(err)
	}
	r, err := b.Reviews.Open("a1")
	if err != nil || !r.Missing || r.Playable {
		t.Errorf("missing %v, playable %v, %v", r.Missing, r.Playable, err)
	}
	rows, err := b.Library.List()
	if err != nil || len(rows) != 1 || !rows[0].Missing || rows[0].Thumb != "" {
		t.Errorf("%+v, %v", rows, err)
	}
}

func TestExport(t *testing.T) {
	b := set(t, t.TempDir(), nil)
	b.run(t)
	if path, err := b.Reviews.Export("a1", "json", "Export"); err != nil || path != "" {
		t.Errorf("thought better of it: %q, %v", path, err)
	}
	b.shell.save = filepath.Join(b.dir, "out.json")
	if path, err := b.Reviews.Export("a1", "json", "Export"); err != nil || path != b.shell.save {
		t.Errorf("%q, %v", path, err)
	}
	if _, err := b.Reviews.Export("a1", "doc", "Export"); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("a format that is none: %v", err)
	}
}

func TestLibrary(t *testing.T) {
	b := set(t, t.TempDir(), nil)
	if rows, err := b.Library.List(); err != nil || rows == nil || len(rows) != 0 {
		t.Errorf("empty: %v, %v", rows, err)
	}
	b.run(t)
	rows, err := b.Library.List()
	if err != nil || len(rows) != 1 || rows[0].Thumb == "" {
		t.Fatalf("%+v, %v", rows, err)
	}
	again, err := b.Library.List()
	if err != nil || again[0].Thumb != rows[0].Thumb {
		t.Errorf("the picture has another address each time: %v", err)
	}
	if err := b.Library.Delete("a1"); err != nil {
		t.Fatal(err)
	}
	if rows, _ := b.Library.List(); len(rows) != 0 {
		t.Error("still listed after deleting")
	}
	if err := b.Library.Restore("a1"); err != nil {
		t.Fatal(err)
	}
	if rows, _ := b.Library.List(); len(rows) != 1 {
		t.Error("not listed after restoring")
	}
}

func TestInspect(t *testing.T) {
	b := set(t, t.TempDir(), nil)
	facts := filepath.Join(b.dir, "a film.facts.json")
	if err := os.WriteFile(facts, []byte(`{"paid":"yes"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := b.Audits.Inspect(" " + b.video + "\n")
	if err != nil || in.Facts.Paid != "yes" || in.Facts.Speaker != audit.Unknown || len(in.Companions) != 1 || in.EarlierID != "" {
		t.Errorf("%+v, %v", in, err)
	}
	b.run(t)
	if in, err = b.Audits.Inspect(b.video); err != nil || in.EarlierID != "a1" {
		t.Errorf("%+v, %v", in, err)
	}
	if err := os.WriteFile(facts, []byte(`{"paidd":"yes"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Audits.Inspect(b.video); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("misspelt facts: %v", err)
	}
	if in, err = b.Audits.Inspect("https://video.example/w/8Hq2"); err != nil || in.Video.SourceURL == "" || in.Companions == nil {
		t.Errorf("an address: %+v, %v", in, err)
	}
	if _, err := b.Audits.Inspect(filepath.Join(b.dir, "none.mp4")); audit.CodeOf(err) != audit.CodeInput {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestSettings(t *testing.T) {
	dir := t.TempDir()
	b := set(t, dir, nil)
	got, err := b.Settings.Get()
	if err != nil || got.Theme != "system" || got.Language != "en" || got.Zoom != 100 || got.Reviewer == "" || got.Keys == nil || got.Profiles == nil {
		t.Errorf("at first: %+v, %v", got, err)
	}
	got.Theme, got.Zoom, got.Keys = "dark", 20, map[string]string{"accept": "y"}
	if err := b.Settings.Set(got); err != nil {
		t.Fatal(err)
	}
	b.Close()
	if got, err = set(t, dir, nil).Settings.Get(); err != nil || got.Theme != "dark" || got.Zoom != 80 || got.Keys["accept"] != "y" {
		t.Errorf("the next time: %+v, %v", got, err)
	}
	for _, bad := range []app.Settings{{Theme: "pink", Language: "en"}, {Theme: "dark", Language: "tlh"}} {
		if err := b.Settings.Set(bad); audit.CodeOf(err) != audit.CodeUsage {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestFormatError(t *testing.T) {
	if got := app.FormatError(nil); got != nil {
		t.Errorf("no error is %v", got)
	}
	got, ok := app.FormatError(errors.Join(audit.Errorf(audit.CodeStorage, "The disk is full."), context.DeadlineExceeded)).(*app.Problem)
	if !ok || got.Code != audit.CodeStorage || got.Sentence != "The disk is full." {
		t.Errorf("%+v", got)
	}
}
