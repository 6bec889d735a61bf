package pdf

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf16"
)

// File is a document that was read. Reading is strict: a file that this
// package did not write, or that was changed afterwards, is refused, and the
// error says why. So there is no place in which something could hide: objects
// fill the file without a gap, each once, and each is used.
type File struct {
	data    []byte
	objects []any // of number n at n-1
	trailer Dict
}

// Read reads a document.
func Read(data []byte) (*File, error) {
	if !bytes.HasPrefix(data, []byte("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")) {
		return nil, errors.New("the file does not begin as our files do")
	}
	const end = "%%EOF\n"
	if !bytes.HasSuffix(data, []byte(end)) {
		return nil, errors.New("the file's end is missing")
	}
	at := bytes.LastIndex(data, []byte("\nstartxref\n"))
	if at < 0 {
		return nil, errDamaged
	}
	p := &parser{data: data, at: at + len("\nstartxref\n")}
	start, err := p.integer()
	if err != nil || !p.word("\n"+end) || p.at != len(data) || start >= at {
		return nil, errDamaged
	}
	f := &File{data: data}
	offsets, err := f.table(start, at)
	if err != nil {
		return nil, err
	}
	return f, f.body(offsets, start)
}

// table reads the table of objects and the trailer, which ends at end.
func (f *File) table(start, end int) ([]int, error) {
	p := &parser{data: f.data[:end], at: start}
	if !p.word("xref\n0 ") {
		return nil, errors.New("the table of objects is not where the file says")
	}
	n, err := p.integer()
	if err != nil || n < 2 || n > len(f.data)/20 || !p.word("\n0000000000 65535 f \n") {
		return nil, errors.New("the table of objects is damaged")
	}
	offsets := make([]int, n-1)
	for i := range offsets {
		if p.at+20 > end {
			return nil, errors.New("the table of objects is cut off")
		}
		line := string(f.data[p.at : p.at+20])
		off, err := strconv.Atoi(line[:10])
		if err != nil || line[10:] != " 00000 n \n" {
			return nil, errors.New("the table of objects is damaged")
		}
		offsets[i] = off
		p.at += 20
	}
	if !p.word("trailer\n") {
		return nil, errors.New("the trailer is missing")
	}
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	d, ok := v.(Dict)
	if !ok || p.at != end {
		return nil, errors.New("the trailer is damaged")
	}
	for key := range d {
		switch key {
		case "Size", "Root", "Info", "ID":
		case "Prev", "XRefStm":
			return nil, errors.New("the file has a later revision")
		case "Encrypt":
			return nil, errors.New("the file is encrypted")
		default:
			return nil, fmt.Errorf("the trailer holds /%s", key)
		}
	}
	if d["Size"] != n {
		return nil, errors.New("the trailer names another number of objects")
	}
	f.trailer = d
	return offsets, nil
}

// body reads every object in the order in which they stand: each must begin
// where the one before it ends.
func (f *File) body(offsets []int, end int) error {
	byOffset := make(map[int]int, len(offsets))
	for i, off := range offsets {
		if _, twice := byOffset[off]; twice {
			return errors.New("two objects stand at one place")
		}
		byOffset[off] = i + 1
	}
	f.objects = make([]any, len(offsets))
	p := &parser{data: f.data[:end], at: len("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n")}
	for range offsets {
		number, ok := byOffset[p.at]
		if !ok {
			return fmt.Errorf("something that is no object stands at byte %d", p.at)
		}
		v, err := p.object(number)
		if err != nil {
			return err
		}
		f.objects[number-1] = v
	}
	if p.at != end {
		return fmt.Errorf("something that is no object stands at byte %d", p.at)
	}
	return f.reachable()
}

// reachable says whether every object is used by the document.
func (f *File) reachable() error {
	seen := make([]bool, len(f.objects)+1)
	var bad error
	queue := []any{f.trailer}
	for len(queue) > 0 {
		v := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		switch v := v.(type) {
		case Ref:
			if int(v) > len(f.objects) {
				bad = fmt.Errorf("object %d does not exist", v)
			} else if !seen[v] {
				seen[v] = true
				queue = append(queue, f.objects[v-1])
			}
		case Dict:
			for _, e := range v {
				queue = append(queue, e)
			}
		case []any:
			queue = append(queue, v...)
		case *Stream:
			queue = append(queue, v.Dict)
		}
	}
	for n := 1; n < len(seen) && bad == nil; n++ {
		if !seen[n] {
			bad = fmt.Errorf("object %d belongs to nothing", n)
		}
	}
	return bad
}

