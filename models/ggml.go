package models

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"path/filepath"
)

const (
	ggmlMagic   = 0x67676d6c
	ggmlFloat32 = 0
	ggmlFloat16 = 1
	chunk       = 1 << 18 // elements converted at a time
)

// ConvertCT2ToGGML writes the CTranslate2 Whisper model in dir (model.bin and
// a vocabulary) to w as a ggml file of whisper.cpp: hyperparameters, the mel
// filters, the vocabulary, then each tensor with its name. Matrices are stored
// as halves, vectors and positions as floats. A few megabytes are held at once.
func ConvertCT2ToGGML(ctx context.Context, dir string, w io.Writer) error {
	src, err := openCT2(filepath.Join(dir, "model.bin"))
	if err != nil {
		return err
	}
	defer src.close()
	words, err := readVocabulary(dir)
	if err != nil {
		return err
	}
	g := &ggmlWriter{ctx: ctx, src: src, w: bufio.NewWriterSize(w, 1<<20)}
	if err := g.header(words); err != nil {
		return err
	}
	plan, err := whisperTensors(src)
	if err != nil {
		return err
	}
	for _, t := range plan {
		if err := g.tensor(t); err != nil {
			return fmt.Errorf("convert %s: %w", t.name, err)
		}
	}
	return g.w.Flush()
}

// tensor is one entry of the ggml file: what it is called there, what it is
// made of, and its shape.
type tensor struct {
	name  string
	from  variable
	scale *variable // of int8 weights: one for each row
	dims  []int
	float bool // kept as float32
}

type ggmlWriter struct {
	ctx context.Context
	src *ct2File
	w   *bufio.Writer
}

func (g *ggmlWriter) ints(v ...int) {
	for _, n := range v {
		_ = binary.Write(g.w, binary.LittleEndian, int32(n)) // the writer keeps its first error
	}
}

func (g *ggmlWriter) header(words [][]byte) error {
	embed, err := g.src.get("decoder/embeddings/weight", 2)
	if err != nil {
		return err
	}
	audio, err := g.src.get("encoder/position_encodings/encodings", 2)
	if err != nil {
		return err
	}
	text, err := g.src.get("decoder/position_encodings/encodings", 2)
	if err != nil {
		return err
	}
	conv, err := g.src.get("encoder/conv1/weight", 3)
	if err != nil {
		return err
	}
	encHeads, err := g.src.number("encoder/num_heads")
	if err != nil {
		return err
	}
	decHeads, err := g.src.number("decoder/num_heads")
	if err != nil {
		return err
	}
	vocab, state, mels := embed.dims[0], embed.dims[1], conv.dims[1]
	if mels > 1024 || len(words) > vocab {
		return fmt.Errorf("the weights do not fit their vocabulary or spectrogram")
	}
	g.ints(ggmlMagic, vocab, audio.dims[0], state, encHeads, g.src.layers("encoder"),
		text.dims[0], state, decHeads, g.src.layers("decoder"), mels, 1)
	filters := melFilters(mels)
	g.ints(mels, len(filters)/mels)
	if err := binary.Write(g.w, binary.LittleEndian, filters); err != nil {
		return fmt.Errorf("write mel filters: %w", err)
	}
	g.ints(len(words))
	for _, b := range words {
		g.ints(len(b))
		_, _ = g.w.Write(b)
	}
	return nil
}

func (g *ggmlWriter) tensor(t tensor) error {
	kind := ggmlFloat16
	if t.float {
		kind = ggmlFloat32
	}
	g.ints(len(t.dims), len(t.name), kind)
	for i := len(t.dims) - 1; i >= 0; i-- { // ggml puts the fastest dimension first
		g.ints(t.dims[i])
	}
	_, _ = g.w.WriteString(t.name)
	var scales []float32
	if t.scale != nil {
		scales = make([]float32, t.scale.count())
		if err := g.src.floats(*t.scale, 0, scales); err != nil {
			return err
		}
	}
	n := t.from.count()
	values := make([]float32, min(n, chunk))
	out := make([]byte, 4*len(values))
	for at := 0; at < n; at += len(values) {
		if err := g.ctx.Err(); err != nil {
			return err
		}
		part := values[:min(len(values), n-at)]
		if err := g.src.floats(t.from, at, part); err != nil {
			return err
		}
		if scales != nil {
			unscale(part, at, n/len(scales), scales)
		}
		if _, err := g.w.Write(encode(out, part, t.float)); err != nil {
			return err
		}
	}
	return nil
}

// unscale turns int8 weights into real ones: each row has its own scale.
func unscale(part []float32, at, row int, scales []float32) {
	for i := range part {
		part[i] /= scales[(at+i)/row]
	}
}

func encode(out []byte, values []float32, float bool) []byte {
	if float {
		for i, v := range values {
			binary.LittleEndian.PutUint32(out[4*i:], math.Float32bits(v))
		}
		return out[:4*len(values)]
	}
	for i, v := range values {
		binary.LittleEndian.PutUint16(out[2*i:], floatToHalf(v))
	}
	return out[:2*len(values)]
}

// floats reads elements of v, from the given one on, widened to float32.
func (c *ct2File) floats(v variable, from int, out []float32) error {
	width := ct2Width[v.dtype]
	buf := make([]byte, int64(len(out))*width)
	if _, err := c.file.ReadAt(buf, v.off+int64(from)*width); err != nil {
		return fmt.Errorf("read weights: %w", err)
	}
	for i := range out {
		switch v.dtype {
		case ct2Float32:
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(buf[4*i:]))
		case ct2Float16:
			out[i] = halfToFloat(binary.LittleEndian.Uint16(buf[2*i:]))
		case ct2Int8:
			out[i] = float32(int8(buf[i]))
		default:
			return fmt.Errorf("weights of type %d cannot be converted", v.dtype)
		}
	}
	return nil
}
