package sign

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/asn1"
	"fmt"

	"veristream/backend/audit"
)

// Stamper gives a time-stamp token (RFC 3161) for a digest.
type Stamper func(digest []byte) ([]byte, error)

// Detached signs content and gives the CMS object, which does not hold the
// content itself. The signer's certificate is bound in by its digest, so that
// no other with the same key can take its place. There is no signing time
// inside: PAdES keeps it in the PDF. Where stamp is not nil the signature
// carries a time stamp over its value (level B-T).
func (id *Identity) Detached(content []byte, stamp Stamper) ([]byte, error) {
	digest := sha256.Sum256(content)
	attributes := [][]byte{
		derAttribute(oidContentType, derOID(oidData)),
		derAttribute(oidMessageDigest, der(tagOctets, digest[:])),
		derAttribute(oidSigningCertV2, id.signingCertificate()),
	}
	// What is signed is the set with its own tag; in the object the tag is
	// another (RFC 5652, 5.4).
	toSign := sha256.Sum256(derSet(tagSet, attributes...))
	signature, err := id.Key.Sign(rand.Reader, toSign[:], crypto.SHA256)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInternal, "The key could not sign.")
	}
	var algorithm []byte
	switch id.Key.Public().(type) {
	case *ecdsa.PublicKey:
		algorithm = der(tagSequence, derOID(oidECDSASHA256))
	case *rsa.PublicKey:
		algorithm = der(tagSequence, derOID(oidRSASHA256), der(tagNull))
	default:
		return nil, audit.Errorf(audit.CodeUsage, "A key of this kind cannot sign; use ECDSA P-256 or RSA.")
	}
	serial, err := asn1.Marshal(id.Certificate.SerialNumber)
	if err != nil {
		return nil, fmt.Errorf("write the certificate's number: %w", err)
	}
	sha := der(tagSequence, derOID(oidSHA256))
	info := [][]byte{
		der(tagInteger, []byte{1}),
		der(tagSequence, id.Certificate.RawIssuer, serial),
		sha,
		derSet(tagContext, attributes...),
		algorithm,
		der(tagOctets, signature),
	}
	if stamp != nil {
		value := sha256.Sum256(signature)
		token, err := stamp(value[:])
		if err != nil {
			return nil, err
		}
		info = append(info, der(tagContext+1, derAttribute(oidTimeStamp, token)))
	}
	certificates := [][]byte{id.Certificate.Raw}
	for _, c := range id.Chain {
		certificates = append(certificates, c.Raw)
	}
	return der(tagSequence, derOID(oidSignedData), der(tagContext, der(tagSequence,
		der(tagInteger, []byte{1}),
		der(tagSet, sha),
		der(tagSequence, derOID(oidData)),
		derSet(tagContext, certificates...),
		der(tagSet, der(tagSequence, info...)),
	))), nil
}

// signingCertificate is the attribute signing-certificate-v2 (RFC 5035, 3).
// SHA-256 is its default and therefore not named.
func (id *Identity) signingCertificate() []byte {
	sum := sha256.Sum256(id.Certificate.Raw)
	serial, err := asn1.Marshal(id.Certificate.SerialNumber)
	if err != nil {
		panic(err) // the certificate was parsed, so its number can be written
	}
	issuer := der(tagSequence, der(tagContext+4, id.Certificate.RawIssuer))
	return der(tagSequence, der(tagSequence, der(tagSequence, der(tagOctets, sum[:]), der(tagSequence, issuer, serial))))
}
