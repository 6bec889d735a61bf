package regs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf16"

	"veristream/backend/audit"
)

// Options are what the caller knows of a file that the file may not tell.
type Options struct {
	Name      string // file name or address
	Regulator string
	CFRTitle  int
	AsOf      string // YYYY-MM-DD: in force then
	Known     []Official
}

// Format names a format that can be read.
type Format string

// The formats.
const (
	FormatECFR     Format = "eCFR XML"
	FormatRegML    Format = "RegML"
	FormatERegs    Format = "eRegs JSON"
	FormatHTML     Format = "HTML"
	FormatPDF      Format = "PDF"
	FormatMarkdown Format = "Markdown"
	FormatText     Format = "text"
)

var tried = strings.Join([]string{
	string(FormatECFR), string(FormatRegML), string(FormatERegs), string(FormatHTML), string(FormatPDF),
	string(FormatMarkdown), string(FormatText),
}, ", ")

// Detect tells the format of a file by what is in it; its name says nothing.
func Detect(data []byte) (Format, error) {
	head := bytes.TrimLeft(bytes.TrimPrefix(data[:min(len(data), 64<<10)], []byte("\xef\xbb\xbf")), " \t\r\n")
	no := func(what string) (Format, error) {
		return "", audit.Errorf(audit.CodeInput, "The file is %s; tried as %s.", what, tried)
	}
	lower := bytes.ToLower(head)
	switch {
	case len(head) == 0:
		return no("empty")
	case bytes.HasPrefix(head, []byte("%PDF-")):
		return FormatPDF, nil
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return no("a ZIP archive (or an office document); unpack it first")
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return no("compressed with gzip; unpack it first")
	case bytes.HasPrefix(head, []byte("bplist00")):
		return no("a web archive of Safari; save the page as its source (HTML) instead")
	case head[0] == '{':
		if bytes.Contains(data, []byte(`"node_type"`)) {
			return FormatERegs, nil
		}
		return no("JSON, but no regulation of the Bureau's eRegs")
	case head[0] == '<':
		return detectMarkup(head, lower, no)
	case bytes.IndexByte(head, 0) >= 0:
		return no("binary")
	}
	if isMarkdown(firstLines(head)) {
		return FormatMarkdown, nil
	}
	return FormatText, nil
}

func detectMarkup(head, lower []byte, no func(string) (Format, error)) (Format, error) {
	switch {
	case bytes.Contains(lower, []byte("<!doctype html")), bytes.Contains(lower, []byte("<html")):
		return FormatHTML, nil
	case bytes.Contains(head, []byte("<regulation")) || bytes.Contains(head, []byte(`"eregs"`)):
		return FormatRegML, nil
	case reECFRMark.Match(head):
		return FormatECFR, nil
	case bytes.Contains(head, []byte("ENTITY")):
		return no("XML that defines entities of its own; no official source does")
	case bytes.HasPrefix(head, []byte("<?xml")):
		return no("XML, but neither the eCFR's nor the Bureau's")
	}
	return FormatHTML, nil // a part of a page
}

var reECFRMark = regexp.MustCompile(`<(?:DIV[1-9]|ECFR|DLPSTEXTCLASS|CFRGRANULE|SECTION|PART)[\s>]`)

func firstLines(head []byte) []line {
	var out []line
	for _, l := range strings.Split(string(head), "\n") {
		out = append(out, line{text: strings.TrimSpace(l)})
	}
	return out
}

// Parse reads a file of official text: one Parsed for each part of the CFR, or
// each rule, that it holds.
func Parse(ctx context.Context, data []byte, opts Options) ([]*Parsed, error) {
	if len(data) > MaxFile {
		return nil, audit.Errorf(audit.CodeInput, "The file is larger than %d MB; import a part at a time.", MaxFile>>20)
	}
	sum := sha256.Sum256(data)
	data, err := fromMHTML(fromUTF16(data))
	if err != nil {
		return nil, err
	}
	format, err := Detect(data)
	if err != nil {
		return nil, err
	}
	read := map[Format]func(context.Context, []byte, Options) (*Parsed, error){
		FormatECFR: readECFR, FormatRegML: readRegML, FormatERegs: readERegs, FormatHTML: readHTML,
		FormatPDF: readPDF, FormatMarkdown: readText, FormatText: readText,
	}[format]
	whole, err := read(ctx, data, opts)
	if err != nil {
		return nil, fmt.Errorf("read %s as %s: %w", filepath.Base(opts.Name), format, err)
	}
	if len(whole.Rules) == 0 {
		return nil, audit.Errorf(audit.CodeInput, "The file is %s, but holds no section and no rule.", format)
	}
	if err := whole.checkCitations(); err != nil {
		return nil, err
	}
	parts := whole.split()
	for _, p := range parts {
		p.Text.SHA256 = hex.EncodeToString(sum[:])
		p.Text.Origin = opts.Name
		p.Text.Format = string(format)
		if p.Text.AsOf == "" {
			p.Text.AsOf = whole.Text.AsOf
		}
		p.describe(opts)
	}
	return parts, nil
}

// fromUTF16 turns UTF-16 with a byte order mark into UTF-8.
func fromUTF16(data []byte) []byte {
	if len(data) < 2 || len(data)%2 != 0 {
		return data
	}
	var at func(i int) uint16
	switch {
	case data[0] == 0xff && data[1] == 0xfe:
		at = func(i int) uint16 { return uint16(data[i]) | uint16(data[i+1])<<8 }
	case data[0] == 0xfe && data[1] == 0xff:
		at = func(i int) uint16 { return uint16(data[i+1]) | uint16(data[i])<<8 }
	default:
		return data
	}
	units := make([]uint16, 0, len(data)/2)
	for i := 2; i+1 < len(data); i += 2 {
		units = append(units, at(i))
	}
	return []byte(string(utf16.Decode(units)))
}
