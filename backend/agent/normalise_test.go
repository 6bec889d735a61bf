package agent_test

import (
	"testing"
	"unicode/utf8"

	"veristream/backend/agent"
)

func TestNormalise(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"You CAN’T lose, I’m telling you.", "you cannot lose, i am telling you."},
		{"nine and a half percent a year", "9.5 % a year"},
		{"eleven point two per cent", "11.2 %"},
		{"in twenty twenty-one", "in 2021"},
		{"three hundred percent", "300 %"},
		{"a hundred dollars", "100 dollars"},
		{"two thousand and four", "2004"},
		{"nineteen thousand", "19000"},
		{"one of our clients", "one of our clients"},
		{"It's sort of built in", "it is built in"},
		{"they don't and doesn't and dont", "they do not and does not and do not"},
		{"$1,250,000", "$1250000"},
		{"one hundred and twenty-five", "125"},
		{"a five-star app", "a five-star app"},
		{"seventy-two", "72"},
		{"hashtag ad", "#ad"},
		{"half a million", "500000"},
	} {
		if got := agent.Normalise(tt.in); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzNormalise(f *testing.F) {
	for _, s := range []string{"", "one one one", "a hundred and", "twenty-", "point five", "\xff\xfe", "İ ẞ ﬁ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := agent.Normalise(s); utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Errorf("%q gives the invalid %q", s, got)
		}
	})
}
