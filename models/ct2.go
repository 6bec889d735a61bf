package models

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// CTranslate2's element types, as its files number them.
const (
	ct2Float32 = 0
	ct2Int8    = 1
	ct2Int16   = 2
	ct2Int32   = 3
	ct2Float16 = 4
)

var ct2Width = map[byte]int64{ct2Float32: 4, ct2Int8: 1, ct2Int16: 2, ct2Int32: 4, ct2Float16: 2}

// ct2File is an opened model.bin of CTranslate2: an index of its variables.
// The weights stay on the disk, so that the memory needed does not grow with
// the model.
//
// The layout (little endian): version u32, name of the spec, its revision u32,
// number of variables u32; for each its name, rank u8, that many sizes u32,
// type u8, number of bytes u32, the bytes; at the end a number of aliases u32,
// each two names. A name is a u16 length, the characters and a zero.
type ct2File struct {
	file *os.File
	vars map[string]variable
}

// variable is one tensor of the file, or some of its rows.
type variable struct {
	dims  []int
	dtype byte
	off   int64
}

// rows gives the number of elements of the first dimension; a vector's own.
func (v variable) count() int {
	n := 1
	for _, d := range v.dims {
		n *= d
	}
	return n
}

// slice gives rows from to to.
func (v variable) slice(from, to int) variable {
	row := v.count() / v.dims[0]
	out := v
	out.dims = append([]int{to - from}, v.dims[1:]...)
	out.off += int64(from*row) * ct2Width[v.dtype]
	return out
}

func openCT2(path string) (*ct2File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open weights: %w", err)
	}
	c := &ct2File{file: f, vars: map[string]variable{}}
	if err := c.index(); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("read weights: %w", err)
	}
	return c, nil
}

func (c *ct2File) close() { _ = c.file.Close() }

func (c *ct2File) index() error {
	info, err := c.file.Stat()
	if err != nil {
		return err
	}
	r := &ct2Reader{f: c.file, size: info.Size()}
	r.seek(0)
	r.u32() // version of the format
	if spec := r.str(); r.err == nil && spec != "WhisperSpec" {
		return fmt.Errorf("they are for %.40q, not for Whisper", spec)
	}
	r.u32() // revision of the spec
	for n := r.u32(); n > 0 && r.err == nil; n-- {
		name, v := r.str(), variable{}
		for rank := r.u8(); rank > 0 && r.err == nil; rank-- {
			v.dims = append(v.dims, int(r.u32()))
		}
		v.dtype = r.u8()
		bytes := int64(r.u32())
		v.off = r.pos
		width, known := ct2Width[v.dtype]
		if r.err == nil && (!known || !sizesFit(v.dims, width, bytes)) {
			return fmt.Errorf("variable %.60q is malformed", name)
		}
		r.seek(v.off + bytes)
		c.vars[name] = v
	}
	for n := r.u32(); n > 0 && r.err == nil; n-- {
		alias, name := r.str(), r.str()
		v, ok := c.vars[name]
		if r.err == nil && !ok {
			return fmt.Errorf("alias %.60q names nothing", alias)
		}
		c.vars[alias] = v
	}
	if r.err != nil {
		return r.err
	}
	if r.pos != r.size {
		return fmt.Errorf("%d bytes follow the last variable", r.size-r.pos)
	}
	return nil
}

func sizesFit(dims []int, width, bytes int64) bool {
	n := width
	for _, d := range dims {
		if d <= 0 || n > bytes {
			return false
		}
		n *= int64(d)
	}
	return n == bytes
}

// get gives a variable that must be there with the given rank.
func (c *ct2File) get(name string, rank int) (variable, error) {
	v, ok := c.vars[name]
	if !ok {
		return v, fmt.Errorf("the weights have no %s", name)
	}
	if len(v.dims) != rank {
		return v, fmt.Errorf("%s has %d dimensions, expected %d", name, len(v.dims), rank)
	}
	return v, nil
}

// number gives a scalar.
func (c *ct2File) number(name string) (int, error) {
	v, err := c.get(name, 0)
	if err != nil {
		return 0, err
	}
	buf := make([]byte, ct2Width[v.dtype])
	if _, err := c.file.ReadAt(buf, v.off); err != nil {
		return 0, fmt.Errorf("read %s: %w", name, err)
	}
	switch v.dtype {
	case ct2Int8:
		return int(int8(buf[0])), nil
	case ct2Int16:
		return int(int16(binary.LittleEndian.Uint16(buf))), nil
	case ct2Int32:
		return int(int32(binary.LittleEndian.Uint32(buf))), nil
	}
	return 0, fmt.Errorf("%s is not a whole number", name)
}

// layers counts the layers of "encoder" or "decoder".
func (c *ct2File) layers(side string) int {
	n := 0
	for {
		if _, ok := c.vars[fmt.Sprintf("%s/layer_%d/self_attention/linear_0/weight", side, n)]; !ok {
			return n
		}
		n++
	}
}

// ct2Reader reads the index; after an error everything reads as zero.
type ct2Reader struct {
	f    *os.File
	b    *bufio.Reader
	pos  int64
	size int64
	err  error
}

func (r *ct2Reader) seek(pos int64) {
	if r.err != nil {
		return
	}
	if pos > r.size {
		r.err = errors.New("the file is cut short")
		return
	}
	if _, err := r.f.Seek(pos, io.SeekStart); err != nil {
		r.err = err
		return
	}
	r.pos = pos
	if r.b == nil {
		r.b = bufio.NewReader(r.f)
	}
	r.b.Reset(r.f)
}

func (r *ct2Reader) read(n int) []byte {
	buf := make([]byte, n)
	if r.err != nil {
		return buf
	}
	if _, err := io.ReadFull(r.b, buf); err != nil {
		r.err = errors.New("the file is cut short")
		return make([]byte, n)
	}
	r.pos += int64(n)
	return buf
}

func (r *ct2Reader) u8() byte    { return r.read(1)[0] }
func (r *ct2Reader) u32() uint32 { return binary.LittleEndian.Uint32(r.read(4)) }
func (r *ct2Reader) str() string {
	n := binary.LittleEndian.Uint16(r.read(2))
	return strings.TrimRight(string(r.read(int(n))), "\x00")
}
