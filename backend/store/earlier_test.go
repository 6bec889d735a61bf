package store_test

import (
	"strings"
	"testing"
	"time"

	"veristream/backend/audit"
	"veristream/backend/store"
)

func TestEarlier(t *testing.T) {
	ctx, s := t.Context(), open(t)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s.SetClock(func() time.Time { now = now.Add(time.Second); return now })
	make := func(a store.Audit, done bool) store.Audit {
		a, err := s.CreateAudit(ctx, a)
		if err == nil && done {
			err = s.SaveResult(ctx, &audit.Result{ID: a.ID})
		}
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	first := make(store.Audit{Path: "/v/a.mp4", VideoSHA256: "aa", Address: "https://example.com/a"}, true)
	second := make(store.Audit{Path: "/v/a.mp4", VideoSHA256: "bb"}, true)
	make(store.Audit{Path: "/v/a.mp4", VideoSHA256: "bb"}, false) // it never ended
	gone := make(store.Audit{Path: "/v/a.mp4", VideoSHA256: "bb"}, true)
	if err := s.DeleteAudit(ctx, gone.ID); err != nil {
		t.Fatal(err)
	}
	later := now.Add(time.Hour)
	for _, tt := range []struct {
		name  string
		a     store.Audit
		want  string
		found string
	}{
		{"the last of the same path", store.Audit{Path: "/v/a.mp4", Created: later}, second.ID, audit.SincePath},
		{"another path, the same address", store.Audit{Path: "/v/x", Address: "https://example.com/a", Created: later}, first.ID, audit.SinceAddress},
		{"moved", store.Audit{Path: "/v/b.mp4", VideoSHA256: "aa", Created: later}, first.ID, audit.SinceContent},
		{"the one before itself", store.Audit{ID: second.ID, Path: "/v/a.mp4", Created: second.Created}, first.ID, audit.SincePath},
		{"none before the first", store.Audit{ID: first.ID, Path: "/v/a.mp4", Created: first.Created}, "", ""},
		{"something else", store.Audit{Path: "/v/c.mp4", VideoSHA256: "cc", Created: later}, "", ""},
	} {
		got, found, ok, err := s.Earlier(ctx, tt.a)
		if err != nil || got.ID != tt.want || found != tt.found || ok != (tt.want != "") {
			t.Errorf("%s: %q by %q, %v", tt.name, got.ID, found, err)
		}
	}
}

// Decisions that were carried over stand in the audit's record and in the chain,
// under the name of who made them.
func TestCarriedDecisionsAreRecorded(t *testing.T) {
	ctx, s := t.Context(), open(t)
	a, err := s.CreateAudit(ctx, store.Audit{})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	r := &audit.Result{
		ID: a.ID, Findings: []audit.Finding{{ID: "f1"}, {ID: "f2"}},
		Since: &audit.Since{AuditID: "before", Found: audit.SincePath, Carried: []audit.CarriedFinding{{FindingID: "f1"}}},
	}
	d := audit.Decision{FindingID: "f1", Action: "dismiss", Reason: "quoted", By: "K. Tran", At: at, Carried: &audit.Origin{AuditID: "before", From: "before"}}
	if err := s.SaveResult(ctx, r, d); err != nil {
		t.Fatal(err)
	}
	got, err := s.Decisions(ctx, a.ID)
	if err != nil || len(got) != 1 || got[0].By != "K. Tran" || !got[0].At.Equal(at) || got[0].Carried == nil || got[0].Carried.From != "before" {
		t.Errorf("got %+v, %v", got, err)
	}
	if rec, err := s.Audit(ctx, a.ID); err != nil || rec.Counts.Decided != 1 {
		t.Errorf("got %+v, %v", rec.Counts, err)
	}
	events, err := s.Events(ctx, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, e := range events {
		kinds = append(kinds, e.Kind)
	}
	if want := "audit begun, audit done, audit compared, decision carried"; strings.Join(kinds, ", ") != want {
		t.Errorf("the record has %v", kinds)
	}
	for part, e := range map[string]audit.Event{`"with":"before"`: events[2], `"from":"before"`: events[3]} {
		if !strings.Contains(string(e.Data), part) {
			t.Errorf("%s: %s", e.Kind, e.Data)
		}
	}
	if err := s.VerifyEvents(ctx); err != nil {
		t.Error(err)
	}
	// It can be opened again, and compared with another audit later on.
	if err := s.SaveDecision(ctx, a.ID, audit.Decision{FindingID: "f1", Action: "reopen", By: "p"}); err != nil {
		t.Fatal(err)
	}
	r.Since.AuditID = "another"
	if err := s.SaveSince(ctx, r, nil); err != nil {
		t.Fatal(err)
	}
	if kept, err := s.Result(ctx, a.ID); err != nil || kept.Since.AuditID != "another" {
		t.Errorf("got %+v, %v", kept, err)
	}
	if err := s.SaveSince(ctx, &audit.Result{ID: "none"}, nil); err == nil {
		t.Error("compared an audit that is not there")
	}
}
