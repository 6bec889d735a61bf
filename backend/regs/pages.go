package regs

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// line is a line of a text with the page on which it stands (0: no pages).
type line struct {
	text   string
	page   int
	broken bool // a page or a blank line comes before it
}

var (
	reDigits    = regexp.MustCompile(`\d+`)
	rePageLine  = regexp.MustCompile(`^(?i:page\s+)?\d{1,4}(?:\s*(?:of|/)\s*\d{1,4})?$`)
	reLineStart = regexp.MustCompile(`^(?:[-•*–]\s+)?\(\s?(?:[A-Za-z]{1,5}|\d{1,3})\s?\)\s*\S`)
)

// joinPages cuts a text into lines and removes what pages repeat at their top
// and bottom: running titles and page numbers. removed counts those lines.
func joinPages(text string) (lines []line, removed int) {
	pages := strings.Split(text, "\f")
	furniture := runningLines(pages)
	for p, page := range pages {
		number := p + 1
		if len(pages) == 1 {
			number = 0
		}
		broken := true
		all := strings.Split(page, "\n")
		top, bottom := edges(all)
		for i, raw := range all {
			t := strings.TrimSpace(raw)
			if t == "" {
				broken = true
				continue
			}
			if len(pages) > 1 && (i <= top || i >= bottom) && (furniture[shape(t)] || rePageLine.MatchString(t)) {
				removed++
				continue
			}
			lines = append(lines, line{t, number, broken})
			broken = false
		}
	}
	return lines, removed
}

// edges gives the last line of a page's top two and the first of its bottom two.
func edges(all []string) (top, bottom int) {
	var filled []int
	for i, l := range all {
		if strings.TrimSpace(l) != "" {
			filled = append(filled, i)
		}
	}
	switch n := len(filled); {
	case n < 2:
		return -1, len(all)
	case n < 5:
		return filled[0], filled[n-1]
	}
	return filled[1], filled[len(filled)-2]
}

// runningLines finds what stands at the edge of at least half of the pages,
// whatever the numbers in it.
func runningLines(pages []string) map[string]bool {
	count := map[string]int{}
	for _, page := range pages {
		all := strings.Split(page, "\n")
		top, bottom := edges(all)
		seen := map[string]bool{}
		for i, raw := range all {
			t := strings.TrimSpace(raw)
			if t != "" && (i <= top || i >= bottom) && !seen[shape(t)] {
				seen[shape(t)] = true
				count[shape(t)]++
			}
		}
	}
	out := map[string]bool{}
	for s, n := range count {
		out[s] = n >= 2 && n*2 >= len(pages)
	}
	return out
}

func shape(s string) string {
	return reDigits.ReplaceAllString(strings.Join(strings.Fields(s), " "), "#")
}

// isWrapped says whether the lines are those of a page rather than whole
// paragraphs: most lines follow another directly, and none is very long.
func isWrapped(lines []line) bool {
	direct, long := 0, 0
	for _, l := range lines {
		if !l.broken {
			direct++
		}
		if utf8.RuneCountInString(l.text) > 200 {
			long++
		}
	}
	return direct*2 > len(lines) && long*50 < len(lines)
}

// joinLines makes paragraphs of lines. A paragraph that a page cuts goes on
// behind the cut, and carries the numbers of both pages.
func joinLines(lines []line) []block {
	wrapped := isWrapped(lines)
	width := usualWidth(lines)
	var out []block
	for i, l := range lines {
		if i > 0 && len(out) > 0 && goesOn(lines[i-1], l, wrapped, width, out[len(out)-1].text) {
			last := &out[len(out)-1]
			last.text = glueLines(last.text, l.text)
			last.lastPage = l.page
			continue
		}
		out = append(out, block{kind: blockPara, text: l.text, page: l.page, lastPage: l.page})
	}
	return out
}

// glueLines joins two lines, and takes a hyphen away that only divides a word.
func glueLines(a, b string) string {
	if strings.HasSuffix(a, "\u00ad") {
		return strings.TrimSuffix(a, "\u00ad") + b
	}
	return a + " " + b
}

// goesOn says whether a line belongs to the paragraph before it.
func goesOn(before, l line, wrapped bool, width int, paragraph string) bool {
	if startsParagraph(l.text) && !(wrapped && midSentence(before, width) && !l.broken) {
		return false
	}
	ended := endsSentence(paragraph)
	if l.broken {
		// A blank line, or a new page: the sentence decides.
		return startsLower(l.text) && !ended && !endsWithListItem(paragraph) && !strings.HasSuffix(paragraph, ":")
	}
	if !wrapped {
		return strings.HasPrefix(l.text, "|") && strings.HasPrefix(before.text, "|") || startsLower(l.text) && !ended
	}
	length := utf8.RuneCountInString(before.text)
	short := length*100 < width*80
	// Where the next word would have fitted, the line was ended on purpose.
	fitted := (length+1+utf8.RuneCountInString(firstWord(l.text)))*100 < width*97
	if short && (endsWithListItem(paragraph) || strings.HasSuffix(paragraph, ":")) || ended && fitted && !startsLower(l.text) {
		return false
	}
	// A short line without an end that reads like a heading is one.
	if short && !startsLower(l.text) && lineHeading(stripMarkers(before.text)) != "" {
		// A second line of the same heading is short, and no sentence either.
		return lineHeading(l.text) != "" && utf8.RuneCountInString(l.text)*100 < width*60
	}
	return true
}

// midSentence says whether a full line breaks off within a sentence, so that
// "(i)" at the beginning of the next is part of it.
func midSentence(l line, width int) bool {
	return utf8.RuneCountInString(l.text)*100 >= width*80 && !endsSentence(l.text) && !endsWithListItem(l.text) &&
		!strings.HasSuffix(l.text, ":") && !strings.HasSuffix(l.text, "—")
}

func startsParagraph(text string) bool {
	return reLineStart.MatchString(text) || reSectionHead.MatchString(text) || strings.HasPrefix(text, "#") ||
		reNoteHead.MatchString(text) || reDotStart.MatchString(text)
}

// "a. Words", as FINRA writes its fifth level; "e.g." is none.
var reDotStart = regexp.MustCompile(`^(?:[-•*]\s+)?[a-z]\.\s+\S\S`)

func endsSentence(text string) bool {
	text = strings.TrimRight(text, `"”')`+string(italOff))
	return strings.HasSuffix(text, ".") || strings.HasSuffix(text, "!") || strings.HasSuffix(text, "?")
}

// usualWidth gives the length that nineteen of twenty lines do not exceed.
func usualWidth(lines []line) int {
	lengths := make([]int, 0, len(lines))
	for _, l := range lines {
		lengths = append(lengths, utf8.RuneCountInString(l.text))
	}
	if len(lengths) == 0 {
		return 0
	}
	slices.Sort(lengths)
	return lengths[len(lengths)*19/20]
}
