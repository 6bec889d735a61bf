package docs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"veristream/backend/audit"
	"veristream/backend/proc"
)

// ErrScan is in the chain of the error about a PDF whose pages are pictures
// without text: with Options.Pictures it could be read.
var ErrScan = errors.New("the pages hold no text")

// Options say what reading may need beside the file.
type Options struct {
	// Pictures reads the pages of a PDF that hold no text; nil: they are not read.
	Pictures audit.TextReader
	// Kept keeps what was read of each page; nil: an import that was stopped
	// begins with the first page again.
	Kept PageKeeper
	// OnPage is told of each page that was read from its picture.
	OnPage func(done, total int)
}

// PageKeeper keeps what was read of the pages of one document. Pages count from 1.
type PageKeeper interface {
	Page(ctx context.Context, page int) (boxes []audit.TextBox, ok bool, err error)
	KeepPage(ctx context.Context, page int, boxes []audit.TextBox) error
}

const (
	// maxScanned is how many pages of a document are read from their pictures.
	maxScanned = 400
	// pageSide is the longer side of a page's picture in pixels: about 190 dots
	// an inch of a letter, and a bound for pages of any size.
	pageSide = 2200
	// drawPatience is how long drawing one page may take, drawMemory the most it
	// may take of memory, in KiB: a picture in a PDF may claim any size.
	drawPatience = time.Minute
	drawMemory   = 2 << 20
	// lowConfidence is below what a page's reading is told as doubtful. The
	// reader's own scores lie above 0.9 for clear print.
	lowConfidence = 0.85
)

// scanned is what came of reading pages from their pictures.
type scanned struct {
	sure  map[int]float64 // page -> mean confidence, weighted by length
	blank []int           // pages on which nothing was read
	left  int             // pages beyond the bound
}

// readPictures reads the wanted pages, which hold no text, and puts what they say
// in their place.
func (o Options) readPictures(ctx context.Context, data []byte, pages []string, want []int) (scanned, error) {
	s := scanned{sure: map[int]float64{}}
	if len(want) > maxScanned {
		s.left = len(want) - maxScanned
		want = want[:maxScanned]
	}
	for i, n := range want {
		boxes, err := o.readPage(ctx, data, n)
		if err != nil {
			return s, fmt.Errorf("read page %d: %w", n, err)
		}
		if text := pageText(boxes); strings.TrimSpace(text) != "" {
			pages[n-1], s.sure[n] = text, meanConfidence(boxes)
		} else {
			s.blank = append(s.blank, n)
		}
		if o.OnPage != nil {
			o.OnPage(i+1, len(want))
		}
	}
	return s, nil
}

// readPage gives the lines of one page: those that were kept, or those on its
// picture.
func (o Options) readPage(ctx context.Context, data []byte, n int) ([]audit.TextBox, error) {
	if o.Kept != nil {
		if boxes, ok, err := o.Kept.Page(ctx, n); ok || err != nil {
			return boxes, err
		}
	}
	picture, err := drawPage(ctx, data, n)
	if err != nil {
		return nil, err
	}
	boxes, err := readBands(ctx, o.Pictures, picture)
	if err != nil {
		return nil, err
	}
	if o.Kept != nil {
		return boxes, o.Kept.KeepPage(ctx, n, boxes)
	}
	return boxes, nil
}

// drawPage draws a page as poppler shows it.
func drawPage(ctx context.Context, data []byte, n int) (*image.Gray, error) {
	tool, err := exec.LookPath("pdftoppm")
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeMissing, "Reading a scan needs pdftoppm, which is not installed (package poppler-utils).")
	}
	within, cancel := context.WithTimeout(ctx, drawPatience)
	defer cancel()
	page := strconv.Itoa(n)
	// The shell's limit is of the tool alone. Where there is none, it goes without.
	cmd := proc.Command(within, "sh", "-c", `ulimit -v "$0" 2>/dev/null; exec "$@"`, strconv.Itoa(drawMemory),
		tool, "-f", page, "-l", page, "-gray", "-scale-to", strconv.Itoa(pageSide), "-")
	cmd.Stdin = bytes.NewReader(data)
	out, complaint, err := proc.Run(cmd)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case within.Err() != nil:
		return nil, audit.Errorf(audit.CodeDeadline, "Drawing page %d of the PDF took longer than %v.", n, drawPatience)
	case err != nil:
		return nil, audit.Wrap(err, audit.CodeInput, "Page %d of the PDF cannot be drawn; it may be damaged or too large.", n).WithDetails(complaint)
	}
	picture, err := decodeGray(out)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "Page %d of the PDF cannot be drawn; it may be damaged or too large.", n).WithDetails(complaint)
	}
	return picture, nil
}

