package report

import (
	"context"
	"fmt"

	"veristream/backend/report/pdf"
	"veristream/backend/report/sign"
)

// room for the signature's object: the certificates, and a time stamp with
// those of its server.
const (
	roomPlain   = 4096
	roomStamped = 16384
)

// Sign makes the report and certifies it: no change is allowed afterwards
// (DocMDP 1). Where stamp is not nil the signature carries a time stamp.
func Sign(ctx context.Context, in Input, id *sign.Identity, stamp sign.Stamper) ([]byte, error) {
	if err := id.Check(in.Created); err != nil {
		return nil, err
	}
	person, organisation := sign.Name(id.Certificate)
	if organisation != "" {
		person += ", " + organisation
	}
	size := roomPlain
	if stamp != nil {
		size = roomStamped
	}
	for _, c := range id.Chain {
		size += len(c.Raw)
	}
	out, err := Render(ctx, in, &pdf.Signer{
		Name: person, Reason: newLanguage(in.Language).t("Certifies this report; no changes are allowed"), At: in.Created, Size: size,
		Sign: func(content []byte) ([]byte, error) { return id.Detached(content, stamp) },
	})
	if err != nil {
		return nil, fmt.Errorf("make the signed report: %w", err)
	}
	return out, nil
}
