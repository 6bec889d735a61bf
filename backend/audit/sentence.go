package audit

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// abbreviations end with a full stop that ends no sentence.
var abbreviations = map[string]bool{
	"mr": true, "mrs": true, "ms": true, "dr": true, "prof": true, "st": true, "jr": true, "sr": true,
	"inc": true, "corp": true, "ltd": true, "co": true, "vs": true, "no": true, "sec": true, "approx": true,
	"e.g": true, "i.e": true, "u.s": true, "u.k": true, "a.m": true, "p.m": true, "etc": true, "est": true,
}

// SentenceEnds gives the byte offsets at which the sentences of a text end;
// the last is the text's length. Spaces belong to the sentence that follows.
func SentenceEnds(text string) []int {
	var ends []int
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if !strings.ContainsRune(".!?…。！？", r) {
			continue
		}
		for i < len(text) {
			next, n := utf8.DecodeRuneInString(text[i:])
			if !strings.ContainsRune(".!?…\"'”’)]»", next) {
				break
			}
			i += n
		}
		if i < len(text) && endsHere(text, i, r) {
			ends = append(ends, i)
		}
	}
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if len(ends) > 0 && strings.TrimSpace(text[ends[len(ends)-1]:]) == "" {
		ends = ends[:len(ends)-1]
	}
	return append(ends, len(text))
}

// Sentences splits a text into its sentences, without the spaces around them.
func Sentences(text string) []string {
	var out []string
	at := 0
	for _, end := range SentenceEnds(text) {
		if s := strings.TrimSpace(text[at:end]); s != "" {
			out = append(out, s)
		}
		at = end
	}
	return out
}

// endsHere says whether the mark r, after which text goes on at i, ends a
// sentence.
func endsHere(text string, i int, mark rune) bool {
	if strings.ContainsRune("。！？", mark) {
		return true
	}
	next, _ := utf8.DecodeRuneInString(text[i:])
	if !unicode.IsSpace(next) {
		return false // 3.5, example.com
	}
	rest := strings.TrimLeftFunc(text[i:], unicode.IsSpace)
	first, _ := utf8.DecodeRuneInString(rest)
	if unicode.IsLower(first) {
		return false
	}
	if mark != '.' {
		return true
	}
	word := text[:i-1]
	if at := strings.LastIndexFunc(word, unicode.IsSpace); at >= 0 {
		word = word[at+1:]
	}
	word = strings.ToLower(strings.TrimLeft(word, "(\"'“‘["))
	// One letter alone is an initial, save for the pronoun and the figure.
	initial := len(word) == 1 && word != "i" && unicode.IsLetter(rune(word[0]))
	return !abbreviations[word] && !initial
}
