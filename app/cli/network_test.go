package cli_test

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"veristream/app/cli"
)

// The switch turns off everything that would ask the network, with one
// sentence and exit code 1, and is the same for every command.
func TestOffline(t *testing.T) {
	home(t)
	asked := false
	site := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer site.Close()
	refused := func(by string) {
		t.Helper()
		for _, args := range [][]string{
			{"audit", site.URL + "/talk.mp4", "--no-llm", "--quiet"},
			{"transcribe", site.URL + "/talk.mp4"},
			{"models", "pull", "qwen2.5-7b"},
			{"regs", "pull", "ftc-255"},
			{"tools", "update"},
		} {
			code, out, errOut := call(t, args...)
			if code != cli.ExitFailed || out != "" || strings.Count(strings.TrimSpace(errOut), "\n") > 0 || !strings.Contains(errOut, by) {
				t.Errorf("%v: exit %d, %q, %q", args, code, out, errOut)
			}
		}
		if asked {
			t.Error("the site was asked")
		}
	}
	if code, out, errOut := call(t, "settings", "offline", "on"); code != 0 || !strings.Contains(out, "offline  on") {
		t.Fatalf("exit %d, %q, %q", code, out, errOut)
	}
	refused("settings offline off")
	// an audit of a file goes on as before
	if code, _, errOut := call(t, "audit", write(t, "talk.txt", talk), "--no-llm"); code != 0 {
		t.Errorf("exit %d: %s", code, errOut)
	}
	if code, out, _ := call(t, "settings", "offline", "off", "--json"); code != 0 || !strings.Contains(out, `"offline": false`) {
		t.Errorf("exit %d, %q", code, out)
	}
	t.Setenv("VERISTREAM_OFFLINE", "1")
	refused("VERISTREAM_OFFLINE")
	if code, out, _ := call(t, "settings"); code != 0 || !strings.Contains(out, "on (VERISTREAM_OFFLINE is set)") {
		t.Errorf("exit %d, %q", code, out)
	}
	if code, _, errOut := call(t, "settings", "offline", "maybe"); code != cli.ExitUsage || !strings.Contains(errOut, "maybe") {
		t.Errorf("exit %d, %q", code, errOut)
	}
}

// localVideo makes a video with speech and a text file where no video can be
// made.
func localVideo(t *testing.T) string {
	t.Helper()
	speechModel(t)
	dir := t.TempDir()
	spoken, video := filepath.Join(dir, "spoken.wav"), filepath.Join(dir, "talk.mp4")
	tool(t, "espeak-ng", "-v", "en-us", "-s", "150", "-w", spoken, "You cannot lose money with this account.")
	tool(t, "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=d=4:s=320x180:r=5", "-i", spoken, "-c:v", "libx264", "-preset", "ultrafast", video)
	return video
}

// An audit of a file needs no network: it does the same where there is none.
// In a network namespace of its own a process has loopback and nothing else;
// where the system does not permit one, every socket that the audit and its
// children hold is looked up while it runs.
func TestAuditNeedsNoNetwork(t *testing.T) {
	home(t)
	args := []string{"audit", localVideo(t), "--no-llm", "--quiet", "--speech-model", "whisper-tiny.en"}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, offline := range []string{"", "1"} {
		t.Run("VERISTREAM_OFFLINE="+offline, func(t *testing.T) {
			var out bytes.Buffer
			var cmd *exec.Cmd
			namespace := exec.Command("unshare", "-rn", "true").Run() == nil
			if namespace {
				// the interfaces are listed first, so that the test shows what it proves
				script := `ip link set lo up 2>/dev/null; cat /proc/net/dev; exec "$0" "$@"`
				cmd = exec.Command("unshare", append([]string{"-rn", "sh", "-c", script, exe}, args...)...)
			} else {
				cmd = exec.Command(exe, args...)
			}
			cmd.Env = append(os.Environ(), "VERISTREAM_TEST_CLI=1", "VERISTREAM_OFFLINE="+offline)
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- cmd.Wait() }()
			seen := map[string]bool{}
			for running := true; running; {
				select {
				case err := <-ended:
					if err != nil {
						t.Fatalf("%v\n%s", err, out.String())
					}
					running = false
				case <-time.After(20 * time.Millisecond):
					if !namespace {
						strangers(cmd.Process.Pid, seen)
					}
				}
			}
			if len(seen) > 0 {
				t.Errorf("sockets beyond loopback: %v", seen)
			}
			if namespace {
				for _, line := range strings.Split(out.String(), "\n") {
					if name, _, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && strings.Count(line, " 0 ") > 8 && name != "lo" {
						t.Errorf("there is a network: %q", line)
					}
				}
			}
			if !strings.Contains(out.String(), "not legal advice") || !strings.Contains(strings.ToLower(out.String()), "cannot lose money") {
				t.Errorf("said %s", out.String())
			}
		})
	}
}

// strangers adds the addresses beyond loopback that a process and its children
// hold sockets to.
func strangers(pid int, seen map[string]bool) {
	inodes := socketsOf(pid)
	for _, table := range []string{"tcp", "tcp6", "udp", "udp6"} {
		data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		for _, line := range strings.Split(string(data), "\n")[min(1, len(data)):] {
			if f := strings.Fields(line); len(f) > 9 && inodes[f[9]] && !local(f[2]) {
				seen[table+" "+f[2]] = true
			}
		}
	}
	children, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, c := range children {
		data, _ := os.ReadFile(c)
		for _, field := range strings.Fields(string(data)) {
			if child, err := strconv.Atoi(field); err == nil {
				strangers(child, seen)
			}
		}
	}
}

// socketsOf gives the inodes of the sockets that a process holds.
func socketsOf(pid int) map[string]bool {
	inodes := map[string]bool{}
	links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	for _, l := range links {
		if to, err := os.Readlink(l); err == nil && strings.HasPrefix(to, "socket:[") {
			inodes[strings.TrimSuffix(strings.TrimPrefix(to, "socket:["), "]")] = true
		}
	}
	return inodes
}

// local reads an address as /proc/net writes it: words of four bytes, each the
// wrong way round. A socket that goes nowhere yet has the address zero.
func local(hex string) bool {
	ip := address(hex)
	return ip.IsLoopback() || ip.IsUnspecified()
}

// loopback is local for an address on which connections are waited for, where
// zero stands for every network.
func loopback(hex string) bool { return address(hex).IsLoopback() }

func address(hex string) net.IP {
	host, _, _ := strings.Cut(hex, ":")
	var ip net.IP
	for i := 0; i+8 <= len(host); i += 8 {
		for j := 6; j >= 0; j -= 2 {
			b, err := strconv.ParseUint(host[i+j:i+j+2], 16, 8)
			if err != nil {
				return nil
			}
			ip = append(ip, byte(b))
		}
	}
	return ip
}
