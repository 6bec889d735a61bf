package batch_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"veristream/app/batch"
	"veristream/app/dirs"
	"veristream/backend/audit"
	"veristream/backend/store"
)

func open(t *testing.T) *batch.Queue {
	t.Helper()
	home := t.TempDir()
	d := dirs.Dirs{Data: filepath.Join(home, "data"), Cache: filepath.Join(home, "cache")}
	st, err := store.Open(t.Context(), d.Database())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return &batch.Queue{Store: st, Dirs: d}
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func rows(t *testing.T, q *batch.Queue) (out []string) {
	t.Helper()
	jobs, err := q.Store.Jobs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs {
		out = append(out, filepath.Base(j.Input)+" "+string(j.State))
	}
	return out
}

// Of a folder the recordings are queued, one row each, and nothing twice.
func TestAdd(t *testing.T) {
	q, dir := open(t), t.TempDir()
	for _, name := range []string{
		"a.mp4", "a.srt", "a.en.vtt", "a.screen.srt", "b.srt", "b.screen.srt", "b.description.txt", "notes.txt", ".hidden.mp4", ".trash/x.mp4",
		"deep/ünder/c é.MOV", "d.mp4.part",
	} {
		write(t, filepath.Join(dir, name), name)
	}
	added, passed, err := q.Add(t.Context(), []string{dir, filepath.Join(dir, "a.mp4"), "https://videos.example/1", filepath.Join(dir, "none.mp4"), t.TempDir()}, batch.Request{}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a.mp4 queued", "b.srt queued", "c é.MOV queued", "1 queued"}; !slices.Equal(rows(t, q), want) || len(added) != 4 {
		t.Errorf("queued %v, want %v", rows(t, q), want)
	}
	if len(passed) != 3 || !strings.Contains(passed[1].Why, "no file") || !strings.Contains(passed[2].Why, "no video") {
		t.Errorf("passed over %+v", passed)
	}
	if _, _, err := q.Add(t.Context(), []string{dir}, batch.Request{Facts: &audit.Facts{Paid: "perhaps"}}, 0); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("wrong facts: %v", err)
	}
}

func TestTakeAndEnd(t *testing.T) {
	q, dir := open(t), t.TempDir()
	ctx := t.Context()
	var in []string
	for _, name := range []string{"a.mp4", "b.mp4", "c.mp4", "d.mp4"} {
		in = append(in, write(t, filepath.Join(dir, name), name))
	}
	if _, _, err := q.Add(ctx, in, batch.Request{AsOf: "2026-01-02"}, 0); err != nil {
		t.Fatal(err)
	}
	take := func(want string) *batch.Taken {
		t.Helper()
		got, err := q.Take(ctx)
		if err != nil || got == nil || filepath.Base(got.Job.Input) != want || got.Request.AsOf != "2026-01-02" {
			t.Fatalf("took %+v, %v; want %s", got, err, want)
		}
		return got
	}
	a, b := take("a.mp4"), take("b.mp4") // a second process gets the next one
	if err := a.End(ctx, nil, audit.Errorf(audit.CodeInput, "It is empty."), false); err != nil {
		t.Fatal(err)
	}
	if err := b.End(ctx, nil, context.Canceled, true); err != nil { // the program is closed
		t.Fatal(err)
	}
	b = take("b.mp4")
	watched, stop := b.Watch(ctx)
	defer stop()
	if err := q.Remove(ctx, b.Job.ID); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("removed while it works: %v", err)
	}
	if err := q.Cancel(ctx, b.Job.ID); err != nil { // as another process does
		t.Fatal(err)
	}
	select {
	case <-watched.Done():
	case <-time.After(time.Minute):
		t.Fatal("the job goes on")
	}
	if err := b.End(ctx, nil, watched.Err(), false); err != nil {
		t.Fatal(err)
	}
	if err := take("c.mp4").End(ctx, &audit.Result{ID: "x", Video: audit.Video{Title: "The third"}}, nil, false); err != nil {
		t.Fatal(err)
	}
	if want := []string{"d.mp4 queued", "a.mp4 failed", "c.mp4 done", "b.mp4 cancelled"}; !slices.Equal(rows(t, q), want) {
		t.Errorf("%v, want %v", rows(t, q), want)
	}
	failed, err := q.Find(ctx, in[0])
	if err != nil || failed.Problem == nil || failed.Problem.Sentence != "It is empty." {
		t.Errorf("%+v, %v", failed, err)
	}
	if err := q.Retry(ctx, failed.ID, true); err != nil {
		t.Fatal(err)
	}
	if r := take("a.mp4"); !r.Request.Admit || r.Job.Problem != nil {
		t.Errorf("again: %+v", r)
	}
	if n, err := q.Clear(ctx); err != nil || n != 2 {
		t.Errorf("cleared %d, %v", n, err)
	}
}

