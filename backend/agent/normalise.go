package agent

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Normalise turns what is said into the form that patterns are written for:
// lower case, straight quotes, contractions spelled out, numbers as digits
// ("nine and a half percent" -> "9.5 %"), fillers of speech removed. Ends of
// sentences are kept, so that a pattern does not run over them.
func Normalise(text string) string {
	s := strings.ToLower(norm.NFKC.String(text))
	s = strings.Map(plain, s)
	for _, r := range rewrites {
		s = r.re.ReplaceAllString(s, r.with)
	}
	s = digits(s)
	s = rePercent.ReplaceAllString(s, "$1 %")
	s = reThousands.ReplaceAllStringFunc(s, func(n string) string { return strings.ReplaceAll(n, ",", "") })
	s = reFiller.ReplaceAllString(s, "")
	return strings.Join(strings.Fields(s), " ")
}

// plain makes typographic characters plain.
func plain(r rune) rune {
	switch r {
	case '‘', '’', 'ʼ', '`':
		return '\''
	case '“', '”', '„', '«', '»':
		return '"'
	case '–', '—', '‑', '−':
		return '-'
	}
	if unicode.IsSpace(r) {
		return ' '
	}
	return r
}

type rewrite struct {
	re   *regexp.Regexp
	with string
}

// Contractions, with and without the apostrophe that speech recognition drops
// where no other word has the same letters.
var rewrites = []rewrite{
	{regexp.MustCompile(`\b(can't|cant|can not)\b`), "cannot"},
	{regexp.MustCompile(`\b(won't)\b`), "will not"},
	{regexp.MustCompile(`\b(ain't)\b`), "is not"},
	{regexp.MustCompile(`\b(don|doesn|didn|isn|aren|wasn|weren|couldn|wouldn|shouldn|haven|hasn|hadn|mustn)'?t\b`), "$1 not"},
	{regexp.MustCompile(`\bdon not\b`), "do not"},
	{regexp.MustCompile(`\b(does|did|is|are|was|were|could|would|should|have|has|had|must)n not\b`), "$1 not"},
	{regexp.MustCompile(`\b(i|you|he|she|it|we|they|that|this|there|who|what|here)'ll\b`), "$1 will"},
	{regexp.MustCompile(`\b(you|we|they)'re\b`), "$1 are"},
	{regexp.MustCompile(`\bi'm\b`), "i am"},
	{regexp.MustCompile(`\b(i|you|we|they)'ve\b`), "$1 have"},
	{regexp.MustCompile(`\b(it|that|he|she|there|here|what|who|where|this)'s\b`), "$1 is"},
	{regexp.MustCompile(`\b(i|you|he|she|we|they|it)'d\b`), "$1 would"},
	{regexp.MustCompile(`\blet'?s\b`), "let us"},
	{regexp.MustCompile(`\bgonna\b`), "going to"},
	{regexp.MustCompile(`\bwanna\b`), "want to"},
	{regexp.MustCompile(`\bgotta\b`), "have to"},
	{regexp.MustCompile(`\bgotcha\b`), "got you"},
	{regexp.MustCompile(`\bper ?cent(age)?\b`), "%"},
	{regexp.MustCompile(`\bback tested\b`), "back-tested"},
	{regexp.MustCompile(`\brisk free\b`), "risk-free"},
	{regexp.MustCompile(`\btax free\b`), "tax-free"},
	{regexp.MustCompile(`\bf\.?d\.?i\.?c\.?\b`), "fdic"},
	{regexp.MustCompile(`\bs\.e\.c\.?\b`), "sec"},
	{regexp.MustCompile(`\b(fin ra|finn?ra|fenra)\b`), "finra"},
	{regexp.MustCompile(`\bfour oh? ?one ?\(?k\)?\b|\b401 ?\(k\)|\b401 k\b`), "401k"},
	{regexp.MustCompile(`\bgaran?teed?\b`), "guaranteed"},
	{regexp.MustCompile(`\bhalf a million\b`), "500000"},
	{regexp.MustCompile(`\bhash ?tag ([a-z]+)`), "#$1"},
}

var (
	rePercent   = regexp.MustCompile(`(\d)\s*%`)
	reThousands = regexp.MustCompile(`\d{1,3}(,\d{3})+\b`)
	reFiller    = regexp.MustCompile(`\b(um+|uh+|er|erm|you know,?|i mean,|sort of|kind of|kinda|sorta|basically|literally|honestly|actually|pretty much|quite|simply|just|really|practically|virtually|essentially|totally|absolutely|completely)\b,? ?`)
	reWord      = regexp.MustCompile(`[a-z]+(?:-[a-z]+)*|[^a-z]+`)
)

