package reaudit

import (
	"strings"
	"testing"
)

func said(text string) string {
	var out []string
	for _, t := range tokens(text) {
		out = append(out, t.text)
	}
	return strings.Join(out, " ")
}

func TestTokens(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"You can’t LOSE – ever!", "you can not lose ever"},
		{"you cant lose", "you can not lose"},
		{"You cannot lose", "you can not lose"},
		{"Um, it's, uh, free.", "it is free"},
		{"nine and a half percent a year", "9.5 percent a year"},
		{"9.5% a year", "9.5 percent a year"},
		{"9.5 per cent a year", "9.5 percent a year"},
		{"four point six", "4.6"},
		{"$5 million", "5000000 dollars"},
		{"five million dollars", "5000000 dollars"},
		{"$1,000 or 1000 dollars", "1000 dollars or 1000 dollars"},
		{"two hundred and fifty thousand", "250000"},
		{"twenty-one, thirty", "21 30"},
		{"I am forty. Two of us, three", "i am 40 2 of us 3"},
		{"they lost -4% in 2022", "they lost minus 4 percent in 2022"},
		{"a well-known fund", "a well known fund"},
		{"Halyard's note, they're sure", "halyard note they are sure"},
		{"100% or 10.0%", "100 percent or 10 percent"},
		{"Geld verdienen für alle", "geld verdienen für alle"},
		{"", ""},
	} {
		if got := said(tt.text); got != tt.want {
			t.Errorf("%q gives %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestSame(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"You simply cannot lose with this note.", "you simply can't lose with this note", true},
		{"You simply cannot lose with this note.", "Um, you simply cannot lose with the note", true},
		{"You simply cannot lose with this note.", "You simply cannot loose with this note", true},
		{"Download the Moonjar app with my link", "download the moon jar app with my link", true},
		{"I earn nine and a half percent a year", "I earn 9.5% a year", true},
		{"caught in the first Calder fund we bought there", "cought in the first Calder fund we bought there", true},
		{"caught in the first Calder funds we bought there", "cought in the first Kalder fund we bought there", false},

		{"You simply cannot lose with this note.", "You simply can lose with this note.", false},
		{"You simply cannot lose with this note.", "You simply cannot gain with this note.", false},
		{"You simply cannot lose with this note.", "You simply cannot lose with this fund.", false},
		{"You simply cannot lose with this note.", "You simply cannot lose with this note, ever.", false},
		{"I earn 9.5% a year", "I earn 95% a year", false},
		{"I earn 9.5% a year", "I earn 9.6% a year", false},
		{"I earn 5 million dollars", "I earn 5 billion dollars", false},
		{"I earn 5 dollars", "I earn 5 euros", false},
		{"It may rise next year", "It will rise next year", false},
		{"That is a legal scheme", "That is an illegal scheme", false},
		{"Our returns increase with it", "Our returns decrease with it", false},
		{"There is no loss here", "There is no less here", false},
		{"", "", false},
	} {
		if _, got := same(tokens(tt.a), tokens(tt.b)); got != tt.want {
			t.Errorf("%q and %q: same is %v", tt.a, tt.b, got)
		}
		if _, got := same(tokens(tt.b), tokens(tt.a)); got != tt.want {
			t.Errorf("%q and %q: same is %v the other way about", tt.b, tt.a, got)
		}
	}
}

func FuzzTokens(f *testing.F) {
	f.Add("You can’t lose $5 million, nine and a half per cent.")
	f.Add("\xff 1.2.3 '")
	f.Add("²½ k 5k and a half")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, w := range tokens(text) {
			if w.text == "" || w.start < 0 || w.end > len(text) || w.start >= w.end || w.start < last {
				t.Fatalf("%+v in %q", w, text)
			}
			last = w.start
		}
	})
}

// A text of hours is aligned in parts; what both hold stays paired in order.
func TestAlignLong(t *testing.T) {
	var a, b []token
	for i := range 6000 {
		w := token{text: strings.Repeat("x", i%7+1) + string(rune('a'+i%26)) + string(rune('a'+i/26%26)) + string(rune('a'+i/676))}
		a = append(a, w)
		if i%50 == 10 {
			b = append(b, token{text: "other"})
			continue
		}
		b = append(b, w)
	}
	b = append(append([]token{{text: "a"}, {text: "new"}, {text: "start"}}, b[:3000]...), b[3100:]...)
	x := align(a, b)
	paired, last := 0, -1
	for i, j := range x.to {
		if j < 0 {
			continue
		}
		if j <= last || x.from[j] != i || a[i].text != b[j].text {
			t.Fatalf("word %d is paired with %d after %d", i, j, last)
		}
		last = j
		paired++
	}
	if paired != 6000-100-120+2 {
		t.Errorf("%d words are paired", paired)
	}
}
