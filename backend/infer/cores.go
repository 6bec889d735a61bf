package infer

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// PhysicalCores counts cores without their hyper-threads, which share the units
// that a model needs, and not more than this process may use.
func PhysicalCores() int {
	files, _ := filepath.Glob("/sys/devices/system/cpu/cpu[0-9]*/topology/thread_siblings_list")
	cores := map[string]bool{}
	for _, f := range files {
		if siblings, err := os.ReadFile(f); err == nil {
			cores[strings.TrimSpace(string(siblings))] = true
		}
	}
	if len(cores) == 0 {
		return runtime.NumCPU()
	}
	return max(1, min(len(cores), runtime.NumCPU()))
}
