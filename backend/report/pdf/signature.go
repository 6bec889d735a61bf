package pdf

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"time"
)

// Signer makes the signature of a document. Sign gets the file without the
// place of the signature itself and gives a CMS object (PAdES, ETSI EN 319
// 142-1).
type Signer struct {
	Name   string
	Reason string
	Place  string
	At     time.Time
	Size   int // bytes to leave for the CMS object
	Sign   func(signed []byte) ([]byte, error)
}

// The widths of the byte range's numbers are fixed, so that they can be filled
// in when the file's length is known.
const rangeHole = "[0 0000000000 0000000000 0000000000]"

func (d *Document) hasSignature() bool { return d.signer != nil }

func (d *Document) takeSignature() {
	d.sigField, d.sigValue = d.w.take(), d.w.take()
}

// signatureField is shown nowhere on the page: readers show signatures in a
// panel of their own, which a page cannot imitate.
func (d *Document) signatureField(p *Page) ref {
	d.w.put(d.sigField, fmt.Sprintf("<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature1) /Rect [0 0 0 0] /F 132 /P %s /V %s >>", p.object, d.sigValue))
	s := d.signer
	d.w.put(d.sigValue, fmt.Sprintf("<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /Name %s /Reason %s /M %s "+
		"/Reference [<< /Type /SigRef /TransformMethod /DocMDP /TransformParams << /Type /TransformParams /P 1 /V /1.2 >> >>] "+
		"/ByteRange %s /Contents <%s> >>", text(s.Name), text(s.Reason), date(s.At), rangeHole, strings.Repeat("0", 2*s.Size)))
	return d.sigField
}

func (d *Document) signatureCatalog() string {
	if !d.hasSignature() {
		return ""
	}
	return fmt.Sprintf(" /AcroForm << /Fields [%s] /SigFlags 3 >> /Perms << /DocMDP %s >>", d.sigField, d.sigValue)
}

// sign fills the signature's place: the range first, which is signed itself,
// then the signature of all but its own place.
func (d *Document) sign(file []byte) ([]byte, error) {
	at := d.w.offsets[d.sigValue-1]
	hole := at + bytes.Index(file[at:], []byte(rangeHole))
	from := at + bytes.Index(file[at:], []byte("/Contents <")) + len("/Contents ")
	to := from + 2*d.signer.Size + 2
	copy(file[hole:], fmt.Sprintf("[0 %010d %010d %010d]", from, to, len(file)-to))
	signed := make([]byte, 0, len(file))
	signed = append(append(signed, file[:from]...), file[to:]...)
	cms, err := d.signer.Sign(signed)
	if err != nil {
		return nil, fmt.Errorf("sign the report: %w", err)
	}
	if len(cms) > d.signer.Size {
		return nil, fmt.Errorf("the signature has %d bytes, and there is place for %d", len(cms), d.signer.Size)
	}
	hex.Encode(file[from+1:], cms)
	return file, nil
}
