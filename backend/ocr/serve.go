package ocr

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"

	"veristream/backend/audit"
)

// reply is a worker's answer to one frame.
type reply struct {
	Boxes    []audit.TextBox `json:"boxes,omitempty"`
	Code     audit.Code      `json:"code,omitempty"`
	Sentence string          `json:"sentence,omitempty"`
	Details  string          `json:"details,omitempty"`
}

// maxSide bounds a frame, so that a broken head of one asks for no absurd memory.
const maxSide = 16384

// Serve is the worker: it reads frames (width and height as 32 bits each, then
// RGB) until its input ends, and writes one JSON line for each.
func Serve(ctx context.Context, reader audit.TextReader, in io.Reader, out io.Writer) error {
	input, enc := bufio.NewReaderSize(in, 1<<20), json.NewEncoder(out)
	for {
		img, err := readFrame(input)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read a frame: %w", err)
		}
		var r reply
		if r.Boxes, err = reader.ReadText(ctx, img); err != nil {
			r = replyOf(err)
		}
		if err := enc.Encode(r); err != nil {
			return fmt.Errorf("write to the parent: %w", err)
		}
	}
}

// SendError tells the parent why the worker does not begin.
func SendError(out io.Writer, err error) error {
	if err := json.NewEncoder(out).Encode(replyOf(err)); err != nil {
		return fmt.Errorf("write to the parent: %w", err)
	}
	return nil
}

func replyOf(err error) reply {
	return reply{Code: audit.CodeOf(err), Sentence: audit.SentenceOf(err), Details: err.Error()}
}

func readFrame(in io.Reader) (*image.RGBA, error) {
	var size [2]uint32
	if err := binary.Read(in, binary.LittleEndian, &size); err != nil {
		return nil, err
	}
	if size[0] == 0 || size[1] == 0 || size[0] > maxSide || size[1] > maxSide {
		return nil, fmt.Errorf("a frame of %d by %d pixels", size[0], size[1])
	}
	img := image.NewRGBA(image.Rect(0, 0, int(size[0]), int(size[1])))
	row := make([]byte, 3*size[0])
	for y := range int(size[1]) {
		if _, err := io.ReadFull(in, row); err != nil {
			return nil, fmt.Errorf("a frame that is cut off: %w", io.ErrUnexpectedEOF)
		}
		to := img.Pix[y*img.Stride:]
		for i, j := 0, 0; i < len(row); i, j = i+3, j+4 {
			to[j], to[j+1], to[j+2], to[j+3] = row[i], row[i+1], row[i+2], 255
		}
	}
	return img, nil
}

// encodeFrame writes a frame as readFrame reads it.
func encodeFrame(img image.Image) []byte {
	b := img.Bounds()
	out := binary.LittleEndian.AppendUint32(nil, uint32(b.Dx()))
	out = binary.LittleEndian.AppendUint32(out, uint32(b.Dy()))
	rgba, fast := img.(*image.RGBA)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		if fast {
			row := rgba.Pix[rgba.PixOffset(b.Min.X, y):]
			for x := range b.Dx() {
				out = append(out, row[4*x], row[4*x+1], row[4*x+2])
			}
			continue
		}
		for x := b.Min.X; x < b.Max.X; x++ {
			r, g, bl, _ := img.At(x, y).RGBA()
			out = append(out, byte(r>>8), byte(g>>8), byte(bl>>8))
		}
	}
	return out
}
