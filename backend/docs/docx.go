package docs

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"veristream/backend/audit"
)

// detectZip tells a DOCX from other archives.
func detectZip(data []byte, name string) (string, []byte, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", nil, audit.Wrap(err, audit.CodeInput, "%s is a damaged archive.", name)
	}
	found := ""
	for _, f := range z.File {
		switch {
		case strings.HasSuffix(f.Name, "vbaProject.bin"):
			return "", nil, audit.Errorf(audit.CodeInput, "%s holds macros; save it without them (as .docx) and import it again.", name)
		case f.Name == "word/document.xml":
			found = "docx"
		case f.Name == "xl/workbook.xml":
			return "", nil, audit.Errorf(audit.CodeInput, "%s is a spreadsheet; save its sheets as .csv and import those.", name)
		}
	}
	if found == "" {
		return "", nil, audit.Errorf(audit.CodeInput, "%s is an archive; unpack it and import the folder.", name)
	}
	return found, data, nil
}

// readDOCX reads the text of a Word document (ECMA-376, part 1, section 17).
func (p *Parsed) readDOCX(ctx context.Context, data []byte) error {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return audit.Wrap(err, audit.CodeInput, "The document is damaged.")
	}
	f, err := z.Open("word/document.xml")
	if err != nil {
		return audit.Wrap(err, audit.CodeInput, "The document is damaged.")
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, MaxFile+1))
	if err != nil {
		return audit.Wrap(err, audit.CodeInput, "The document is damaged.")
	}
	if len(text) > MaxFile {
		return audit.Errorf(audit.CodeInput, "The document unpacks to more than %d MB.", MaxFile>>20)
	}
	r := &docxReader{}
	err = xmlEvents(ctx, text, r.token)
	if err != nil {
		return err
	}
	r.flush()
	p.Document.Type = "docx"
	p.sections(r.blocks)
	return nil
}

type docxReader struct {
	blocks []block
	text   strings.Builder
	level  int
	tables int
	grid   *grid
	span   int
	inText bool
	bold   bool
	loud   int
	quiet  int
}

func (r *docxReader) token(tok xml.Token) error {
	switch t := tok.(type) {
	case xml.StartElement:
		r.start(t)
	case xml.EndElement:
		r.end(t.Name.Local)
	case xml.CharData:
		if r.inText {
			r.text.Write(t)
			if r.bold {
				r.loud += len(t)
			} else {
				r.quiet += len(t)
			}
		}
	}
	return nil
}

func (r *docxReader) start(t xml.StartElement) {
	switch t.Name.Local {
	case "t":
		r.inText = true
	case "tab", "br":
		r.text.WriteByte(' ')
	case "r":
		r.bold = false
	case "b":
		r.bold = xmlAttr(t, "val") != "0" && xmlAttr(t, "val") != "false"
	case "pStyle":
		style := strings.ToLower(strings.ReplaceAll(xmlAttr(t, "val"), " ", ""))
		switch {
		case strings.HasPrefix(style, "heading"):
			r.level, _ = strconv.Atoi(strings.TrimPrefix(style, "heading"))
		case style == "title":
			r.level = 1
		}
	case "outlineLvl":
		if n, err := strconv.Atoi(xmlAttr(t, "val")); err == nil && n < 9 && r.level == 0 {
			r.level = n + 1
		}
	case "tbl":
		if r.tables++; r.tables == 1 {
			r.flush()
			r.grid = &grid{}
		}
	case "tr":
		if r.tables == 1 {
			r.grid.row()
		}
	case "tc":
		if r.tables == 1 {
			r.text.Reset()
			r.span = 1
		}
	case "gridSpan":
		if n, err := strconv.Atoi(xmlAttr(t, "val")); err == nil {
			r.span = n
		}
	}
}

func (r *docxReader) end(name string) {
	switch name {
	case "t":
		r.inText = false
	case "p":
		if r.grid != nil {
			r.text.WriteByte(' ')
			r.level = 0
			return
		}
		r.flush()
	case "tc":
		if r.tables == 1 {
			r.grid.add(r.text.String(), r.span, false)
			r.text.Reset()
		}
	case "tbl":
		if r.tables--; r.tables == 0 && r.grid != nil {
			r.blocks = append(r.blocks, block{table: r.grid})
			r.grid = nil
			r.text.Reset()
		}
	}
}

func (r *docxReader) flush() {
	if text := strings.Join(strings.Fields(r.text.String()), " "); text != "" {
		r.blocks = append(r.blocks, block{text: text, level: r.level, bold: r.loud > 0 && r.quiet == 0})
	}
	r.text.Reset()
	r.level, r.loud, r.quiet = 0, 0, 0
}

func xmlAttr(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// maxDepth is how deep data may nest.
const maxDepth = 200

// xmlEvents walks an XML document token by token with a limit on its depth,
// and refuses documents that define entities, which can unfold a small file
// into a huge one.
func xmlEvents(ctx context.Context, data []byte, visit func(xml.Token) error) error {
	dec := xml.NewDecoder(bytes.NewReader(data))
	dec.Entity = xml.HTMLEntity
	dec.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	depth := 0
	for n := 0; ; n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			line, col := dec.InputPos()
			return audit.Wrap(err, audit.CodeInput, "The XML is not well-formed at line %d, column %d.", line, col)
		}
		switch t := tok.(type) {
		case xml.StartElement:
			if depth++; depth > maxDepth {
				return audit.Errorf(audit.CodeInput, "The XML nests more than %d elements.", maxDepth)
			}
		case xml.EndElement:
			depth--
		case xml.Directive:
			if bytes.Contains(t, []byte("ENTITY")) {
				return audit.Errorf(audit.CodeInput, "The XML defines entities of its own; such files are not read.")
			}
		}
		if err := visit(tok); err != nil {
			return err
		}
	}
}
