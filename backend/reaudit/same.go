package reaudit

import (
	"strings"

	"veristream/backend/audit"
)

// same says whether two runs of words are one claim, written down twice: they
// differ in nothing but words without weight, in where a word is cut in two, and
// in few words that sound alike. heard names the last.
func same(a, b []token) (heard []audit.Heard, ok bool) {
	if len(a) == 0 || len(b) == 0 {
		return nil, false
	}
	ok = true
	align(a, b).blocks(func(a0, a1, b0, b1 int) {
		if !ok {
			return
		}
		var more []audit.Heard
		more, ok = alike(a[a0:a1], b[b0:b1])
		heard = append(heard, more...)
	})
	return heard, ok && len(heard) <= leeway(len(a))
}

// leeway is how many words of a claim may sound alike and be spelled otherwise:
// one in six, and one in a short claim.
func leeway(words int) int { return max(1, words/6) }

// weightless words are left out, added and confused by every recogniser.
var weightless = set("a an the this that and so well oh okay yeah")

// alike says whether what stands in one place of two runs is the same.
func alike(a, b []token) (heard []audit.Heard, ok bool) {
	a, b = weighty(a), weighty(b)
	if len(a) == 0 && len(b) == 0 || joined(a) == joined(b) {
		return nil, true
	}
	if len(a) != len(b) {
		return nil, false
	}
	for i := range a {
		if a[i].text == b[i].text {
			continue
		}
		if !soundsLike(a[i].text, b[i].text) {
			return nil, false
		}
		heard = append(heard, audit.Heard{Was: a[i].text, Now: b[i].text})
	}
	return heard, true
}

func weighty(in []token) []token {
	var out []token
	for i := 0; i < len(in); i++ {
		two := i+1 < len(in) && (in[i].text == "you" && in[i+1].text == "know" || in[i].text == "i" && in[i+1].text == "mean")
		switch {
		case two && len(in) == 2:
			i++ // said between two thoughts; inside a thought ("what you know") it means something
		case !weightless[in[i].text]:
			out = append(out, in[i])
		}
	}
	return out
}

func joined(t []token) string {
	var b strings.Builder
	for _, w := range t {
		b.WriteString(w.text)
	}
	return b.String()
}

// Words that turn a claim into another one. None of binding may be taken for
// any other word, and two of telling not for each other.
var (
	binding = set(`not no never none nor neither without nobody nothing can could may might will would shall should must
		all every any only always if unless until except but percent dollars euros pounds minus plus half double twice triple`)
	telling = set(`lose loss losses lost less least last more most gain gains gone risk rise raise free fee fees safe save
		up down high higher low lower over under bond band fund stock stake buy sell sold pay paid earn owe own legal
		loyal insured assured ensured before after today daily yearly monthly`)
)

// soundsLike says whether a recogniser may write one word for the other.
func soundsLike(a, b string) bool {
	if binding[a] || binding[b] || telling[a] && telling[b] || isFigure(a) || isFigure(b) || len(a) < 4 || len(b) < 4 {
		return false
	}
	if a+"s" == b || b+"s" == a {
		return true
	}
	return distance(a, b) <= 2 && sound(a) != "" && sound(a) == sound(b)
}

var spellings = strings.NewReplacer(
	"sch", "X", "tch", "X", "sh", "X", "ch", "X", "tio", "X", "cia", "X", "ph", "f", "gh", "", "ck", "k", "th", "T", "dge", "j",
	"ce", "s", "ci", "s", "cy", "s", "ge", "j", "gi", "j", "gy", "j", "x", "ks", "q", "k", "c", "k", "z", "s",
)

// sound gives the consonants of an English word, as far as they are heard, and
// whether it begins with a vowel. It is empty for words of other scripts.
func sound(w string) string {
	for _, p := range []struct{ written, said string }{{"kn", "n"}, {"wr", "r"}, {"ps", "s"}, {"wh", "w"}} {
		if rest, ok := strings.CutPrefix(w, p.written); ok {
			w = p.said + rest
		}
	}
	var b strings.Builder
	last := rune(0)
	for i, r := range spellings.Replace(w) {
		switch {
		case r > 'z':
			return ""
		case strings.ContainsRune("aeiou", r):
			if i == 0 {
				b.WriteRune('A')
			}
			last = 0
			continue
		case i > 0 && strings.ContainsRune("hwy'", r):
			continue
		case r == last:
			continue
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// distance is Levenshtein's.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// overlap is the share of two runs that they have in common, in the order in
// which they have it: 1 for equal runs.
func overlap(a, b []token) float64 {
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	n := 0
	for _, j := range align(a, b).to {
		if j >= 0 {
			n++
		}
	}
	return 2 * float64(n) / float64(len(a)+len(b))
}

// bag counts words without their order.
type bag map[string]int

func bagOf(t []token) bag {
	b := make(bag, len(t))
	for _, w := range t {
		b[w.text]++
	}
	return b
}

// common is the most that overlap can be.
func common(a, b bag) float64 {
	n, all := 0, 0
	for w, k := range a {
		n += min(k, b[w])
		all += k
	}
	for _, k := range b {
		all += k
	}
	return 2 * float64(n) / float64(max(1, all))
}
