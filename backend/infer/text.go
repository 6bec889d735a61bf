package infer

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/knights-analytics/hugot/backends"
)

// The tokens that have a meaning of their own to the models. In a user's text
// they are only words: "[SEP]" there would end the passage.
var reSpecial = regexp.MustCompile(`\[(SEP|CLS|PAD|MASK|UNK)\]|<(/?s|pad|mask|unk)>`)

// maxBytes bounds what goes into the tokenizer at once. The longest word of the
// vocabulary has 18 letters, so any text that matters has fewer bytes.
const maxBytes = 512 * 16

// clean makes a text that the tokenizer takes: valid UTF-8, no NUL (it ends a
// string in C), no special tokens.
func clean(text string) string {
	text = strings.ToValidUTF8(text, " ")
	if strings.IndexByte(text, 0) >= 0 {
		text = strings.ReplaceAll(text, "\x00", " ")
	}
	return reSpecial.ReplaceAllString(text, "($1$2)")
}

// fit gives the longest beginning of a clean text that has at most n tokens,
// and how many it has. It never cuts within a word of the tokenizer.
func fit(tk *backends.Tokenizer, text string, n int) (head string, tokens int) {
	if len(text) > maxBytes {
		text = strings.ToValidUTF8(text[:maxBytes], "")
	}
	batch := backends.NewBatch(1)
	backends.TokenizeInputs(batch, tk, []string{text})
	in := batch.Input[0]
	end, count := 0, 0
	for i, o := range in.Offsets {
		if in.SpecialTokensMask[i] != 0 {
			continue
		}
		if count == n {
			return text[:end], count
		}
		count++
		end = int(o[1])
	}
	return text, count
}

// windows cuts a text that is longer than n tokens into pieces that overlap,
// at most most of them.
func windows(tk *backends.Tokenizer, text string, n, most int) []string {
	var out []string
	for len(out) < most {
		head, _ := fit(tk, text, n)
		out = append(out, head)
		if len(head) >= len(text) || head == "" {
			break
		}
		// An eighth again: a sentence on the seam stays whole in one piece.
		back := len(head) - len(head)/8
		for back > 0 && !utf8.RuneStart(text[back]) {
			back--
		}
		if sp := strings.LastIndexByte(text[:back], ' '); sp > len(head)/2 {
			back = sp + 1
		}
		text = text[back:]
	}
	return out
}

// byLength gives the indexes of texts, the longest first, so that memory is
// taken once and the last texts end together.
func byLength(texts []string) []int {
	order := make([]int, len(texts))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(texts[b]), len(texts[a])) })
	return order
}
