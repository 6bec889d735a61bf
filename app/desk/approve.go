package desk

import (
	"context"
	"crypto/x509"
	"fmt"
	"os"
	"time"

	"veristream/app"
	"veristream/app/papers"
	"veristream/backend/audit"
	"veristream/backend/report"
	"veristream/backend/report/sign"
)

// verdicts names the verdicts for the window, which has its own words for them.
var verdicts = map[report.Verdict]string{
	report.Vouched: "vouched", report.NotVouched: "not_vouched", report.Draft: "draft", report.Changed: "changed",
	report.Damaged: "damaged", report.NotOurs: "not_ours",
}

// CheckReport implements app.Approver.
func (d *desk) CheckReport(ctx context.Context, path string) (app.CheckedReport, error) {
	m, err := d.maker(ctx)
	if err != nil {
		return app.CheckedReport{}, err
	}
	out := app.CheckedReport{Path: path, Beside: path + report.ApprovalSuffix, Second: m.HasApprover()}
	trust := report.Trust{Now: time.Now()}
	if trust.Roots, err = x509.SystemCertPool(); err != nil {
		trust.Roots = x509.NewCertPool() // a system without authorities vouches for nobody
	}
	if own, err := m.KeptIdentity(passphrase()); err == nil {
		trust.Pinned = append(trust.Pinned, own.Certificate)
		out.Own = certified(own.Certificate)
	}
	v, err := m.Check(path, trust)
	if err != nil {
		return app.CheckedReport{}, err
	}
	out.Verdict, out.Whole = verdicts[v.Verdict], !v.Failed()
	out.Signer, out.Approved = signer(v.Signer), signer(v.Approver)
	for _, c := range v.Checks {
		out.Checks = append(out.Checks, app.ReportCheck(c))
	}
	if v.Manifest != nil {
		out.Title, out.Audit, out.Created, out.Findings = v.Manifest.Video.Name, v.Manifest.Audit, v.Manifest.Created, len(v.Manifest.Findings)
	}
	return out, nil
}

// Approve implements app.Approver.
func (d *desk) Approve(ctx context.Context, path string, a app.Approval) error {
	m, err := d.maker(ctx)
	if err != nil {
		return err
	}
	set, err := app.LoadSettings(windowDir(d.dirs))
	if err != nil {
		return err
	}
	o := papers.Options{Name: a.Name, Firm: set.Organisation}
	var id *sign.Identity
	switch a.With {
	case app.WithSecond:
		id, err = m.Approver(ctx, o, a.Passphrase)
	case app.WithFile:
		id, _, err = m.Identity(ctx, o, papers.Signing{PKCS12: a.File, Password: a.Passphrase})
	case app.WithOwn:
		o.Name = set.Reviewer
		id, _, err = m.Identity(ctx, o, papers.Signing{Passphrase: passphrase()})
	default:
		return audit.Errorf(audit.CodeUsage, "There is no identity %q.", a.With)
	}
	if err != nil {
		return fmt.Errorf("find the approver's identity: %w", err)
	}
	return m.Approve(ctx, path, id)
}

func (d *desk) maker(ctx context.Context) (*papers.Maker, error) {
	c, err := d.ready(ctx)
	if err != nil {
		return nil, err
	}
	return &papers.Maker{Store: c.Store, Dirs: d.dirs, Version: d.version, Prompts: d.prompts, Now: time.Now}, nil
}

func passphrase() string { return os.Getenv("VERISTREAM_PASSPHRASE") }

func signer(s *report.Signer) *app.ReportSigner {
	if s == nil {
		return nil
	}
	return &app.ReportSigner{Name: s.Name, Organisation: s.Organisation, SelfMade: s.SelfMade, Certificate: s.Certificate, NotAfter: s.NotAfter}
}

func certified(c *x509.Certificate) *app.ReportSigner {
	name, firm := sign.Name(c)
	return &app.ReportSigner{Name: name, Organisation: firm, SelfMade: sign.SelfMade(c), Certificate: sign.Fingerprint(c), NotAfter: c.NotAfter}
}
