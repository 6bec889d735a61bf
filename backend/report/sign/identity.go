package sign

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1" //nolint:gosec // a key's number, as RFC 5280 makes it; nothing rests on it
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"
	"time"

	pkcs12 "software.sslmate.com/src/go-pkcs12"

	"veristream/backend/audit"
)

// Identity is who signs: a certificate and its key.
type Identity struct {
	Certificate *x509.Certificate
	Chain       []*x509.Certificate // up to the root, without it
	Key         crypto.Signer
}

// validity is how long an identity of one's own making holds.
const validity = 3 * 365 * 24 * time.Hour

// oidDocumentSigning says what the key is for (RFC 9336).
var oidDocumentSigning = asn1.ObjectIdentifier{1, 3, 6, 1, 5, 5, 7, 3, 36}

// New makes an identity: an ECDSA key on P-256 and a certificate that it signs
// itself.
func New(name, organisation string, now time.Time) (*Identity, error) {
	if strings.TrimSpace(name) == "" {
		return nil, audit.Errorf(audit.CodeUsage, "An identity needs the name of a person; give one with --name.")
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make a key: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 126))
	if err != nil {
		return nil, fmt.Errorf("make a number: %w", err)
	}
	point, err := key.PublicKey.ECDH()
	if err != nil {
		return nil, fmt.Errorf("read the new key: %w", err)
	}
	keyID := sha1.Sum(point.Bytes()) //nolint:gosec // see above
	subject := pkix.Name{CommonName: name}
	if organisation != "" {
		subject.Organization = []string{organisation}
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: subject,
		NotBefore: now.Add(-5 * time.Minute), NotAfter: now.Add(validity),
		KeyUsage:           x509.KeyUsageDigitalSignature | x509.KeyUsageContentCommitment,
		UnknownExtKeyUsage: []asn1.ObjectIdentifier{oidDocumentSigning},
		SubjectKeyId:       keyID[:], AuthorityKeyId: keyID[:], BasicConstraintsValid: true,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("make a certificate: %w", err)
	}
	cert, err := x509.ParseCertificate(raw)
	if err != nil {
		return nil, fmt.Errorf("read the new certificate: %w", err)
	}
	return &Identity{Certificate: cert, Key: key}, nil
}

// FromPKCS12 reads an identity from a .p12 or .pfx file.
func FromPKCS12(data []byte, password string) (*Identity, error) {
	key, cert, chain, err := pkcs12.DecodeChain(data, password)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeUsage, "The identity file cannot be opened: it is no PKCS#12 file, or the password is wrong.")
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, audit.Errorf(audit.CodeUsage, "The identity file has no key that can sign.")
	}
	id := &Identity{Certificate: cert, Key: signer}
	for _, c := range chain {
		if !bytes.Equal(c.RawSubject, c.RawIssuer) {
			id.Chain = append(id.Chain, c)
		}
	}
	return id, nil
}

// Check says why the identity cannot sign at a time: it is not valid yet or no
// more, its key is another's, or it is not made for signatures.
func (id *Identity) Check(now time.Time) error {
	c := id.Certificate
	if now.Before(c.NotBefore) {
		return audit.Errorf(audit.CodeUsage, "The identity of %s is valid only from %s; look at this computer's clock.", c.Subject.CommonName, c.NotBefore.Format(time.DateOnly))
	}
	if now.After(c.NotAfter) {
		return audit.Errorf(audit.CodeUsage, "The identity of %s ran out on %s. Make a new one: veristream report identity --new", c.Subject.CommonName, c.NotAfter.Format(time.DateOnly))
	}
	public, ok := c.PublicKey.(interface{ Equal(crypto.PublicKey) bool })
	if !ok || !public.Equal(id.Key.Public()) {
		return audit.Errorf(audit.CodeUsage, "The key of %s does not belong to the certificate.", c.Subject.CommonName)
	}
	if c.KeyUsage != 0 && c.KeyUsage&(x509.KeyUsageDigitalSignature|x509.KeyUsageContentCommitment) == 0 {
		return audit.Errorf(audit.CodeUsage, "The certificate of %s is not made for signatures.", c.Subject.CommonName)
	}
	if k, ok := c.PublicKey.(*rsa.PublicKey); ok && k.N.BitLen() < 2048 {
		return audit.Errorf(audit.CodeUsage, "The key of %s has %d bits; an RSA key needs at least 2048.", c.Subject.CommonName, k.N.BitLen())
	}
	return nil
}

// SelfMade says whether nobody else vouches for the identity.
func SelfMade(c *x509.Certificate) bool { return bytes.Equal(c.RawIssuer, c.RawSubject) }

// Fingerprint is the digest by which people compare certificates.
func Fingerprint(c *x509.Certificate) string {
	sum := sha256.Sum256(c.Raw)
	return hex.EncodeToString(sum[:])
}

// Name gives the person and the organisation of a certificate.
func Name(c *x509.Certificate) (person, organisation string) {
	if len(c.Subject.Organization) > 0 {
		organisation = c.Subject.Organization[0]
	}
	if c.Subject.CommonName == "" {
		return c.Subject.String(), organisation
	}
	return c.Subject.CommonName, organisation
}

// PEM gives the certificate as others import it.
func PEM(c *x509.Certificate) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: c.Raw})
}
