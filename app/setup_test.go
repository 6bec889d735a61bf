package app_test

import (
	"context"
	"testing"
	"time"

	"veristream/app"
	"veristream/app/apptest"
	"veristream/backend/audit"
)

// started gives a window over a folder with equipment.
func started(t *testing.T, dir string, e *apptest.Equipment) *app.App {
	t.Helper()
	parts := apptest.New(t.TempDir(), audit.Video{Path: "/v.mp4", DurationMS: 4000}).Parts()
	parts.Equipment = e
	a := app.New(parts, app.Options{Dir: dir, Shell: &quiet{}})
	if err := a.Start(); err != nil {
		t.Fatal(err)
	}
	return a
}

// quiet is a shell that nobody looks at.
type quiet struct{}

func (*quiet) Emit(string, any)                                 {}
func (*quiet) OpenFiles(string, app.FileKind) ([]string, error) { return nil, nil }
func (*quiet) SaveFile(string, string) (string, error)          { return "", nil }
func (*quiet) OpenFolder(string) (string, error)                { return "", nil }

func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 500 {
		if ok() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s: it did not come to that", what)
}

func stateOf(a *app.App, name string) app.Download {
	for _, d := range a.Setup.Downloads() {
		if d.Name == name {
			return d
		}
	}
	return app.Download{}
}

// A set-up that is left goes on after a restart, from where it was; what was
// paused stays paused until somebody says so.
func TestSetupResumes(t *testing.T) {
	dir, e := t.TempDir(), &apptest.Equipment{Step: 20 * time.Millisecond}
	a := started(t, dir, e)
	first, err := a.Setup.State()
	if err != nil {
		t.Fatal(err)
	}
	if first.Ready || !first.Wanted || first.Machine.Cores != 4 {
		t.Errorf("a bare computer: %+v", first)
	}
	if got := []app.Fit{first.Models[0].Fits, first.Models[1].Fits, first.Models[2].Fits}; got[0] != app.FitsWell || got[1] != app.FitsWell || got[2] != app.FitsNot {
		t.Errorf("what fits into 8 GB: %v", got)
	}
	if err := a.Setup.Pull([]string{"ears", "judge"}); err != nil {
		t.Fatal(err)
	}
	await(t, "the first comes", func() bool { return stateOf(a, "ears").Progress.Done >= 300 })
	if err := a.Setup.Pause("judge"); err != nil {
		t.Fatal(err)
	}
	a.Close()

	b := started(t, dir, e)
	defer b.Close()
	if d := stateOf(b, "judge"); d.State != app.DownloadPaused {
		t.Errorf("after the restart judge is %s", d.State)
	}
	await(t, "the first is there", func() bool { return stateOf(b, "ears").State == app.DownloadDone })
	if err := b.Setup.Pull([]string{"judge"}); err != nil {
		t.Fatal(err)
	}
	await(t, "both are there", func() bool { return stateOf(b, "judge").State == app.DownloadDone })
	last, err := b.Setup.State()
	if err != nil {
		t.Fatal(err)
	}
	if !last.Ready || last.Wanted {
		t.Errorf("set up: ready %v, wanted %v", last.Ready, last.Wanted)
	}
}

// A download that fails says why, and the next one still comes.
func TestDownloadFails(t *testing.T) {
	e := &apptest.Equipment{Fail: map[string]error{"ears": audit.Errorf(audit.CodeNetwork, "No source could be reached.")}}
	a := started(t, t.TempDir(), e)
	defer a.Close()
	if err := a.Setup.Pull([]string{"ears", "judge"}); err != nil {
		t.Fatal(err)
	}
	await(t, "the second is there", func() bool { return stateOf(a, "judge").State == app.DownloadDone })
	d := stateOf(a, "ears")
	if d.State != app.DownloadFailed || d.Problem == nil || d.Problem.Sentence != "No source could be reached." {
		t.Errorf("%+v", d)
	}
	if err := a.Setup.Forget("ears"); err != nil || len(a.Setup.Downloads()) != 1 {
		t.Errorf("forgotten: %v, %+v", err, a.Setup.Downloads())
	}
}

// Preparer and approver are two people, and the record says which one decided.
func TestTwoPeople(t *testing.T) {
	a := started(t, t.TempDir(), &apptest.Equipment{})
	defer a.Close()
	set, err := a.Settings.Get()
	if err != nil {
		t.Fatal(err)
	}
	set.Reviewer, set.Approver = "Lena Brandt", " lena  brandt "
	if err := a.Settings.Set(set); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("the same person twice: %v", err)
	}
	set.Approver, set.Acting = "", app.ActingApprover
	if err := a.Settings.Set(set); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("an approver without a name: %v", err)
	}
	set.Approver = "Jonas Weil"
	if err := a.Settings.Set(set); err != nil {
		t.Fatal(err)
	}
	run, err := a.Audits.Start(app.NewAudit{Path: "/v.mp4"})
	if err != nil {
		t.Fatal(err)
	}
	var id string
	await(t, "the audit is done", func() bool {
		for _, r := range a.Audits.Runs() {
			if r.ID == run {
				id = r.AuditID
			}
		}
		return id != ""
	})
	got, err := a.Reviews.Decide(id, app.Verdict{FindingID: "f1", Action: "accept"})
	if err != nil || len(got) != 1 || got[0].By != "Jonas Weil" {
		t.Errorf("decided: %+v, %v", got, err)
	}
}

// hints are what a site and a transcript say.
type hints struct{ proposed []audit.ProposedFact }

func (h hints) Look(_ context.Context, address string) (app.Site, error) {
	return app.Site{
		Video: audit.Video{Path: address, SourceURL: address, Title: "A talk", DurationMS: 60_000}, Proposed: h.proposed,
	}, nil
}

func (h hints) Propose(context.Context, []string) ([]audit.ProposedFact, error) {
	return h.proposed, nil
}

// What a page says of its video fills title and length, and proposes facts: none
// of them is set.
func TestLookProposes(t *testing.T) {
	parts := apptest.New(t.TempDir(), audit.Video{Path: "/v.mp4", DurationMS: 4000}).Parts()
	parts.Hinter = hints{[]audit.ProposedFact{{Fact: "published", Value: "2026-02-03"}, {Fact: "paid", Value: "yes", Excerpt: "#ad"}}}
	a := app.New(parts, app.Options{Dir: t.TempDir(), Shell: &quiet{}})
	defer a.Close()
	plain, err := a.Audits.Inspect("https://video.example/w")
	if err != nil || len(plain.Proposed) != 0 {
		t.Fatalf("without asking the site: %+v, %v", plain, err)
	}
	in, err := a.Audits.Look("https://video.example/w")
	if err != nil {
		t.Fatal(err)
	}
	if in.Video.Title != "A talk" || in.Video.DurationMS != 60_000 || len(in.Proposed) != 2 {
		t.Errorf("%+v", in)
	}
	if in.Facts != (audit.Facts{}).WithDefaults() {
		t.Errorf("a proposal was taken for a fact: %+v", in.Facts)
	}
	file, err := a.Audits.Inspect("/v.mp4")
	if err != nil || len(file.Proposed) != 2 {
		t.Errorf("of a file: %+v, %v", file.Proposed, err)
	}
}
