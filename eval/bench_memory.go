package eval

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"time"

	"veristream/backend/pipeline"
)

// sample is what memory and processor time were at one moment.
type sample struct {
	Run                          int // that took it: one that was cut off is followed by another
	At                           time.Duration
	Stage                        pipeline.Stage
	Done, Total                  int64
	App, Speech, Screen, Decoder float64       // MB
	CPU                          time.Duration // of the processes below this one that run now
}

// memoryWatch samples this process and those below it, and where the audit is.
// It writes each sample down, so that a run that goes on has those before it.
type memoryWatch struct {
	mu      sync.Mutex
	at      pipeline.Progress
	runs    int // before this one
	began   time.Time
	samples []sample
	out     *os.File
	err     error
}

// openMemoryWatch reads the samples of earlier runs from a file.
func openMemoryWatch(path string) (*memoryWatch, error) {
	m := &memoryWatch{began: time.Now()}
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the samples: %w", err)
	}
	for lines := bufio.NewScanner(strings.NewReader(string(data))); lines.Scan(); {
		var s sample
		if json.Unmarshal(lines.Bytes(), &s) == nil { // half a line is where it was cut off
			m.samples = append(m.samples, s)
			m.runs = s.Run
		}
	}
	if m.out, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		return nil, fmt.Errorf("keep the samples: %w", err)
	}
	if len(data) > 0 && data[len(data)-1] != '\n' {
		_, err = m.out.WriteString("\n")
	}
	return m, err
}

func (m *memoryWatch) observe(e pipeline.Event) {
	if e.Progress == nil || e.Progress.State != pipeline.Runs {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.at = *e.Progress
}

// start samples until the function that it gives is called.
func (m *memoryWatch) start(ctx context.Context) (done func() error) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(sampleEach)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if m.err = m.take(); m.err != nil {
					return
				}
			}
		}
	}()
	return func() error {
		cancel()
		<-ended
		return errors.Join(m.err, m.out.Close())
	}
}

func (m *memoryWatch) take() error {
	running, err := processes(os.Getpid())
	if err != nil {
		return err
	}
	m.mu.Lock()
	s := sample{Run: m.runs + 1, At: time.Since(m.began), Stage: m.at.Stage, Done: m.at.Done, Total: m.at.Total}
	m.mu.Unlock()
	for _, p := range running {
		switch {
		case p.pid == os.Getpid():
			s.App = p.rssMB
			continue
		case strings.Contains(p.args, " worker transcribe "):
			s.Speech += p.rssMB
		case strings.Contains(p.args, " worker ocr "):
			s.Screen += p.rssMB
		default:
			s.Decoder += p.rssMB
		}
		s.CPU += p.cpu
	}
	m.samples = append(m.samples, s)
	line, err := json.Marshal(s)
	if err == nil {
		_, err = m.out.Write(append(line, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keep a sample: %w", err)
	}
	return nil
}

func (m *memoryWatch) print(w io.Writer) {
	var top sample
	for _, s := range m.samples {
		top.App, top.Speech, top.Screen = max(top.App, s.App), max(top.Speech, s.Speech), max(top.Screen, s.Screen)
	}
	fmt.Fprintf(w, "%-12s %8s %8s %8s %8s %8s\n", "at", "app MB", "speech", "screen", "decoder", "CPU s")
	for _, stage := range []pipeline.Stage{pipeline.StageTranscribe, pipeline.StageScreen} {
		m.printStage(w, stage)
	}
	fmt.Fprintf(w, "most: app %.0f MB (at most %d), speech worker %.0f MB and screen worker %.0f MB (at most %d each), %d samples of %d runs\n",
		top.App, appLimitMB, top.Speech, top.Screen, workerLimitMB, len(m.samples), m.runs+1)
}

// printStage prints the curve of a stage and what each third of it took.
func (m *memoryWatch) printStage(w io.Writer, stage pipeline.Stage) {
	next, part := int64(0), int64(1)
	var last *sample
	var cpu, wall time.Duration
	var cpus, walls []time.Duration
	for i := range m.samples {
		s := &m.samples[i]
		if s.Stage != stage || s.Total == 0 {
			continue
		}
		spent, passed := step(last, s)
		cpu, wall, last = cpu+spent, wall+passed, s
		if s.Done*longSteps >= next*s.Total {
			next = s.Done*longSteps/s.Total + 1
			fmt.Fprintf(w, "%-12s %8.0f %8.0f %8.0f %8.0f %8.0f  %s\n", clockOf(s.Done), s.App, s.Speech, s.Screen, s.Decoder, cpu.Seconds(),
				strings.Repeat("#", int(s.App+s.Speech+s.Screen)/20))
		}
		if s.Done*longParts >= part*s.Total {
			part = s.Done*longParts/s.Total + 1
			cpus, walls = append(cpus, cpu), append(walls, wall)
		}
	}
	if len(cpus) < longParts { // the last sample lies before the end
		cpus, walls = append(cpus, cpu), append(walls, wall)
	}
	fmt.Fprintf(w, "%s: processor time and time of each third:", stage)
	cpu, wall = 0, 0
	for i := range cpus {
		fmt.Fprintf(w, " %.1f s and %.1f s;", (cpus[i] - cpu).Seconds(), (walls[i] - wall).Seconds())
		cpu, wall = cpus[i], walls[i]
	}
	fmt.Fprintln(w)
}

// step gives what passed between two samples of a stage: nothing between two
// runs, and of processor time nothing where a process ended meanwhile.
func step(from, to *sample) (cpu, wall time.Duration) {
	if from == nil || from.Run != to.Run {
		return to.CPU, 0
	}
	return max(0, to.CPU-from.CPU), to.At - from.At
}

func clockOf(ms int64) string {
	return fmt.Sprintf("%d:%02d:%02d", ms/3_600_000, ms/60_000%60, ms/1000%60)
}
