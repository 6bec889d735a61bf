package words_test

import (
	"testing"

	"veristream/backend/words"
)

func TestFind(t *testing.T) {
	text := "So,  you can’t LOSE – “ever”. It’s free!"
	for _, tt := range []struct {
		run, want string
		ok        bool
	}{
		{"you can't lose", "you can’t LOSE", true},
		{"lose ever", "LOSE – “ever”.", true},
		{"it's free", "It’s free!", true},
		{"free", "free!", true},
		{"you lose", "", false},
		{"", "", false},
		{"...", "", false},
	} {
		start, end, ok := words.Find(text, tt.run)
		if ok != tt.ok {
			t.Errorf("%q: found %v", tt.run, ok)
			continue
		}
		if ok && text[start:end] != tt.want {
			t.Errorf("%q: got %q, want %q", tt.run, text[start:end], tt.want)
		}
	}
}

func TestFindKeepsSigns(t *testing.T) {
	text := "Paid: #ad, +14.9% for $5"
	for run, want := range map[string]string{"ad": "#ad", "14.9": "+14.9%", "5": "$5"} {
		start, end, ok := words.Find(text, run)
		if !ok || text[start:end] != want {
			t.Errorf("%q: got %q, want %q", run, text[start:end], want)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("You can’t lose", "can't")
	f.Add("\xff a", "a")
	f.Fuzz(func(t *testing.T, text, run string) {
		start, end, ok := words.Find(text, run)
		if ok && (start < 0 || end > len(text) || start >= end) {
			t.Errorf("place %d:%d in %q", start, end, text)
		}
	})
}
