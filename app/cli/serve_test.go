package cli_test

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"veristream/app/cli"
)

// A server that sends traces to a collector on this computer opens nothing
// beyond loopback, whatever the environment says, and ends when it is told to.
func TestServeOpensNothingElse(t *testing.T) {
	home(t)
	var sent atomic.Int32
	c := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if body, _ := io.ReadAll(r.Body); r.URL.Path == "/v1/traces" && strings.Contains(string(body), "POST /search") {
			sent.Add(1)
		}
	}))
	defer c.Close()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), exe, "serve", "--no-llm", "--addr", "127.0.0.1:0", "--trace", c.URL)
	cmd.Env = append(os.Environ(), "VERISTREAM_TEST_CLI=1", "VERISTREAM_TOKEN=secret",
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://192.0.2.1:4318", "HTTP_PROXY=http://192.0.2.1:3128", "HTTPS_PROXY=http://192.0.2.1:3128")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	url := strings.Fields(strings.TrimPrefix(line, "serving: "))[0]

	watched, stop := map[string]bool{}, make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			strangers(cmd.Process.Pid, watched)
			listening(cmd.Process.Pid, watched)
			select {
			case <-stop:
				return
			case <-time.After(10 * time.Millisecond):
			}
		}
	}()
	for range 3 {
		req, err := http.NewRequest("POST", url+"/search", strings.NewReader(`{"query":"does an influencer have to say that she was paid"}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer secret")
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("%d %s", resp.StatusCode, body)
		}
	}
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, out)
	cmd.Wait() // it was told to end
	close(stop)
	<-done
	if len(watched) > 0 {
		t.Errorf("sockets beyond loopback: %v", watched)
	}
	if sent.Load() == 0 {
		t.Error("the collector got no trace")
	}
}

// listening adds the addresses beyond loopback on which a process waits for
// connections.
func listening(pid int, seen map[string]bool) {
	inodes := socketsOf(pid)
	for _, table := range []string{"tcp", "tcp6"} {
		data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		for _, line := range strings.Split(string(data), "\n")[min(1, len(data)):] {
			const listen = "0A"
			if f := strings.Fields(line); len(f) > 9 && f[3] == listen && inodes[f[9]] && !loopback(f[1]) {
				seen["listens on "+f[1]] = true
			}
		}
	}
}

// The collector of the traces must be on this computer.
func TestServeRefusesACollectorElsewhere(t *testing.T) {
	home(t)
	for _, to := range []string{"http://192.0.2.1:4318", "http://collector.example.com:4318"} {
		code, out, errOut := call(t, "serve", "--no-llm", "--addr", "127.0.0.1:0", "--trace", to)
		if code != cli.ExitUsage || out != "" || !strings.Contains(errOut, "not a loopback address") || strings.Count(strings.TrimSpace(errOut), "\n") > 0 {
			t.Errorf("%s: exit %d, %q, %q", to, code, out, errOut)
		}
	}
	if left, _ := filepath.Glob("http:*"); len(left) > 0 {
		t.Errorf("an address was taken for a file: %v", left)
	}
}
