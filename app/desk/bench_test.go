package desk_test

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"veristream/app/apptest"
	"veristream/app/dirs"
	mediaserver "veristream/app/media"
	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/store"
)

// TestBenchWindow prints figures of the real window on a large library, and of
// seeks in a long film over the loopback server. It asserts no time:
// VERISTREAM_BENCH=1 go test ./app/desk -run TestBenchWindow -v -timeout 20m
func TestBenchWindow(t *testing.T) {
	if os.Getenv("VERISTREAM_BENCH") == "" {
		t.Skip("a bench: set VERISTREAM_BENCH")
	}
	apptest.Need(t, "Xvfb", "xdotool", "import", "ffmpeg")
	home := t.TempDir()
	t.Setenv("VERISTREAM_HOME", home)
	d := dirs.Find()
	film := longFilm(t, filepath.Join(home, "annual meeting.mp4"))
	benchSeeks(t, film)
	fill(t, d, film)

	s := apptest.StartScreen(t)
	empty := s.Start(t, asWindow+"=1", withNothing+"=1", "VERISTREAM_HOME="+t.TempDir())
	time.Sleep(8 * time.Second)
	memory(t, "an empty page in the same webview, nothing opened")
	empty()
	var starts []time.Duration
	for i := range 3 {
		begun := time.Now()
		stop := s.Start(t, asWindow+"=1")
		for !s.HasTitle(t, "Library") {
			time.Sleep(10 * time.Millisecond)
		}
		starts = append(starts, time.Since(begun))
		if i < 2 {
			stop()
			continue
		}
		time.Sleep(5 * time.Second)
		s.Shot(t, "bench-library")
		memory(t, "library of 2,000 audits")
		begun = time.Now()
		openReview(t, s)
		report(t, "review of 6 h, 500 findings: open after %d ms", time.Since(begun).Milliseconds())
		time.Sleep(10 * time.Second)
		s.Shot(t, "bench-review")
		memory(t, "review of 6 h, 500 findings, its film paused")
		s.Key(t, "space")
		time.Sleep(time.Minute)
		s.Shot(t, "bench-playing")
		memory(t, "its film playing for a minute")
		s.Key(t, "k")
		for range 60 {
			s.Key(t, "bracketright")
			time.Sleep(500 * time.Millisecond)
		}
		time.Sleep(10 * time.Second)
		s.Shot(t, "bench-stepped")
		memory(t, "after 60 findings were stepped through")
	}
	slices.Sort(starts)
	report(t, "start to the library: %d ms (median of 3: %v)", starts[1].Milliseconds(), starts)
}

