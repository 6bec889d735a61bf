package llm_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"veristream/backend/audit"
	"veristream/backend/audit/audittest"
	"veristream/backend/llm"
)

// absent skips a test that needs something of this machine, or fails it where
// everything is required.
func absent(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("VERISTREAM_REQUIRE_ALL") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// slow skips a test that loads a real model where short ones were asked for.
func slow(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("loads a real model: not with -short")
	}
}

// realServer gives the options of a server in a folder of its own, or skips.
func realServer(t *testing.T) llm.ServerOptions {
	t.Helper()
	cache := os.Getenv("VERISTREAM_CACHE")
	if cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			t.Fatal(err)
		}
		cache = filepath.Join(dir, "veristream")
	}
	binaries, _ := filepath.Glob(filepath.Join(cache, "native", "ollama-*", "bin", "ollama"))
	if path, err := exec.LookPath("ollama"); err == nil {
		binaries = append(binaries, path)
	}
	if len(binaries) == 0 {
		absent(t, "no ollama: run build/setup")
	}
	return llm.ServerOptions{Host: "127.0.0.1:1", Binaries: binaries, Dir: t.TempDir()}
}

// smallModel gives the 0.5B model of the user's models folder, or skips.
func smallModel(t *testing.T) llm.Model {
	t.Helper()
	data := filepath.Join(os.Getenv("VERISTREAM_HOME"), "data")
	if os.Getenv("VERISTREAM_HOME") == "" {
		data = os.Getenv("XDG_DATA_HOME")
		if data == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				t.Fatal(err)
			}
			data = filepath.Join(home, ".local", "share")
		}
		data = filepath.Join(data, "veristream")
	}
	path := filepath.Join(data, "models", "qwen2.5-coder-0.5b", "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf")
	if _, err := os.Stat(path); err != nil {
		absent(t, "no model: run 'veristream models pull qwen2.5-coder-0.5b'")
	}
	return llm.Model{
		Name: "qwen2.5-coder-0.5b", GGUF: path,
		SHA256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
	}
}

// TestReal asks a real model on a real server that the package starts.
func TestReal(t *testing.T) {
	slow(t)
	server := llm.NewServer(realServer(t))
	c := llm.NewClient(server, llm.Options{Model: smallModel(t), Deadline: 5 * time.Minute})
	defer func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	}()
	if err := c.Prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	if st, err := server.State(t.Context()); err != nil || !st.Ours || st.Version == "" {
		t.Errorf("state %+v, %v", st, err)
	}
	audittest.TestLLM(t, c)

	t.Run("the same question, the same answer", func(t *testing.T) {
		req := audit.Request{
			System: "You answer in JSON.", Prefix: lorem(2000), Prompt: "Which rule is about endorsements?", MaxTokens: 60,
			Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["citation","sure"],"properties":{"citation":{"enum":["16 CFR 255.5(a)","17 CFR 275.206(4)-1(a)"]},"sure":{"type":"boolean"}}}`),
		}
		first, err := c.Complete(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		second, err := c.Complete(t.Context(), req)
		if err != nil || first.Text != second.Text {
			t.Errorf("%q and then %q, %v", first.Text, second.Text, err)
		}
		if first.PromptTokens < 300 || len(first.Tokens) == 0 {
			t.Errorf("%d prompt tokens, %d tokens told", first.PromptTokens, len(first.Tokens))
		}
		t.Logf("%s: %v, then with the prefix cached %v", first.Text, first.Duration, second.Duration)
	})
	t.Run("a budget too small is an error", func(t *testing.T) {
		_, err := c.Complete(t.Context(), audit.Request{Prompt: "Count from one to a hundred in words.", MaxTokens: 8})
		if !errors.Is(err, llm.ErrCutOff) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a prompt too long for its window is an error", func(t *testing.T) {
		_, err := c.Complete(t.Context(), audit.Request{Prompt: lorem(400_000)})
		if !errors.Is(err, llm.ErrTooLong) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("a killed server is replaced", func(t *testing.T) {
		pids := descendants(t, os.Getpid())
		if len(pids) < 2 {
			t.Fatalf("processes %v, want a server and its runner", pids)
		}
		if err := syscall.Kill(pids[0], syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		await(t, func() bool { return !anyAlive(pids) }, "the killed server's runner to end")
		resp, err := c.Complete(t.Context(), audit.Request{Prompt: "Say yes.", MaxTokens: 40})
		if err != nil {
			t.Fatalf("%v, %s", err, resp.Text)
		}
	})
	t.Run("nothing is left after Close", func(t *testing.T) {
		pids := descendants(t, os.Getpid())
		if err := server.Close(); err != nil {
			t.Fatal(err)
		}
		await(t, func() bool { return !anyAlive(pids) }, "server and runner to end")
	})
}

// TestNoOrphan kills a process that has a server with a loaded model, as an
// out-of-memory killer would.
func TestNoOrphan(t *testing.T) {
	slow(t)
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells a child that its parent died")
	}
	opts := realServer(t)
	model := smallModel(t)
	if os.Getenv("LLM_TEST_ORPHAN") == "1" {
		opts.Dir = os.Getenv("LLM_TEST_DIR")
		c := llm.NewClient(llm.NewServer(opts), llm.Options{Model: model})
		if _, err := c.Complete(context.Background(), audit.Request{Prompt: "Say yes.", MaxTokens: 40}); err != nil {
			t.Fatal(err)
		}
		_, _ = os.Stdout.WriteString("loaded\n")
		select {} // until it is killed
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoOrphan$", "-test.count=1")
	cmd.Env = append(os.Environ(), "LLM_TEST_ORPHAN=1", "LLM_TEST_DIR="+opts.Dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	for lines := bufio.NewScanner(out); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if lines.Text() == "loaded" {
			break
		}
	}
	pids := descendants(t, cmd.Process.Pid)
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if len(pids) < 2 {
		t.Fatalf("processes %v, want a server and its runner\n%s", pids, said.String())
	}
	await(t, func() bool { return !anyAlive(pids) }, "server and runner to end")
}

// descendants gives the processes below pid, parents first.
func descendants(t *testing.T, pid int) []int {
	t.Helper()
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	parents := map[int][]int{}
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		_, rest, ok := strings.Cut(string(data), ") ")
		fields := strings.Fields(rest)
		if !ok || len(fields) < 2 {
			continue
		}
		child, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		parent, _ := strconv.Atoi(fields[1])
		parents[parent] = append(parents[parent], child)
	}
	var out []int
	for queue := parents[pid]; len(queue) > 0; queue = queue[1:] {
		out = append(out, queue[0])
		queue = append(queue, parents[queue[0]]...)
	}
	return out
}

func anyAlive(pids []int) bool {
	for _, pid := range pids {
		data, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
		if err == nil && !strings.Contains(string(data), ") Z ") {
			return true
		}
	}
	return false
}

// await gives a condition plenty of time.
func await(t *testing.T, ok func() bool, what string) {
	t.Helper()
	for range 300 {
		if ok() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("waited in vain for %s", what)
}
