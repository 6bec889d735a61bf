package chunk

import (
	"regexp"
	"strings"
)

// A sentence ends at a stop before a capital, a quotation mark or a bracket.
// Abbreviations of the law's language do not end one.
var reSentence = regexp.MustCompile(`[.;:!?]["”')\]]*\s+`)

var abbreviations = []string{
	"U.S.", "Inc.", "e.g.", "i.e.", "No.", "Pub.", "L.", "Stat.", "Sec.", "sec.", "App.", "app.", "Co.", "Corp.",
	"Mr.", "Ms.", "Dr.", "et seq.", "Jan.", "Feb.", "Aug.", "Sept.", "Oct.", "Nov.", "Dec.", "v.", "cf.", "approx.",
}

// Sentences cuts a text after its sentences; joined again they are the text.
func Sentences(text string) []string {
	var out []string
	start := 0
	for _, m := range reSentence.FindAllStringIndex(text, -1) {
		if m[1] >= len(text) || !beginsSentence(text[m[1]:]) || isAbbreviation(text[start:m[0]+1]) {
			continue
		}
		out = append(out, text[start:m[1]])
		start = m[1]
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

func beginsSentence(s string) bool {
	c := s[0]
	return c >= 'A' && c <= 'Z' || c == '"' || c == '(' || c == '[' || strings.HasPrefix(s, "“")
}

func isAbbreviation(sentence string) bool {
	for _, a := range abbreviations {
		if strings.HasSuffix(sentence, a) {
			rest := sentence[:len(sentence)-len(a)]
			if rest == "" || strings.ContainsAny(rest[len(rest)-1:], " (\n") {
				return true
			}
		}
	}
	return false
}

// SplitSentences cuts a long text into parts of at most limit tokens, at
// sentences where it can. Each part repeats the end of the one before it.
func SplitSentences(text string, limit int) []string {
	limit = max(limit, 40)
	var units []string
	for _, s := range Sentences(text) {
		units = append(units, splitWords(s, limit)...)
	}
	var parts []string
	var current []string
	size := 0
	for _, s := range units {
		tokens := Tokens(s)
		if size > 0 && size+tokens > limit {
			parts = append(parts, strings.TrimSpace(strings.Join(current, "")))
			current, size = carry(current, limit, tokens)
		}
		current = append(current, s)
		size += tokens
	}
	if len(current) > 0 {
		parts = append(parts, strings.TrimSpace(strings.Join(current, "")))
	}
	return parts
}

// carry gives the last sentences of a part that begin the next one: about a
// tenth of the limit, and none that would leave no room for what is new.
func carry(current []string, limit, next int) (kept []string, size int) {
	want := int(overlap * float64(limit))
	for i := len(current) - 1; i > 0 && size < want; i-- {
		tokens := Tokens(current[i])
		if size+tokens > 2*want || size+tokens+next > limit {
			break
		}
		kept = append([]string{current[i]}, kept...)
		size += tokens
	}
	if size == 0 && len(current) > 0 {
		// One long sentence: its last words are the overlap.
		words := strings.Fields(current[len(current)-1])
		n := min(len(words)/2, max(1, want*10/13))
		last := strings.Join(words[len(words)-n:], " ") + " "
		if t := Tokens(last); t+next <= limit {
			return []string{last}, t
		}
	}
	return kept, size
}

// splitWords cuts a sentence that is longer than a passage.
func splitWords(s string, limit int) []string {
	words := strings.Fields(s)
	most := limit * 10 / 13
	if len(words) <= most {
		return []string{s}
	}
	var out []string
	for len(words) > 0 {
		n := min(most, len(words))
		out = append(out, strings.Join(words[:n], " ")+" ")
		words = words[n:]
	}
	return out
}

// textPiece is a run of prose or a table of a paragraph.
type textPiece struct {
	text  string
	table bool
}

func hasTable(text string) bool {
	return strings.HasPrefix(text, "| ") || strings.Contains(text, "\n| ")
}

// pieces takes the tables out of a paragraph's words.
func pieces(text string) []textPiece {
	var out []textPiece
	for _, para := range strings.Split(text, "\n\n") {
		table := strings.HasPrefix(para, "| ") && strings.Contains(para, "|---")
		if n := len(out); n > 0 && !table && !out[n-1].table {
			out[n-1].text += "\n\n" + para
			continue
		}
		out = append(out, textPiece{para, table})
	}
	return out
}

// splitTable keeps a table whole where it fits; a longer one is cut between
// rows, with its head repeated.
func splitTable(table string, limit int) []string {
	rows := strings.Split(table, "\n")
	if Tokens(table) <= limit || len(rows) < 4 {
		return []string{table}
	}
	head := strings.Join(rows[:2], "\n")
	var out []string
	part, size := head, Tokens(head)
	for _, row := range rows[2:] {
		if t := Tokens(row); size+t > limit && part != head {
			out = append(out, part)
			part, size = head, Tokens(head)
		}
		part += "\n" + row
		size += Tokens(row)
	}
	return append(out, part)
}
