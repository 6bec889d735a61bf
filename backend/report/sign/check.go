package sign

import (
	"bytes"
	"crypto"
	"crypto/subtle"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"
)

// Signature is what a CMS object says.
type Signature struct {
	Certificate *x509.Certificate   // of the signer
	Others      []*x509.Certificate // that came along
	Stamped     time.Time           // by a time-stamp server; zero where there is none
	Stamp       *x509.Certificate   // of that server
}

type contentInfo struct {
	Type    asn1.ObjectIdentifier
	Content asn1.RawValue `asn1:"explicit,tag:0"`
}

type signedData struct {
	Version      int
	Digests      []pkix.AlgorithmIdentifier `asn1:"set"`
	Encapsulated encapsulated
	Certificates asn1.RawValue `asn1:"optional,tag:0"`
	CRLs         asn1.RawValue `asn1:"optional,tag:1"`
	Signers      []signerInfo  `asn1:"set"`
}

type encapsulated struct {
	Type    asn1.ObjectIdentifier
	Content asn1.RawValue `asn1:"optional,explicit,tag:0"`
}

type signerInfo struct {
	Version   int
	ID        issuerAndSerial
	Digest    pkix.AlgorithmIdentifier
	Signed    asn1.RawValue `asn1:"optional,tag:0"`
	Algorithm pkix.AlgorithmIdentifier
	Value     []byte
	Unsigned  asn1.RawValue `asn1:"optional,tag:1"`
}

type issuerAndSerial struct {
	Issuer asn1.RawValue
	Serial *big.Int
}

type attribute struct {
	Type   asn1.ObjectIdentifier
	Values []asn1.RawValue `asn1:"set"`
}

type essCertID struct {
	Hash   pkix.AlgorithmIdentifier `asn1:"optional"`
	Sum    []byte
	Issuer asn1.RawValue `asn1:"optional"`
}

type signingCertV2 struct {
	Certs    []essCertID
	Policies asn1.RawValue `asn1:"optional"`
}

// CheckDetached checks a CMS object over content. It says what is wrong: the
// object itself, the digest (the content was changed), or the signature.
func CheckDetached(object, content []byte) (*Signature, error) {
	s, _, err := check(object, func(encapsulated) ([]byte, error) { return content, nil }, oidData, true)
	return s, err
}

// ErrDigest says that what was signed is not what is there.
var ErrDigest = errors.New("what was signed has another digest than what is here")

func check(object []byte, contentOf func(encapsulated) ([]byte, error), contentType asn1.ObjectIdentifier, detached bool) (*Signature, *signerInfo, error) {
	var outer contentInfo
	rest, err := asn1.Unmarshal(object, &outer)
	if err != nil || !outer.Type.Equal(oidSignedData) {
		return nil, nil, errors.New("the signature is not a CMS object")
	}
	if len(bytes.TrimRight(rest, "\x00")) > 0 {
		return nil, nil, errors.New("something stands behind the signature's object")
	}
	var sd signedData
	if rest, err = asn1.Unmarshal(outer.Content.Bytes, &sd); err != nil || len(rest) > 0 {
		return nil, nil, errors.New("the signature's object is damaged")
	}
	if !sd.Encapsulated.Type.Equal(contentType) || detached && len(sd.Encapsulated.Content.Bytes) > 0 {
		return nil, nil, errors.New("the signature is over another kind of content")
	}
	if len(sd.Signers) != 1 {
		return nil, nil, fmt.Errorf("the signature has %d signers; it must have one", len(sd.Signers))
	}
	content, err := contentOf(sd.Encapsulated)
	if err != nil {
		return nil, nil, err
	}
	signer := &sd.Signers[0]
	wanted := 1
	if !detached {
		wanted = 3 // for content that is not plain data (RFC 5652, 5.1)
	}
	if sd.Version != wanted || signer.Version != 1 || !slices.ContainsFunc(sd.Digests, func(a pkix.AlgorithmIdentifier) bool {
		return a.Algorithm.Equal(signer.Digest.Algorithm)
	}) {
		return nil, nil, errors.New("the signature's object contradicts itself")
	}
	certs, err := x509.ParseCertificates(sd.Certificates.Bytes)
	if err != nil {
		return nil, nil, fmt.Errorf("read the certificates of the signature: %w", err)
	}
	s := &Signature{}
	for _, c := range certs {
		if s.Certificate == nil && bytes.Equal(c.RawIssuer, signer.ID.Issuer.FullBytes) && c.SerialNumber.Cmp(signer.ID.Serial) == 0 {
			s.Certificate = c
			continue
		}
		s.Others = append(s.Others, c)
	}
	if s.Certificate == nil {
		return nil, nil, errors.New("the signer's certificate is not in the signature")
	}
	if err := checkSigned(s.Certificate, signer, content, contentType); err != nil {
		return s, signer, err
	}
	if len(signer.Unsigned.Bytes) > 0 && detached {
		err = s.readStamp(signer)
	}
	return s, signer, err
}

