package cli_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"veristream/app/cli"
	"veristream/backend/store"
)

// ownHome gives a test a VeriStream of its own with this machine's models: its
// queue is empty.
func ownHome(t *testing.T) string {
	t.Helper()
	models := cli.New("test").Dirs.Models()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "data"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(models, filepath.Join(dir, "data", "models")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("VERISTREAM_HOME", dir)
	return dir
}

type queueJSON struct {
	Jobs []store.Job `json:"jobs"`
}

func queue(t *testing.T) []store.Job {
	t.Helper()
	_, out, errOut := veristream(t.Context(), "batch", "list", "--json")
	var q queueJSON
	if err := json.Unmarshal([]byte(out), &q); err != nil {
		t.Fatalf("%v: %s%s", err, out, errOut)
	}
	return q.Jobs
}

// Ten jobs queued, three of them bad: seven good results, three clear errors.
func TestTenJobsThreeBad(t *testing.T) {
	ownHome(t)
	dir, results := t.TempDir(), t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	bad := map[string]string{ // and a word of what is to be said of each
		file("2 empty.mp4", ""): "empty", file("5 text.mp4", "hello, I am text"): "text", "https://127.0.0.1:9/8.mp4": "reached",
	}
	inputs := []string{}
	for i := range 10 {
		switch i {
		case 2, 5:
		case 8:
			inputs = append(inputs, "https://127.0.0.1:9/8.mp4")
		default:
			text := "[00:01] Welcome to the channel.\n[00:09] See you soon.\n"
			if i == 6 {
				text = talk // it promises that nobody loses
			}
			file(fmt.Sprintf("%d täglich.srt", i), "1\n00:00:01,000 --> 00:00:03,000\n"+strings.ReplaceAll(text, "[", "\n["))
		}
	}
	inputs = append([]string{dir}, inputs...)
	code, out, errOut := veristream(t.Context(), append([]string{"batch", "add", "--no-llm"}, inputs...)...)
	if code != cli.ExitDone || len(queue(t)) != 10 {
		t.Fatalf("exit %d, %d jobs: %s%s", code, len(queue(t)), out, errOut)
	}
	if code, _, _ := veristream(t.Context(), append([]string{"batch", "add"}, inputs...)...); code != cli.ExitFailed || len(queue(t)) != 10 {
		t.Errorf("added twice: exit %d, %d jobs", code, len(queue(t)))
	}
	code, out, errOut = veristream(t.Context(), "batch", "run", "--no-llm", "--quiet", "--out", results)
	if code != cli.ExitFailed || !strings.Contains(errOut, "3 of 10 jobs failed") {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
	done, failed := 0, 0
	for i, j := range queue(t) {
		switch j.State {
		case store.JobDone:
			if done == 0 && (!strings.Contains(j.Input, "6 ") || j.Risk.High == 0) {
				t.Errorf("the first that is done is %s, %+v: not the one with the greatest risk", j.Input, j.Risk)
			}
			done++
			if j.AuditID == "" {
				t.Errorf("%s has no audit", j.Input)
			}
		case store.JobFailed:
			failed++
			says, ok := bad[j.Input]
			if !ok || i >= 3 || j.Problem == nil || !strings.Contains(strings.ToLower(j.Problem.Sentence), says) || strings.Contains(j.Problem.Sentence, "\n") {
				t.Errorf("row %d, %s: %+v", i, j.Input, j.Problem)
			}
		default:
			t.Errorf("%s is %s", j.Input, j.State)
		}
	}
	if written, _ := filepath.Glob(filepath.Join(results, "*.json")); done != 7 || failed != 3 || len(written) != 7 {
		t.Errorf("%d done, %d failed, %d results written", done, failed, len(written))
	}
	if code, _, errOut := veristream(t.Context(), "batch", "remove", "--ended"); code != cli.ExitDone || len(queue(t)) != 3 {
		t.Errorf("cleared: exit %d, %s", code, errOut)
	}
	if code, _, errOut := veristream(t.Context(), "batch", "retry", "nosuchjob"); code != cli.ExitUsage {
		t.Errorf("retry of nothing: exit %d, %s", code, errOut)
	}
	_, _, _ = veristream(t.Context(), "batch", "retry", queue(t)[0].ID)
	if j := queue(t)[0]; j.State != store.JobQueued || j.Problem != nil {
		t.Errorf("retried: %+v", j)
	}
}

// A queue whose process is killed goes on with the job that was under way.
func TestBatchKilled(t *testing.T) {
	dir := ownHome(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var inputs []string
	for i := range 3 {
		inputs = append(inputs, write(t, fmt.Sprintf("%d.txt", i), strings.Repeat(talk, i+1)))
	}
	if code, _, errOut := veristream(t.Context(), append([]string{"batch", "add", "--no-llm"}, inputs...)...); code != cli.ExitDone {
		t.Fatal(errOut)
	}
	cmd := exec.Command(exe, "batch", "run", "--no-llm", "--quiet")
	cmd.Env = append(os.Environ(), "VERISTREAM_TEST_CLI=1", "VERISTREAM_HOME="+dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 600 {
		if queue(t)[0].State == store.JobWorking {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if code, out, errOut := veristream(t.Context(), "batch", "run", "--no-llm", "--quiet"); code != cli.ExitDone {
		t.Fatalf("exit %d: %s%s", code, out, errOut)
	}
	for _, j := range queue(t) {
		if j.State != store.JobDone {
			t.Errorf("%s is %s: %+v", j.Input, j.State, j.Problem)
		}
	}
}

func TestBatchWrongUse(t *testing.T) {
	ownHome(t)
	for _, args := range [][]string{
		{"batch", "add"},
		{"batch", "remove"},
		{"batch", "add", "x.mp4", "--as-of", "yesterday"},
		{"batch", "add", "x.mp4", "--facts", "/no/such/file"},
		{"batch", "watch", "/no/such/folder"},
		{"batch", "run", "--watch", "/no/such/folder"},
	} {
		if code, _, errOut := veristream(t.Context(), args...); code != cli.ExitUsage || strings.Count(errOut, "veristream: ") != 1 {
			t.Errorf("%v: exit %d: %s", args, code, errOut)
		}
	}
}
