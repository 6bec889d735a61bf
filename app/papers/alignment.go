package papers

import (
	"os"

	"veristream/backend/audit"
	"veristream/backend/report"
)

// mostAlignment is how large an alignment may be.
const mostAlignment = 64 << 20

// alignment reads an alignment of documents and holds it against the record: a
// signed report has none that somebody wrote or changed by hand.
func alignment(path string, events []audit.Event) (*report.Alignment, error) {
	if path == "" {
		return nil, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "The alignment %s cannot be read.", path)
	}
	if info.Size() > mostAlignment {
		return nil, audit.Errorf(audit.CodeInput, "%s is larger than any alignment.", path)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "The alignment %s cannot be read.", path)
	}
	a, err := report.ReadAlignment(data)
	if err != nil {
		return nil, err
	}
	sum, err := a.Digest()
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "The alignment %s cannot be read.", path)
	}
	if report.AlignmentEntry(events, sum) == 0 {
		return nil, audit.Errorf(audit.CodeInput, "The alignment %s is not in this computer's record: it was changed since it was made, or made elsewhere. Run veristream align again.", path)
	}
	return a, nil
}
