package report

import (
	"bytes"
	"crypto/x509"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"veristream/backend/report/pdf"
	"veristream/backend/report/sign"
)

// Verdict is what a check of a report comes to.
type Verdict string

// The verdicts. Only the first two are of a file that is whole.
const (
	Vouched    Verdict = "whole, identity vouched for"
	NotVouched Verdict = "whole, identity not vouched for"
	Draft      Verdict = "not signed"
	Changed    Verdict = "changed"
	Damaged    Verdict = "damaged"
	NotOurs    Verdict = "not ours"
	OtherVideo Verdict = "whole, and about another video"
)

// Check is one thing that was looked at.
type Check struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail,omitempty"`
}

// Verified is what a check found.
type Verified struct {
	Verdict  Verdict   `json:"verdict"`
	Checks   []Check   `json:"checks"`
	Signer   *Signer   `json:"signer,omitempty"`
	Approver *Signer   `json:"approver,omitempty"`
	Manifest *Manifest `json:"manifest,omitempty"`
	Pages    int       `json:"pages,omitempty"`
	Notes    []string  `json:"notes,omitempty"`

	approvalFailed bool

	signed *x509.Certificate
	chain  []*x509.Certificate
}

// Signer is who signed a report, as the certificate says.
type Signer struct {
	Name         string    `json:"name"`
	Organisation string    `json:"organisation,omitempty"`
	SelfMade     bool      `json:"self_made"`
	Certificate  string    `json:"certificate_sha256"`
	Claimed      string    `json:"claimed_time,omitempty"` // by the signer's own clock
	Stamped      time.Time `json:"stamped_time,omitzero"`  // by a time-stamp server
	NotBefore    time.Time `json:"not_before"`
	NotAfter     time.Time `json:"not_after"`
}

// Trust says who vouches for identities.
type Trust struct {
	Pinned []*x509.Certificate // certificates that the reader trusts, by another way than this file
	Roots  *x509.CertPool      // authorities
	Now    time.Time
	// VideoSHA256 is the digest of a video that the report should be about.
	VideoSHA256 string
}

// Failed says whether something is wrong.
func (v *Verified) Failed() bool {
	return v.approvalFailed || v.Verdict != Vouched && v.Verdict != NotVouched
}

// Problems lists what is wrong.
func (v *Verified) Problems() []Check {
	var out []Check
	for _, c := range v.Checks {
		if !c.OK {
			out = append(out, c)
		}
	}
	return out
}

func (v *Verified) pass(name, detail string) {
	v.Checks = append(v.Checks, Check{name, true, detail})
}

// fail notes what is wrong; the first verdict stays.
func (v *Verified) fail(verdict Verdict, name, detail string) {
	v.Checks = append(v.Checks, Check{name, false, detail})
	if v.Verdict == "" {
		v.Verdict = verdict
	}
}

// Verify checks a report without asking anyone: its shape, its signature, who
// signed, and whether all that is attached fits together.
func Verify(data []byte, trust Trust) *Verified {
	v := &Verified{}
	f := v.open(data)
	if f == nil {
		return v
	}
	v.Pages = f.Pages()
	v.signature(f, trust)
	v.attached(f, trust)
	if v.Verdict == "" {
		v.Verdict = NotVouched
		if v.vouched(trust) {
			v.Verdict = Vouched
		}
	}
	return v
}

// Marks by which a file can be told to be ours although it cannot be read.
var (
	markProducer = []byte("/Producer (VeriStream")
	markManifest = []byte("(manifest.json)")
)

func ours(data []byte) bool {
	return bytes.Contains(data, markProducer) || bytes.Contains(data, markManifest)
}

// open reads the file, and where it cannot, finds out what happened to it.
func (v *Verified) open(data []byte) *pdf.File {
	if !bytes.HasPrefix(data, []byte("%PDF-")) {
		v.fail(NotOurs, "file", "This is no PDF file.")
		return nil
	}
	f, err := pdf.Read(data)
	if err == nil {
		if !ours(data) {
			v.fail(NotOurs, "file", "This PDF was not written by VeriStream.")
			return nil
		}
		v.pass("structure", fmt.Sprintf("%d pages; nothing lies outside of the document's objects", f.Pages()))
		return f
	}
	switch {
	case !ours(data) && bytes.Contains(data, []byte("/Encrypt")):
		v.fail(NotOurs, "structure", "The file is encrypted; VeriStream writes no encrypted reports.")
	case !ours(data):
		v.fail(NotOurs, "file", "This PDF was not written by VeriStream.")
	default:
		v.broken(data, err)
	}
	return nil
}

var reRange = regexp.MustCompile(`/ByteRange \[0 (\d{10}) (\d{10}) (\d{10})\]`)

