package eval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"veristream/backend/pipeline"
)

// What was kept is there after a bench was cut off in the middle of a line.
func TestNotebookAfterACut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "some.jsonl")
	n, err := openNotebook(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := n.put("white noise", wordScore{Said: 224, Offs: []int64{3, 1}, CPU: time.Second}); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(`{"key":"music","val`); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if n, err = openNotebook(path); err != nil {
		t.Fatal(err)
	}
	if err := n.put("pink noise", wordScore{Said: 7}); err != nil {
		t.Fatal(err)
	}
	if n, err = openNotebook(path); err != nil {
		t.Fatal(err)
	}
	var white, pink, music wordScore
	if !n.get("white noise", &white) || white.Said != 224 || len(white.Offs) != 2 || white.CPU != time.Second {
		t.Errorf("the first: %+v", white)
	}
	if !n.get("pink noise", &pink) || pink.Said != 7 {
		t.Errorf("the one after the cut: %+v", pink)
	}
	if n.get("music", &music) {
		t.Errorf("half a line counts: %+v", music)
	}
}

// A long run that was cut off and gone on with has one curve, and thirds that
// are not broken by the cut.
func TestMemoryCurveOfTwoRuns(t *testing.T) {
	m := &memoryWatch{runs: 1}
	for i := range 90 { // 90 min at 10 s of processor time and 6 s a minute, cut off at the 40th
		s := sample{Run: 1, At: time.Duration(i) * 6 * time.Second, Stage: pipeline.StageTranscribe, Done: int64(i+1) * 60_000, Total: 90 * 60_000, App: 100, Speech: 300, CPU: time.Duration(i+1) * 10 * time.Second}
		if i >= 40 {
			s.Run, s.At, s.CPU = 2, time.Duration(i-40)*6*time.Second, time.Duration(i-39)*10*time.Second
		}
		m.samples = append(m.samples, s)
	}
	m.samples[70].Speech = 650
	var out strings.Builder
	m.print(&out)
	text := out.String()
	if !strings.Contains(text, "transcribe: processor time and time of each third: 300.0 s and 174.0 s; 300.0 s and 174.0 s; 300.0 s and 180.0 s;") {
		t.Errorf("thirds of a steady run differ:\n%s", text)
	}
	if !strings.Contains(text, "most: app 100 MB (at most 400), speech worker 650 MB") || !strings.Contains(text, "90 samples of 2 runs") {
		t.Errorf("the peaks:\n%s", text)
	}
}