// openReview opens the newest audit; a second click would play its film.
func openReview(t *testing.T, s *apptest.Screen) {
	t.Helper()
	for range 10 {
		s.Click(t, 600, 165)
		for range 100 {
			if s.HasTitle(t, "Annual meeting") {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	t.Fatal("the newest audit does not open")
}

func report(t *testing.T, format string, args ...any) {
	t.Helper()
	fmt.Printf("bench: "+format+"\n", args...)
}

// longFilm makes six hours and some 2 GB of film: a minute, over and over.
func longFilm(t *testing.T, path string) string {
	t.Helper()
	minute := filepath.Join(t.TempDir(), "minute.mp4")
	for _, args := range [][]string{
		{
			"-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25:d=60", "-f", "lavfi", "-i", "sine=d=60", "-vf", "noise=alls=12:allf=t", "-c:v", "libx264",
			"-preset", "ultrafast", "-b:v", "680k", "-maxrate", "760k", "-bufsize", "1500k", "-g", "50", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "64k", "-t", "60", minute,
		},
		{"-stream_loop", "359", "-i", minute, "-c", "copy", "-movflags", "+faststart", path},
	} {
		out, err := exec.CommandContext(t.Context(), "ffmpeg", append([]string{"-v", "error", "-nostdin", "-y"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("make a long film: %v\n%s", err, out)
		}
	}
	st, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	report(t, "a film of 6 h, %.2f GB", float64(st.Size())/1e9)
	return path
}

// benchSeeks lends the film as the window does and lets Chromium seek in it.
func benchSeeks(t *testing.T, film string) {
	t.Helper()
	server, err := mediaserver.Start(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	lent, err := server.Lend(audit.Video{Path: film, HasVideo: true}, film)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "tests/bench/seek.mjs", lent.Media)
	cmd.Dir = "../../frontend"
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Logf("no seeks were measured: %v\n%s", err, out)
		return
	}
	report(t, "%s", strings.TrimSpace(string(out)))
}

// fill makes a library of 2,000 audits; the newest is of six hours, with 7,200
// lines and 500 findings.
func fill(t *testing.T, d dirs.Dirs, film string) {
	t.Helper()
	if err := d.Make(); err != nil {
		t.Fatal(err)
	}
	st := openStore(t, d)
	defer st.Close()
	v, _, err := media.Probe(t.Context(), film)
	if err != nil {
		t.Fatal(err)
	}
	v.SHA256, v.Title = "ab", "Annual meeting"
	if err := st.SaveVideo(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	m := apptest.New(t.TempDir(), audit.Video{DurationMS: 90_000})
	for i := range 2000 {
		title := fmt.Sprintf("Audit number %d", i+1)
		r := &audit.Result{Schema: audit.SchemaVersion, Facts: audit.Facts{}.WithDefaults(), AsOf: "2026-11-24", Segments: m.Segments(), Findings: m.Findings()}
		rec := store.Audit{Path: fmt.Sprintf("/videos/%d.mp4", i), Title: title, State: store.StateRunning}
		if i == 1999 {
			time.Sleep(1100 * time.Millisecond) // it is to be the newest, and stand first
			rec.Path, rec.Title, rec.VideoSHA256 = film, v.Title, v.SHA256
			r.Video, r.Segments, r.Findings = v, nil, nil
			for n := range 7200 {
				at := int64(n) * 3000
				r.Segments = append(r.Segments, line(n, at))
				if n%14 == 4 && len(r.Findings) < 500 {
					f := m.Findings()[0]
					f.ID, f.SegmentID, f.StartMS, f.EndMS = fmt.Sprintf("f%d", len(r.Findings)), fmt.Sprintf("h%d", n), at, at+2900
					r.Findings = append(r.Findings, f)
				}
			}
		}
		rec, err := st.CreateAudit(t.Context(), rec)
		if err != nil {
			t.Fatal(err)
		}
		r.ID = rec.ID
		if err := st.SaveResult(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
}

// line is a line of speech with its words' times.
func line(n int, at int64) audit.Segment {
	text := "And you cannot lose money with this note, whatever the market does this year."
	seg := audit.Segment{ID: fmt.Sprintf("h%d", n), Source: audit.Speech, StartMS: at, EndMS: at + 2900, Text: text, Confidence: 0.9}
	for i, w := range strings.Fields(text) {
		seg.Words = append(seg.Words, audit.Word{Text: w, StartMS: at + int64(i)*200, EndMS: at + int64(i)*200 + 180})
	}
	return seg
}

// held is what a process holds, in megabytes.
type held struct {
	name                 string
	pss, rss, files, own float64
}

// memory prints what the window's processes hold, one in a line, and their sum:
// the test binary's child and everything below it. Of what several processes
// share, PSS gives each its part and RSS gives each all, so the sum of PSS is
// what the machine would win back, and the sum of RSS counts libraries several
// times. Files are the binary, libraries and the database, which the system
// takes back when it needs room.
func memory(t *testing.T, when string) {
	t.Helper()
	all := held{name: "together"}
	var found []held
	for _, pid := range windowProcesses(t) {
		h, err := heldBy(pid)
		if err != nil {
			continue // it has ended
		}
		found = append(found, h)
		all.pss, all.rss, all.files, all.own = all.pss+h.pss, all.rss+h.rss, all.files+h.files, all.own+h.own
	}
	slices.SortFunc(found, func(a, b held) int { return cmp.Compare(b.pss, a.pss) })
	report(t, "window memory, %s:", when)
	report(t, "  %-22s %8s %8s %14s %14s", "process", "PSS MB", "RSS MB", "PSS of files", "PSS of its own")
	for _, h := range append(found, all) {
		report(t, "  %-22s %8.0f %8.0f %14.0f %14.0f", h.name, h.pss, h.rss, h.files, h.own)
	}
}

// heldBy reads what a process holds.
func heldBy(pid int) (held, error) {
	name, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return held{}, err
	}
	rollup, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return held{}, err
	}
	path, _, _ := strings.Cut(string(name), "\x00")
	h := held{name: filepath.Base(path), pss: kilobytes(rollup, "Pss") / 1024, rss: kilobytes(rollup, "Rss") / 1024, files: kilobytes(rollup, "Pss_File") / 1024}
	h.own = h.pss - h.files
	return h, nil
}

// windowProcesses are the processes below this one, but for the screen.
func windowProcesses(t *testing.T) []int {
	t.Helper()
	parents := map[int]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, path := range stats {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		_, rest, _ := strings.Cut(string(data), ") ")
		fields := strings.Fields(rest)
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		if len(fields) > 1 {
			parents[pid], _ = strconv.Atoi(fields[1])
		}
	}
	var out []int
	for pid := range parents {
		name, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err == nil && pid != os.Getpid() && below(parents, pid, os.Getpid()) && !strings.Contains(string(name), "Xvfb") {
			out = append(out, pid)
		}
	}
	return out
}

// kilobytes reads a line of smaps_rollup.
func kilobytes(rollup []byte, name string) float64 {
	for line := range strings.Lines(string(rollup)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kb, _ := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 64)
			return kb
		}
	}
	return 0
}

func below(parents map[int]int, pid, of int) bool {
	for n := 0; pid > 1 && n < 50; n++ {
		if parents[pid] == of {
			return true
		}
		pid = parents[pid]
	}
	return false
}
