package transcribe_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"veristream/backend/audit"
	"veristream/backend/transcribe"
	"veristream/backend/wav"
)

// The test's own binary is the worker, as the program is its own.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "test-worker" {
		os.Exit(work(os.Args[2:]))
	}
	os.Exit(m.Run())
}

// work is a worker with a recogniser that says "one two three." for each
// stretch, and misbehaves as the folder's files ask it to.
func work(args []string) int {
	opt := transcribe.Options{}
	for _, a := range args {
		name, value, _ := strings.Cut(strings.TrimPrefix(a, "--"), "=")
		switch name {
		case "wav":
			opt.WAV = value
		case "threads":
			opt.Threads, _ = strconv.Atoi(value)
		case "offset-ms":
			opt.OffsetMS, _ = strconv.ParseInt(value, 10, 64)
		}
	}
	dir := filepath.Dir(opt.WAV)
	f, err := os.OpenFile(filepath.Join(dir, "starts"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 9
	}
	fmt.Fprintf(f, "threads=%d offset=%d pid=%d\n", opt.Threads, opt.OffsetMS, os.Getpid())
	f.Close()
	if err := transcribe.Serve(context.Background(), &script{dir: dir}, opt, os.Stdout); err != nil {
		return 1
	}
	return 0
}

type script struct {
	dir   string
	calls int
}

func (s *script) has(name string) bool {
	_, err := os.Stat(filepath.Join(s.dir, name))
	return err == nil
}

func (s *script) Recognize(samples []float32, _ transcribe.Options, tokens func([]transcribe.Token) error, progress func(int)) (string, error) {
	s.calls++
	progress(50)
	if s.has("fail") {
		return "", audit.Errorf(audit.CodeModel, "The speech model failed on a stretch of sound.")
	}
	length := int64(len(samples)) * 1000 / wav.Rate
	said := []transcribe.Token{
		{Text: " One", StartMS: 0, EndMS: length / 4, P: 0.9, SegmentNew: true},
		{Text: " two", StartMS: length / 4, EndMS: length / 3, P: 0.9},
		{Text: " three", StartMS: length / 3, EndMS: length / 2, P: 0.9},
		{Text: ".", StartMS: length / 2, EndMS: length / 2, P: 0.9},
		{Text: " Four", StartMS: length / 2, EndMS: length, P: 0.9},
	}
	if err := tokens(said); err != nil {
		return "", err
	}
	if s.has("crash-always") || s.has("crash-once") && s.calls == 2 {
		os.Remove(filepath.Join(s.dir, "crash-once"))
		os.Exit(42)
	}
	if s.has("hang") {
		time.Sleep(time.Hour)
	}
	return "en", nil
}

// recording writes a sound that is loud in the given spans of seconds.
func recording(t testing.TB, seconds int, spans ...[2]float64) string {
	t.Helper()
	samples := make([]int16, seconds*wav.Rate)
	for _, s := range spans {
		for i := int(s[0] * wav.Rate); i < int(s[1]*wav.Rate); i++ {
			// Syllables: four a second.
			v := math.Sin(float64(i)*0.2) * (0.55 + 0.45*math.Sin(2*math.Pi*4*float64(i)/wav.Rate))
			samples[i] = int16(12000 * v)
		}
	}
	path := filepath.Join(t.TempDir(), "sound.wav")
	if err := wav.Write(path, wav.Rate, samples); err != nil {
		t.Fatal(err)
	}
	return path
}

func mark(t testing.TB, sound, name string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(filepath.Dir(sound), name), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func starts(t testing.TB, sound string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(filepath.Dir(sound), "starts"))
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

func worker(t testing.TB) *transcribe.Worker {
	t.Helper()
	model := filepath.Join(t.TempDir(), "model.bin")
	if err := os.WriteFile(model, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	return &transcribe.Worker{Args: []string{"test-worker"}, ModelPath: model, Threads: 4}
}

func run(ctx context.Context, t testing.TB, w *transcribe.Worker, sound string) ([]audit.Segment, error) {
	t.Helper()
	var out []audit.Segment
	err := w.Transcribe(ctx, sound, func(s audit.Segment) error { out = append(out, s); return nil })
	for i, s := range out {
		if s.StartMS < 0 || s.EndMS <= s.StartMS || i > 0 && s.StartMS < out[i-1].EndMS || s.ID != "s"+strconv.Itoa(i+max(1, w.FirstID)) {
			t.Errorf("segment %d does not hold: %+v", i, s)
		}
	}
	return out, err
}

func TestWorkerTranscribes(t *testing.T) {
	w := worker(t)
	var done, total int64
	var chunks []int64
	language := ""
	w.OnProgress = func(d, n int64) { done, total = d, n }
	w.OnLanguage = func(l string) { language = l }
	w.OnChunk = func(end int64) { chunks = append(chunks, end) }
	got, err := run(t.Context(), t, w, recording(t, 8, [2]float64{1, 4}))
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got[0].Text != "One two three." || got[1].Text != "Four" || len(got[0].Words) != 3 || got[0].Words[2].Text != "three." {
		t.Fatalf("%+v", got)
	}
	if got[0].StartMS < 950 || got[1].EndMS > 4050 {
		t.Errorf("times reach into silence: %d to %d", got[0].StartMS, got[1].EndMS)
	}
	if done != 8000 || total != 8000 || language != "en" || len(chunks) != 1 || chunks[0] != 8000 {
		t.Errorf("told %d/%d, %q, %v", done, total, language, chunks)
	}
}

func TestSilenceNeverReachesTheModel(t *testing.T) {
	for name, sound := range map[string]string{
		"silence": recording(t, 4), "a click": recording(t, 4, [2]float64{2, 2.03}), "very short": recording(t, 1, [2]float64{0.2, 0.28}),
	} {
		got, err := run(t.Context(), t, worker(t), sound)
		if err != nil || len(got) != 0 {
			t.Errorf("%s: %v %v", name, got, err)
		}
	}
}

// Twelve minutes with pauses: several chunks, the same from wherever one begins.
func longRecording(t testing.TB) string {
	var spans [][2]float64
	for s := 1.0; s < 715; s += 6 {
		spans = append(spans, [2]float64{s, s + 4.5})
	}
	return recording(t, 720, spans...)
}

func TestResumeFromAChunk(t *testing.T) {
	sound := longRecording(t)
	w := worker(t)
	var chunks []int64
	w.OnChunk = func(end int64) { chunks = append(chunks, end) }
	whole, err := run(t.Context(), t, w, sound)
	if err != nil || len(chunks) < 2 {
		t.Fatalf("%v %v", chunks, err)
	}
	first := slices.IndexFunc(whole, func(s audit.Segment) bool { return s.StartMS >= chunks[0] })
	w = worker(t)
	w.OffsetMS, w.FirstID = chunks[0], first+1
	rest, err := run(t.Context(), t, w, sound)
	if err != nil || first < 1 || fmt.Sprint(rest) != fmt.Sprint(whole[first:]) {
		t.Fatalf("%v\n%v\n%v", err, rest, whole[first:])
	}
}

func TestCrashIsRetriedWithFewerThreads(t *testing.T) {
	whole, err := run(t.Context(), t, worker(t), longRecording(t))
	if err != nil {
		t.Fatal(err)
	}
	sound := longRecording(t)
	mark(t, sound, "crash-once")
	w := worker(t)
	var retried error
	w.OnRetry = func(err error) { retried = err }
	got, err := run(t.Context(), t, w, sound)
	if err != nil || fmt.Sprint(got) != fmt.Sprint(whole) {
		t.Fatalf("%v\n%v\n%v", err, got, whole)
	}
	if audit.CodeOf(retried) != audit.CodeWorker || !strings.Contains(audit.SentenceOf(retried), "exit code 42") {
		t.Errorf("told %v", retried)
	}
	s := starts(t, sound)
	if len(s) != 2 || !strings.HasPrefix(s[0], "threads=4 offset=0 ") || !strings.HasPrefix(s[1], "threads=2 offset=") || strings.Contains(s[1], "offset=0 ") {
		t.Errorf("starts: %q", s)
	}
}

func TestCrashTwiceIsToldWithItsCode(t *testing.T) {
	sound := recording(t, 3, [2]float64{0.5, 2})
	mark(t, sound, "crash-always")
	got, err := run(t.Context(), t, worker(t), sound)
	if audit.CodeOf(err) != audit.CodeWorker || !strings.Contains(audit.SentenceOf(err), "exit code 42") || len(starts(t, sound)) != 2 {
		t.Fatalf("%v %v", got, err)
	}
}

func TestErrorsAreNotRetried(t *testing.T) {
	sound := recording(t, 3, [2]float64{0.5, 2})
	mark(t, sound, "fail")
	_, err := run(t.Context(), t, worker(t), sound)
	if audit.CodeOf(err) != audit.CodeModel || len(starts(t, sound)) != 1 {
		t.Fatalf("%v", err)
	}
	w := worker(t)
	w.ModelPath += "gone"
	_, err = run(t.Context(), t, w, sound)
	if audit.CodeOf(err) != audit.CodeModelMissing || !strings.Contains(audit.SentenceOf(err), "models pull") {
		t.Fatalf("%v", err)
	}
	_, err = run(t.Context(), t, worker(t), filepath.Join(filepath.Dir(sound), "gone.wav"))
	if audit.CodeOf(err) != audit.CodeInput {
		t.Fatalf("%v", err)
	}
}

// A cancel ends the worker, hung or not, and leaves no process.
func TestCancelEndsTheWorker(t *testing.T) {
	sound := recording(t, 3, [2]float64{0.5, 2})
	mark(t, sound, "hang")
	ctx, cancel := context.WithCancel(t.Context())
	_, err := run(ctx, t, &transcribe.Worker{
		Args: []string{"test-worker"}, ModelPath: worker(t).ModelPath,
		OnProgress: func(int64, int64) { cancel() },
	}, sound)
	if audit.CodeOf(err) != audit.CodeCancelled {
		t.Fatalf("%v", err)
	}
	pid := strings.Split(starts(t, sound)[0], "pid=")[1]
	if stat, err := os.ReadFile("/proc/" + pid + "/stat"); err == nil && !strings.Contains(string(stat), ") Z ") {
		t.Errorf("the worker lives on: %s", stat)
	}
}

func TestEmitErrorStopsTheWorker(t *testing.T) {
	sound := recording(t, 3, [2]float64{0.5, 2})
	mark(t, sound, "hang")
	full := errors.New("disk full")
	// The first sentence is complete before the worker hangs.
	err := worker(t).Transcribe(t.Context(), sound, func(audit.Segment) error { return full })
	if !errors.Is(err, full) {
		t.Fatalf("%v", err)
	}
}

func TestMessagesAreJSONLines(t *testing.T) {
	var out strings.Builder
	opt := transcribe.Options{WAV: recording(t, 3, [2]float64{0.5, 2})}
	if err := transcribe.Serve(t.Context(), &script{dir: t.TempDir()}, opt, &out); err != nil {
		t.Fatal(err)
	}
	last := ""
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var m transcribe.Message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		last = m.Type
	}
	if last != "done" {
		t.Errorf("ends with %q", last)
	}
}

func segmentsOf(t testing.TB, lines string) []audit.Segment {
	t.Helper()
	var out []audit.Segment
	for _, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		var m transcribe.Message
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if m.Type == "segment" {
			out = append(out, *m.Segment)
		}
	}
	return out
}
