package regs

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"

	"golang.org/x/net/html/charset"

	"veristream/backend/audit"
)

// Limits on what is read: far above any real regulation, far below what would
// harm the machine.
const (
	// MaxFile is the largest file that is read, in bytes.
	MaxFile     = 128 << 20
	maxXMLDepth = 256
)

// xmlEvents walks an XML document token by token with limits on its depth, and
// refuses documents that define entities: no official source does, and an
// entity can unfold a small file into a huge one.
func xmlEvents(ctx context.Context, data []byte, visit func(xml.Token) error) error {
	dec := xml.NewDecoder(bytes.NewReader(data))
	dec.CharsetReader = charset.NewReaderLabel
	dec.Entity = xml.HTMLEntity
	var open []string
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		tok, err := dec.RawToken()
		if errors.Is(err, io.EOF) {
			if len(open) > 0 {
				return audit.Errorf(audit.CodeInput, "The XML file ends in the middle: %d elements are still open. Fetch it again.", len(open))
			}
			return nil
		}
		if err != nil {
			line, col := dec.InputPos()
			return audit.Wrap(err, audit.CodeInput, "The XML file is not well-formed at line %d, column %d.", line, col)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if open = append(open, t.Name.Local); len(open) > maxXMLDepth {
				return audit.Errorf(audit.CodeInput, "The XML file nests more than %d elements; no regulation does.", maxXMLDepth)
			}
		case xml.EndElement:
			last := len(open) - 1
			if last < 0 || open[last] != t.Name.Local {
				line, _ := dec.InputPos()
				return audit.Errorf(audit.CodeInput, "The XML file closes an element %q on line %d that is not open there. Fetch it again.", t.Name.Local, line)
			}
			open = open[:last]
		case xml.Directive:
			if bytes.Contains(t, []byte("ENTITY")) {
				return audit.Errorf(audit.CodeInput, "The XML file defines entities of its own; no official source does, so it is not read.")
			}
		}
		if err := visit(tok); err != nil {
			return fmt.Errorf("read the XML file: %w", err)
		}
	}
}

func attr(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
