package ocr

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"veristream/backend/audit"
	"veristream/backend/proc"
)

// Tesseract is an audit.TextReader on the tesseract program. It is run as a
// child: linked in, a missing library would keep the whole program from
// starting, and a crash on an odd picture would take it down.
type Tesseract struct {
	Languages string // as tesseract names them; "" means eng
}

var _ audit.TextReader = Tesseract{}

// ReadText reads the lines of a frame.
func (t Tesseract) ReadText(ctx context.Context, frame image.Image) ([]audit.TextBox, error) {
	if _, err := exec.LookPath("tesseract"); err != nil {
		return nil, audit.Wrap(err, audit.CodeMissing, "tesseract is not installed. Install it with: sudo apt install tesseract-ocr")
	}
	languages := t.Languages
	if languages == "" {
		languages = "eng"
	}
	img, scale := prepare(frame)
	cmd := proc.Command(ctx, "tesseract", "stdin", "stdout", "-l", languages, "--psm", "11", "tsv")
	cmd.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1") // its threads cost more than they bring
	cmd.Stdin = bytes.NewReader(portableGray(img))
	out, stderr, err := proc.Run(cmd)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && strings.Contains(stderr, "Error opening data file"):
		return nil, audit.Wrap(err, audit.CodeMissing, "tesseract lacks the language %s. Install it with: sudo apt install tesseract-ocr-%s", languages, languages).WithDetails(stderr)
	case err != nil:
		return nil, audit.Wrap(err, audit.CodeWorker, "The text on a frame could not be read.").WithDetails(stderr)
	}
	boxes, err := parseTSV(bytes.NewReader(out))
	if err != nil {
		return nil, fmt.Errorf("read tesseract's table: %w", err)
	}
	for i := range boxes {
		b := &boxes[i]
		b.X, b.Y, b.Width, b.Height = b.X/scale, b.Y/scale, b.Width/scale, b.Height/scale
	}
	return boxes, nil
}

// prepare makes a frame grey, dark on light, of full contrast, and larger where
// it is small: tesseract wants capitals of 20 pixels and more.
func prepare(frame image.Image) (*image.Gray, int) {
	b := frame.Bounds()
	scale := 1
	if b.Dy() <= 800 {
		scale = 2
	}
	gray := image.NewGray(image.Rect(0, 0, b.Dx(), b.Dy()))
	var hist [256]int
	for y := range b.Dy() {
		for x := range b.Dx() {
			g := color.GrayModel.Convert(frame.At(b.Min.X+x, b.Min.Y+y)).(color.Gray)
			gray.SetGray(x, y, g)
			hist[g.Y]++
		}
	}
	lo, hi := percentile(hist, 0.005), percentile(hist, 0.995)
	middle := percentile(hist, 0.5)
	out := image.NewGray(image.Rect(0, 0, b.Dx()*scale, b.Dy()*scale))
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			v := int(gray.GrayAt(x/scale, y/scale).Y)
			if scale == 2 && x&1 == 1 && x/2+1 < b.Dx() {
				v = (v + int(gray.GrayAt(x/2+1, y/2).Y)) / 2
			}
			if hi > lo {
				v = min(255, max(0, (v-lo)*255/(hi-lo)))
			}
			if middle < 128 {
				v = 255 - v
			}
			out.Pix[y*out.Stride+x] = uint8(v)
		}
	}
	return out, scale
}

func percentile(hist [256]int, share float64) int {
	total := 0
	for _, n := range hist {
		total += n
	}
	sum := 0
	for v, n := range hist {
		sum += n
		if float64(sum) >= share*float64(total) {
			return v
		}
	}
	return 255
}

// portableGray writes a PGM: no time is lost on compressing it.
func portableGray(img *image.Gray) []byte {
	out := fmt.Appendf(nil, "P5\n%d %d\n255\n", img.Rect.Dx(), img.Rect.Dy())
	return append(out, img.Pix...)
}

// parseTSV reads tesseract's table of words and puts them into lines.
func parseTSV(r io.Reader) ([]audit.TextBox, error) {
	table := csv.NewReader(r)
	table.Comma, table.LazyQuotes, table.FieldsPerRecord = '\t', true, -1
	var out []audit.TextBox
	line, words := "", 0
	for {
		row, err := table.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		if len(row) < 12 || row[0] != "5" {
			continue
		}
		n := make([]int, 4)
		for i := range n {
			if n[i], err = strconv.Atoi(row[6+i]); err != nil {
				return nil, fmt.Errorf("column %d: %w", 7+i, err)
			}
		}
		confidence, err := strconv.ParseFloat(row[10], 64)
		if err != nil {
			return nil, fmt.Errorf("column 11: %w", err)
		}
		confidence /= 100
		text := strings.TrimSpace(row[11])
		if text == "" || confidence < 0.3 {
			continue
		}
		box := audit.TextBox{Text: text, X: n[0], Y: n[1], Width: n[2], Height: n[3], Confidence: confidence}
		if id := strings.Join(row[1:5], "."); id != line || len(out) == 0 {
			line, words = id, 1
			out = append(out, box)
			continue
		}
		last := &out[len(out)-1]
		right, bottom := max(last.X+last.Width, box.X+box.Width), max(last.Y+last.Height, box.Y+box.Height)
		last.X, last.Y = min(last.X, box.X), min(last.Y, box.Y)
		last.Width, last.Height = right-last.X, bottom-last.Y
		last.Text += " " + text
		last.Confidence = (last.Confidence*float64(words) + confidence) / float64(words+1)
		words++
	}
}
