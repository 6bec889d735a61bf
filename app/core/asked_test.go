package core_test

import (
	"reflect"
	"testing"

	"veristream/app/core"
	"veristream/app/dirs"
	"veristream/backend/ask"
)

// What was asked can be read again as it was answered, with what it rests on.
func TestPastQuestions(t *testing.T) {
	t.Setenv("VERISTREAM_HOME", t.TempDir())
	a, err := core.OpenAnswers(t.Context(), core.Options{Dirs: dirs.Find(), Version: "test", NoLLM: true})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	var asked []ask.Answer
	for _, text := range []string{"May a testimonial be paid for without saying so?", "What does FINRA 2210(d)(1)(B) forbid?"} {
		ans, err := a.Ask(t.Context(), ask.Question{Text: text, NoLLM: true, Fast: true})
		if err != nil {
			t.Fatal(err)
		}
		asked = append(asked, ans)
	}
	past, err := a.Past(t.Context(), 10)
	if err != nil || len(past) != 2 {
		t.Fatalf("got %d earlier questions, %v", len(past), err)
	}
	for i, p := range past {
		want := asked[len(asked)-1-i]
		if p.Answer.Refused != want.Refused || p.Answer.Text != want.Text || len(p.Answer.Sentences) != len(want.Sentences) {
			t.Errorf("%q: got %+v, want %+v", p.Question, p.Answer, want)
			continue
		}
		for k, s := range want.Sentences {
			if got := p.Answer.Sentences[k]; got.Text != s.Text || !reflect.DeepEqual(got.Support, s.Support) {
				t.Errorf("%q: sentence %d is %+v, was %+v", p.Question, k, got, s)
			}
			for _, sup := range s.Support {
				found := false
				for _, h := range p.Answer.Hits {
					found = found || h.Rank == sup.Passage && h.Passage.Source == sup.Source && h.Passage.Citation != ""
				}
				if !found {
					t.Errorf("%q: nothing leads to passage %d", p.Question, sup.Passage)
				}
			}
		}
	}
	if len(asked[0].Sentences)+len(asked[1].Sentences) == 0 {
		t.Error("neither question was answered: nothing was compared")
	}
	if last, err := a.Past(t.Context(), 1); err != nil || len(last) != 1 || last[0].Question != past[0].Question {
		t.Errorf("the last question is %+v, %v", last, err)
	}
}