// Get follows a reference.
func (f *File) Get(v any) any {
	for range 8 { // a reference to a reference is odd; a ring is an attack
		r, ok := v.(Ref)
		if !ok {
			return v
		}
		if int(r) < 1 || int(r) > len(f.objects) {
			return nil
		}
		v = f.objects[r-1]
	}
	return nil
}

// same says whether both are references to one object.
func same(a, b any) bool {
	x, ok := a.(Ref)
	y, also := b.(Ref)
	return ok && also && x == y
}

func (f *File) dict(v any) Dict {
	d, _ := f.Get(v).(Dict)
	return d
}

func (f *File) list(v any) []any {
	l, _ := f.Get(v).([]any)
	return l
}

// mostContent bounds what a stream may unpack to.
const mostContent = 512 << 20

// content unpacks a stream.
func (f *File) content(v any) ([]byte, error) {
	s, ok := f.Get(v).(*Stream)
	if !ok {
		return nil, errors.New("a stream is missing")
	}
	switch s.Dict["Filter"] {
	case nil, Name("DCTDecode"):
		return s.Raw, nil
	case Name("FlateDecode"):
	default:
		return nil, errors.New("a stream is packed in an unknown way")
	}
	z, err := zlib.NewReader(bytes.NewReader(s.Raw))
	if err != nil {
		return nil, fmt.Errorf("unpack a stream: %w", err)
	}
	out, err := io.ReadAll(io.LimitReader(z, mostContent+1))
	if err != nil {
		return nil, fmt.Errorf("unpack a stream: %w", err)
	}
	if len(out) > mostContent {
		return nil, errors.New("a stream is too large")
	}
	return out, nil
}

// textOf reads a text string.
func textOf(v any) string {
	b, _ := v.([]byte)
	if !bytes.HasPrefix(b, []byte{0xFE, 0xFF}) {
		return string(b)
	}
	units := make([]uint16, 0, len(b)/2)
	for i := 2; i+1 < len(b); i += 2 {
		units = append(units, uint16(b[i])<<8|uint16(b[i+1]))
	}
	return string(utf16.Decode(units))
}

// Producer names the program that wrote the file.
func (f *File) Producer() string { return textOf(f.dict(f.trailer["Info"])["Producer"]) }

// Pages gives the number of pages.
func (f *File) Pages() int {
	n, _ := f.dict(f.dict(f.trailer["Root"])["Pages"])["Count"].(int)
	return n
}

// Attachments reads the files inside. Two of one name, or one that is listed
// in one place only, are refused: readers would show different files.
func (f *File) Attachments() ([]Attachment, error) {
	root := f.dict(f.trailer["Root"])
	names := f.list(f.dict(f.dict(root["Names"])["EmbeddedFiles"])["Names"])
	also := f.list(root["AF"])
	if len(names)%2 != 0 || len(also) != len(names)/2 {
		return nil, errors.New("the list of attachments is damaged")
	}
	seen := map[string]bool{}
	var out []Attachment
	for i := 0; i < len(names); i += 2 {
		spec := f.dict(names[i+1])
		title := textOf(names[i])
		if seen[title] || textOf(spec["F"]) != title || textOf(spec["UF"]) != title || !same(also[i/2], names[i+1]) {
			return nil, fmt.Errorf("the attachment %q is listed in two ways", title)
		}
		seen[title] = true
		ef := f.dict(spec["EF"])
		if !same(ef["F"], ef["UF"]) {
			return nil, fmt.Errorf("the attachment %q has two contents", title)
		}
		content, err := f.content(ef["F"])
		if err != nil {
			return nil, fmt.Errorf("read the attachment %q: %w", title, err)
		}
		relation, _ := spec["AFRelationship"].(Name)
		out = append(out, Attachment{Name: title, Description: textOf(spec["Desc"]), Relation: string(relation), Content: content})
	}
	return out, nil
}
