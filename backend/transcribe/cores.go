package transcribe

import (
	"os"
	"runtime"
	"strings"
)

// PhysicalCores gives how many cores there are that share no arithmetic unit:
// a second thread on a core makes Whisper slower.
func PhysicalCores() int {
	logical := runtime.NumCPU()
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return logical
	}
	if n := countCores(string(text)); n > 0 {
		return min(n, logical)
	}
	return logical
}

// countCores counts the different pairs of socket and core.
func countCores(cpuinfo string) int {
	seen := map[string]bool{}
	for _, cpu := range strings.Split(cpuinfo, "\n\n") {
		socket, core := "", ""
		for _, line := range strings.Split(cpu, "\n") {
			key, value, _ := strings.Cut(line, ":")
			switch strings.TrimSpace(key) {
			case "physical id":
				socket = strings.TrimSpace(value)
			case "core id":
				core = strings.TrimSpace(value)
			}
		}
		if core != "" {
			seen[socket+"/"+core] = true
		}
	}
	return len(seen)
}
