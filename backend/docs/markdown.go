package docs

import (
	"regexp"
	"strconv"
	"strings"
)

var (
	reHeading  = regexp.MustCompile(`^(#{1,6})\s+(.+?)\s*#*$`)
	rePageMark = regexp.MustCompile(`^\{(\d+)\}-{10,}$`)
	reTags     = regexp.MustCompile(`</?(?:div|p|span|b|i|u|br|font|center|sup|sub|strong|em|a|img)\b[^>]*>`)
	rePicture  = regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)`)
	reRuleLine = regexp.MustCompile(`^\|?[\s:|-]*-{3,}[\s:|-]*\|?$`)
	reStrong   = regexp.MustCompile(`^(?:\*\*|__)(.+?)(?:\*\*|__)$`)
)

// readMarkdown reads Markdown and plain text.
func (p *Parsed) readMarkdown(text string) {
	p.Document.Type = p.Document.Format
	blocks := markdownBlocks(text)
	for _, b := range blocks {
		p.Document.Pages = max(p.Document.Pages, b.page)
	}
	p.sections(blocks)
}

func markdownBlocks(text string) []block {
	var out []block
	page := 0
	var para []string
	var g *grid
	flush := func() {
		if len(para) > 0 {
			joined := strings.Join(para, " ")
			b := block{text: joined, page: page}
			if m := reStrong.FindStringSubmatch(joined); m != nil {
				b.text, b.bold = m[1], true
			}
			out = append(out, b)
			para = nil
		}
		if g != nil {
			out = append(out, block{table: g, page: page})
			g = nil
		}
	}
	fence := false
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		l := strings.TrimSpace(rePicture.ReplaceAllString(reTags.ReplaceAllString(line, " "), ""))
		switch {
		case strings.HasPrefix(l, "```"):
			flush()
			fence = !fence
		case fence:
			para = append(para, l)
		case l == "":
			flush()
		case rePageMark.MatchString(l):
			flush()
			n, _ := strconv.Atoi(rePageMark.FindStringSubmatch(l)[1])
			page = n + 1
		case reHeading.MatchString(l):
			flush()
			m := reHeading.FindStringSubmatch(l)
			title := strings.Trim(m[2], "*_ ")
			out = append(out, block{text: title, level: len(m[1]), page: page})
		case strings.HasPrefix(l, "|"):
			if g == nil {
				flush()
				g = &grid{}
			}
			if reRuleLine.MatchString(l) {
				continue
			}
			g.row()
			for _, c := range strings.Split(strings.Trim(l, "|"), "|") {
				g.add(strings.Trim(strings.TrimSpace(c), "*"), 1, false)
			}
		case g != nil && strings.HasSuffix(l, "|"): // a cell that goes on in the next line
			for _, c := range strings.Split(strings.TrimRight(l, "|"), "|") {
				g.add(strings.TrimSpace(c), 1, false)
			}
		case regexp.MustCompile(`^(?:[-*+•]|\d{1,3}[.)])\s`).MatchString(l):
			flush()
			para = append(para, l)
		default:
			para = append(para, l)
		}
	}
	flush()
	return out
}
