package cli

import (
	"io"

	"veristream/app/files"
)

// writeFile writes a file whole or not at all.
func writeFile(path string, data []byte) error { return files.Write(path, data) }

// writeWhole lets write fill a file, whole or not at all.
func writeWhole(path string, write func(io.Writer) error) error { return files.Fill(path, write) }
