package transcribe_test

import (
	"fmt"
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/transcribe"
	"veristream/backend/wav"
)

// said is a recogniser that gives the same tokens for every stretch.
type said []transcribe.Token

func (s said) Recognize(_ []float32, _ transcribe.Options, tokens func([]transcribe.Token) error, _ func(int)) (string, error) {
	// One call for each of the model's segments, as the real one does.
	for at := 0; at < len(s); {
		end := at + 1
		for end < len(s) && !s[end].SegmentNew {
			end++
		}
		if err := tokens(s[at:end]); err != nil {
			return "", err
		}
		at = end
	}
	return "en", nil
}

// say makes tokens of pieces of text, so many milliseconds each.
func say(ms int64, p float64, pieces ...string) said {
	var out said
	for i, piece := range pieces {
		at := int64(i) * ms
		out = append(out, transcribe.Token{
			Text: strings.TrimPrefix(piece, "|"), StartMS: at, EndMS: at + ms, P: p,
			SegmentNew: i == 0 || strings.HasPrefix(piece, "|"),
		})
	}
	return out
}

func serve(t testing.TB, rec transcribe.Recognizer, sound string) []audit.Segment {
	t.Helper()
	var out strings.Builder
	w := transcribe.Options{WAV: sound}
	if err := transcribe.Serve(t.Context(), rec, w, &out); err != nil {
		t.Fatal(err)
	}
	return segmentsOf(t, out.String())
}

func TestSentencesAndWords(t *testing.T) {
	for _, tt := range []struct {
		name string
		rec  said
		want string
	}{
		{"parts of words", say(300, 0.9, " guar", "ante", "ed", " gains", "."), "guaranteed gains."},
		{"sentences in one segment", say(300, 0.9, " Buy", " it", ".", " Sell", " it", "."), "Buy it. | Sell it."},
		{"a sentence over two segments", say(300, 0.9, " You", " can", "not", "| lose", " money", "."), "You cannot lose money."},
		{"numbers and names", say(300, 0.9, " Dr", ".", " Lee", " made", " 3", ".", "5", "%", "."), "Dr. Lee made 3.5%."},
		{"a character cut in two", say(300, 0.9, " caf", "\xc3", "\xa9", " is", " open"), "café is open"},
		{"scripts without spaces", say(300, 0.9, "保", "証", "します", "。", "必", "ず"), "保証します。 | 必ず"},
		{"broken bytes", say(300, 0.9, " ok", " \xff\xfe"), "ok"},
	} {
		var texts []string
		for _, s := range serve(t, tt.rec, recording(t, 10, [2]float64{0, 9})) {
			texts = append(texts, s.Text)
		}
		if got := strings.Join(texts, " | "); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The model is given sound without its long pauses; times are those of the
// recording all the same.
func TestTimesAreThoseOfTheRecording(t *testing.T) {
	sound := recording(t, 30, [2]float64{2, 4}, [2]float64{20, 22})
	// 2 s of sound with 0.25 s around each: the second stretch begins at 2.5 s.
	rec := said{
		{Text: " First", StartMS: 300, EndMS: 2200, P: 0.9, SegmentNew: true},
		{Text: ".", StartMS: 2200, EndMS: 2400, P: 0.9},
		{Text: " Second", StartMS: 2400, EndMS: 4600, P: 0.9, SegmentNew: true},
		{Text: ".", StartMS: 4600, EndMS: 5000, P: 0.9},
	}
	got := serve(t, rec, sound)
	if len(got) != 2 {
		t.Fatalf("%+v", got)
	}
	for i, want := range [][2]int64{{2000, 4000}, {20000, 22000}} {
		if d := got[i].StartMS - want[0]; d < -60 || d > 60 {
			t.Errorf("segment %d begins at %d, want %d", i, got[i].StartMS, want[0])
		}
		if d := got[i].EndMS - want[1]; d < -60 || d > 60 {
			t.Errorf("segment %d ends at %d, want %d", i, got[i].EndMS, want[1])
		}
	}
}

func TestDoubt(t *testing.T) {
	speech := recording(t, 12, [2]float64{0, 11})
	steady := make([]int16, 12*wav.Rate)
	for i := range steady {
		steady[i] = int16((i*7919)%4001 - 2000)
	}
	hum := t.TempDir() + "/hum.wav"
	if err := wav.Write(hum, wav.Rate, steady); err != nil {
		t.Fatal(err)
	}
	loop := say(200, 0.9, strings.Split(" we| win| and| we| win| and| we| win| and| we| win| and", "|")...)
	for _, tt := range []struct {
		name  string
		rec   said
		sound string
		want  string
	}{
		{"speech", say(400, 0.9, " You", " may", " lose", " money", "."), speech, ""},
		{"an aside", say(400, 0.9, " [", "Music", "]"), speech, transcribe.FlagNotSpeech},
		{"notes", say(400, 0.9, " ♪♪"), speech, transcribe.FlagNotSpeech},
		{"a stock phrase, unsure", say(400, 0.5, " Thanks", " for", " watching", "!"), speech, transcribe.FlagStock},
		{"a stock phrase that is said", say(400, 0.95, " Thanks", " for", " watching", "!"), speech, ""},
		{"a stock phrase in Japanese", say(400, 0.55, " ご視聴ありがとうございました"), speech, transcribe.FlagStock},
		{"a loop", loop, speech, transcribe.FlagRepetition},
		{"no word is sure", say(400, 0.2, " market", " marmalade", " tax"), speech, transcribe.FlagUnsure},
		{"faster than anyone", say(10, 0.9, " an", " extraordinarily", " quick", " disclaimer", " about", " everything"), speech, transcribe.FlagTooFast},
		{"words over a hum", say(400, 0.9, " You", " win"), hum, transcribe.FlagNoSpeech},
	} {
		for _, s := range serve(t, tt.rec, tt.sound) {
			if s.Flag != tt.want {
				t.Errorf("%s: %q is flagged %q, want %q", tt.name, s.Text, s.Flag, tt.want)
			}
			if s.Audited() != (tt.want == "") {
				t.Errorf("%s: audited is %v", tt.name, s.Audited())
			}
		}
	}
}

func TestTheModelsOwnDoubt(t *testing.T) {
	rec := say(400, 0.5, " So", " anyway", ".")
	for i := range rec {
		rec[i].NoSpeech = 0.9
	}
	got := serve(t, rec, recording(t, 5, [2]float64{0, 4}))
	if len(got) != 1 || got[0].Flag != transcribe.FlagNoSpeech {
		t.Fatalf("%+v", got)
	}
}

func TestSameSentenceAgainAndAgain(t *testing.T) {
	var rec said
	for i := range 4 {
		for _, tok := range say(250, 0.9, "| Buy", " this", " now", ".") {
			tok.StartMS, tok.EndMS = tok.StartMS+int64(i)*1000, tok.EndMS+int64(i)*1000
			rec = append(rec, tok)
		}
	}
	var flags []string
	for _, s := range serve(t, rec, recording(t, 6, [2]float64{0, 5})) {
		flags = append(flags, s.Flag)
	}
	if got := fmt.Sprint(flags); got != "[  repetition repetition]" {
		t.Errorf("got %s", got)
	}
}
