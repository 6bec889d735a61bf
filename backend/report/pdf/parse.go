package pdf

import (
	"errors"
	"fmt"
	"strconv"
)

// The kinds of values in a file. Dictionaries and arrays are Go's own; a
// reference is a Ref, a string is a []byte, null is nil.
type (
	// Name is a name without its slash.
	Name string
	// Ref points at an object.
	Ref int
	// Dict is a dictionary.
	Dict map[Name]any
	// Stream is a dictionary with data, as they stand in the file.
	Stream struct {
		Dict Dict
		Raw  []byte
	}
)

// maxDepth bounds how deep values nest: a file must not exhaust the stack.
const maxDepth = 64

// parser reads values from the bytes of a file.
type parser struct {
	data []byte
	at   int
}

func (p *parser) fail(what string) error { return fmt.Errorf("%s at byte %d", what, p.at) }

func isSpace(c byte) bool {
	return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == 0
}

func isDelimiter(c byte) bool {
	switch c {
	case '(', ')', '<', '>', '[', ']', '{', '}', '/', '%':
		return true
	}
	return false
}

// space passes over white space. A comment is refused: our files have none.
func (p *parser) space() {
	for p.at < len(p.data) && isSpace(p.data[p.at]) {
		p.at++
	}
}

func (p *parser) word(s string) bool {
	if p.at+len(s) <= len(p.data) && string(p.data[p.at:p.at+len(s)]) == s {
		p.at += len(s)
		return true
	}
	return false
}

func (p *parser) integer() (int, error) {
	from := p.at
	for p.at < len(p.data) && p.data[p.at] >= '0' && p.data[p.at] <= '9' {
		p.at++
	}
	n, err := strconv.Atoi(string(p.data[from:p.at]))
	if err != nil {
		return 0, p.fail("a number is missing")
	}
	return n, nil
}

func (p *parser) value(depth int) (any, error) {
	if depth > maxDepth {
		return nil, p.fail("values nest too deep")
	}
	p.space()
	if p.at >= len(p.data) {
		return nil, p.fail("the file ends")
	}
	switch c := p.data[p.at]; {
	case c == '/':
		return p.name()
	case c == '(':
		return p.literal()
	case c == '[':
		return p.array(depth)
	case c == '<' && p.at+1 < len(p.data) && p.data[p.at+1] == '<':
		return p.dict(depth)
	case c == '<':
		return p.hex()
	case c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.':
		return p.number()
	}
	for word, v := range map[string]any{"true": true, "false": false, "null": nil} {
		if p.word(word) {
			return v, nil
		}
	}
	return nil, p.fail("there is no value")
}

func (p *parser) name() (any, error) {
	p.at++
	var out []byte
	for p.at < len(p.data) && !isSpace(p.data[p.at]) && !isDelimiter(p.data[p.at]) {
		c := p.data[p.at]
		if c == '#' && p.at+2 < len(p.data) {
			n, err := strconv.ParseUint(string(p.data[p.at+1:p.at+3]), 16, 8)
			if err != nil {
				return nil, p.fail("a name is damaged")
			}
			c = byte(n)
			p.at += 2
		}
		out = append(out, c)
		p.at++
	}
	return Name(out), nil
}

func (p *parser) literal() (any, error) {
	p.at++
	var out []byte
	for depth := 1; p.at < len(p.data); p.at++ {
		switch c := p.data[p.at]; c {
		case '\\':
			p.at++
			if p.at < len(p.data) {
				out = append(out, p.data[p.at])
			}
			continue
		case '(':
			depth++
		case ')':
			depth--
			if depth == 0 {
				p.at++
				return out, nil
			}
		}
		out = append(out, p.data[p.at])
	}
	return nil, p.fail("a string does not end")
}

func (p *parser) hex() (any, error) {
	p.at++
	var out []byte
	half := -1
	for ; p.at < len(p.data); p.at++ {
		c := p.data[p.at]
		if c == '>' {
			p.at++
			if half >= 0 {
				out = append(out, byte(half<<4))
			}
			return out, nil
		}
		var n int
		switch {
		case c >= '0' && c <= '9':
			n = int(c - '0')
		case c >= 'a' && c <= 'f':
			n = int(c-'a') + 10
		case c >= 'A' && c <= 'F':
			n = int(c-'A') + 10
		case isSpace(c):
			continue
		default:
			return nil, p.fail("a string is damaged")
		}
		if half < 0 {
			half = n
		} else {
			out = append(out, byte(half<<4|n))
			half = -1
		}
	}
	return nil, p.fail("a string does not end")
}

// number reads a number, or a reference, which begins like one.
func (p *parser) number() (any, error) {
	from := p.at
	for p.at < len(p.data) && !isSpace(p.data[p.at]) && !isDelimiter(p.data[p.at]) {
		p.at++
	}
	word := string(p.data[from:p.at])
	n, err := strconv.Atoi(word)
	if err != nil {
		f, err := strconv.ParseFloat(word, 64)
		if err != nil {
			return nil, p.fail("a number is damaged")
		}
		return f, nil
	}
	after := p.at
	if n > 0 && p.word(" 0 R") && (p.at == len(p.data) || isSpace(p.data[p.at]) || isDelimiter(p.data[p.at])) {
		return Ref(n), nil
	}
	p.at = after
	return n, nil
}

func (p *parser) array(depth int) (any, error) {
	p.at++
	out := []any{}
	for {
		p.space()
		if p.word("]") {
			return out, nil
		}
		v, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
}

func (p *parser) dict(depth int) (any, error) {
	p.at += 2
	out := Dict{}
	for {
		p.space()
		if p.word(">>") {
			return out, nil
		}
		if p.at >= len(p.data) || p.data[p.at] != '/' {
			return nil, p.fail("a dictionary is damaged")
		}
		key, err := p.name()
		if err != nil {
			return nil, err
		}
		if _, twice := out[key.(Name)]; twice {
			return nil, p.fail("a key stands twice")
		}
		if out[key.(Name)], err = p.value(depth + 1); err != nil {
			return nil, err
		}
	}
}

// object reads "n 0 obj ... endobj" and gives what is inside.
func (p *parser) object(number int) (any, error) {
	if !p.word(strconv.Itoa(number) + " 0 obj\n") {
		return nil, p.fail(fmt.Sprintf("object %d is not where the table says", number))
	}
	v, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if d, ok := v.(Dict); ok && p.word("\nstream\n") {
		n, ok := d["Length"].(int)
		if !ok || n < 0 || n > len(p.data)-p.at {
			return nil, p.fail("a stream's length is wrong")
		}
		s := &Stream{Dict: d, Raw: p.data[p.at : p.at+n]}
		p.at += n
		if !p.word("\nendstream") {
			return nil, p.fail("a stream's length is wrong")
		}
		v = s
	}
	if !p.word("\nendobj\n") {
		return nil, p.fail(fmt.Sprintf("object %d does not end", number))
	}
	return v, nil
}

var errDamaged = errors.New("the file is damaged")
