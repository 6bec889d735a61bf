package media

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"veristream/backend/audit"
)

// maxTextFile bounds a transcript: a day of speech is some two megabytes.
const maxTextFile = 64 << 20

var errBinary = errors.New("not text")

// readText reads a text file in whatever encoding it is: UTF-8 with or without
// mark, UTF-16 either way round, else Windows-1252 (which holds Latin-1).
// Line ends become \n.
func readText(path string) (string, error) {
	size, err := checkFile(path)
	if err != nil {
		return "", err
	}
	name := quote(filepath.Base(path))
	if size > maxTextFile {
		return "", audit.Errorf(audit.CodeInput, "%s is too large for a transcript (%d MB).", name, size>>20)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", openError(path, err)
	}
	text, err := decodeText(raw)
	if err != nil {
		return "", audit.Wrap(err, audit.CodeInput, "%s is not a text file.", name)
	}
	return text, nil
}

func decodeText(raw []byte) (string, error) {
	var text string
	switch {
	case bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")):
		text = string(raw[3:])
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		text = fromUTF16(raw[2:], 1)
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		text = fromUTF16(raw[2:], 0)
	case zeros(raw, 1):
		text = fromUTF16(raw, 1)
	case zeros(raw, 0):
		text = fromUTF16(raw, 0)
	case utf8.Valid(raw):
		text = string(raw)
	default:
		text = fromWindows1252(raw)
	}
	if strings.ContainsRune(text, 0) {
		return "", errBinary
	}
	text = strings.ToValidUTF8(text, "\ufffd")
	return strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u00a0", " ", "\ufeff", "").Replace(text), nil
}

// zeros says whether nearly every second byte of the beginning, from the
// given one on, is zero: UTF-16 of mostly Latin text without a mark.
func zeros(raw []byte, from int) bool {
	head := raw[:min(len(raw), 256)&^1]
	n := 0
	for i := from; i < len(head); i += 2 {
		if head[i] == 0 {
			n++
		}
	}
	return len(head) >= 4 && n*10 >= len(head)*4
}

// fromUTF16 decodes; high is the place of the higher byte of the two.
func fromUTF16(raw []byte, high int) string {
	units := make([]uint16, len(raw)/2)
	for i := range units {
		units[i] = uint16(raw[2*i+high])<<8 | uint16(raw[2*i+1-high])
	}
	return string(utf16.Decode(units))
}

// windows1252 holds the characters from 0x80 to 0x9f, where it differs from Latin-1.
var windows1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

func fromWindows1252(raw []byte) string {
	var b strings.Builder
	for _, c := range raw {
		if c >= 0x80 && c < 0xa0 {
			b.WriteRune(windows1252[c-0x80])
		} else {
			b.WriteRune(rune(c))
		}
	}
	return b.String()
}
