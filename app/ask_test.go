package app_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"veristream/app"
	"veristream/app/apptest"
	"veristream/backend/audit"
)

// answered waits until a question is not worked on any more.
func (b *bench) answered(t *testing.T, id string) app.Exchange {
	t.Helper()
	for range 2000 {
		for _, e := range b.Questions.Exchanges() {
			if e.ID == id && e.State != app.ExchangeWorking {
				return e
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("question %s is never answered", id)
	return app.Exchange{}
}

func (b *bench) ask(t *testing.T, req app.AskRequest) app.Exchange {
	t.Helper()
	if req.Mode == "" {
		req.Mode = app.ModeStandard
	}
	id, err := b.Questions.Ask(req)
	if err != nil {
		t.Fatal(err)
	}
	return b.answered(t, id)
}

func TestAQuestionIsAnsweredSentenceBySentence(t *testing.T) {
	b := set(t, t.TempDir(), nil)
	e := b.ask(t, app.AskRequest{Thread: "one", Text: "  what must a firm write? "})
	if e.State != app.ExchangeDone || e.Request.Text != "what must a firm write?" || len(e.Answer.Sentences) != 2 || e.Answer.Notice != "" {
		t.Errorf("got %+v", e)
	}
	b.shell.mu.Lock()
	var seen []int
	passages := -1
	for _, x := range b.shell.exchanges {
		seen = append(seen, len(x.Answer.Sentences))
		if len(x.Answer.Passages) > 0 && passages < 0 {
			passages = len(x.Answer.Sentences)
		}
	}
	b.shell.mu.Unlock()
	if !slices.IsSorted(seen) || !slices.Contains(seen, 1) || passages != 0 {
		t.Errorf("sentences came as %v, the passages after %d of them", seen, passages)
	}
	// The next question of the thread is asked after it, that of another is not.
	if e := b.ask(t, app.AskRequest{Thread: "one", Text: "and how long?"}); e.Answer.Notice != "After: what must a firm write?" {
		t.Errorf("in its thread: %q", e.Answer.Notice)
	}
	if e := b.ask(t, app.AskRequest{Thread: "two", Text: "and how long?"}); e.Answer.Notice != "" {
		t.Errorf("in another thread: %q", e.Answer.Notice)
	}
	b.Questions.Forget("one")
	if left := b.Questions.Exchanges(); len(left) != 1 || left[0].Request.Thread != "two" {
		t.Errorf("after forgetting a thread there are %d questions", len(left))
	}
}

func TestAnEarlierQuestionIsTakenUpAgain(t *testing.T) {
	b := set(t, t.TempDir(), nil)
	past, err := b.Questions.Past()
	if err != nil || len(past) != 1 || past[0].Answer.Passages == nil {
		t.Fatalf("got %+v, %v", past, err)
	}
	thread, err := b.Questions.Recall(past[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := b.Questions.Recall(past[0].ID); err != nil || again != thread || len(b.Questions.Exchanges()) != 1 {
		t.Errorf("recalled twice it is %q beside %q, %v", again, thread, err)
	}
	e := b.Questions.Exchanges()[0]
	if e.State != app.ExchangeDone || e.Request.Text != past[0].Text || e.Request.Mode != app.ModeCareful || len(e.Answer.Sentences) != 1 {
		t.Errorf("got %+v", e)
	}
	// What is asked next leans on it.
	if next := b.ask(t, app.AskRequest{Thread: thread, Text: "and how long?", Mode: app.ModeCareful}); next.Answer.Notice != "After: what must a firm keep?" {
		t.Errorf("in its thread: %q", next.Answer.Notice)
	}
	if _, err := b.Questions.Recall(8); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("a question that nobody asked: %v", err)
	}
}

func TestAQuestionIsRefusedWithItsReason(t *testing.T) {
	b := set(t, t.TempDir(), nil)
	e := b.ask(t, app.AskRequest{Text: "how is the weather"})
	if e.State != app.ExchangeDone || !e.Answer.Refused || e.Answer.Reason == "" || len(e.Answer.Passages) != 2 || e.Answer.Sentences == nil {
		t.Errorf("got %+v", e)
	}
}

func TestAQuestionIsCancelled(t *testing.T) {
	b := set(t, t.TempDir(), func(m *apptest.Machines) { m.Step = time.Minute })
	id, err := b.Questions.Ask(app.AskRequest{Text: "what must a firm write?", Mode: app.ModeFast})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Questions.Ask(app.AskRequest{Text: "another", Mode: app.ModeFast}); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("a second question at once: %v", err)
	}
	if err := b.Questions.Cancel(id); err != nil {
		t.Fatal(err)
	}
	if e := b.answered(t, id); e.State != app.ExchangeCancelled || e.Problem != nil {
		t.Errorf("got %+v", e)
	}
	if err := b.Questions.Cancel("q99"); err == nil {
		t.Error("a question that nobody asked can be stopped")
	}
}

func TestAQuestionFailsWithASentence(t *testing.T) {
	b := set(t, t.TempDir(), func(m *apptest.Machines) {
		m.Fails = audit.Errorf(audit.CodeModel, "The language model does not answer.").WithDetails("exit status 2")
	})
	e := b.ask(t, app.AskRequest{Text: "what must a firm write?"})
	if e.State != app.ExchangeFailed || e.Problem == nil || e.Problem.Sentence != "The language model does not answer." || e.Problem.Details == "" {
		t.Errorf("got %+v", e)
	}
}

func TestQuestionsThatAreNone(t *testing.T) {
	b := set(t, t.TempDir(), nil)
	for name, req := range map[string]app.AskRequest{
		"empty":       {Text: " \n", Mode: app.ModeFast},
		"too long":    {Text: strings.Repeat("why ", 600), Mode: app.ModeFast},
		"no such way": {Text: "why", Mode: "thorough"},
		"no day":      {Text: "why", Mode: app.ModeFast, AsOf: "2026-02-30"},
	} {
		if _, err := b.Questions.Ask(req); audit.CodeOf(err) != audit.CodeUsage {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(b.Questions.Exchanges()); n != 0 {
		t.Errorf("%d of them are listed", n)
	}
}
