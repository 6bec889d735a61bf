package audit_test

import (
	"reflect"
	"testing"
	"time"

	"veristream/backend/audit"
)

func TestCorrect(t *testing.T) {
	at := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	word := func(text string, start, end int64) audit.Word {
		return audit.Word{Text: text, StartMS: start, EndMS: end, Probability: 0.5}
	}
	segments := []audit.Segment{
		{ID: "s1", Source: audit.Speech, StartMS: 0, EndMS: 1000, Text: "by the hall yard note", Words: []audit.Word{
			word("by", 0, 200), word("the", 200, 300), word("hall", 300, 500), word("yard", 500, 700), word("note", 700, 1000),
		}},
		{ID: "s2", Source: audit.Speech, StartMS: 1000, EndMS: 2000, Text: "Thanks for watching."},
		{ID: "s3", Source: audit.Speech, StartMS: 2000, EndMS: 3000, Text: "as it was", Flag: "silence"},
	}
	fix := func(i int, text string) audit.Correction {
		s := segments[i]
		return audit.Correction{Source: s.Source, StartMS: s.StartMS, EndMS: s.EndMS, Machine: s.Text, Text: text, By: "L. Brandt", At: at}
	}
	other := fix(0, "something else")
	other.Machine = "what another model heard"
	got, lost := audit.Correct(segments, []audit.Correction{
		fix(0, "a first try"), fix(0, "Buy the Halyard note"), fix(1, " "), fix(2, "as it is"), fix(2, "as it was"), other,
	})
	if lost != 1 {
		t.Errorf("%d fit no line, want 1", lost)
	}
	one := got[0]
	if one.Text != "Buy the Halyard note" || one.Corrected == nil || one.Corrected.Machine != "by the hall yard note" || one.Corrected.By != "L. Brandt" || !one.Corrected.At.Equal(at) {
		t.Errorf("%+v", one)
	}
	want := []audit.Word{{Text: "Buy", StartMS: 0, EndMS: 233}, {Text: "the", StartMS: 233, EndMS: 466}, {Text: "Halyard", StartMS: 466, EndMS: 700}, word("note", 700, 1000)}
	if !reflect.DeepEqual(one.Words, want) {
		t.Errorf("words %+v, want %+v", one.Words, want)
	}
	if got[1].Flag != audit.FlagStruck || got[1].Audited() || got[1].Text != "Thanks for watching." {
		t.Errorf("struck out: %+v", got[1])
	}
	if got[2].Corrected != nil || got[2].Flag != "silence" {
		t.Errorf("taken back: %+v", got[2])
	}
	if segments[0].Text != "by the hall yard note" || segments[0].Corrected != nil {
		t.Error("the machine's own transcript was changed")
	}
	again, lost := audit.Correct(got, []audit.Correction{fix(0, "Buy the Halyard note"), fix(0, "by the hall yard note")})
	if lost != 0 || again[0].Text != "by the hall yard note" {
		t.Errorf("back to the machine's words: %+v, %d lost", again[0], lost)
	}
}

func TestWaiting(t *testing.T) {
	at := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	segments := []audit.Segment{
		{Source: audit.Speech, StartMS: 0, EndMS: 1000, Text: "the Halyard note", Corrected: &audit.Corrected{Machine: "the hall yard note"}},
		{Source: audit.Speech, StartMS: 1000, EndMS: 2000, Text: "Thanks for watching.", Flag: audit.FlagStruck, Corrected: &audit.Corrected{Machine: "Thanks for watching."}},
		{Source: audit.Speech, StartMS: 2000, EndMS: 3000, Text: "as it was"},
	}
	fix := func(i int, text string) audit.Correction {
		s := segments[i]
		return audit.Correction{Source: s.Source, StartMS: s.StartMS, EndMS: s.EndMS, Machine: s.MachineText(), Text: text, At: at}
	}
	for _, tt := range []struct {
		name        string
		corrections []audit.Correction
		want        []audit.Correction
	}{
		{"as the audit read them", []audit.Correction{fix(0, "an older try"), fix(0, "the Halyard note"), fix(1, "")}, []audit.Correction{}},
		{"newer ones", []audit.Correction{fix(0, "the Halyard note"), fix(2, "a first try"), fix(2, "as it is")}, []audit.Correction{fix(2, "as it is")}},
		{"taken back", []audit.Correction{fix(0, "the hall yard note"), fix(1, "Thanks for watching.")}, []audit.Correction{fix(0, "the hall yard note"), fix(1, "Thanks for watching.")}},
		{"of other words", []audit.Correction{{Source: audit.Speech, StartMS: 2000, EndMS: 3000, Machine: "as it never was", Text: "x"}}, []audit.Correction{}},
	} {
		if got := audit.Waiting(segments, tt.corrections); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}
