package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"veristream/app/cli"
	"veristream/backend/audit"
)

// shared is one VeriStream for all tests of audits: the cards are embedded
// once, which takes longer than all the rest.
var shared = sync.OnceValues(func() (string, error) {
	models := cli.New("test").Dirs.Models()
	dir, err := os.MkdirTemp("", "veristream-test-")
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Join(dir, "data"), 0o700); err != nil {
		return "", err
	}
	return dir, os.Symlink(models, filepath.Join(dir, "data", "models"))
})

// home gives a test a VeriStream that is not the user's and shares this
// machine's models.
func home(t *testing.T) {
	t.Helper()
	dir, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("VERISTREAM_HOME", dir)
}

func veristream(ctx context.Context, args ...string) (code int, out, errOut string) {
	app := cli.New("test")
	var stdout, stderr bytes.Buffer
	app.Out, app.Err = &stdout, &stderr
	code = app.RunContext(ctx, args)
	return code, stdout.String(), stderr.String()
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const talk = "[00:01] Welcome to the channel.\n[00:04] You simply cannot lose with this note.\n[00:09] See you soon.\n"

func TestAuditTranscript(t *testing.T) {
	home(t)
	in := write(t, "my talk é.txt", talk)
	facts := write(t, "f.json", `{"speaker":"finra_member","audience":"retail"}`)
	result := filepath.Join(t.TempDir(), "out.json")
	code, out, errOut := veristream(t.Context(), "audit", in, "--facts", facts, "--json", result, "--no-llm")
	if code != cli.ExitDone {
		t.Fatalf("exit %d: %s", code, errOut)
	}
	if !strings.Contains(out, "FINRA 2210(d)(1)(B)") || !strings.Contains(out, "not legal advice") {
		t.Errorf("said %q", out)
	}
	data, err := os.ReadFile(result)
	if err != nil {
		t.Fatal(err)
	}
	var r audit.Result
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	if r.Schema != audit.SchemaVersion || r.Video.SHA256 == "" || len(r.Segments) != 3 || len(r.Checked) == 0 || r.Run.RulesVersion == "" {
		t.Errorf("result %+v", r)
	}
	found := false
	for _, f := range r.Findings {
		if f.Citation == "FINRA 2210(d)(1)(B)" && f.Excerpt == "You simply cannot lose with this note." && f.StartMS == 4000 {
			found = f.Rule.Text != "" && f.Rule.SHA256 != "" && f.Status == audit.NeedsReview
		}
	}
	if !found {
		t.Errorf("findings %+v", r.Findings)
	}
}

// Files beside the input are used where they are.
func TestAuditCompanions(t *testing.T) {
	home(t)
	dir := t.TempDir()
	for name, text := range map[string]string{
		"x.txt":             "[00:01] Download the Moonjar app with my link.\n[00:05] It is my favourite app.\n",
		"x.description.txt": "Paid partnership with Moonjar.",
		"x.facts.json":      `{"speaker":"paid_endorser","paid":"yes","sponsor":"other_business"}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	code, out, errOut := veristream(t.Context(), "audit", filepath.Join(dir, "x.txt"), "--no-llm")
	if code != cli.ExitDone || !strings.Contains(out, "16 CFR 255.0(f)") {
		t.Errorf("exit %d, said %q, %q", code, out, errOut)
	}
}

// Bad input gets one clear sentence and the right exit code.
func TestAuditBadInput(t *testing.T) {
	home(t)
	dir := t.TempDir()
	for _, tt := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"missing file", []string{"audit", filepath.Join(dir, "no.mp4")}, cli.ExitFailed, "no.mp4"},
		{"folder", []string{"audit", dir}, cli.ExitFailed, "folder"},
		{"empty file", []string{"audit", write(t, "a.mp4", "")}, cli.ExitFailed, "empty"},
		{"text named mp4", []string{"audit", write(t, "b.mp4", "hello, I am text")}, cli.ExitFailed, "b.mp4"},
		{"empty transcript", []string{"audit", write(t, "c.srt", "")}, cli.ExitFailed, "c.srt"},
		{"facts with a wrong value", []string{"audit", write(t, "d.txt", talk), "--facts", write(t, "f.json", `{"speaker":"king"}`)}, cli.ExitUsage, "king"},
		{"facts with a wrong key", []string{"audit", write(t, "e.txt", talk), "--facts", write(t, "f.json", `{"speeker":"publisher"}`)}, cli.ExitUsage, "facts"},
		{"facts that are not there", []string{"audit", write(t, "g.txt", talk), "--facts", filepath.Join(dir, "none.json")}, cli.ExitUsage, "none.json"},
		{"a wrong date", []string{"audit", write(t, "h.txt", talk), "--as-of", "yesterday"}, cli.ExitUsage, "yesterday"},
		{"an unknown model", []string{"audit", write(t, "i.txt", talk), "--model", "no-such"}, cli.ExitUsage, "no-such"},
		{"no input", []string{"audit"}, cli.ExitUsage, "requires"},
		{"one name for several", []string{"audit", "a.txt", "b.txt", "--json", "x.json"}, cli.ExitUsage, "--json"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			args := tt.args
			if len(args) > 1 && tt.name != "an unknown model" {
				args = append(args, "--no-llm")
			}
			code, _, errOut := veristream(t.Context(), args...)
			if code != tt.code {
				t.Errorf("exit %d, want %d: %s", code, tt.code, errOut)
			}
			if !strings.Contains(errOut, tt.says) || strings.Count(errOut, "veristream: ") != 1 {
				t.Errorf("said %q, want one sentence with %q", errOut, tt.says)
			}
		})
	}
}

// Several inputs: one failure does not stop the rest, and is told at the end.
func TestAuditSeveral(t *testing.T) {
	home(t)
	good, bad, out := write(t, "good.txt", talk), write(t, "bad.mp4", "not a video"), t.TempDir()
	code, stdout, errOut := veristream(t.Context(), "audit", bad, good, "--out", out, "--no-llm")
	if code != cli.ExitFailed || !strings.Contains(errOut, "1 of 2 inputs failed") {
		t.Errorf("exit %d: %s", code, errOut)
	}
	if _, err := os.Stat(filepath.Join(out, "good.json")); err != nil {
		t.Errorf("%v; said %q", err, stdout)
	}
}

// A result that cannot be written is told, and the file that was there stays.
func TestAuditReadOnlyTarget(t *testing.T) {
	home(t)
	code, _, errOut := veristream(t.Context(), "audit", write(t, "a.txt", talk), "--no-llm", "--json", "/proc/nowhere/out.json")
	if code != cli.ExitFailed || !strings.Contains(errOut, "/proc/nowhere/out.json") {
		t.Errorf("exit %d: %s", code, errOut)
	}
}

// Two processes may audit into one database at once.
func TestTwoProcessesOnOneDatabase(t *testing.T) {
	home(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	inputs := []string{write(t, "a.txt", talk), write(t, "b.txt", talk+"[00:12] Goodbye.\n")}
	var cmds []*exec.Cmd
	for _, in := range inputs {
		cmd := exec.Command(exe, "audit", in, "--no-llm", "--quiet")
		cmd.Env = append(os.Environ(), "VERISTREAM_TEST_CLI=1")
		var buf bytes.Buffer
		cmd.Stdout, cmd.Stderr = &buf, &buf
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		cmds = append(cmds, cmd)
	}
	for i, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%s: %v\n%s", inputs[i], err, cmd.Stdout)
		}
	}
}

// A cancelled audit ends with its own exit code.
func TestAuditCancelled(t *testing.T) {
	home(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code, _, errOut := veristream(ctx, "audit", write(t, "a.txt", talk), "--no-llm"); code != cli.ExitCancelled {
		t.Errorf("exit %d: %s", code, errOut)
	}
}
