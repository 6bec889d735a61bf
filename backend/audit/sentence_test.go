package audit_test

import (
	"slices"
	"strings"
	"testing"

	"veristream/backend/audit"
)

func TestSentences(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"  \n ", nil},
		{"One. Two! Three?", []string{"One.", "Two!", "Three?"}},
		{"It made 3.5% in 2024. Past results vary.", []string{"It made 3.5% in 2024.", "Past results vary."}},
		{"Dr. Lee of Acme Inc. said so. Really.", []string{"Dr. Lee of Acme Inc. said so.", "Really."}},
		{"He said \"Buy now!\" Then he left.", []string{"He said \"Buy now!\"", "Then he left."}},
		{"See example.com. for more", []string{"See example.com. for more"}},
		{"So do I. Next one", []string{"So do I.", "Next one"}},
		{"Wait... what? Yes.", []string{"Wait... what?", "Yes."}},
		{"保証します。必ず。", []string{"保証します。", "必ず。"}},
	} {
		if got := audit.Sentences(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %q", tt.in, got)
		}
	}
}

func FuzzSentenceEnds(f *testing.F) {
	f.Add("One. Two! Dr. X? 3.5")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, end := range audit.SentenceEnds(text) {
			if end <= last || end > len(text) {
				t.Fatalf("%q: end %d after %d", text, end, last)
			}
			last = end
		}
		if strings.TrimSpace(text) != "" && last != len(text) {
			t.Fatalf("%q: ends at %d of %d", text, last, len(text))
		}
	})
}
