package report

import (
	"veristream/backend/audit"
	"veristream/backend/report/sign"
)

// The report allows no changes, so an approval cannot go into it: it is a
// signature of its own over the whole file, kept beside it. Any program that
// checks CMS objects (CAdES) can check it against the report.

// ApprovalSuffix is added to a report's name for its approval.
const ApprovalSuffix = ".approval.p7s"

// Approve signs a report that is whole, as somebody else than its preparer.
func Approve(pdf []byte, id *sign.Identity, trust Trust, stamp sign.Stamper) ([]byte, error) {
	v := Verify(pdf, trust)
	if v.Failed() {
		return nil, audit.Errorf(audit.CodeInput, "The report cannot be approved: it is %s.", v.Verdict)
	}
	if v.Signer.Certificate == sign.Fingerprint(id.Certificate) {
		return nil, audit.Errorf(audit.CodeUsage, "Who prepared a report cannot approve it; sign with another identity (--p12).")
	}
	if err := id.Check(trust.Now); err != nil {
		return nil, err
	}
	return id.Detached(pdf, stamp)
}

// Approval checks an approval against the report and adds what it finds.
func (v *Verified) Approval(pdf, object []byte) {
	s, err := sign.CheckDetached(object, pdf)
	if err != nil {
		v.Checks = append(v.Checks, Check{"approval", false, "The approval is not of this report: " + err.Error() + "."})
		v.approvalFailed = true
		return
	}
	person, organisation := sign.Name(s.Certificate)
	v.Approver = &Signer{
		Name: person, Organisation: organisation, SelfMade: sign.SelfMade(s.Certificate), Certificate: sign.Fingerprint(s.Certificate),
		Stamped: s.Stamped, NotBefore: s.Certificate.NotBefore, NotAfter: s.Certificate.NotAfter,
	}
	v.pass("approval", "approved by "+person+", certificate SHA-256 "+v.Approver.Certificate)
}
