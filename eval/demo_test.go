package eval_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"veristream/app/cli"
	"veristream/app/core"
	"veristream/app/dirs"
	"veristream/backend/audit"
	"veristream/backend/words"
)

// The test's own binary is the speech worker, as the program is its own.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "worker" {
		os.Exit(cli.New("test").Run(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// demo is eval/demo/expected.json.
type demo struct {
	DurationMS int64 `json:"duration_ms"`
	ShouldFind []struct {
		ID        string   `json:"id"`
		StartMS   int64    `json:"start_ms"`
		EndMS     int64    `json:"end_ms"`
		Citations []string `json:"citations"`
	} `json:"should_find"`
	ShouldNotFind []struct {
		ID      string `json:"id"`
		StartMS int64  `json:"start_ms"`
		EndMS   int64  `json:"end_ms"`
		Words   string `json:"words"`
	} `json:"should_not_find"`
	Transcript []string `json:"transcript"`
	Screen     []struct {
		Text    string `json:"text"`
		StartMS int64  `json:"start_ms"`
		EndMS   int64  `json:"end_ms"`
	} `json:"screen"`
}

// need skips, or fails where build/test asks for everything.
func need(t *testing.T, ok bool, what string) {
	t.Helper()
	if ok {
		return
	}
	if os.Getenv("VERISTREAM_REQUIRE_ALL") != "" {
		t.Fatalf("%s is missing: run build/setup --tests", what)
	}
	t.Skipf("%s is missing: run build/setup --tests", what)
}

// The whole program, every part real, with the small models, on the demo video:
// what is planted in it is found, and the good sentences are not.
func TestDemoEndToEnd(t *testing.T) {
	if testing.Short() {
		t.Skip("the whole program on a video takes a minute")
	}
	for _, tool := range []string{"ffmpeg", "espeak-ng"} {
		_, err := exec.LookPath(tool)
		need(t, err == nil, tool)
	}
	home := dirs.Find()
	for _, model := range []string{"whisper-tiny.en", "qwen2.5-coder-0.5b"} {
		_, err := os.Stat(filepath.Join(home.Models(), model, "installed.json"))
		need(t, err == nil, "the model "+model)
	}
	need(t, len(home.Native("ollama")) > 0 || lookPath("ollama"), "ollama")

	work := t.TempDir()
	video := filepath.Join(work, "demo.mp4")
	if out, err := exec.Command("../build/demo", video).CombinedOutput(); err != nil {
		t.Fatalf("make the demo video: %v\n%s", err, out)
	}
	var want demo
	data, err := os.ReadFile("demo/expected.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}

	d := home
	d.Data, d.Cache, d.State = filepath.Join(work, "data"), filepath.Join(work, "cache"), filepath.Join(work, "state")
	if err := os.MkdirAll(d.Data, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(home.Models(), d.Models()); err != nil {
		t.Fatal(err)
	}
	c, err := core.Open(t.Context(), core.Options{Dirs: d, Version: "test", SpeechModel: "whisper-tiny.en", LLM: "qwen2.5-coder-0.5b"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r, err := c.Audit(t.Context(), core.Job{Path: video}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		t.Logf("found %s %s-%s %s [%s] judge %s %q", f.Citation, sec(f.StartMS), sec(f.EndMS), f.Category, f.Status, f.Signals.Judge, f.Excerpt)
	}
	checkDemoText(t, want, r)
	checkDemoFindings(t, want, r)
	checkRationales(t, r, c.Pipeline.Auditor.Cards)

	again, err := c.Audit(t.Context(), core.Job{Path: video}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if again.Run.LLM.Calls != 0 || len(again.Findings) != len(r.Findings) {
		t.Errorf("a second run made %d calls and %d findings, want 0 and %d", again.Run.LLM.Calls, len(again.Findings), len(r.Findings))
	}
}

func checkDemoText(t *testing.T, want demo, r *audit.Result) {
	t.Helper()
	var said strings.Builder
	for _, s := range r.Segments {
		if s.StartMS < 0 || s.EndMS <= s.StartMS || s.EndMS > r.Video.DurationMS+100 {
			t.Errorf("segment %s lies at %d to %d of %d", s.ID, s.StartMS, s.EndMS, r.Video.DurationMS)
		}
		if s.Source == audit.Speech && s.Audited() {
			said.WriteString(s.Text + " ")
		}
	}
	for _, run := range want.Transcript {
		if _, _, ok := words.Find(said.String(), run); !ok {
			t.Errorf("%q was said and not written down in %q", run, said.String())
		}
	}
	for _, shown := range want.Screen {
		found := false
		for _, s := range r.Segments {
			_, _, same := words.Find(s.Text, shown.Text)
			found = found || (s.Source == audit.Screen && same && near(s.StartMS, shown.StartMS) && near(s.EndMS, shown.EndMS))
		}
		if !found {
			t.Errorf("%q was shown from %d to %d and not read", shown.Text, shown.StartMS, shown.EndMS)
		}
	}
}

// near: the picture is looked at twice a second.
func near(a, b int64) bool { return a-b < 600 && b-a < 600 }

func checkDemoFindings(t *testing.T, want demo, r *audit.Result) {
	t.Helper()
	found := 0
	for _, issue := range want.ShouldFind {
		hit := false
		for _, f := range r.Findings {
			overlaps := f.StartMS < issue.EndMS && f.EndMS > issue.StartMS
			for _, cite := range issue.Citations {
				got, err := audit.ParseCitation(f.Citation)
				if err != nil {
					t.Fatal(err)
				}
				hit = hit || (overlaps && got.Within(audit.MustParseCitation(cite)))
			}
		}
		fmt.Printf("planted issue %-12s found %v\n", issue.ID, hit)
		if hit {
			found++
		}
	}
	if found < 3 {
		t.Errorf("%d of %d planted issues were found, want 3 at least", found, len(want.ShouldFind))
	}
	for _, good := range want.ShouldNotFind {
		for _, f := range r.Findings {
			if f.Excerpt != "" && f.StartMS < good.EndMS-500 && f.EndMS > good.StartMS+500 {
				t.Errorf("the good sentence %q was reported under %s: %q", good.ID, f.Citation, f.Excerpt)
			}
		}
	}
	texts := map[string]string{}
	for _, s := range r.Segments {
		texts[s.ID] = s.Text
	}
	for _, f := range r.Findings {
		if f.Excerpt != "" && !strings.Contains(texts[f.SegmentID], f.Excerpt) {
			t.Errorf("the excerpt %q is not in segment %s", f.Excerpt, f.SegmentID)
		}
		if f.Rule.SHA256 == "" || f.Rule.Text == "" {
			t.Errorf("%s has no rule text", f.Citation)
		}
	}
}

func lookPath(tool string) bool {
	_, err := exec.LookPath(tool)
	return err == nil
}

func sec(ms int64) string { return fmt.Sprintf("%.1f s", float64(ms)/1000) }
