package media

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"

	"veristream/backend/audit"
)

// Hash gives the SHA-256 of a file: that of the evidence. Progress is in bytes.
func Hash(ctx context.Context, path string, progress Progress) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", openError(path, err)
	}
	defer f.Close()
	stat, err := f.Stat()
	if err != nil {
		return "", openError(path, err)
	}
	sum, buf, done := sha256.New(), make([]byte, 1<<20), int64(0)
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n, err := f.Read(buf)
		sum.Write(buf[:n])
		done += int64(n)
		progress.tell(done, stat.Size())
		if err == io.EOF {
			return hex.EncodeToString(sum.Sum(nil)), nil
		}
		if err != nil {
			return "", audit.Wrap(err, audit.CodeInput, "%s cannot be read to its end.", quote(filepath.Base(path)))
		}
	}
}
