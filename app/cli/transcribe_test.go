package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"veristream/app/cli"
	"veristream/app/dirs"
	"veristream/backend/audit"
	"veristream/backend/transcribe"
)

// speechModel gives the small speech model that is installed for this user.
func speechModel(t testing.TB) string {
	t.Helper()
	path := filepath.Join(dirs.Find().Models(), "whisper-tiny.en", "ggml-tiny.en.bin")
	missing(t, path, func() error { _, err := os.Stat(path); return err })
	return path
}

func missing(t testing.TB, what string, look func() error) {
	t.Helper()
	if err := look(); err != nil {
		if os.Getenv("VERISTREAM_REQUIRE_ALL") == "1" {
			t.Fatalf("%s is missing: %v", what, err)
		}
		t.Skipf("SKIPPED: %s is missing", what)
	}
}

func tool(t testing.TB, name string, args ...string) {
	t.Helper()
	missing(t, name, func() error { _, err := exec.LookPath(name); return err })
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

// hear runs the real worker on a sound that ffmpeg makes.
func hear(t testing.TB, ffmpeg ...string) []audit.Segment {
	t.Helper()
	model := speechModel(t)
	sound := filepath.Join(t.TempDir(), "sound.wav")
	args := append([]string{"-nostdin", "-v", "error"}, ffmpeg...)
	tool(t, "ffmpeg", append(args, "-ar", "16000", "-ac", "1", "-c:a", "pcm_s16le", sound)...)
	w := &transcribe.Worker{ModelPath: model, Language: "en"}
	var out []audit.Segment
	if err := w.Transcribe(t.Context(), sound, func(s audit.Segment) error { out = append(out, s); return nil }); err != nil {
		t.Fatalf("%v\n%s", err, audit.DetailsOf(err))
	}
	return out
}

func TestNoInventedWords(t *testing.T) {
	for name, args := range map[string][]string{
		"four seconds of silence": {"-f", "lavfi", "-i", "anullsrc=r=16000:cl=mono", "-t", "4"},
		"white noise":             {"-f", "lavfi", "-i", "anoisesrc=c=white:a=0.1:r=16000:d=8"},
		"pink noise":              {"-f", "lavfi", "-i", "anoisesrc=c=pink:a=0.5:r=16000:d=8"},
		"a tone":                  {"-f", "lavfi", "-i", "sine=f=1000:r=16000:d=3"},
		"music": {"-f", "lavfi", "-i", "aevalsrc='0.25*(sin(2*PI*(220*pow(2,floor(mod(t*2,8))/12))*t)+" +
			"sin(2*PI*(330*pow(2,floor(mod(t*2,5))/12))*t))*(0.3+0.7*exp(-4*mod(t,0.5)))':s=16000:d=12"},
		"0.3 s of a tone": {"-f", "lavfi", "-i", "sine=f=300:r=16000:d=0.3"},
		"clicks":          {"-f", "lavfi", "-i", "aevalsrc='if(lt(mod(t,1.7),0.03),0.7*(random(0)-0.5),0)':s=16000:d=8"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, s := range hear(t, args...) {
				if s.Audited() {
					t.Errorf("invented: %+v", s)
				}
			}
		})
	}
}

// Real speech with the real model: what is said, sentence by sentence, where
// it is said.
func TestRealSpeech(t *testing.T) {
	spoken := filepath.Join(t.TempDir(), "spoken.wav")
	tool(t, "espeak-ng", "-v", "en-us", "-s", "150", "-w", spoken, "You cannot lose money with this account. Past results do not tell what will happen.")
	got := hear(t, "-i", spoken, "-af", "adelay=5000,apad=pad_dur=4")
	text := ""
	for _, s := range got {
		if s.Audited() {
			text += " " + s.Text
		}
	}
	for _, want := range []string{"cannot lose money", "Past results"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
	if len(got) != 2 || got[0].StartMS < 4900 || got[0].StartMS > 5300 || got[1].EndMS > 10_500 {
		t.Errorf("%+v", got)
	}
}

func call(t testing.TB, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	app := cli.New("test")
	app.Out, app.Err = &out, &errs
	code = app.RunContext(t.Context(), args)
	return code, out.String(), errs.String()
}

func TestTranscribeCommand(t *testing.T) {
	dir := t.TempDir()
	subs := filepath.Join(dir, "my talk.srt")
	if err := os.WriteFile(subs, []byte("1\n00:00:01,000 --> 00:00:02,000\nHello\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := call(t, "transcribe", subs, "--format", "vtt")
	if code != 0 || out != "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n\n" {
		t.Fatalf("%d %q %q", code, out, errs)
	}
	target := filepath.Join(dir, "out.txt")
	if code, _, errs = call(t, "transcribe", subs, "--out", target); code != 0 {
		t.Fatal(errs)
	}
	if text, err := os.ReadFile(target); err != nil || string(text) != "[00:00:01] Hello\n" {
		t.Fatalf("%q %v", text, err)
	}
	code, out, _ = call(t, "transcribe", subs, "--json")
	var doc struct{ Segments []audit.Segment }
	if err := json.Unmarshal([]byte(out), &doc); code != 0 || err != nil || len(doc.Segments) != 1 {
		t.Fatalf("%d %q %v", code, out, err)
	}
	for _, tt := range []struct {
		args []string
		code int
		word string
	}{
		{[]string{filepath.Join(dir, "none.mp4")}, cli.ExitFailed, "There is no file"},
		{[]string{dir}, cli.ExitFailed, "is a folder"},
		{[]string{subs, "--format", "doc"}, cli.ExitUsage, "no format"},
		{[]string{}, cli.ExitUsage, "arg"},
		{[]string{subs, "--out", filepath.Join(dir, "no", "such", "x.srt")}, cli.ExitFailed, "cannot be written"},
	} {
		code, out, errs := call(t, append([]string{"transcribe"}, tt.args...)...)
		if code != tt.code || !strings.Contains(errs, tt.word) || out != "" {
			t.Errorf("%v: exit %d, %q, %q", tt.args, code, out, errs)
		}
	}
}

func TestTranscribeCommandOnAVideo(t *testing.T) {
	speechModel(t)
	dir := t.TempDir()
	spoken, video := filepath.Join(dir, "spoken.wav"), filepath.Join(dir, "it's a “video”.mp4")
	tool(t, "espeak-ng", "-v", "en-us", "-s", "150", "-w", spoken, "You cannot lose money with this account.")
	tool(t, "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=4", "-i", spoken, "-c:v", "libx264", "-preset", "ultrafast", "file:"+video)
	code, out, errs := call(t, "transcribe", video, "--model", "whisper-tiny.en", "--format", "srt")
	if code != 0 || !strings.HasPrefix(out, "1\n00:00:00,") || !strings.Contains(strings.ToLower(out), "you cannot lose money") {
		t.Fatalf("%d %q %q", code, out, errs)
	}
	silent := filepath.Join(dir, "silent.mp4")
	tool(t, "ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1", "-c:v", "libx264", silent)
	if code, _, errs = call(t, "transcribe", silent, "--model", "whisper-tiny.en"); code != cli.ExitFailed || !strings.Contains(errs, "no sound track") {
		t.Fatalf("%d %q", code, errs)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if code := cli.New("test").RunContext(ctx, []string{"transcribe", video, "--model", "whisper-tiny.en"}); code != cli.ExitCancelled {
		t.Errorf("cancelled: exit %d", code)
	}
}
