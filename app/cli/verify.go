package cli

import (
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"veristream/app/papers"
	"veristream/backend/audit"
	"veristream/backend/report"
)

func (a *App) verifyCommand() *cobra.Command {
	var video string
	var trust []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "verify FILE.pdf",
		Short: "Check a signed report: whole, by whom, and about which video",
		Long: `Checks a report without any network: its signature, that nothing was changed or
added since, who signed, that all that is attached fits the manifest, that every
finding's words stand in the transcript, and with --video that the video is the one
that was audited. The exit code is 1 where anything is wrong, and 0 for a file that
is whole, whether or not somebody vouches for the signer: read the first line.

--trust names a certificate (PEM) that you got from the signer by another way than
the report. The identity of this computer and the authorities of its system count
as trusted too. An approval beside the report (FILE.pdf` + report.ApprovalSuffix + `) is checked with it.`,
		Example: "  veristream verify report.pdf --video talk.mp4",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.verify(cmd.Context(), args[0], video, trust, asJSON)
		},
	}
	cmd.Flags().StringVar(&video, "video", "", "the video that the report should be about")
	cmd.Flags().StringArrayVar(&trust, "trust", nil, "certificate of a signer or an authority that you trust (PEM)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

func (a *App) verify(_ context.Context, path, video string, trusted []string, asJSON bool) error {
	trust := report.Trust{Now: time.Now()}
	roots, err := x509.SystemCertPool()
	if trust.Roots = roots; err != nil {
		trust.Roots = x509.NewCertPool() // a system without authorities vouches for nobody
	}
	for _, file := range append(a.ownCertificates(), trusted...) {
		certs, err := readCertificates(file)
		if err != nil {
			return err
		}
		trust.Pinned = append(trust.Pinned, certs...)
	}
	if id, err := a.maker(nil).KeptIdentity(os.Getenv(envPassphrase)); err == nil {
		trust.Pinned = append(trust.Pinned, id.Certificate)
	}
	if video != "" {
		if trust.VideoSHA256, err = papers.FileSHA256(video); err != nil {
			return audit.Wrap(err, audit.CodeInput, "The video %s cannot be read.", video)
		}
	}
	v, err := a.maker(nil).Check(path, trust)
	if err != nil {
		return err
	}
	if asJSON {
		err = a.printJSON(map[string]any{
			"schema": 1, "file": path, "whole": !v.Failed(), "verdict": v.Verdict, "checks": v.Checks, "signer": v.Signer, "approver": v.Approver,
			"manifest": v.Manifest, "pages": v.Pages, "notes": v.Notes,
		})
	} else {
		a.printVerified(path, v)
	}
	if err == nil && v.Failed() {
		err = &toldError{errors.New("the report is not whole")}
	}
	return err
}

// ownCertificates lists those of identities that this computer had before.
func (a *App) ownCertificates() []string {
	found, err := filepath.Glob(filepath.Join(a.Dirs.Data, "identity", "former-*.pem"))
	if err != nil {
		return nil
	}
	return found
}

func readCertificates(path string) ([]*x509.Certificate, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeUsage, "The certificate %s cannot be read.", path)
	}
	var out []*x509.Certificate
	for block, rest := pem.Decode(data); block != nil; block, rest = pem.Decode(rest) {
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, audit.Wrap(err, audit.CodeUsage, "%s is no certificate.", path)
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, audit.Errorf(audit.CodeUsage, "%s is no certificate in PEM form.", path)
	}
	return out, nil
}

func (a *App) printVerified(path string, v *report.Verified) {
	fmt.Fprintf(a.Out, "%s: %s\n", path, v.Verdict)
	for _, c := range v.Checks {
		mark := "ok   "
		if !c.OK {
			mark = "WRONG"
		}
		fmt.Fprintf(a.Out, "  %s %-12s %s\n", mark, c.Name, c.Detail)
	}
	if s := v.Signer; s != nil {
		who := s.Name
		if s.Organisation != "" {
			who += ", " + s.Organisation
		}
		kind := "issued by an authority"
		if s.SelfMade {
			kind = "self-made"
		}
		fmt.Fprintf(a.Out, "Signer: %s (%s)\nCertificate SHA-256: %s\n", who, kind, s.Certificate)
		if !s.Stamped.IsZero() {
			fmt.Fprintln(a.Out, "Time stamp: "+s.Stamped.Format(time.RFC3339))
		} else {
			fmt.Fprintln(a.Out, "Date by the signer's own clock: "+s.Claimed)
		}
	}
	for _, n := range v.Notes {
		fmt.Fprintln(a.Out, "Note: "+n)
	}
}
