// Package words finds a run of words in a text, whatever its spaces, case,
// punctuation and Unicode form. The checks of findings and of answers rest on
// it: what a person is shown is always the text's own characters.
package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Find finds words in a text, whatever their spaces, case, punctuation and
// Unicode form, and gives the run of the text's own bytes.
func Find(text, words string) (start, end int, ok bool) {
	want := fold(words)
	if len(want) == 0 {
		return 0, 0, false
	}
	have := fold(text)
	for i := 0; i+len(want) <= len(have); i++ {
		match := true
		for j := range want {
			if have[i+j].text != want[j].text {
				match = false
				break
			}
		}
		if match {
			start, end = have[i].start, have[i+len(want)-1].end
			start, end = start-leading(text[:start]), end+trailing(text[end:])
			if run := text[start:end]; start > 0 && text[start-1] == '(' && strings.Count(run, ")") > strings.Count(run, "(") {
				start-- // "(b) Exceptions": the bracket belongs to its mark
			}
			return start, end, true
		}
	}
	return 0, 0, false
}

// leading counts the signs before the run that belong to its first word: "#ad",
// "$5", "+14%".
func leading(before string) int {
	n := 0
	for n < len(before) && strings.IndexByte("#$+-", before[len(before)-1-n]) >= 0 {
		n++
	}
	return n
}

// trailing counts the closing punctuation that belongs to the run.
func trailing(rest string) int {
	n := 0
	for n < len(rest) {
		r, size := utf8.DecodeRuneInString(rest[n:])
		if !strings.ContainsRune(".!?…\"'”’)%", r) {
			break
		}
		n += size
	}
	return n
}

type foldedWord struct {
	text       string
	start, end int
}

// fold gives the words of a text in lower case and in one Unicode form, each
// with its place in bytes.
func fold(text string) []foldedWord {
	var out []foldedWord
	start := -1
	flush := func(end int) {
		if start >= 0 {
			if w := strings.ToLower(norm.NFKC.String(text[start:end])); w != "" {
				out = append(out, foldedWord{w, start, end})
			}
			start = -1
		}
	}
	for i, r := range text {
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			if start < 0 {
				start = i
			}
			continue
		}
		if (r == '\'' || r == '’') && start >= 0 {
			continue // don't
		}
		flush(i)
	}
	flush(len(text))
	for i := range out {
		out[i].text = strings.ReplaceAll(out[i].text, "’", "'")
		trimmed := strings.TrimRight(out[i].text, "'")
		out[i].text = trimmed
	}
	return out
}