// checkSigned checks the signed attributes against the content and the
// certificate, and then the signature over them.
func checkSigned(cert *x509.Certificate, signer *signerInfo, content []byte, contentType asn1.ObjectIdentifier) error {
	hash, ok := hashes[signer.Digest.Algorithm.String()]
	if !ok {
		return fmt.Errorf("the signature uses a digest (%v) that is not trusted", signer.Digest.Algorithm)
	}
	attributes, err := readAttributes(signer.Signed.Bytes)
	if err != nil {
		return err
	}
	var kind asn1.ObjectIdentifier
	if v := attributes[oidContentType.String()]; v == nil {
		return errors.New("the signature does not say what it is over")
	} else if _, err := asn1.Unmarshal(v, &kind); err != nil || !kind.Equal(contentType) {
		return errors.New("the signature is over another kind of content")
	}
	var digest []byte
	if _, err := asn1.Unmarshal(attributes[oidMessageDigest.String()], &digest); err != nil {
		return errors.New("the signature holds no digest")
	}
	if err := checkSigningCertificate(attributes[oidSigningCertV2.String()], cert); err != nil {
		return err
	}
	// The set is signed under its own tag, and holds in the object another.
	signed := append([]byte{tagSet}, signer.Signed.FullBytes[1:]...)
	algorithm, err := algorithmOf(signer.Algorithm.Algorithm, hash, cert)
	if err != nil {
		return err
	}
	if err := cert.CheckSignature(algorithm, signed, signer.Value); err != nil {
		return fmt.Errorf("the signature does not fit the certificate: %w", err)
	}
	h := hash.New()
	h.Write(content)
	if subtle.ConstantTimeCompare(h.Sum(nil), digest) != 1 {
		return ErrDigest
	}
	return nil
}

var hashes = map[string]crypto.Hash{
	oidSHA256.String(): crypto.SHA256, oidSHA384.String(): crypto.SHA384, oidSHA512.String(): crypto.SHA512,
}

func algorithmOf(oid asn1.ObjectIdentifier, hash crypto.Hash, cert *x509.Certificate) (x509.SignatureAlgorithm, error) {
	for _, a := range []struct {
		oid  asn1.ObjectIdentifier
		hash crypto.Hash
		key  x509.PublicKeyAlgorithm
		is   x509.SignatureAlgorithm
	}{
		{oidECDSASHA256, crypto.SHA256, x509.ECDSA, x509.ECDSAWithSHA256},
		{oidECDSASHA384, crypto.SHA384, x509.ECDSA, x509.ECDSAWithSHA384},
		{oidECDSASHA512, crypto.SHA512, x509.ECDSA, x509.ECDSAWithSHA512},
		{oidRSASHA256, crypto.SHA256, x509.RSA, x509.SHA256WithRSA},
		{oidRSASHA384, crypto.SHA384, x509.RSA, x509.SHA384WithRSA},
		{oidRSASHA512, crypto.SHA512, x509.RSA, x509.SHA512WithRSA},
		{oidRSA, crypto.SHA256, x509.RSA, x509.SHA256WithRSA},
		{oidRSA, crypto.SHA384, x509.RSA, x509.SHA384WithRSA},
		{oidRSA, crypto.SHA512, x509.RSA, x509.SHA512WithRSA},
	} {
		if oid.Equal(a.oid) && hash == a.hash && cert.PublicKeyAlgorithm == a.key {
			return a.is, nil
		}
	}
	return 0, fmt.Errorf("the signature's method (%v) is not one that is trusted here", oid)
}

// readAttributes gives the value of each attribute; one that stands twice is
// refused, because readers would differ about it.
func readAttributes(set []byte) (map[string][]byte, error) {
	out := map[string][]byte{}
	for len(set) > 0 {
		var a attribute
		rest, err := asn1.Unmarshal(set, &a)
		if err != nil || len(a.Values) != 1 {
			return nil, errors.New("the signature's attributes are damaged")
		}
		if _, twice := out[a.Type.String()]; twice {
			return nil, errors.New("an attribute of the signature stands twice")
		}
		out[a.Type.String()] = a.Values[0].FullBytes
		set = rest
	}
	return out, nil
}

// checkSigningCertificate holds the certificate against the digest that was
// signed with it.
func checkSigningCertificate(value []byte, cert *x509.Certificate) error {
	if value == nil {
		return errors.New("the signature does not bind the signer's certificate (no signing-certificate-v2)")
	}
	var v signingCertV2
	if rest, err := asn1.Unmarshal(value, &v); err != nil || len(rest) > 0 || len(v.Certs) == 0 {
		return errors.New("the signature's certificate attribute is damaged")
	}
	hash := crypto.SHA256
	if len(v.Certs[0].Hash.Algorithm) > 0 {
		var ok bool
		if hash, ok = hashes[v.Certs[0].Hash.Algorithm.String()]; !ok {
			return errors.New("the signature binds its certificate by a digest that is not trusted")
		}
	}
	h := hash.New()
	h.Write(cert.Raw)
	if !bytes.Equal(h.Sum(nil), v.Certs[0].Sum) {
		return errors.New("the certificate was replaced: it is not the one that was signed with")
	}
	return nil
}