var units = map[string]float64{
	"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
	"ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
	"seventeen": 17, "eighteen": 18, "nineteen": 19,
}

var tens = map[string]float64{
	"twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}

var scales = map[string]float64{"hundred": 100, "thousand": 1e3, "grand": 1e3, "million": 1e6, "billion": 1e9}

// digits replaces runs of number words by digits. "one" and "a" alone stay
// words: "one of our clients" is no number.
func digits(s string) string {
	tokens := reWord.FindAllString(s, -1)
	var b strings.Builder
	for i := 0; i < len(tokens); {
		value, used := readNumber(tokens[i:])
		if used == 0 {
			b.WriteString(tokens[i])
			i++
			continue
		}
		b.WriteString(value)
		i += used
	}
	return b.String()
}

// readNumber reads a number in words at the head of tokens (words and what
// stands between them) and says how many tokens it took; 0 if there is none.
func readNumber(tokens []string) (value string, used int) {
	words, ends := flatten(tokens)
	var total, group float64
	n, wordsUsed, years := 0, 0, false
	for i, w := range words {
		u, isUnit := units[w]
		t, isTen := tens[w]
		sc, isScale := scales[w]
		switch {
		case isUnit && n > 0 && lastWasTen(words, i) && u > 0 && u < 10:
			group += u
		case isUnit && n > 0 && i > 0 && isNumberWord(words[i-1]) && !isScaleWord(words[i-1]) && words[i-1] != "and":
			return "", 0 // "two three": a list, not a number
		case isTen && n == 1 && (words[0] == "twenty" || words[0] == "nineteen"):
			group, years = group*100+t, true // "twenty twenty-one", "nineteen eighty"
		case isUnit || isTen:
			group += u + t
		case isScale && (n > 0 || (i > 0 && words[i-1] == "a")):
			if group == 0 {
				group = 1
			}
			if sc == 100 {
				group *= sc
			} else {
				total += group * sc
				group = 0
			}
		case w == "a" && i+1 < len(words) && isScaleWord(words[i+1]) && n == 0:
			continue
		case w == "and" && n > 0 && i+1 < len(words) && isNumberWord(words[i+1]) && isScaleWord(words[i-1]):
			continue
		case w == "and" && n > 0 && i+2 < len(words) && words[i+1] == "a" && words[i+2] == "half":
			group += 0.5
			return format(total + group), ends[i+2]
		case w == "point" && n > 0 && i+1 < len(words):
			frac, k := "", i+1
			for ; k < len(words); k++ {
				d, ok := units[words[k]]
				if !ok || d > 9 {
					break
				}
				frac += strconv.Itoa(int(d))
			}
			if frac == "" {
				return finish(words, total+group, n, wordsUsed, ends)
			}
			return format(total+group) + "." + frac, ends[k-1]
		default:
			return finish(words, total+group, n, wordsUsed, ends)
		}
		n++
		wordsUsed = i + 1
		if years && n >= 3 {
			break
		}
	}
	return finish(words, total+group, n, wordsUsed, ends)
}

func finish(words []string, value float64, n, wordsUsed int, ends []int) (string, int) {
	if n == 0 || wordsUsed == 0 || (wordsUsed == 1 && (words[0] == "one" || words[0] == "a")) {
		return "", 0
	}
	return format(value), ends[wordsUsed-1]
}

// flatten gives the words at the head of tokens, split at hyphens, each with
// the number of tokens up to its end, until something else than a space or a
// hyphen stands between two words.
func flatten(tokens []string) (words []string, ends []int) {
	for i, t := range tokens {
		if t[0] < 'a' || t[0] > 'z' {
			if strings.TrimSpace(t) != "" || i == 0 {
				break
			}
			continue
		}
		parts := strings.Split(t, "-")
		if len(parts) > 1 && !allNumbers(parts) {
			if len(words) == 0 {
				return nil, nil
			}
			break
		}
		for _, p := range parts {
			words, ends = append(words, p), append(ends, i+1)
		}
		if len(words) > 8 {
			break
		}
	}
	return words, ends
}

func allNumbers(parts []string) bool {
	for _, p := range parts {
		if !isNumberWord(p) {
			return false
		}
	}
	return true
}

func isNumberWord(w string) bool {
	_, u := units[w]
	_, t := tens[w]
	return u || t || isScaleWord(w)
}

func isScaleWord(w string) bool {
	_, ok := scales[w]
	return ok
}

func lastWasTen(words []string, i int) bool {
	if i == 0 {
		return false
	}
	_, ok := tens[words[i-1]]
	return ok
}

func format(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
