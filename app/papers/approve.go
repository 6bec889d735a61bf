package papers

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"veristream/app/files"
	"veristream/backend/audit"
	"veristream/backend/report"
	"veristream/backend/report/sign"
)

// mostReport is how large a report may be: no larger file is read.
const mostReport = 1 << 30

// ReadReport reads the file of a report.
func ReadReport(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "The file %s cannot be read.", path)
	}
	if info.Size() > mostReport {
		return nil, audit.Errorf(audit.CodeInput, "%s is larger than any report.", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "The file %s cannot be read.", path)
	}
	return data, nil
}

// Check checks a report and the approval beside it, offline.
func (m *Maker) Check(path string, trust report.Trust) (*report.Verified, error) {
	data, err := ReadReport(path)
	if err != nil {
		return nil, err
	}
	v := report.Verify(data, trust)
	if approval, err := os.ReadFile(path + report.ApprovalSuffix); err == nil {
		v.Approval(data, approval)
	}
	return v, nil
}

// approvers keeps the identity of the second person at this computer. It has a
// passphrase of its own: who prepares a report cannot approve it with that.
func (m *Maker) approvers(passphrase string) sign.Keeper {
	return sign.Keeper{Dir: filepath.Join(m.Dirs.Data, "identity", "approver"), Passphrase: passphrase}
}

// HasApprover says whether a second person has an identity at this computer.
func (m *Maker) HasApprover() bool {
	_, err := os.Stat(filepath.Join(m.approvers("").Dir, "identity.json"))
	return err == nil
}

// leastPassphrase is how long the second person's passphrase must be.
const leastPassphrase = 8

// Approver gives the identity of the second person at this computer, and makes
// it where there is none.
func (m *Maker) Approver(ctx context.Context, o Options, passphrase string) (*sign.Identity, error) {
	if len([]rune(passphrase)) < leastPassphrase {
		return nil, audit.Errorf(audit.CodeUsage, "The approver's passphrase needs %d characters or more.", leastPassphrase)
	}
	k := m.approvers(passphrase)
	id, err := k.Load()
	if !errors.Is(err, sign.ErrNone) {
		return id, err
	}
	if o.Name == "" {
		return nil, audit.Errorf(audit.CodeUsage, "An identity needs the approver's name.")
	}
	if id, err = sign.New(o.Name, o.Firm, m.Now()); err != nil {
		return nil, err
	}
	if err := k.Save(id); err != nil {
		return nil, err
	}
	return id, m.Store.AppendEvent(ctx, "identity made", "", map[string]string{
		"name": o.Name, "organisation": o.Firm, "role": "approver", "certificate_sha256": sign.Fingerprint(id.Certificate),
	})
}

// Approve signs a report that is whole as a second person, beside the report,
// and notes it in the record.
func (m *Maker) Approve(ctx context.Context, path string, id *sign.Identity) error {
	data, err := ReadReport(path)
	if err != nil {
		return err
	}
	trust := report.Trust{Now: m.Now()}
	object, err := report.Approve(data, id, trust, nil)
	if err != nil {
		return err
	}
	if err := files.Write(path+report.ApprovalSuffix, object); err != nil {
		return err
	}
	return m.Note(ctx, report.Verify(data, trust).Manifest.Audit, audit.EventApproved, path, data)
}
