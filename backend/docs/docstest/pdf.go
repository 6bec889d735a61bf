// Package docstest makes documents for tests.
package docstest

import (
	"bytes"
	"fmt"
)

// Page is a page of a PDF: a picture of one shade, with or without text over it.
type Page struct {
	Shade byte   // of the picture, 1 to 255; 0: there is none
	Text  string // one line of it
	// Width and Height are in points; 0: those of a letter.
	Width, Height int
}

// PDF writes a file of these pages, as a scanner does (ISO 32000-1, 7.5 and 8.9).
func PDF(pages ...Page) []byte {
	var out bytes.Buffer
	var at []int
	object := func(format string, args ...any) int {
		at = append(at, out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n", len(at))
		fmt.Fprintf(&out, format, args...)
		out.WriteString("\nendobj\n")
		return len(at)
	}
	out.WriteString("%PDF-1.4\n")
	object("<< /Type /Catalog /Pages 2 0 R >>")
	kids := ""
	for i := range pages {
		kids += fmt.Sprintf("%d 0 R ", 4+3*i)
	}
	object("<< /Type /Pages /Count %d /Kids [%s] >>", len(pages), kids)
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
	for i, p := range pages {
		if p.Width == 0 {
			p.Width, p.Height = 612, 792
		}
		content := ""
		if p.Shade > 0 {
			content = fmt.Sprintf("q %d 0 0 %d 0 0 cm /I Do Q\n", p.Width, p.Height)
		}
		if p.Text != "" {
			content += fmt.Sprintf("BT /F 12 Tf 72 %d Td (%s) Tj ET\n", p.Height-72, p.Text)
		}
		n := 4 + 3*i
		object("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %d %d] /Contents %d 0 R /Resources << /Font << /F 3 0 R >> /XObject << /I %d 0 R >> >> >>",
			p.Width, p.Height, n+1, n+2)
		object("<< /Length %d >>\nstream\n%sendstream", len(content), content)
		object("<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /ASCIIHexDecode /Length 3 >>\nstream\n%02x>\nendstream", p.Shade)
	}
	start := out.Len()
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, offset := range at {
		fmt.Fprintf(&out, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&out, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, start)
	return out.Bytes()
}
