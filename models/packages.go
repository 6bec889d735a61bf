package models

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"
)

// client is the ordinary command line client of a package registry. The
// program never talks to a registry itself: mirrors, proxies, certificates and
// credentials are set up in the client, and stay there.
type client struct {
	command []string
	args    func(p Package, dir string) []string
	missing string
}

var archiveExts = []string{".whl", ".zip", ".jar", ".tgz"}

// clientFor finds the client of a registry on this machine.
func clientFor(t SourceType) (*client, error) {
	switch t {
	case SourcePyPI:
		c := &client{missing: "pip is not installed (for example: apt install python3-pip)"}
		c.args = func(p Package, dir string) []string {
			return []string{
				"download", "--no-deps", "--no-cache-dir", "--only-binary=:all:", "--disable-pip-version-check",
				"--progress-bar=off", "--dest", dir, p.Name + "==" + p.Version,
			}
		}
		return c.find([]string{"pip3"}, []string{"pip"}, []string{"python3", "-m", "pip"})
	case SourceNPM:
		c := &client{missing: "npm is not installed (for example: apt install npm)"}
		c.args = func(p Package, dir string) []string {
			return []string{"pack", "--ignore-scripts", "--pack-destination", dir, p.Name + "@" + p.Version}
		}
		return c.find([]string{"npm"})
	case SourceMaven:
		c := &client{missing: "Maven is not installed (for example: apt install maven)"}
		c.args = func(p Package, dir string) []string {
			return []string{
				"-B", "-q", "dependency:copy", "-Dartifact=" + p.Name + ":" + p.Version,
				"-DoutputDirectory=" + dir, "-Dmdep.useBaseVersion=true",
			}
		}
		return c.find([]string{"mvn"})
	}
	return nil, fmt.Errorf("source type %q has no client", t)
}

func (c *client) find(commands ...[]string) (*client, error) {
	for _, command := range commands {
		if _, err := exec.LookPath(command[0]); err == nil {
			c.command = command
			return c, nil
		}
	}
	return nil, fmt.Errorf("%w: %s", ErrNoClient, c.missing)
}

// fetch brings one package into dir and gives the archive's path. An archive
// that is already there is used again. report is told the bytes that have
// arrived so far.
func (c *client) fetch(ctx context.Context, p Package, dir string, report func(int64)) (string, error) {
	final := filepath.Join(dir, strings.NewReplacer(":", "_", "/", "_", "@", "").Replace(p.Name)+"-"+p.Version)
	for _, ext := range archiveExts {
		if _, err := os.Stat(final + ext); err == nil {
			report(p.Size)
			return final + ext, nil
		}
	}
	// The client writes into a folder of its own; only what it has finished is
	// moved out, so a killed client leaves no archive that looks complete.
	work, err := os.MkdirTemp(dir, "fetch-")
	if err != nil {
		return "", fmt.Errorf("make download folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(work) }()
	if err := c.run(ctx, p, work, report); err != nil {
		return "", err
	}
	entries, err := os.ReadDir(filepath.Join(work, "out"))
	if err != nil {
		return "", fmt.Errorf("look at download: %w", err)
	}
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); slices.Contains(archiveExts, ext) {
			if err := os.Rename(filepath.Join(work, "out", e.Name()), final+ext); err != nil {
				return "", fmt.Errorf("keep package: %w", err)
			}
			report(p.Size)
			return final + ext, nil
		}
	}
	return "", fmt.Errorf("%s %s: %s left no archive", p.Name, p.Version, c.command[0])
}

// run starts the client and watches the bytes grow until it ends.
func (c *client) run(ctx context.Context, p Package, work string, report func(int64)) error {
	out, tmp := filepath.Join(work, "out"), filepath.Join(work, "tmp")
	for _, dir := range []string{out, tmp} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			return fmt.Errorf("make download folder: %w", err)
		}
	}
	args := append(append([]string{}, c.command[1:]...), c.args(p, out)...)
	cmd := exec.CommandContext(ctx, c.command[0], args...)
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	// A neutral folder: npm and Maven look for a project where they run. With
	// TMPDIR the bytes arrive where they can be counted, on the disk that has
	// been checked for room.
	cmd.Dir = work
	cmd.Env = append(os.Environ(), "TMPDIR="+tmp, "PIP_NO_INPUT=1")
	// The clients start children of their own; the whole group has to stop.
	cmd.SysProcAttr = childAttr()
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = 500 * time.Millisecond
	// The kernel's promise to end the client with us is bound to this thread.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", c.command[0], err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			report(min(largestFile(work), p.Size))
		case err := <-done:
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err != nil {
				return fmt.Errorf("%s could not fetch %s %s: %s", filepath.Base(c.command[0]), p.Name, p.Version, clientMessage(output.String(), err))
			}
			return nil
		}
	}
}

// largestFile gives the size of the largest file under dir: the archive, once
// as the client's temporary file and then as the finished one.
func largestFile(dir string) int64 {
	var largest int64
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil //nolint:nilerr // files come and go while the client works
		}
		if info, err := e.Info(); err == nil {
			largest = max(largest, info.Size())
		}
		return nil
	})
	return largest
}

// clientMessage picks the lines that say what went wrong out of a client's
// output; the last line is often only advice.
func clientMessage(output string, err error) string {
	var picked []string
	lines := strings.Split(strings.TrimSpace(output), "\n")
	for _, line := range lines {
		if strings.Contains(strings.ToUpper(line), "ERR") {
			picked = append(picked, strings.TrimSpace(line))
		}
	}
	if len(picked) == 0 {
		picked = lines
	}
	if len(picked) > 3 {
		picked = picked[len(picked)-3:]
	}
	msg := strings.Join(picked, "; ")
	if msg == "" {
		return err.Error()
	}
	if len(msg) > 400 {
		msg = msg[:400] + "..."
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return msg
	}
	return msg + " (" + err.Error() + ")"
}
