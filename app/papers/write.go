package papers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"veristream/app/files"
	"veristream/backend/audit"
	"veristream/backend/report"
	"veristream/backend/report/sign"
)

// Signing says who signs a report, and how.
type Signing struct {
	Draft      bool   // do not sign
	PKCS12     string // file of the user's own identity; empty: the kept one
	Password   string // of that file
	Passphrase string // of the kept identity
	Stamp      string // address of a time-stamp server of the user's own; empty: none, and no network
}

// Signed is a report, and who signed it.
type Signed struct {
	PDF      []byte
	Identity *sign.Identity // nil for a draft
	New      bool           // the identity was made for this
}

// keeper keeps this user's identity.
func (m *Maker) keeper(passphrase string) sign.Keeper {
	return sign.Keeper{Dir: filepath.Join(m.Dirs.Data, "identity"), Passphrase: passphrase}
}

// Identity gives the identity that signs. Where none is kept it makes one.
func (m *Maker) Identity(ctx context.Context, o Options, s Signing) (id *sign.Identity, made bool, err error) {
	if s.PKCS12 != "" {
		data, err := os.ReadFile(s.PKCS12)
		if err != nil {
			return nil, false, audit.Wrap(err, audit.CodeUsage, "The identity file %s cannot be read.", s.PKCS12)
		}
		id, err := sign.FromPKCS12(data, s.Password)
		return id, false, err
	}
	id, err = m.keeper(s.Passphrase).Load()
	if !errors.Is(err, sign.ErrNone) {
		return id, false, err
	}
	id, err = m.NewIdentity(ctx, o, s.Passphrase)
	return id, true, err
}

// NewIdentity makes an identity, keeps it in the place of the one before, and
// writes that into the record.
func (m *Maker) NewIdentity(ctx context.Context, o Options, passphrase string) (*sign.Identity, error) {
	name := o.Name
	if name == "" {
		name = userName()
	}
	id, err := sign.New(name, o.Firm, m.Now())
	if err != nil {
		return nil, err
	}
	if err := m.keeper(passphrase).Save(id); err != nil {
		return nil, err
	}
	return id, m.Store.AppendEvent(ctx, "identity made", "", map[string]string{
		"name": name, "organisation": o.Firm, "certificate_sha256": sign.Fingerprint(id.Certificate),
	})
}

// KeptIdentity gives the identity that is kept; sign.ErrNone where there is
// none.
func (m *Maker) KeptIdentity(passphrase string) (*sign.Identity, error) {
	return m.keeper(passphrase).Load()
}

// Make makes the report of an audit, signed unless a draft was asked for.
func (m *Maker) Make(ctx context.Context, in report.Input, o Options, s Signing) (Signed, error) {
	if s.Draft {
		pdf, err := report.Render(ctx, in, nil)
		return Signed{PDF: pdf}, err
	}
	id, made, err := m.Identity(ctx, o, s)
	if err != nil {
		return Signed{}, fmt.Errorf("find the identity: %w", err)
	}
	person, firm := sign.Name(id.Certificate)
	if o.Name == "" {
		in.Prepared.Name, in.Prepared.Organisation = person, firm
	}
	var stamp sign.Stamper
	if s.Stamp != "" {
		stamp = sign.StampFrom(ctx, &http.Client{Timeout: 30 * time.Second}, s.Stamp)
	}
	pdf, err := report.Sign(ctx, in, id, stamp)
	return Signed{PDF: pdf, Identity: id, New: made}, err
}

// Formats of papers besides those of package report: the report itself, and the
// ZIP file of everything.
const (
	FormatPDF = "pdf"
	FormatZIP = "zip"
)

// Write writes a paper in one of the formats, whole or not at all, and notes in
// the record that it left. The report inside of a PDF or a ZIP is s.
func (m *Maker) Write(ctx context.Context, in report.Input, s Signed, format, path string) error {
	data, err := s.PDF, error(nil)
	switch format {
	case FormatPDF:
	case FormatZIP:
		data, err = report.Evidence(in, s.PDF)
	default:
		s = Signed{}
		data, err = report.Export(in, format)
	}
	if err != nil {
		return err
	}
	if err := files.Write(path, data); err != nil {
		return err
	}
	if in.Result.ID == "" {
		return nil
	}
	if s.Identity != nil {
		if err := m.noteSigned(ctx, in.Result.ID, format, path, s); err != nil {
			return err
		}
		if format == FormatPDF {
			return nil
		}
	}
	return m.Note(ctx, in.Result.ID, audit.EventExported, path, data)
}

// noteSigned writes into the record what was signed, with which identity. In a
// ZIP file the report has a name of its own.
func (m *Maker) noteSigned(ctx context.Context, auditID, format, path string, s Signed) error {
	name := filepath.Base(path)
	if format == FormatZIP {
		name += "/report.pdf"
	}
	return m.Store.AppendEvent(ctx, audit.EventSigned, auditID, map[string]string{
		"file": name, "sha256": sha(s.PDF), "certificate_sha256": sign.Fingerprint(s.Identity.Certificate),
	})
}

// Note writes into the record that something left.
func (m *Maker) Note(ctx context.Context, auditID, kind, path string, data []byte) error {
	return m.Store.AppendEvent(ctx, kind, auditID, map[string]string{"file": filepath.Base(path), "sha256": sha(data)})
}
