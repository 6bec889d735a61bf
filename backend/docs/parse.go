package docs

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"veristream/backend/audit"
)

const (
	// MaxFile is the largest file that is read, in bytes.
	MaxFile = 64 << 20
	// Version is raised when documents would be read differently.
	Version = 1
)

// Parsed is a document with its sections.
type Parsed struct {
	Document audit.Document
	Sections []audit.Section
}

// Parse reads a document. name is its file's name.
func Parse(ctx context.Context, data []byte, name string) (*Parsed, error) {
	return ParseWith(ctx, data, name, Options{})
}

// ParseWith is Parse with what it may need beside the file.
func ParseWith(ctx context.Context, data []byte, name string, o Options) (*Parsed, error) {
	if len(data) > MaxFile {
		return nil, audit.Errorf(audit.CodeInput, "%s is larger than %d MB; import a part at a time.", name, MaxFile>>20)
	}
	format, data, err := detect(data, name)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(data)
	p := &Parsed{Document: audit.Document{
		Title: titleOf(name), Format: format, Reader: Version, SHA256: hex.EncodeToString(sum[:]), Meta: map[string]string{},
	}}
	if want := formatOf(name); want != "" && want != format && !(want == "markdown" && format == "text") {
		p.note("The file's name says %s, its content is %s.", want, format)
	}
	switch format {
	case "html":
		err = p.readHTML(ctx, data)
	case "pdf":
		err = p.readPDF(ctx, data, o)
	case "docx":
		err = p.readDOCX(ctx, data)
	case "markdown", "text":
		p.readMarkdown(string(data))
	case "csv":
		err = p.readCSV(data)
	default:
		err = p.readTree(ctx, data)
	}
	if err != nil {
		return nil, err
	}
	if len(p.Sections) == 0 {
		return nil, audit.Errorf(audit.CodeInput, "%s holds no text that can be searched.", name)
	}
	p.Document.Sections = len(p.Sections)
	return p, nil
}

// note adds to what is odd about the document.
func (p *Parsed) note(format string, args ...any) {
	const most = 50
	if len(p.Document.Anomalies) < most {
		p.Document.Anomalies = append(p.Document.Anomalies, fmt.Sprintf(format, args...))
	}
}

var reTag = regexp.MustCompile(`(?is)^\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(!doctype\s+html|html|sec-document|document|head|body|div|p|table)\b`)

// detect tells the format by the content, and gives the content in UTF-8 where
// it is text.
func detect(data []byte, name string) (string, []byte, error) {
	bad := func(format string, args ...any) (string, []byte, error) {
		return "", nil, audit.Errorf(audit.CodeInput, "%s", name+" "+fmt.Sprintf(format, args...))
	}
	switch {
	case len(bytes.TrimSpace(data)) == 0:
		return bad("is empty.")
	case bytes.HasPrefix(data, []byte("%PDF")):
		return "pdf", data, nil
	case bytes.HasPrefix(data, []byte("PK\x03\x04")):
		return detectZip(data, name)
	case bytes.HasPrefix(data, []byte("\xd0\xcf\x11\xe0")):
		return bad("is an old or an encrypted Office file; save it as .docx without a password and import it again.")
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		data = fromUTF16(data)
	}
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if bytes.IndexByte(data[:min(len(data), 8192)], 0) >= 0 {
		return bad("is no document but a binary file.")
	}
	head := bytes.TrimSpace(data[:min(len(data), 4096)])
	switch {
	case reTag.Match(head) && (formatOf(name) != "markdown" || bytes.Contains(bytes.ToLower(head), []byte("<html"))):
		return "html", data, nil // the reader knows its character set
	case bytes.HasPrefix(head, []byte("<?xml")), bytes.HasPrefix(head, []byte("<")) && formatOf(name) == "xml":
		return "xml", data, nil
	}
	if !utf8.Valid(data) {
		data = []byte(fromWindows(data))
	}
	switch {
	case len(head) > 0 && (head[0] == '{' || head[0] == '['):
		if json.Valid(data) {
			return "json", data, nil
		}
		if formatOf(name) == "json" {
			return bad("is not well-formed JSON.")
		}
	case formatOf(name) == "json":
		return bad("is not JSON.")
	}
	switch formatOf(name) {
	case "csv", "yaml":
		return formatOf(name), data, nil
	}
	if regexp.MustCompile(`(?m)^#{1,6} \S`).Match(data) || formatOf(name) == "markdown" {
		return "markdown", data, nil
	}
	if looksLikeYAML(head) {
		return "yaml", data, nil
	}
	return "text", data, nil
}

func looksLikeYAML(head []byte) bool {
	lines := strings.Split(string(head), "\n")
	n := 0
	for _, l := range lines {
		if regexp.MustCompile(`^\s*(?:- )?[\w-]+:(?: \S.*)?$`).MatchString(l) {
			n++
		}
	}
	return n > 3 && n*3 > len(lines)*2
}

// formatOf gives the format that a file's name promises; empty: none.
func formatOf(name string) string {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".htm", ".html", ".xhtml":
		return "html"
	case ".xml":
		return "xml"
	case ".json":
		return "json"
	case ".yaml", ".yml":
		return "yaml"
	case ".csv":
		return "csv"
	case ".md", ".markdown":
		return "markdown"
	case ".pdf":
		return "pdf"
	case ".docx":
		return "docx"
	case ".txt":
		return "text"
	}
	return ""
}

func titleOf(name string) string {
	base := filepath.Base(name)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	return strings.Join(strings.FieldsFunc(base, func(r rune) bool { return r == '_' || r == ' ' }), " ")
}

func fromUTF16(data []byte) []byte {
	big := data[0] == 0xfe
	units := make([]uint16, 0, len(data)/2)
	for i := 2; i+1 < len(data); i += 2 {
		if big {
			units = append(units, uint16(data[i])<<8|uint16(data[i+1]))
		} else {
			units = append(units, uint16(data[i+1])<<8|uint16(data[i]))
		}
	}
	return []byte(string(utf16.Decode(units)))
}

// fromWindows reads Latin text in the code page that Windows wrote for long.
func fromWindows(data []byte) string {
	marks := map[byte]rune{0x91: '‘', 0x92: '’', 0x93: '“', 0x94: '”', 0x95: '•', 0x96: '–', 0x97: '—', 0x85: '…', 0x80: '€', 0x99: '™'}
	var b strings.Builder
	for _, c := range data {
		if r, ok := marks[c]; ok {
			b.WriteRune(r)
		} else {
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}
