package llm

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// GGUF's value types that have a fixed width, by their number.
var ggufWidth = map[uint32]int64{0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}

const (
	ggufString = 8
	ggufArray  = 9
)

// chatTemplate reads the chat template out of a GGUF file's metadata; "" where
// it has none. The header is: magic, version u32, number of tensors u64, number
// of keys u64; then for each key its name, type u32 and value. A string is a
// u64 length and the bytes; an array is a type u32, a count u64, the values.
func chatTemplate(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("open GGUF: %w", err)
	}
	defer func() { _ = f.Close() }()
	r := &ggufReader{r: bufio.NewReaderSize(f, 1<<20)}
	if magic := r.bytes(4); string(magic) != "GGUF" {
		return "", errors.New("read GGUF: the file does not begin with GGUF")
	}
	r.u32()
	r.u64()
	for n := r.u64(); n > 0 && r.err == nil; n-- {
		key, typ := r.str(), r.u32()
		if key == "tokenizer.chat_template" && typ == ggufString {
			return r.str(), r.err
		}
		r.skip(typ)
	}
	if r.err != nil {
		return "", fmt.Errorf("read GGUF: %w", r.err)
	}
	return "", nil
}

// ggufReader reads values; after an error everything reads as zero.
type ggufReader struct {
	r   *bufio.Reader
	err error
}

// maxString is longer than any key or template; more means a damaged file.
const maxString = 4 << 20

func (g *ggufReader) bytes(n uint64) []byte {
	if g.err == nil && n > maxString {
		g.err = fmt.Errorf("a text of %d bytes", n)
	}
	if g.err != nil {
		return nil
	}
	b := make([]byte, n)
	_, g.err = io.ReadFull(g.r, b)
	return b
}

func (g *ggufReader) u32() uint32 {
	if b := g.bytes(4); g.err == nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (g *ggufReader) u64() uint64 {
	if b := g.bytes(8); g.err == nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (g *ggufReader) str() string { return string(g.bytes(g.u64())) }

func (g *ggufReader) discard(n int64) {
	if g.err == nil {
		_, g.err = io.CopyN(io.Discard, g.r, n)
	}
}

func (g *ggufReader) skip(typ uint32) {
	switch width, fixed := ggufWidth[typ]; {
	case fixed:
		g.discard(width)
	case typ == ggufString:
		g.bytes(g.u64())
	case typ == ggufArray:
		of, n := g.u32(), g.u64()
		if width, fixed := ggufWidth[of]; fixed && n < 1<<40 {
			g.discard(width * int64(n))
			return
		}
		for ; n > 0 && g.err == nil; n-- {
			if of == ggufArray {
				g.err = errors.New("an array of arrays")
				return
			}
			g.skip(of)
		}
	default:
		if g.err == nil {
			g.err = fmt.Errorf("a value of type %d", typ)
		}
	}
}
