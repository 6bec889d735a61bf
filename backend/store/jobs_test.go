package store_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/store"
)

func inputs(t *testing.T, s *store.Store) []string {
	t.Helper()
	jobs, err := s.Jobs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, j := range jobs {
		out = append(out, j.Input)
	}
	return out
}

func TestQueueOrder(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	jobs, err := s.AddJobs(ctx, store.Job{Input: "a"}, store.Job{Input: "b"}, store.Job{Input: "c"}, store.Job{Input: "d", Priority: 1})
	if err != nil {
		t.Fatal(err)
	}
	order := func(why string, want ...string) {
		t.Helper()
		if got := inputs(t, s); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", why, got, want)
		}
	}
	order("by priority", "d", "a", "b", "c")
	if err := s.MoveJob(ctx, jobs[2].ID, jobs[0].ID); err != nil {
		t.Fatal(err)
	}
	order("c before a", "d", "c", "a", "b")
	if err := s.MoveJob(ctx, jobs[1].ID, jobs[3].ID); err != nil {
		t.Fatal(err)
	}
	order("b before d, which has priority", "b", "d", "c", "a")
	if err := s.MoveJob(ctx, jobs[3].ID, ""); err != nil {
		t.Fatal(err)
	}
	order("d at the end", "b", "c", "a", "d")
	if err := s.SetPriority(ctx, jobs[0].ID, 2); err != nil {
		t.Fatal(err)
	}
	order("a has more", "a", "b", "c", "d")
	if err := s.MoveJob(ctx, "none", ""); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("moved what is not there: %v", err)
	}
}

// What is done stands in the order of its risk; a state changes once.
func TestQueueStates(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	risk := map[string][]audit.Severity{
		"quiet": nil, "loud": {audit.High}, "middling": {audit.Medium, audit.Medium, audit.Low}, "louder": {audit.High, audit.Medium},
	}
	for _, name := range []string{"quiet", "loud", "middling", "louder"} {
		added, err := s.AddJobs(ctx, store.Job{Input: name, Request: json.RawMessage(`{"as_of":"2026-01-01"}`)})
		if err != nil {
			t.Fatal(err)
		}
		j := added[0]
		a, err := s.CreateAudit(ctx, store.Audit{Path: name})
		if err != nil {
			t.Fatal(err)
		}
		r := &audit.Result{ID: a.ID}
		for i, severity := range risk[name] {
			r.Findings = append(r.Findings, audit.Finding{ID: string(rune('a' + i)), Severity: severity})
		}
		if err := s.SaveResult(ctx, r); err != nil {
			t.Fatal(err)
		}
		j.State = store.JobWorking
		if ok, err := s.SetJob(ctx, j, store.JobQueued); err != nil || !ok {
			t.Fatalf("taken: %v, %v", ok, err)
		}
		if ok, err := s.SetJob(ctx, j, store.JobQueued); err != nil || ok {
			t.Errorf("taken twice: %v, %v", ok, err)
		}
		if err := s.RemoveJob(ctx, j.ID); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a job that works was removed: %v", err)
		}
		j.State, j.AuditID = store.JobDone, a.ID
		if ok, err := s.SetJob(ctx, j, store.JobWorking); err != nil || !ok {
			t.Fatalf("ended: %v, %v", ok, err)
		}
	}
	bad, err := s.AddJobs(ctx, store.Job{Input: "bad"})
	if err != nil {
		t.Fatal(err)
	}
	bad[0].State, bad[0].Problem = store.JobFailed, &store.JobProblem{Code: "input", Sentence: "It is empty."}
	if _, err := s.SetJob(ctx, bad[0], store.JobQueued); err != nil {
		t.Fatal(err)
	}
	if got, want := inputs(t, s), []string{"bad", "louder", "loud", "middling", "quiet"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	got, err := s.Job(ctx, bad[0].ID)
	if err != nil || got.Problem == nil || got.Problem.Sentence != "It is empty." || string(got.Request) != "{}" {
		t.Errorf("%+v, %v", got, err)
	}
	if err := s.RemoveJob(ctx, got.ID); err != nil {
		t.Error(err)
	}
}

// A content is queued from a watched folder once, and not at all when it was
// audited.
func TestQueueSeen(t *testing.T) {
	s := open(t)
	ctx := t.Context()
	a, err := s.CreateAudit(ctx, store.Audit{Path: "old.mp4", VideoSHA256: "aa"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SaveResult(ctx, &audit.Result{ID: a.ID}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		sha  string
		want bool
	}{{"aa", false}, {"bb", true}, {"bb", false}} {
		if added, err := s.AddSeen(ctx, tt.sha, store.Job{Input: tt.sha}); err != nil || added != tt.want {
			t.Errorf("%s: %v, %v", tt.sha, added, err)
		}
	}
	if added, err := s.AddSeen(ctx, "cc", store.Job{Input: "bb"}); err != nil || added {
		t.Errorf("queued while it waits: %v, %v", added, err)
	}
	if got := inputs(t, s); !slices.Equal(got, []string{"bb"}) {
		t.Errorf("queued %v", got)
	}
	if err := s.SetWatch(ctx, store.Watch{Folder: "/in"}); err != nil {
		t.Fatal(err)
	}
	if w, err := s.Watches(ctx); err != nil || len(w) != 1 || w[0].Folder != "/in" {
		t.Errorf("%+v, %v", w, err)
	}
	if err := s.RemoveWatch(ctx, "/in"); err != nil {
		t.Error(err)
	}
}
