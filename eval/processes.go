package eval

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// childrenCPU gives the processor time of all children that have ended.
func childrenCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// ownCPU gives the processor time of this process, all its threads together.
func ownCPU() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// process is what /proc tells of a running process.
type process struct {
	pid, parent int
	args        string
	rssMB       float64
	cpu         time.Duration
	ended       time.Duration // processor time of its children that have ended
}

// clockTicks is the unit of times in /proc, 100 a second on every Linux that Go runs on.
const clockTicks = 100

// processes lists what runs below a process, itself included (proc(5)).
func processes(root int) ([]process, error) {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil || len(stats) == 0 {
		return nil, fmt.Errorf("this bench reads /proc, which is not there")
	}
	all := map[int]process{}
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// The name stands in brackets and may hold anything.
		_, rest, _ := strings.Cut(string(data[strings.LastIndexByte(string(data), ')'):]), " ")
		f := strings.Fields(rest)
		if len(f) < 22 {
			continue
		}
		n := func(i int) int { v, _ := strconv.Atoi(f[i]); return v }
		p := process{parent: n(1), rssMB: float64(n(21)) * float64(os.Getpagesize()) / (1 << 20)}
		p.pid, _ = strconv.Atoi(filepath.Base(filepath.Dir(path)))
		p.cpu = time.Duration(n(11)+n(12)) * time.Second / clockTicks
		p.ended = time.Duration(n(13)+n(14)) * time.Second / clockTicks
		args, _ := os.ReadFile(filepath.Join(filepath.Dir(path), "cmdline"))
		p.args = strings.ReplaceAll(string(args), "\x00", " ")
		all[p.pid] = p
	}
	var out []process
	for _, p := range all {
		for up := p.pid; up != 0; up = all[up].parent {
			if up == root {
				out = append(out, p)
				break
			}
		}
	}
	return out, nil
}

// processorTime is what this process and those below it (the language model's
// server, its runners) have used of the processor; 0 where there is no /proc.
func processorTime() (sum time.Duration) {
	list, err := processes(os.Getpid())
	if err != nil {
		return 0
	}
	for _, p := range list {
		sum += p.cpu + p.ended
	}
	return sum
}
