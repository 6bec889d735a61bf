package docs

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"veristream/backend/audit"
	"veristream/backend/proc"
)

// pdfPatience is how long reading a PDF may take.
const pdfPatience = 3 * time.Minute

// readPDF reads a PDF as pdftotext lays it out, and the pages that hold no text
// from their pictures, where there is a reader of pictures.
func (p *Parsed) readPDF(ctx context.Context, data []byte, o Options) error {
	pages, err := layOut(ctx, data)
	if err != nil {
		return err
	}
	empty := emptyPages(pages)
	var scan scanned
	switch n := len(empty); {
	case n > 0 && o.Pictures != nil:
		if scan, err = o.readPictures(ctx, data, pages, empty); err != nil {
			return err
		}
	case n == len(pages):
		return audit.Wrap(ErrScan, audit.CodeInput, "The PDF holds no text: its pages are pictures. OCR can read them, and may take some letters for others. Run: veristream docs import --ocr")
	case n > 0:
		p.Document.Unread = n
		p.note("%d of %d pages hold no text; if they are scans, importing the file with OCR reads them.", n, len(pages))
	}
	p.Document.Type, p.Document.Pages = "pdf", len(pages)
	p.sections(pageBlocks(pages))
	p.tellScan(scan, len(pages))
	return nil
}

// emptyPages gives the numbers of the pages without text, or with nothing but
// what stands on every page, as a stamp on scans does.
func emptyPages(pages []string) (empty []int) {
	running := runningLines(pages)
	for i, page := range pages {
		said := false
		for line := range strings.Lines(page) {
			l := strings.TrimSpace(line)
			said = said || l != "" && !running[shapeOf(l)] && !isFurniture(l)
		}
		if !said {
			empty = append(empty, i+1)
		}
	}
	return empty
}

// layOut gives the text of each page; that of a picture is empty.
func layOut(ctx context.Context, data []byte) ([]string, error) {
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeMissing, "Reading a PDF needs pdftotext, which is not installed (package poppler-utils).")
	}
	ctx, cancel := context.WithTimeout(ctx, pdfPatience)
	defer cancel()
	cmd := proc.Command(ctx, tool, "-layout", "-enc", "UTF-8", "-", "-")
	cmd.Stdin = bytes.NewReader(data)
	out, complaint, err := proc.Run(cmd)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, audit.Errorf(audit.CodeDeadline, "Reading the PDF took longer than %v.", pdfPatience)
	case err != nil && strings.Contains(complaint, "Incorrect password"):
		return nil, audit.Errorf(audit.CodeInput, "The PDF is protected by a password; save it without one and import it again.")
	case err != nil:
		return nil, audit.Wrap(err, audit.CodeInput, "The PDF cannot be read; it may be damaged.").WithDetails(complaint)
	}
	// Each page ends with a form feed.
	return strings.Split(strings.TrimSuffix(string(out), "\f"), "\f"), nil
}

var (
	reGap      = regexp.MustCompile(`\s{3,}`)
	reNumbered = regexp.MustCompile(`^(?:\d{1,2}(?:\.\d{1,2}){0,3}\.?|[A-Z]\.|[IVX]{1,5}\.)\s+[A-Z][^.]{2,80}$`)
	reDigitRun = regexp.MustCompile(`\d+`)
)

// pageBlocks makes paragraphs, headings and tables of laid-out lines.
func pageBlocks(all []string) (blocks []block) {
	running := runningLines(all)
	for n, page := range all {
		var para, rows []string
		flushPara := func() {
			if len(para) > 0 {
				joined := strings.Join(para, " ")
				b := block{text: joined, page: n + 1}
				if len(para) == 1 && reNumbered.MatchString(joined) {
					b.level = 2 + strings.Count(strings.TrimRight(strings.Fields(joined)[0], "."), ".")
				}
				blocks = append(blocks, b)
				para = nil
			}
		}
		flushRows := func() {
			if len(rows) >= 3 {
				flushPara()
				blocks = append(blocks, block{table: laidOut(rows), page: n + 1})
			} else {
				for _, r := range rows {
					para = append(para, strings.Join(strings.Fields(r), " "))
				}
			}
			rows = nil
		}
		for line := range strings.Lines(page) {
			l := strings.TrimSpace(line)
			switch {
			case l == "":
				if len(rows) == 0 {
					flushPara()
				}
			case running[shapeOf(l)] || isFurniture(l):
			case reGap.MatchString(l):
				rows = append(rows, strings.TrimRight(line, " \n"))
			default:
				flushRows()
				para = append(para, l)
			}
		}
		flushRows()
		flushPara()
	}
	return blocks
}

// laidOut makes a table of lines whose columns stand below each other.
func laidOut(rows []string) *grid {
	g := &grid{}
	for _, r := range rows {
		g.row()
		at := 0
		for _, part := range splitGaps(r) {
			start := strings.Index(r[at:], part) + at
			if start > at {
				g.add("", start-at, false)
			}
			g.add(part, len(part), false)
			at = start + len(part)
		}
	}
	return g
}

func splitGaps(r string) []string {
	var out []string
	for _, part := range regexp.MustCompile(`\s{2,}`).Split(strings.TrimSpace(r), -1) {
		if part != "" {
			out = append(out, part)
		}
	}
	return out
}

// runningLines finds what stands at the top or the foot of half of the pages.
func runningLines(pages []string) map[string]bool {
	count := map[string]int{}
	for _, page := range pages {
		var filled []string
		for line := range strings.Lines(page) {
			if t := strings.TrimSpace(line); t != "" {
				filled = append(filled, t)
			}
		}
		seen := map[string]bool{}
		for i, l := range filled {
			if i < 2 || i >= len(filled)-2 {
				if s := shapeOf(l); !seen[s] {
					seen[s] = true
					count[s]++
				}
			}
		}
	}
	out := map[string]bool{}
	for s, n := range count {
		out[s] = n >= 3 && n*2 >= len(pages)
	}
	return out
}

func shapeOf(s string) string {
	return reDigitRun.ReplaceAllString(strings.Join(strings.Fields(s), " "), "#")
}
