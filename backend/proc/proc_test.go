package proc_test

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"veristream/backend/proc"
)

func TestRunGivesBothStreams(t *testing.T) {
	out, errs, err := proc.Run(proc.Command(t.Context(), "sh", "-c", "echo out; echo err >&2; exit 3"))
	var exit *exec.ExitError
	if string(out) != "out\n" || errs != "err\n" {
		t.Fatalf("got %q and %q", out, errs)
	}
	if !asExit(err, &exit) || exit.ExitCode() != 3 {
		t.Fatalf("got %v, want exit status 3", err)
	}
}

func asExit(err error, target **exec.ExitError) bool {
	e, ok := err.(*exec.ExitError)
	*target = e
	return ok
}

// A shell that ignores polite signals and has a child of its own must both be
// gone when the context has ended.
func TestCancelKillsTheWholeGroup(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	ctx, cancel := context.WithCancel(t.Context())
	cmd := proc.Command(ctx, "sh", "-c", `trap '' TERM INT; sleep 300 & echo $! > "$0"; wait`, pidFile)
	wait, err := proc.Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	grandchild := 0
	for grandchild == 0 {
		text, _ := os.ReadFile(pidFile)
		grandchild, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		time.Sleep(10 * time.Millisecond)
	}
	cancel()
	if err := wait(); err == nil {
		t.Fatal("a killed program ended well")
	}
	for range 200 {
		if syscall.Kill(grandchild, 0) != nil || isZombie(grandchild) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("process %d outlived the cancel", grandchild)
}

func isZombie(pid int) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || strings.Contains(string(text), ") Z ")
}

func TestTailKeepsTheEnd(t *testing.T) {
	tail := proc.NewTail(8)
	for _, part := range []string{"0123", "456789", "ab"} {
		if _, err := tail.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
	}
	if got := tail.String(); got != "456789ab" {
		t.Fatalf("got %q", got)
	}
}

// TestMain lets the test's own binary be a parent that is about to die.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "parent" {
		cmd := proc.Command(context.Background(), "sleep", "300")
		if _, err := proc.Start(cmd); err != nil {
			os.Exit(1)
		}
		os.Stdout.WriteString(strconv.Itoa(cmd.Process.Pid) + "\n")
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

// However this program dies, its children do not live on.
func TestChildDiesWithItsParent(t *testing.T) {
	parent := exec.Command(os.Args[0], "parent")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	parent.Wait() // it was killed
	for range 200 {
		if syscall.Kill(child, 0) != nil || isZombie(child) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("process %d outlived its parent", child)
}
