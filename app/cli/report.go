package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"veristream/app/core"
	"veristream/app/papers"
	"veristream/backend/audit"
	"veristream/backend/report"
	"veristream/backend/report/sign"
	"veristream/backend/store"
)

// Secrets come from the environment: a command line can be read by others.
const (
	envPassphrase  = "VERISTREAM_PASSPHRASE"   // of the kept identity
	envP12Password = "VERISTREAM_P12_PASSWORD" // of a PKCS#12 file
)

// reportFlags are the flags of the command.
type reportFlags struct {
	pdf, zip string
	forms    map[string]*string // format -> file
	options  papers.Options
	signing  papers.Signing
	asJSON   bool
}

func (f *reportFlags) people(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.options.Name, "name", "", "who prepares the report (else the identity's name)")
	cmd.Flags().StringVar(&f.options.Firm, "firm", "", "for which organisation")
}

func (a *App) reportCommand() *cobra.Command {
	f := reportFlags{forms: map[string]*string{}}
	cmd := &cobra.Command{
		Use:   "report AUDIT",
		Short: "Write a signed report of an audit, and other forms of it",
		Long: `Writes an audit that was made before as a signed PDF, and in other forms. AUDIT is
the audit's number, the beginning of it, or "latest".

The PDF is signed with an identity that is made on first use and kept encrypted in
the data folder, or with your own from a PKCS#12 file. A self-made identity shows
that the file has not changed since its key signed it; it does not show who signed.
Passwords are read from ` + envPassphrase + ` and ` + envP12Password + `.
No network is used unless you name a time-stamp server.`,
		Example: `  veristream report latest --pdf report.pdf
  veristream report latest --pdf report.pdf --alignment trace.json
  veristream report 20261124-101500 --pdf report.pdf --csv findings.csv --zip evidence.zip --language de`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.report(cmd.Context(), f, args[0]) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.pdf, "pdf", "", "write the report as PDF")
	flags.StringVar(&f.zip, "zip", "", "write everything as one ZIP file of evidence")
	for _, form := range report.Formats() {
		f.forms[form.ID] = flags.String(form.ID, "", "write "+form.About)
	}
	flags.StringVar(&f.options.Language, "language", "en", "of the report: en or de")
	flags.StringVar(&f.options.Alignment, "alignment", "", "add the alignment in this file, which veristream align --json wrote")
	flags.BoolVar(&f.signing.Draft, "draft", false, "do not sign")
	flags.StringVar(&f.signing.PKCS12, "p12", "", "sign with the identity in this PKCS#12 file")
	flags.StringVar(&f.signing.Stamp, "timestamp", "", "address of a time-stamp server (RFC 3161) to ask")
	f.people(cmd)
	cmd.AddCommand(a.identityCommand(), a.approveCommand())
	return cmd
}

// papersOf opens the database alone: papers need no models.
func (a *App) papersOf(ctx context.Context) (*papers.Maker, func(), error) {
	if err := a.Dirs.Make(); err != nil {
		return nil, nil, err
	}
	st, err := store.Open(ctx, a.Dirs.Database())
	if err != nil {
		return nil, nil, err
	}
	return a.maker(st), func() { st.Close() }, nil
}

func (a *App) maker(st *store.Store) *papers.Maker {
	return &papers.Maker{Store: st, Dirs: a.Dirs, Version: a.Version, Prompts: a.Prompts, Now: time.Now}
}

func (a *App) report(ctx context.Context, f reportFlags, id string) error {
	wanted := f.pdf != "" || f.zip != ""
	for _, path := range f.forms {
		wanted = wanted || *path != ""
	}
	if !wanted {
		return audit.Errorf(audit.CodeUsage, "Say what to write, for instance --pdf report.pdf.")
	}
	if l := f.options.Language; l != "en" && l != "de" {
		return audit.Errorf(audit.CodeUsage, "Reports are written in en or de, not in %q.", l)
	}
	m, done, err := a.papersOf(ctx)
	if err != nil {
		return err
	}
	defer done()
	if id, err = m.Find(ctx, id); err != nil {
		return err
	}
	r, err := m.Store.Result(ctx, id)
	if err != nil {
		return err
	}
	return a.writePapers(ctx, m, r, f)
}

// writePapers writes what the flags ask for, and notes it in the record.
func (a *App) writePapers(ctx context.Context, m *papers.Maker, r *audit.Result, f reportFlags) error {
	in, err := m.Gather(ctx, r, f.options)
	if err != nil {
		return fmt.Errorf("gather the report: %w", err)
	}
	f.signing.Passphrase, f.signing.Password = os.Getenv(envPassphrase), os.Getenv(envP12Password)
	for _, form := range report.Formats() {
		path := f.forms[form.ID]
		if path == nil || *path == "" {
			continue
		}
		if err := m.Write(ctx, in, papers.Signed{}, form.ID, *path); err != nil {
			return err
		}
		fmt.Fprintln(a.Out, strings.ToUpper(form.ID)+": "+*path)
	}
	if f.pdf == "" && f.zip == "" {
		return nil
	}
	signed, err := m.Make(ctx, in, f.options, f.signing)
	if err != nil {
		return err
	}
	for _, to := range [][2]string{{papers.FormatPDF, f.pdf}, {papers.FormatZIP, f.zip}} {
		if to[1] == "" {
			continue
		}
		if err := m.Write(ctx, in, signed, to[0], to[1]); err != nil {
			return err
		}
		fmt.Fprintln(a.Out, strings.ToUpper(to[0])+": "+to[1])
	}
	a.tellSigner(signed)
	return nil
}

