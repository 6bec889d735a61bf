package sign

import (
	"bytes"
	"encoding/asn1"
	"fmt"
	"slices"
)

// The object identifiers of a PAdES signature.
var (
	oidData          = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 1}
	oidSignedData    = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 7, 2}
	oidContentType   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 3}
	oidMessageDigest = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 4}
	oidSigningCertV2 = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 47}
	oidTimeStamp     = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 2, 14}
	oidTSTInfo       = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 9, 16, 1, 4}

	oidSHA256 = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 1}
	oidSHA384 = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 2}
	oidSHA512 = asn1.ObjectIdentifier{2, 16, 840, 1, 101, 3, 4, 2, 3}

	oidRSA         = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 1}
	oidRSASHA256   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 11}
	oidRSASHA384   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 12}
	oidRSASHA512   = asn1.ObjectIdentifier{1, 2, 840, 113549, 1, 1, 13}
	oidECDSASHA256 = asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 2}
	oidECDSASHA384 = asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 3}
	oidECDSASHA512 = asn1.ObjectIdentifier{1, 2, 840, 10045, 4, 3, 4}
)

// The tags of DER that are written here.
const (
	tagInteger  = 0x02
	tagOctets   = 0x04
	tagNull     = 0x05
	tagBoolean  = 0x01
	tagSequence = 0x30
	tagSet      = 0x31
	tagContext  = 0xA0 // constructed, plus the number
)

// der writes one value: its tag, its length and its contents.
func der(tag byte, contents ...[]byte) []byte {
	body := bytes.Join(contents, nil)
	out := []byte{tag}
	switch n := len(body); {
	case n < 0x80:
		out = append(out, byte(n))
	case n < 0x100:
		out = append(out, 0x81, byte(n))
	case n < 0x10000:
		out = append(out, 0x82, byte(n>>8), byte(n))
	default:
		out = append(out, 0x83, byte(n>>16), byte(n>>8), byte(n))
	}
	return append(out, body...)
}

// derSet writes a SET OF, whose members DER sorts.
func derSet(tag byte, members ...[]byte) []byte {
	sorted := slices.Clone(members)
	slices.SortFunc(sorted, bytes.Compare)
	return der(tag, sorted...)
}

func derOID(oid asn1.ObjectIdentifier) []byte {
	out, err := asn1.Marshal(oid)
	if err != nil {
		panic(fmt.Sprintf("write the object identifier %v: %v", oid, err)) // those above are valid
	}
	return out
}

func derAttribute(oid asn1.ObjectIdentifier, value []byte) []byte {
	return der(tagSequence, derOID(oid), der(tagSet, value))
}
