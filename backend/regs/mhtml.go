package regs

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"strings"

	"veristream/backend/audit"
)

// fromMHTML takes the page out of an MHTML archive (RFC 2557), as browsers save
// a page in a single file. What is none is given back as it is.
func fromMHTML(data []byte) ([]byte, error) {
	head := data[:min(len(data), 4<<10)]
	if !bytes.Contains(head, []byte("multipart/related")) || !bytes.Contains(head, []byte("MIME-Version:")) {
		return data, nil
	}
	m, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		return data, nil //nolint:nilerr // a text that only speaks of such archives
	}
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || params["boundary"] == "" {
		return data, nil //nolint:nilerr // the same
	}
	for parts := multipart.NewReader(m.Body, params["boundary"]); ; {
		p, err := parts.NextPart() // takes quoted-printable away
		if errors.Is(err, io.EOF) {
			return nil, audit.Errorf(audit.CodeInput, "The web archive holds no page.")
		}
		if err != nil {
			return nil, audit.Wrap(err, audit.CodeInput, "The web archive is damaged; save the page again.")
		}
		if !strings.HasPrefix(p.Header.Get("Content-Type"), "text/html") {
			continue
		}
		var page io.Reader = p
		if strings.EqualFold(p.Header.Get("Content-Transfer-Encoding"), "base64") {
			page = base64.NewDecoder(base64.StdEncoding, p)
		}
		body, err := io.ReadAll(page)
		if err != nil {
			return nil, audit.Wrap(err, audit.CodeInput, "The web archive is damaged; save the page again.")
		}
		return body, nil
	}
}
