package report

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
)

// Evidence packs everything that belongs to an audit into one ZIP file: the
// report as it is given (signed or a draft), every other form, and the files
// that the report carries. SHA256SUMS lets any computer check it.
func Evidence(in Input, pdf []byte) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	var sums strings.Builder
	add := func(name string, data []byte) error {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: in.Created})
		if err == nil {
			_, err = w.Write(data)
		}
		if err != nil {
			return fmt.Errorf("pack %s: %w", name, err)
		}
		fmt.Fprintf(&sums, "%s  %s\n", hashOf(data), name)
		return nil
	}
	if err := add("report.pdf", pdf); err != nil {
		return nil, err
	}
	for _, f := range Formats() {
		if f.ID == "json" || f.ID == "srt" { // they are among the attachments
			continue
		}
		data, err := Export(in, f.ID)
		if err != nil {
			return nil, err
		}
		if err := add("report"+f.Extension, data); err != nil {
			return nil, err
		}
	}
	files, err := in.attachments()
	if err != nil {
		return nil, err
	}
	for _, a := range files {
		if err := add("attached/"+a.Name, a.Content); err != nil {
			return nil, err
		}
	}
	if err := add("SHA256SUMS", []byte(sums.String())); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("pack the evidence: %w", err)
	}
	return out.Bytes(), nil
}
