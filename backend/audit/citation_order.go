package audit

import (
	"cmp"
	"strconv"
	"strings"
)

// Numbering is how the markers of one level count.
type Numbering int

// The numberings. Letters go on after z with aa, bb, cc.
const (
	Digits     Numbering = iota // 1, 2, 3
	Letters                     // a, b, c
	Romans                      // i, ii, iii
	BigLetters                  // A, B, C
	BigRomans                   // I, II, III
)

// The numberings of the levels, outermost first. FINRA puts letters after
// numbers where the CFR has small Roman numerals; a comment begins with a
// number.
var (
	cfrLevels     = []Numbering{Letters, Digits, Romans, BigLetters, Digits, Romans}
	finraLevels   = []Numbering{Letters, Digits, BigLetters, Romans, Letters, Digits}
	commentLevels = []Numbering{Digits, Romans, BigLetters, Digits, Romans}
)

// Levels gives the numberings of a citation's path (or of its comment's).
func (c Citation) Levels() []Numbering {
	switch {
	case c.IsComment():
		return commentLevels
	case c.Code == CodeFINRA:
		return finraLevels
	}
	return cfrLevels
}

// Value says at which place a marker stands in a numbering, from 1 on. ok is
// false for a marker of another kind.
func (n Numbering) Value(marker string) (value int, ok bool) {
	switch n {
	case Digits:
		v, err := strconv.Atoi(marker)
		return v, err == nil && v > 0 && len(marker) <= 3 && marker[0] != '0' && marker[0] != '+'
	case Letters:
		return letterValue(marker, 'a')
	case BigLetters:
		return letterValue(marker, 'A')
	case Romans:
		return romanValue(marker)
	case BigRomans:
		if marker == strings.ToLower(marker) {
			return 0, false
		}
		lower := strings.ToLower(marker)
		if strings.ToUpper(lower) != marker {
			return 0, false
		}
		return romanValue(lower)
	}
	return 0, false
}

// Marker writes the marker at a place of the numbering: the reverse of Value.
func (n Numbering) Marker(value int) string {
	switch n {
	case Letters:
		return letterMarker(value, 'a')
	case BigLetters:
		return letterMarker(value, 'A')
	case Romans:
		return romanMarker(value)
	case BigRomans:
		return strings.ToUpper(romanMarker(value))
	}
	return strconv.Itoa(value)
}

func letterValue(s string, first byte) (int, bool) {
	if len(s) == 0 || len(s) > 3 || s[0] < first || s[0] > first+25 || s != strings.Repeat(s[:1], len(s)) {
		return 0, false
	}
	return (len(s)-1)*26 + int(s[0]-first) + 1, true
}

func letterMarker(v int, first byte) string {
	return strings.Repeat(string(first+byte((v-1)%26)), (v-1)/26+1)
}

var romanDigits = []struct {
	value int
	text  string
}{{50, "l"}, {40, "xl"}, {10, "x"}, {9, "ix"}, {5, "v"}, {4, "iv"}, {1, "i"}}

func romanMarker(v int) string {
	var b strings.Builder
	for _, d := range romanDigits {
		for v >= d.value {
			b.WriteString(d.text)
			v -= d.value
		}
	}
	return b.String()
}

func romanValue(s string) (int, bool) {
	if s == "" || len(s) > 8 || strings.Trim(s, "ivxl") != "" {
		return 0, false
	}
	v, rest := 0, s
	for _, d := range romanDigits {
		for strings.HasPrefix(rest, d.text) {
			v, rest = v+d.value, rest[len(d.text):]
		}
	}
	// Only the one right spelling is a numeral: "iiii" and "vx" are not.
	return v, rest == "" && v < 90 && romanMarker(v) == s
}

// IsMarker says whether a text can mark a paragraph: a number, a letter, a
// doubled letter or a Roman numeral.
func IsMarker(s string) bool {
	for n := Digits; n <= BigRomans; n++ {
		if _, ok := n.Value(s); ok {
			return true
		}
	}
	return false
}

// CompareCitations orders citations as a reader meets them: by body, title,
// part and section; a paragraph before those below it and those before its
// next sibling; appendices after sections and comments after both.
func CompareCitations(a, b Citation) int {
	aPart, aSection, _ := strings.Cut(a.Section, ".")
	bPart, bSection, _ := strings.Cut(b.Section, ".")
	return cmp.Or(
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Title, b.Title),
		compareNatural(aPart, bPart),
		cmp.Compare(a.group(), b.group()),
		compareNatural(aSection, bSection),
		compareNatural(a.Appendix, b.Appendix),
		cmp.Compare(a.Note, b.Note),
		comparePaths(a.Path, b.Path, a.pathLevels()),
		comparePaths(a.Comment, b.Comment, commentLevels),
		cmp.Compare(a.Example, b.Example),
		cmp.Compare(a.Term, b.Term),
	)
}

func (c Citation) group() int {
	switch {
	case c.IsComment() && c.Appendix != "":
		return 3
	case c.IsComment():
		return 2
	case c.Appendix != "":
		return 1
	}
	return 0
}

func (c Citation) pathLevels() []Numbering {
	if c.Code == CodeFINRA {
		return finraLevels
	}
	return cfrLevels
}

func comparePaths(a, b []string, levels []Numbering) int {
	for i := range min(len(a), len(b)) {
		if a[i] == b[i] {
			continue
		}
		if i < len(levels) {
			v, ok := levels[i].Value(a[i])
			w, also := levels[i].Value(b[i])
			switch {
			case ok && also:
				return cmp.Compare(v, w)
			case ok != also: // what fits the level stands before what does not
				return map[bool]int{true: -1, false: 1}[ok]
			}
		}
		return compareNatural(a[i], b[i])
	}
	return cmp.Compare(len(a), len(b))
}

// compareNatural compares runs of digits as numbers: "206(4)-2" before
// "206(4)-10".
func compareNatural(a, b string) int {
	for a != "" && b != "" {
		x, y := run(a), run(b)
		if x != y {
			v, err := strconv.Atoi(x)
			w, also := strconv.Atoi(y)
			if err == nil && also == nil && v != w {
				return cmp.Compare(v, w)
			}
			return cmp.Compare(x, y)
		}
		a, b = a[len(x):], b[len(y):]
	}
	return cmp.Compare(len(a), len(b))
}

// run gives the leading digits of a text, or what stands before the first digit.
func run(s string) string {
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	i := 1
	for i < len(s) && digit(s[i]) == digit(s[0]) {
		i++
	}
	return s[:i]
}