var rePGM = regexp.MustCompile(`^P5\s+(\d{1,5})\s+(\d{1,5})\s+255\s`)

// decodeGray reads a PGM picture of a byte a pixel (netpbm's documentation, pgm).
func decodeGray(data []byte) (*image.Gray, error) {
	m := rePGM.FindSubmatch(data)
	if m == nil {
		return nil, errors.New("this is no PGM picture")
	}
	w, _ := strconv.Atoi(string(m[1]))
	h, _ := strconv.Atoi(string(m[2]))
	pixels := data[len(m[0]):]
	if w < 1 || h < 1 || w > pageSide || h > pageSide || len(pixels) < w*h {
		return nil, fmt.Errorf("a picture of %d by %d pixels in %d bytes", w, h, len(pixels))
	}
	return &image.Gray{Pix: pixels[:w*h], Stride: w, Rect: image.Rect(0, 0, w, h)}, nil
}

// Bands of a page, as shares of its width. Readers made for frames of a film
// look at a page as a whole too coarsely.
const (
	bandHeight  = 0.5
	bandOverlap = 0.08
)

// readBands reads a page in bands that overlap by more than a line. A line that
// a band cuts is taken from the band that has it whole.
func readBands(ctx context.Context, reader audit.TextReader, page *image.Gray) ([]audit.TextBox, error) {
	w, h := page.Rect.Dx(), page.Rect.Dy()
	high, overlap := max(1, int(bandHeight*float64(w))), max(1, int(bandOverlap*float64(w)))
	var out []audit.TextBox
	for top := 0; top < h; top += high - overlap {
		bottom := min(h, top+high)
		band := image.NewGray(image.Rect(0, 0, w, bottom-top))
		copy(band.Pix, page.Pix[top*page.Stride:bottom*page.Stride])
		boxes, err := reader.ReadText(ctx, band)
		if err != nil {
			return nil, err
		}
		for _, b := range boxes {
			middle := top + b.Y + b.Height/2
			// The seam lies in the middle of what two bands share.
			if top > 0 && middle < top+overlap/2 || bottom < h && middle >= bottom-(overlap-overlap/2) {
				continue
			}
			b.Y += top
			out = append(out, b)
		}
		if bottom == h {
			break
		}
	}
	return out, nil
}

func meanConfidence(boxes []audit.TextBox) float64 {
	sum, n := 0.0, 0.0
	for _, b := range boxes {
		weight := float64(len([]rune(b.Text)))
		sum, n = sum+weight*b.Confidence, n+weight
	}
	if n == 0 {
		return 0
	}
	return sum / n
}

// tellScan notes beside the document what was read from pictures, how surely,
// and marks the sections.
func (p *Parsed) tellScan(s scanned, pages int) {
	if len(s.sure) == 0 && len(s.blank) == 0 {
		return
	}
	if n := len(s.sure); n > 0 {
		p.note("%d of %d pages hold no text and were read from their pictures, where letters and figures may be taken for others.", n, pages)
	}
	var low []int
	for n, sure := range s.sure {
		if sure < lowConfidence {
			low = append(low, n)
		}
	}
	slices.Sort(low)
	if len(low) > 0 {
		p.note("Read from a picture with low confidence: %s.", numbered(low, func(n int) string { return fmt.Sprintf("page %d (%.2f)", n, s.sure[n]) }))
	}
	if len(s.blank) > 0 {
		p.note("No text was found on the picture of %s.", numbered(s.blank, func(n int) string { return fmt.Sprintf("page %d", n) }))
	}
	if s.left > 0 {
		p.note("%d pages were read from their pictures, and the %d after them were not.", maxScanned, s.left)
	}
	for i := range p.Sections {
		sec := &p.Sections[i]
		sure, ok := s.sure[sec.First]
		for n := sec.First; n <= sec.Last; n++ {
			if x, read := s.sure[n]; read {
				sure, ok = min(sure, x), true
			}
		}
		if !ok {
			continue
		}
		if sec.Meta == nil {
			sec.Meta = map[string]string{}
		}
		sec.Meta[audit.MetaReadFrom], sec.Meta[audit.MetaConfidence] = audit.ReadFromPicture, strconv.FormatFloat(sure, 'f', 2, 64)
	}
}

// numbered lists pages, the first dozen by name.
func numbered(pages []int, say func(int) string) string {
	const most = 12
	var parts []string
	for _, n := range pages[:min(most, len(pages))] {
		parts = append(parts, say(n))
	}
	out := strings.Join(parts, ", ")
	if n := len(pages) - most; n > 0 {
		out += fmt.Sprintf(" and %d more", n)
	}
	return out
}
