package store_test

import (
	"errors"
	"testing"
	"time"

	"veristream/backend/audit"
	"veristream/backend/store"
)

func TestAuditLife(t *testing.T) {
	ctx, s := t.Context(), open(t)
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	s.SetClock(func() time.Time { now = now.Add(time.Second); return now })

	first, err := s.CreateAudit(ctx, store.Audit{VideoSHA256: "v1", Title: "Dividend tips", Path: "/tmp/a.mp4", Facts: audit.Facts{Paid: "yes"}})
	if err != nil {
		t.Fatal(err)
	}
	second, err := s.CreateAudit(ctx, store.Audit{VideoSHA256: "v2", Title: "Options"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SaveVideo(ctx, audit.Video{SHA256: "v1", Title: "Dividend tips"}); err != nil {
		t.Fatal(err)
	}
	first.State = store.StateRunning
	if err := s.UpdateAudit(ctx, first); err != nil {
		t.Fatal(err)
	}
	result := &audit.Result{
		ID:       first.ID,
		Segments: []audit.Segment{{ID: "s1", Source: audit.Speech, StartMS: 0, EndMS: 900, Text: "Guaranteed."}},
		Findings: []audit.Finding{
			{ID: "f1", Severity: audit.High, SegmentID: "s1", Excerpt: "Guaranteed"},
			{ID: "f2", Severity: audit.Low},
		},
	}
	if _, err := s.Result(ctx, first.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a result before there is one: %v", err)
	}
	if err := s.SaveResult(ctx, result); err != nil {
		t.Fatal(err)
	}
	for _, d := range []audit.Decision{
		{FindingID: "f1", Action: "dismiss", By: "p"},
		{FindingID: "f2", Action: "accept", By: "p"},
		{FindingID: "f2", Action: "comment", By: "p"},
		{FindingID: "f1", Action: "reopen", By: "p"},
	} {
		if err := s.SaveDecision(ctx, first.ID, d); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Audit(ctx, first.ID)
	if err != nil {
		t.Fatal(err)
	}
	if want := (store.Counts{Findings: 2, High: 1, Low: 1, Decided: 1}); got.Counts != want || got.State != store.StateDone || got.Facts.Paid != "yes" {
		t.Errorf("got %+v", got)
	}
	if r, err := s.Result(ctx, first.ID); err != nil || len(r.Findings) != 2 || r.Segments[0].Text != "Guaranteed." {
		t.Errorf("got %+v, %v", r, err)
	}
	if segs, err := s.Segments(ctx, first.ID); err != nil || len(segs) != 1 {
		t.Errorf("got %v, %v", segs, err)
	}
	if d, err := s.Decisions(ctx, first.ID); err != nil || len(d) != 4 || d[0].Action != "dismiss" || d[0].At.IsZero() {
		t.Errorf("got %v, %v", d, err)
	}

	for _, tt := range []struct {
		filter store.AuditFilter
		want   []string
	}{
		{store.AuditFilter{}, []string{second.ID, first.ID}},
		{store.AuditFilter{Limit: 1, Offset: 1}, []string{first.ID}},
		{store.AuditFilter{Text: "DIVIDEND"}, []string{first.ID}},
		{store.AuditFilter{Text: "a.mp4"}, []string{first.ID}},
		{store.AuditFilter{State: store.StateNew}, []string{second.ID}},
		{store.AuditFilter{VideoSHA256: "v2"}, []string{second.ID}},
		{store.AuditFilter{Deleted: true}, nil},
	} {
		list, err := s.ListAudits(ctx, tt.filter)
		var ids []string
		for _, a := range list {
			ids = append(ids, a.ID)
		}
		if err != nil || len(ids) != len(tt.want) || (len(ids) > 0 && ids[0] != tt.want[0]) {
			t.Errorf("%+v: got %v, %v; want %v", tt.filter, ids, err, tt.want)
		}
	}

	if err := s.SaveStage(ctx, store.Key{Content: "v1", Stage: "transcribe"}, []byte(`[]`)); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteAudit(ctx, first.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.RestoreAudit(ctx, first.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteAudit(ctx, first.ID); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteAudit(ctx, first.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("deleted twice: %v", err)
	}
	if n, err := s.PurgeAudits(ctx, now.Add(-time.Hour)); err != nil || n != 0 {
		t.Errorf("purged within the undo window: %d, %v", n, err)
	}
	if n, err := s.PurgeAudits(ctx, now.Add(time.Hour)); err != nil || n != 1 {
		t.Errorf("purged %d, %v", n, err)
	}
	if _, err := s.Audit(ctx, first.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("still there: %v", err)
	}
	if d, err := s.Decisions(ctx, first.ID); err != nil || len(d) != 0 {
		t.Errorf("decisions stay behind: %v, %v", d, err)
	}
	if _, ok, err := s.StageResult(ctx, store.Key{Content: "v1", Stage: "transcribe"}); err != nil || ok {
		t.Errorf("stage results stay behind: %v", err)
	}
	if err := s.VerifyEvents(ctx); err != nil {
		t.Error(err)
	}
}

func TestDecisionsCannotBeChanged(t *testing.T) {
	ctx, s := t.Context(), open(t)
	a, err := s.CreateAudit(ctx, store.Audit{Title: "x"})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SaveDecision(ctx, a.ID, audit.Decision{FindingID: "none", Action: "accept"}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a decision about nothing: %v", err)
	}
	if err := s.SaveResult(ctx, &audit.Result{ID: a.ID, Findings: []audit.Finding{{ID: "f"}}}); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveDecision(ctx, a.ID, audit.Decision{FindingID: "f", Action: "accept"}); err != nil {
		t.Fatal(err)
	}
	for _, stmt := range []string{
		`UPDATE decisions SET json = '{}'`, `DELETE FROM decisions`,
		`UPDATE events SET json = '{}'`, `DELETE FROM events`,
	} {
		if err := s.Exec(ctx, stmt); err == nil {
			t.Errorf("%s went through", stmt)
		}
	}
	// A new run replaces the findings; what was decided stays on record.
	if err := s.SaveResult(ctx, &audit.Result{ID: a.ID}); err != nil {
		t.Fatal(err)
	}
	if d, err := s.Decisions(ctx, a.ID); err != nil || len(d) != 1 {
		t.Errorf("got %v, %v", d, err)
	}
}

func TestEventLogShowsTampering(t *testing.T) {
	ctx, s := t.Context(), open(t)
	for i := range 3 {
		if err := s.AppendEvent(ctx, "k", "s", i); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Exec(ctx, `DROP TRIGGER events_unchanged; UPDATE events SET json = '9' WHERE seq = 2`); err != nil {
		t.Fatal(err)
	}
	storageError(t, s.VerifyEvents(ctx), "entry 2")
}

func TestStagesSettingsProfiles(t *testing.T) {
	ctx, s := t.Context(), open(t)
	key := store.Key{Content: "c", Stage: "ocr", Params: "p", Model: "m"}
	if _, ok, err := s.StageResult(ctx, key); ok || err != nil {
		t.Fatalf("%v, %v", ok, err)
	}
	for _, v := range []string{`{"a":1}`, `{"a":2}`} {
		if err := s.SaveStage(ctx, key, []byte(v)); err != nil {
			t.Fatal(err)
		}
	}
	if got, ok, err := s.StageResult(ctx, key); !ok || err != nil || string(got) != `{"a":2}` {
		t.Errorf("got %s, %v, %v", got, ok, err)
	}
	other := key
	other.Model = "m2"
	if _, ok, _ := s.StageResult(ctx, other); ok {
		t.Error("another model's result was given")
	}
	if n, err := s.DropStages(ctx, "c"); n != 1 || err != nil {
		t.Errorf("dropped %d, %v", n, err)
	}

	if err := s.SaveProfile(ctx, "firm", audit.Facts{Speaker: "finra_member"}); err != nil {
		t.Fatal(err)
	}
	var f audit.Facts
	if ok, err := s.Profile(ctx, "firm", &f); !ok || err != nil || f.Speaker != "finra_member" {
		t.Errorf("got %+v, %v, %v", f, ok, err)
	}
	if names, err := s.Profiles(ctx); err != nil || len(names) != 1 {
		t.Errorf("got %v, %v", names, err)
	}
	if err := s.DeleteProfile(ctx, "firm"); err != nil {
		t.Error(err)
	}
	if ok, err := s.Profile(ctx, "firm", &f); ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
}

func TestAppendSegments(t *testing.T) {
	ctx, s := t.Context(), open(t)
	a, err := s.CreateAudit(ctx, store.Audit{})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"s1", "s2", "s3"} {
		if err := s.AppendSegments(ctx, a.ID, audit.Segment{ID: id, Text: id}); err != nil {
			t.Fatal(err)
		}
	}
	if segs, err := s.Segments(ctx, a.ID); err != nil || len(segs) != 3 || segs[2].ID != "s3" {
		t.Errorf("got %v, %v", segs, err)
	}
	if err := s.ReplaceSegments(ctx, a.ID, []audit.Segment{{ID: "only"}}); err != nil {
		t.Fatal(err)
	}
	if segs, err := s.Segments(ctx, a.ID); err != nil || len(segs) != 1 || segs[0].ID != "only" {
		t.Errorf("got %v, %v", segs, err)
	}
}
