package regs

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"
	"time"

	"veristream/backend/audit"
	"veristream/backend/proc"
)

// pdfPatience bounds a damaged or hostile PDF.
const pdfPatience = 2 * time.Minute

// readPDF reads a PDF by poppler's pdftotext, which keeps the lines and the
// pages as they are printed; the text reader joins them.
func readPDF(ctx context.Context, data []byte, opts Options) (*Parsed, error) {
	text, err := pdfText(ctx, data)
	if err != nil {
		return nil, err
	}
	return readText(ctx, text, opts)
}

func pdfText(ctx context.Context, data []byte) ([]byte, error) {
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeMissing, "Reading a PDF needs pdftotext, which is not installed (package poppler-utils).")
	}
	ctx, cancel := context.WithTimeout(ctx, pdfPatience)
	defer cancel()
	cmd := proc.Command(ctx, tool, "-layout", "-enc", "UTF-8", "-", "-")
	cmd.Stdin = bytes.NewReader(data)
	out, complaint, err := proc.Run(cmd)
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.DeadlineExceeded):
		return nil, audit.Errorf(audit.CodeDeadline, "Reading the PDF took longer than %v.", pdfPatience)
	case err != nil && strings.Contains(complaint, "Incorrect password"):
		return nil, audit.Errorf(audit.CodeInput, "The PDF is protected by a password; save it without one and import it again.")
	case err != nil:
		return nil, audit.Wrap(err, audit.CodeInput, "The PDF cannot be read.").WithDetails(complaint)
	case len(bytes.TrimSpace(out)) == 0:
		return nil, audit.Errorf(audit.CodeInput, "The PDF holds no text; it may be a scan.")
	}
	return out, nil
}
