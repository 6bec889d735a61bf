package app

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"veristream/backend/audit"
)

// takeWords takes the words out of an audit's segments and gives them packed,
// by segment: six hours of speech are a hundred thousand words, and as objects
// they would cost the window more memory than all else in the audit.
func takeWords(segments []audit.Segment) map[string]string {
	out := map[string]string{}
	for i := range segments {
		s := &segments[i]
		if packed := packWords(*s); packed != "" {
			out[s.ID] = packed
		}
		s.Words = nil
	}
	return out
}

// packWords gives four numbers for each word, between spaces: at which UTF-16
// unit of the segment's text it begins and ends, and how many milliseconds after
// the segment's begin. A word that a person's correction took away has no place.
func packWords(s audit.Segment) string {
	var b strings.Builder
	from, units := 0, 0 // bytes of the text that are behind us, and the UTF-16 units that they are
	for _, w := range s.Words {
		text := strings.TrimSpace(w.Text)
		at := strings.Index(s.Text[from:], text)
		if text == "" || at < 0 {
			continue
		}
		start := units + unitsOf(s.Text[from:from+at])
		end := start + unitsOf(text)
		from, units = from+at+len(text), end
		for _, n := range []int64{int64(start), int64(end), w.StartMS - s.StartMS, w.EndMS - s.StartMS} {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(strconv.FormatInt(n, 10))
		}
	}
	return b.String()
}

func unitsOf(text string) int {
	n := 0
	for _, r := range text {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}
