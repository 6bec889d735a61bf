package pdf

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
	"unicode/utf16"
)

// ref is the number of an object.
type ref int

func (r ref) String() string { return fmt.Sprintf("%d 0 R", int(r)) }

// writer collects the objects of a file. An object's number can be taken
// before it is written, so that objects may point at each other.
type writer struct {
	buf     bytes.Buffer
	offsets []int // of object n at n-1; 0 while it is not written
}

func newWriter() *writer {
	w := &writer{}
	// Four bytes above 127 tell transports that the file is binary.
	w.buf.WriteString("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")
	return w
}

func (w *writer) take() ref {
	w.offsets = append(w.offsets, 0)
	return ref(len(w.offsets))
}

func (w *writer) put(r ref, body string) {
	w.offsets[r-1] = w.buf.Len()
	fmt.Fprintf(&w.buf, "%d 0 obj\n%s\nendobj\n", int(r), body)
}

func (w *writer) add(body string) ref {
	r := w.take()
	w.put(r, body)
	return r
}

// putStream writes a stream; dict is the inside of its dictionary.
func (w *writer) putStream(r ref, dict string, data []byte, compress bool) {
	if compress {
		data = deflate(data)
		dict += " /Filter /FlateDecode"
	}
	w.offsets[r-1] = w.buf.Len()
	fmt.Fprintf(&w.buf, "%d 0 obj\n<< %s /Length %d >>\nstream\n", int(r), strings.TrimSpace(dict), len(data))
	w.buf.Write(data)
	w.buf.WriteString("\nendstream\nendobj\n")
}

func (w *writer) addStream(dict string, data []byte, compress bool) ref {
	r := w.take()
	w.putStream(r, dict, data, compress)
	return r
}

// finish writes the table of objects. The file's id is the digest of what it
// holds, so that the same input gives the same bytes.
func (w *writer) finish(root, info ref) []byte {
	sum := sha256.Sum256(w.buf.Bytes())
	id := hex.EncodeToString(sum[:16])
	start := w.buf.Len()
	fmt.Fprintf(&w.buf, "xref\n0 %d\n0000000000 65535 f \n", len(w.offsets)+1)
	for _, off := range w.offsets {
		fmt.Fprintf(&w.buf, "%010d 00000 n \n", off)
	}
	fmt.Fprintf(&w.buf, "trailer\n<< /Size %d /Root %s /Info %s /ID [<%s> <%s>] >>\nstartxref\n%d\n%%%%EOF\n",
		len(w.offsets)+1, root, info, id, id, start)
	return w.buf.Bytes()
}

func deflate(data []byte) []byte {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	z.Write(data) //nolint:errcheck // a buffer takes everything
	z.Close()     //nolint:errcheck // likewise
	return b.Bytes()
}

// text writes a text string: as it stands where it is plain, else in UTF-16.
func text(s string) string {
	plain := true
	for _, r := range s {
		if r < 32 || r > 126 {
			plain = false
			break
		}
	}
	if plain {
		return "(" + strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(s) + ")"
	}
	var b strings.Builder
	b.WriteString("<FEFF")
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "%04X", u)
	}
	b.WriteString(">")
	return b.String()
}

// name writes a name, with what a name cannot hold as #xx.
func name(s string) string {
	var b strings.Builder
	b.WriteByte('/')
	for i := range len(s) {
		c := s[i]
		if c <= ' ' || c > '~' || strings.IndexByte("#()<>[]{}/%", c) >= 0 {
			fmt.Fprintf(&b, "#%02X", c)
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}

func date(t time.Time) string {
	return "(" + t.UTC().Format("D:20060102150405") + "+00'00')"
}

// num writes a number as short as two decimals allow.
func num(f float64) string {
	s := strings.TrimRight(strings.TrimRight(fmt.Sprintf("%.2f", f), "0"), ".")
	if s == "-0" || s == "" {
		return "0"
	}
	return s
}
