package regs

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"unicode/utf8"

	"veristream/backend/audit"
)

// readText reads plain text and Markdown, with or without pages.
func readText(ctx context.Context, data []byte, opts Options) (*Parsed, error) {
	if at := invalidUTF8(data); at >= 0 {
		return nil, audit.Errorf(audit.CodeInput, "Line %d of the text is not valid UTF-8; save the file as UTF-8 and import it again.",
			1+bytes.Count(data[:at], []byte("\n")))
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	text := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(cleanSource(string(data)))
	lines, removed := joinPages(text)
	blocks := joinLines(lines)
	markdown := isMarkdown(lines)
	for i := range blocks {
		if markdown {
			blocks[i] = fromMarkdown(blocks[i])
		}
	}
	b := newBuilder(opts.Regulator)
	if removed > 0 {
		b.problem(ProblemSkipped, "", "running titles and page numbers were left out")
	}
	if err := b.addBlocks(blocks, opts); err != nil {
		return nil, err
	}
	return b.finish(), nil
}

// invalidUTF8 gives the place of the first byte that is no UTF-8, or -1.
func invalidUTF8(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
	return -1
}

// isMarkdown looks for headings with #; without one, asterisks may be bullets.
func isMarkdown(lines []line) bool {
	for _, l := range lines {
		if reMDHead.MatchString(l.text) {
			return true
		}
	}
	return false
}

var (
	reMDHead   = regexp.MustCompile(`^(#{1,6})\s+(\S.*)$`)
	reMDItalic = regexp.MustCompile(`(^|[\s(“"—–-])(?:\*([^*\s](?:[^*]*[^*\s])?)\*|_([^_\s](?:[^_]*[^_\s])?)_)`)
	reMDBold   = regexp.MustCompile(`\*\*([^*]+)\*\*`)
	reMDLink   = regexp.MustCompile(`\[([^\]]+)\]\([^)\s]+\)`)
	reMDEscape = regexp.MustCompile(`\\([\\*_#()\[\].-])`)
	reMDRule   = regexp.MustCompile(`^\|[\s|:-]+\|$`)
)

// fromMarkdown reads Markdown's marks: headings, italics, links, tables.
func fromMarkdown(b block) block {
	if m := reMDHead.FindStringSubmatch(b.text); m != nil {
		b.kind, b.level, b.text = blockHeading, len(m[1]), m[2]
	}
	if strings.HasPrefix(b.text, "|") && strings.Count(b.text, "|") > 2 {
		b.kind, b.text = blockTable, tableLines(b.text)
		return b
	}
	b.text = reMDBold.ReplaceAllString(b.text, "$1")
	b.text = reMDLink.ReplaceAllString(b.text, "$1")
	b.text = reMDItalic.ReplaceAllString(b.text, "$1"+string(italOn)+"$2$3"+string(italOff))
	b.text = reMDEscape.ReplaceAllString(b.text, "$1")
	return b
}

// tableLines puts the rows of a table, which were joined with spaces, back on
// lines of their own.
func tableLines(text string) string {
	var t tableReader
	for _, row := range strings.Split(strings.ReplaceAll(text, "| |", "|\n|"), "\n") {
		if row = strings.TrimSpace(row); reMDRule.MatchString(row) {
			continue
		}
		t.row()
		for _, cell := range strings.Split(strings.Trim(row, "|"), "|") {
			t.cell(strings.TrimSpace(cell))
		}
	}
	return t.markdown()
}