// broken tells a report that was changed from one that was damaged on its way.
func (v *Verified) broken(data []byte, err error) {
	const end = "%%EOF\n"
	if at := bytes.Index(data, []byte("\n"+end)); at >= 0 && at+1+len(end) < len(data) {
		first := data[:at+1+len(end)]
		if f, readErr := pdf.Read(first); readErr == nil {
			if s, sigErr := f.Signature(); sigErr == nil && s != nil {
				if _, sigErr = sign.CheckDetached(s.Object, s.Signed); sigErr == nil {
					v.fail(Changed, "structure", fmt.Sprintf("%d bytes were added after the signature.", len(data)-len(first)))
					return
				}
			}
		}
	}
	if m := reRange.FindSubmatch(data); m != nil {
		from, _ := strconv.Atoi(string(m[2]))
		size, _ := strconv.Atoi(string(m[3]))
		if len(data) < from+size {
			v.fail(Damaged, "structure", fmt.Sprintf("The file is cut off: %d bytes are there of %d.", len(data), from+size))
			return
		}
		v.fail(Changed, "structure", "The file was changed after it was signed: "+err.Error()+".")
		return
	}
	if bytes.HasSuffix(bytes.TrimRight(data, "\r\n"), []byte("%%EOF")) {
		v.fail(Changed, "structure", "Another program has written the file anew, or it was changed: "+err.Error()+".")
		return
	}
	v.fail(Damaged, "structure", "The file cannot be read: "+err.Error()+".")
}

// signature checks the certification.
func (v *Verified) signature(f *pdf.File, trust Trust) {
	s, err := f.Signature()
	if err != nil {
		v.fail(Changed, "coverage", sentence(err))
		return
	}
	if s == nil {
		v.fail(Draft, "signature", "The file is a draft: nothing shows whether it was changed.")
		return
	}
	v.pass("coverage", "the signature covers the whole file and allows no changes")
	sig, err := sign.CheckDetached(s.Object, s.Signed)
	switch {
	case errors.Is(err, sign.ErrDigest):
		v.fail(Changed, "signature", "The file was changed after it was signed.")
		return
	case err != nil:
		v.fail(Changed, "signature", sentence(err))
		return
	}
	v.pass("signature", "PAdES, the digest and the signature fit")
	cert := sig.Certificate
	person, organisation := sign.Name(cert)
	v.Signer = &Signer{
		Name: person, Organisation: organisation, SelfMade: sign.SelfMade(cert), Certificate: sign.Fingerprint(cert),
		Claimed: claimed(s.Date), Stamped: sig.Stamped, NotBefore: cert.NotBefore, NotAfter: cert.NotAfter,
	}
	v.certificate(sig, s.Date, trust)
	v.chain = sig.Others
	v.signed = cert
}

// certificate holds the certificate's dates against when it signed.
func (v *Verified) certificate(sig *sign.Signature, date string, trust Trust) {
	cert := sig.Certificate
	at, err := time.Parse("D:20060102150405", date[:min(len(date), 16)])
	if err != nil {
		v.fail(Changed, "certificate", "The signature has no date.")
		return
	}
	if !sig.Stamped.IsZero() {
		at = sig.Stamped
	}
	switch {
	case at.Before(cert.NotBefore) || at.After(cert.NotAfter):
		v.fail(Changed, "certificate", fmt.Sprintf("The certificate was not valid when it signed (%s): it holds from %s to %s.",
			at.Format(time.DateOnly), cert.NotBefore.Format(time.DateOnly), cert.NotAfter.Format(time.DateOnly)))
		return
	case at.After(trust.Now.Add(24 * time.Hour)):
		v.fail(Changed, "certificate", "The signature's date lies in the future: "+at.Format(time.DateOnly)+".")
		return
	case trust.Now.After(cert.NotAfter):
		v.Notes = append(v.Notes, "The certificate has run out since; it was valid when it signed, by the date that the signature claims.")
	}
	v.pass("certificate", "valid when it signed")
}

// vouched says whether somebody whom the reader trusts stands for the signer.
func (v *Verified) vouched(trust Trust) bool {
	for _, c := range trust.Pinned {
		if c.Equal(v.signed) {
			v.pass("identity", "the certificate is one that you trust")
			return true
		}
	}
	roots := trust.Roots
	if roots == nil {
		roots = x509.NewCertPool()
	}
	for _, c := range trust.Pinned {
		roots.AddCert(c)
	}
	between := x509.NewCertPool()
	for _, c := range v.chain {
		between.AddCert(c)
	}
	at := v.signed.NotBefore.Add(time.Second)
	if !v.Signer.Stamped.IsZero() {
		at = v.Signer.Stamped
	}
	_, err := v.signed.Verify(x509.VerifyOptions{Roots: roots, Intermediates: between, CurrentTime: at, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}})
	if err == nil {
		v.pass("identity", "an authority that you trust vouches for the signer")
		return true
	}
	v.Notes = append(v.Notes, "Nobody whom this computer trusts vouches for the signer. Compare the certificate's SHA-256 with one that the signer gave you by another way, or name their certificate with --trust.")
	return false
}

func claimed(date string) string {
	at, err := time.Parse("D:20060102150405", date[:min(len(date), 16)])
	if err != nil {
		return ""
	}
	return at.Format(time.RFC3339)
}

// sentence makes a sentence of an error.
func sentence(err error) string {
	s := err.Error()
	if s == "" {
		return s
	}
	return string(bytes.ToUpper([]byte(s[:1]))) + s[1:] + "."
}
