package reaudit

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// token is a word in the form in which words are compared, with its place in
// the text that it comes from.
type token struct {
	text       string
	start, end int
	cut        bool // something else than a space or a hyphen stands before it
}

// tokens gives the words of a text: lower case, one Unicode form, contractions
// spelled out, numbers as digits, units as words, sounds of hesitation left
// out. "$5 million" and "five million dollars" give the same.
func tokens(text string) []token {
	raw := scan(text)
	out := make([]token, 0, len(raw))
	for _, t := range raw {
		out = expand(out, t)
	}
	return numbers(out)
}

// scan cuts a text into words, figures and signs.
func scan(text string) []token {
	var out []token
	currency, cut := "", false
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) {
			switch word := signs[r]; {
			case r == '$' || r == '€' || r == '£':
				currency = word
			case r == '-' || r == '−':
				if next, _ := utf8.DecodeRuneInString(text[i+size:]); unicode.IsDigit(next) && (i == 0 || text[i-1] == ' ') {
					out = append(out, token{text: word, start: i, end: i + size})
				}
			case word != "":
				out = append(out, token{text: word, start: i, end: i + size})
			}
			cut = cut || signs[r] == "" && !unicode.IsSpace(r)
			i += size
			continue
		}
		end := wordEnd(text, i)
		t := token{strings.ToLower(norm.NFKC.String(text[i:end])), i, end, cut}
		cut = false
		t.text = strings.ReplaceAll(t.text, "’", "'")
		if unicode.IsDigit(r) {
			t.text = strings.ReplaceAll(t.text, ",", "")
		}
		out = append(out, t)
		if currency != "" {
			// The unit is said after the figure, and after its scale.
			out = append(out, token{text: currency, start: i, end: end})
			currency = ""
		}
		i = end
	}
	return out
}

var signs = map[rune]string{'%': "percent", '$': "dollars", '€': "euros", '£': "pounds", '-': "minus", '−': "minus", '+': "plus", '&': "and"}

// wordEnd gives where the word ends that begins at i. An apostrophe belongs to a
// word, a point or a comma to a figure where another digit follows.
func wordEnd(text string, i int) int {
	first, _ := utf8.DecodeRuneInString(text[i:])
	figure := unicode.IsDigit(first)
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		next, _ := utf8.DecodeRuneInString(text[i+size:])
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r):
		case (r == '\'' || r == '’') && unicode.IsLetter(next):
		case figure && (r == '.' || r == ',') && unicode.IsDigit(next):
		default:
			return i
		}
		i += size
	}
	return i
}

