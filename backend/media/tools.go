package media

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"veristream/backend/audit"
	"veristream/backend/proc"
)

// Progress is told how far a step has come. Total is 0 when it is not known.
type Progress func(done, total int64)

func (p Progress) tell(done, total int64) {
	if p != nil {
		p(done, total)
	}
}

// inputArgs names an input so that nothing in its path has a meaning.
func inputArgs(path string) []string {
	return []string{"-protocol_whitelist", "file,pipe", "-i", "file:" + path}
}

// command prepares one of ffmpeg's programs.
func command(ctx context.Context, tool string, args ...string) (*exec.Cmd, error) {
	if _, err := exec.LookPath(tool); err != nil {
		return nil, audit.Wrap(err, audit.CodeMissing,
			"%s is not installed. Install it with: sudo apt install ffmpeg", tool)
	}
	return proc.Command(ctx, tool, args...), nil
}

// Version gives the version of ffmpeg or ffprobe.
func Version(ctx context.Context, tool string) (string, error) {
	cmd, err := command(ctx, tool, "-version")
	if err != nil {
		return "", err
	}
	out, _, err := proc.Run(cmd)
	if err != nil {
		return "", audit.Wrap(err, audit.CodeMissing, "%s does not run. Install it again with: sudo apt install --reinstall ffmpeg", tool)
	}
	fields := strings.Fields(string(out))
	if len(fields) < 3 {
		return "", audit.Errorf(audit.CodeMissing, "%s does not tell its version", tool)
	}
	return fields[2], nil
}

// runFFmpeg runs ffmpeg to its end and tells its progress in milliseconds.
func runFFmpeg(ctx context.Context, what, path string, totalMS int64, progress Progress, args ...string) error {
	args = append([]string{"-nostdin", "-hide_banner", "-v", "error", "-nostats", "-progress", "pipe:1"}, args...)
	cmd, err := command(ctx, "ffmpeg", args...)
	if err != nil {
		return err
	}
	cmd.Stdout = &progressLines{total: totalMS, progress: progress}
	_, stderr, err := proc.Run(cmd)
	if err != nil {
		return toolError(ctx, err, what, path, stderr)
	}
	return nil
}

var reOutTime = regexp.MustCompile(`(?m)^out_time_us=(\d+)$`)

// progressLines reads what ffmpeg's -progress writes.
type progressLines struct {
	total    int64
	progress Progress
	rest     string
}

func (p *progressLines) Write(b []byte) (int, error) {
	text := p.rest + string(b)
	end := strings.LastIndexByte(text, '\n') + 1
	p.rest = text[end:]
	if m := reOutTime.FindAllStringSubmatch(text[:end], -1); m != nil {
		if us, err := strconv.ParseInt(m[len(m)-1][1], 10, 64); err == nil {
			done := us / 1000
			if p.total > 0 {
				done = min(done, p.total)
			}
			p.progress.tell(done, p.total)
		}
	}
	return len(b), nil
}

// toolError turns the end of a tool into a sentence.
func toolError(ctx context.Context, err error, what, path, stderr string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	name := filepath.Base(path)
	switch {
	case strings.Contains(stderr, "No space left on device"):
		return audit.Wrap(err, audit.CodeStorage, "The disk is full: %s of %s needs more space. Free some and try again.", what, quote(name)).WithDetails(stderr)
	case strings.Contains(stderr, "Read-only file system"):
		return audit.Wrap(err, audit.CodeStorage, "The disk cannot be written to: %s of %s has no place.", what, quote(name)).WithDetails(stderr)
	case strings.Contains(stderr, "Cannot allocate memory"):
		return audit.Wrap(err, audit.CodeMemory, "There is not enough memory for %s of %s.", what, quote(name)).WithDetails(stderr)
	}
	return audit.Wrap(err, audit.CodeInput, "%s: %s failed; the file may be damaged.", quote(name), what).WithDetails(stderr)
}

// quote makes a file's name readable in a sentence, whatever is in it.
func quote(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f || r == '\ufffd' }) {
		return strconv.Quote(name)
	}
	return "“" + name + "”"
}

// storageError turns a failed write into a sentence.
func storageError(err error, what string) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return audit.Wrap(err, audit.CodeStorage, "The disk is full: there is no space for %s. Free some and try again.", what)
	case errors.Is(err, syscall.EROFS):
		return audit.Wrap(err, audit.CodeStorage, "The disk is read-only: %s cannot be written.", what)
	case errors.Is(err, fs.ErrPermission):
		return audit.Wrap(err, audit.CodeStorage, "You may not write there: %s cannot be written.", what)
	}
	return audit.Wrap(err, audit.CodeStorage, "%s cannot be written.", strings.ToUpper(what[:1])+what[1:])
}

type tempKey struct{}

// WithTemp gives a context whose half-written files lie in a folder of their
// own, which its owner removes however the work ends. It must be on the disk of
// what is written.
func WithTemp(ctx context.Context, dir string) context.Context {
	return context.WithValue(ctx, tempKey{}, dir)
}

// writeWhole lets make fill a temporary file, beside out or in the context's
// folder, and renames it when it is whole and on the disk, so that out is either
// complete or absent.
func writeWhole(ctx context.Context, out, what string, make func(tmp string) error) (err error) {
	dir, ok := ctx.Value(tempKey{}).(string)
	if !ok {
		dir = filepath.Dir(out)
	}
	// os.CreateTemp would make it readable for its owner alone, whatever the user's umask says.
	tmp := filepath.Join(dir, ".veristream-"+rand.Text()+filepath.Ext(out))
	f, err := os.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return storageError(err, what)
	}
	f.Close()
	defer func() {
		if err != nil {
			os.Remove(tmp)
		}
	}()
	if err := make(tmp); err != nil {
		return err
	}
	if err := syncFile(tmp); err != nil {
		return storageError(err, what)
	}
	if err := os.Rename(tmp, out); err != nil {
		return storageError(err, what)
	}
	return nil
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// WriteFile is writeWhole for what is already in memory.
func WriteFile(out, what string, content []byte) error {
	return writeWhole(context.Background(), out, what, func(tmp string) error {
		if err := os.WriteFile(tmp, content, 0o600); err != nil {
			return storageError(err, what)
		}
		return nil
	})
}

// readAllTo gives a reader's bytes up to a limit.
func readAllTo(r io.Reader, limit int64) ([]byte, error) {
	return io.ReadAll(io.LimitReader(r, limit))
}
