package app

import (
	"context"
	"fmt"
	"time"

	"veristream/backend/audit"
)

// ReportService checks signed reports and lets a second person approve them.
type ReportService struct {
	ctx      context.Context
	approver Approver
	shell    Shell
}

// Approver checks reports and approves them. It asks no network.
type Approver interface {
	CheckReport(ctx context.Context, path string) (CheckedReport, error)
	Approve(ctx context.Context, path string, a Approval) error
}

// CheckedReport is a report on disk and what a check of it found.
type CheckedReport struct {
	Path     string        `json:"path"`
	Verdict  string        `json:"verdict"` // vouched, not_vouched, draft, changed, damaged, not_ours
	Whole    bool          `json:"whole"`
	Title    string        `json:"title"` // of the recording
	Audit    string        `json:"audit"`
	Created  time.Time     `json:"created,omitzero"`
	Findings int           `json:"findings"`
	Signer   *ReportSigner `json:"signer,omitempty"`   // who prepared it
	Approved *ReportSigner `json:"approved,omitempty"` // who approved it, in the file beside it
	Checks   []ReportCheck `json:"checks"`
	Own      *ReportSigner `json:"own,omitempty"` // the identity that this computer signs with
	Second   bool          `json:"second"`        // an approver has an identity at this computer
	Beside   string        `json:"beside"`        // where an approval lies
}

// ReportSigner is who signed, as the certificate says.
type ReportSigner struct {
	Name         string    `json:"name"`
	Organisation string    `json:"organisation"`
	SelfMade     bool      `json:"self_made"`
	Certificate  string    `json:"certificate_sha256"`
	NotAfter     time.Time `json:"not_after"`
}

// ReportCheck is one thing that was looked at.
type ReportCheck struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
}

// Approval says as whom a report is approved.
type Approval struct {
	With       ApprovalWith `json:"with"`
	Name       string       `json:"name"`       // of a new identity at this computer
	Passphrase string       `json:"passphrase"` // of it, or of the PKCS#12 file
	File       string       `json:"file"`       // the PKCS#12 file
}

// ApprovalWith is where the approver's identity is.
type ApprovalWith string

// The places.
const (
	WithSecond ApprovalWith = "second" // this computer's identity of the second person
	WithOwn    ApprovalWith = "own"    // the identity that this computer signs reports with
	WithFile   ApprovalWith = "file"   // a PKCS#12 file
)

// Choose asks for the file of a report, or of an identity.
func (s *ReportService) Choose(kind FileKind, title string) (string, error) {
	if kind != FilesReports && kind != FilesIdentities {
		return "", audit.Errorf(audit.CodeUsage, "Files of the kind %q are not chosen here.", kind)
	}
	paths, err := s.shell.OpenFiles(title, kind)
	if err != nil || len(paths) == 0 {
		return "", err
	}
	return paths[0], nil
}

// Check checks a report.
func (s *ReportService) Check(path string) (CheckedReport, error) {
	if s.approver == nil {
		return CheckedReport{}, audit.Errorf(audit.CodeMissing, "Checking reports is not part of this build.")
	}
	r, err := s.approver.CheckReport(s.ctx, path)
	if err != nil {
		return CheckedReport{}, fmt.Errorf("check the report: %w", err)
	}
	fill(&r.Checks)
	return r, nil
}

// Approve approves a report and checks it anew, its approval with it.
func (s *ReportService) Approve(path string, a Approval) (CheckedReport, error) {
	if s.approver == nil {
		return CheckedReport{}, audit.Errorf(audit.CodeMissing, "Approving reports is not part of this build.")
	}
	if err := s.approver.Approve(s.ctx, path, a); err != nil {
		return CheckedReport{}, fmt.Errorf("approve the report: %w", err)
	}
	s.shell.Emit(EventLibrary, nil)
	return s.Check(path)
}