var (
	hesitations = set("um umm uh uhh er erm ah hm hmm mhm")
	isNot       = set("ain aren couldn didn doesn don hadn hasn haven isn mustn shouldn wasn weren wouldn can won")
	isIs        = set("he here it she that there this what where who")
	spelled     = map[string]string{
		"cannot": "can not", "can't": "can not", "won't": "will not", "gonna": "going to", "wanna": "want to",
		"gotta": "got to", "ok": "okay", "let's": "let us", "i'm": "i am", "percentage": "percent",
	}
	// Contractions as speech recognition writes them without the apostrophe,
	// where no other word has the same letters.
	bare = map[string]string{
		"arent": "are not", "cant": "can not", "couldnt": "could not", "didnt": "did not", "doesnt": "does not",
		"dont": "do not", "hasnt": "has not", "havent": "have not", "isnt": "is not", "shouldnt": "should not",
		"thats": "that is", "theres": "there is", "theyre": "they are", "wasnt": "was not", "werent": "were not",
		"wouldnt": "would not", "youll": "you will", "youre": "you are", "youve": "you have",
	}
	endings = []struct{ end, word string }{{"'ll", "will"}, {"'re", "are"}, {"'ve", "have"}}
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// expand adds a word, in two where it is a contraction.
func expand(out []token, t token) []token {
	add := func(words ...string) []token {
		for i, w := range words {
			out = append(out, token{w, t.start, t.end, t.cut && i == 0})
		}
		return out
	}
	if hesitations[t.text] {
		return out
	}
	if long := spelled[t.text] + bare[t.text]; long != "" {
		return add(strings.Fields(long)...)
	}
	if stem, ok := strings.CutSuffix(t.text, "n't"); ok && isNot[stem+"n"] {
		return add(stem, "not")
	}
	for _, e := range endings {
		if stem, ok := strings.CutSuffix(t.text, e.end); ok {
			return add(stem, e.word)
		}
	}
	if stem, ok := strings.CutSuffix(t.text, "'s"); ok {
		if isIs[stem] {
			return add(stem, "is")
		}
		return add(stem) // a possessive is heard as a plural, and the other way about
	}
	if t.text == "cent" && len(out) > 0 && out[len(out)-1].text == "per" {
		out[len(out)-1] = token{text: "percent", start: out[len(out)-1].start, end: t.end}
		return out
	}
	return add(t.text)
}

var (
	units = map[string]float64{
		"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
		"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17,
		"eighteen": 18, "nineteen": 19,
	}
	tens = map[string]float64{
		"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
	}
	scales = map[string]float64{"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12}
	money  = set("dollars euros pounds")
)

// numbers writes numbers that are said in words as digits.
func numbers(in []token) []token {
	out := make([]token, 0, len(in))
	for i := 0; i < len(in); {
		value, n, unit := number(in[i:])
		if n == 0 {
			out = append(out, in[i])
			i++
			continue
		}
		out = append(out, token{value, in[i].start, in[i+n-1].end, in[i].cut})
		if unit != "" {
			out = append(out, token{text: unit, start: in[i].start, end: in[i+n-1].end})
		}
		i += n
	}
	return out
}

// number reads a number at the head of some words and says how many of them it
// took. The unit is one that stood before the scale: "$5 million".
func number(in []token) (value string, n int, unit string) {
	var total, group float64
	begun, ten, scaled := false, false, false
	for n < len(in) {
		w := in[n].text
		u, isUnit := units[w]
		t, isTen := tens[w]
		scale := scales[w]
		figure, err := strconv.ParseFloat(strings.TrimSuffix(w, "k"), 64)
		isFigure := err == nil && unicode.IsDigit(rune(w[0]))
		if isFigure && strings.HasSuffix(w, "k") {
			figure *= 1000
		}
		switch {
		case n > 0 && in[n].cut:
			if !begun {
				return "", 0, ""
			}
			return format(total + group), n, unit
		case isFigure && !begun:
			group, begun = figure, true
		case isUnit && (!begun || scaled || ten && u > 0 && u < 10):
			group, begun, ten, scaled = group+u, true, false, false
		case isTen && (!begun || scaled):
			group, begun, ten, scaled = group+t, true, true, false
		case scale == 100:
			if group == 0 {
				group = 1
			}
			group, begun, ten, scaled = group*100, true, false, true
		case scale > 100:
			if group == 0 {
				group = 1
			}
			total, group, begun, ten, scaled = total+group*scale, 0, true, false, true
		case w == "and" && scaled && n+1 < len(in) && (units[in[n+1].text] > 0 || tens[in[n+1].text] > 0):
		case w == "and" && begun && n+2 < len(in) && in[n+1].text == "a" && in[n+2].text == "half":
			return format(total + group + 0.5), n + 3, unit
		case w == "point" && begun && n+1 < len(in):
			if digits, used := fraction(in[n+1:]); used > 0 {
				return format(total+group) + "." + digits, n + 1 + used, unit
			}
			return format(total + group), n, unit
		case money[w] && begun && unit == "" && n+1 < len(in) && scales[in[n+1].text] > 0:
			unit = w
		default:
			if !begun {
				return "", 0, ""
			}
			return format(total + group), n, unit
		}
		n++
	}
	if !begun {
		return "", 0, ""
	}
	return format(total + group), n, unit
}

func fraction(in []token) (digits string, used int) {
	for used < len(in) {
		u, ok := units[in[used].text]
		if !ok || u > 9 {
			break
		}
		digits += strconv.Itoa(int(u))
		used++
	}
	return digits, used
}

func format(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// isFigure says whether a token is a number in digits.
func isFigure(w string) bool { return w != "" && w[0] >= '0' && w[0] <= '9' }