func (a *App) tellSigner(s papers.Signed) {
	if s.Identity == nil {
		fmt.Fprintln(a.Out, "A draft: it is not signed.")
		return
	}
	person, firm := sign.Name(s.Identity.Certificate)
	if firm != "" {
		person += ", " + firm
	}
	if s.New {
		fmt.Fprintln(a.Out, "A new identity was made for "+person+".")
	}
	fmt.Fprintln(a.Out, "Signed by "+person+". Certificate SHA-256 "+sign.Fingerprint(s.Identity.Certificate))
	if sign.SelfMade(s.Identity.Certificate) {
		fmt.Fprintln(a.Out, "The identity is self-made: the signature shows that the file has not changed, not who signed it.")
	}
}

// writeReport writes the PDF of an audit that was just made.
func (a *App) writeReport(ctx context.Context, c *core.Core, r *audit.Result, path string) error {
	return a.writePapers(ctx, a.maker(c.Store), r, reportFlags{pdf: path})
}

func (a *App) identityCommand() *cobra.Command {
	var f reportFlags
	var renew bool
	var export string
	cmd := &cobra.Command{
		Use:   "identity",
		Short: "Show the identity that signs, make a new one, or export its certificate",
		Long: `Shows who signs reports on this computer. With --new it makes an identity for
--name and --firm in the place of the one before. With --export it writes the
certificate, which others need in order to tell your reports from another's: give
it to them by another way than the reports.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.identity(cmd.Context(), f, renew, export) },
	}
	cmd.Flags().BoolVar(&renew, "new", false, "make a new identity")
	cmd.Flags().StringVar(&export, "export", "", "write the certificate to this file (PEM)")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "write JSON")
	f.people(cmd)
	return cmd
}

func (a *App) identity(ctx context.Context, f reportFlags, renew bool, export string) error {
	m, done, err := a.papersOf(ctx)
	if err != nil {
		return err
	}
	defer done()
	passphrase := os.Getenv(envPassphrase)
	var id *sign.Identity
	if renew {
		id, err = m.NewIdentity(ctx, f.options, passphrase)
	} else {
		id, _, err = m.Identity(ctx, f.options, papers.Signing{Passphrase: passphrase})
	}
	if err != nil {
		return err
	}
	if export != "" {
		if err := writeFile(export, sign.PEM(id.Certificate)); err != nil {
			return err
		}
	}
	person, firm := sign.Name(id.Certificate)
	c := id.Certificate
	if f.asJSON {
		return a.printJSON(map[string]any{
			"schema": 1, "name": person, "organisation": firm, "self_made": sign.SelfMade(c), "certificate_sha256": sign.Fingerprint(c),
			"not_before": c.NotBefore, "not_after": c.NotAfter, "folder": filepath.Join(a.Dirs.Data, "identity"),
		})
	}
	fmt.Fprintf(a.Out, "%s\n%s\nvalid %s to %s\nSHA-256 %s\n", person, firm, c.NotBefore.Format(time.DateOnly), c.NotAfter.Format(time.DateOnly), sign.Fingerprint(c))
	return nil
}

func (a *App) approveCommand() *cobra.Command {
	var f reportFlags
	cmd := &cobra.Command{
		Use:   "approve FILE.pdf",
		Short: "Approve a signed report, as somebody else than its preparer",
		Long: `Checks a report and signs the whole file with the approver's identity. The approval
lies beside the report as FILE.pdf` + report.ApprovalSuffix + `: the report itself allows no changes.
"veristream verify" checks both; so does any program that knows CMS signatures.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.approve(cmd.Context(), f, args[0]) },
	}
	cmd.Flags().StringVar(&f.signing.PKCS12, "p12", "", "sign with the identity in this PKCS#12 file")
	f.people(cmd)
	return cmd
}

func (a *App) approve(ctx context.Context, f reportFlags, path string) error {
	m, done, err := a.papersOf(ctx)
	if err != nil {
		return err
	}
	defer done()
	f.signing.Passphrase, f.signing.Password = os.Getenv(envPassphrase), os.Getenv(envP12Password)
	id, _, err := m.Identity(ctx, f.options, f.signing)
	if err != nil {
		return err
	}
	if err := m.Approve(ctx, path, id); err != nil {
		return err
	}
	person, _ := sign.Name(id.Certificate)
	fmt.Fprintf(a.Out, "Approved by %s: %s\n", person, path+report.ApprovalSuffix)
	return nil
}