// A job whose process dies waits again, and is given up when it has taken its
// process down too often.
func TestJobOfADeadProcess(t *testing.T) {
	q := open(t)
	ctx := t.Context()
	if _, _, err := q.Add(ctx, []string{write(t, filepath.Join(t.TempDir(), "a.mp4"), "a")}, batch.Request{}, 0); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		jobs, err := q.Store.Jobs(ctx)
		if err != nil {
			t.Fatal(err)
		}
		j := jobs[0]
		if j.State != store.JobQueued || j.Cut != i {
			t.Fatalf("after %d deaths: %+v", i, j)
		}
		j.State = store.JobWorking // and no process holds its lock
		if ok, err := q.Store.SetJob(ctx, j, store.JobQueued); err != nil || !ok {
			t.Fatal(ok, err)
		}
		taken, err := q.Take(ctx)
		if err != nil || (taken == nil) != (i == 2) {
			t.Fatalf("death %d: %+v, %v", i+1, taken, err)
		}
		if taken != nil {
			if err := taken.End(ctx, nil, context.Canceled, true); err != nil {
				t.Fatal(err)
			}
		}
	}
	jobs, err := q.Store.Jobs(ctx)
	if err != nil || jobs[0].State != store.JobFailed || jobs[0].Problem == nil || !strings.Contains(jobs[0].Problem.Sentence, "3 times") {
		t.Errorf("%+v, %v", jobs, err)
	}
}

// A watched folder: a new file is queued once, when it is whole, by its content.
func TestWatch(t *testing.T) {
	q, dir := open(t), t.TempDir()
	ctx := t.Context()
	if _, err := q.Watch(ctx, filepath.Join(dir, "none"), batch.Request{}); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("watched what is not there: %v", err)
	}
	if _, err := q.Watch(ctx, dir, batch.Request{AsOf: "2026-01-02"}); err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	var told []string
	fresh := func() *batch.Watcher {
		return &batch.Watcher{Queue: q, Now: func() time.Time { return now }, Tell: func(path string, err error) {
			if err != nil {
				path += ": " + err.Error()
			}
			told = append(told, filepath.Base(path))
		}}
	}
	w := fresh()
	look := func(why string, want ...string) {
		t.Helper()
		now = now.Add(6 * time.Second)
		if err := w.Look(ctx); err != nil {
			t.Fatal(err)
		}
		if got := rows(t, q); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", why, got, want)
		}
	}
	a := write(t, filepath.Join(dir, "a.mp4"), "half")
	write(t, filepath.Join(dir, "empty.mp4"), "")
	look("just seen")
	write(t, a, "half and the rest")
	look("it has grown")
	look("still for 6 s")
	copying, err := os.OpenFile(filepath.Join(dir, "b.mp4"), os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := copying.WriteString("a copy that pauses"); err != nil {
		t.Fatal(err)
	}
	look("still for 12 s", "a.mp4 queued")
	look("queued once", "a.mp4 queued")
	look("b is held open by its writer", "a.mp4 queued")
	if err := copying.Close(); err != nil {
		t.Fatal(err)
	}
	look("b is whole", "a.mp4 queued", "b.mp4 queued")
	write(t, filepath.Join(dir, "a again.mp4"), "half and the rest")
	look("a by another name", "a.mp4 queued", "b.mp4 queued")
	look("still", "a.mp4 queued", "b.mp4 queued")
	look("the same content is not queued twice", "a.mp4 queued", "b.mp4 queued")
	w = fresh() // the program is started again, and a's row is gone
	j, err := q.Find(ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	if err := q.Remove(ctx, j.ID); err != nil {
		t.Fatal(err)
	}
	for range 4 {
		look("after a new start", "b.mp4 queued")
	}
	if want := []string{"a.mp4", "b.mp4"}; !slices.Equal(told, want) {
		t.Errorf("told %v, want %v", told, want)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	look("the folder is gone", "b.mp4 queued")
	if len(told) != 3 {
		t.Errorf("the trouble is told as %v", told)
	}
	if err := q.Unwatch(ctx, dir); err != nil {
		t.Error(err)
	}
	if err := q.Unwatch(ctx, dir); audit.CodeOf(err) != audit.CodeUsage || errors.Is(err, store.ErrNotFound) {
		t.Errorf("unwatched twice: %v", err)
	}
}
