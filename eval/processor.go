package eval

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// ticks is how many clock ticks Linux counts a second of a process in
// (sysconf(_SC_CLK_TCK), 100 on every platform that we build for).
const ticks = 100

// processorTime is what this process and those below it (the language model's
// server, its runners) have used of the processor; 0 where there is no /proc.
func processorTime() time.Duration {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	parent, spent := map[int]int{}, map[int]int{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // it has ended
		}
		// The name stands in brackets and may hold blanks (proc(5)).
		f := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		if len(f) < 15 {
			continue
		}
		parent[pid], _ = strconv.Atoi(f[1])
		for _, at := range []int{11, 12, 13, 14} { // utime, stime, and those of children that have ended
			n, _ := strconv.Atoi(f[at])
			spent[pid] += n
		}
	}
	sum := 0
	for pid, n := range spent {
		for at := pid; at > 1; at = parent[at] {
			if at == os.Getpid() {
				sum += n
				break
			}
		}
	}
	return time.Duration(sum) * time.Second / ticks
}
