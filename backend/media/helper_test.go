package media_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/media"
)

// need skips a test loudly where a program is missing, and fails it where all
// must be there.
func need(t testing.TB, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("VERISTREAM_REQUIRE_ALL") == "1" {
				t.Fatalf("%s is not installed", tool)
			}
			t.Skipf("SKIPPED: %s is not installed", tool)
		}
	}
}

// clip makes a file with ffmpeg in a temporary folder; args stand between the
// global options and the file's name.
func clip(t testing.TB, name string, args ...string) string {
	t.Helper()
	need(t, "ffmpeg", "ffprobe")
	path := filepath.Join(t.TempDir(), name)
	full := append([]string{"-nostdin", "-v", "error", "-y"}, args...)
	out, err := exec.Command("ffmpeg", append(full, "file:"+path)...).CombinedOutput()
	if err != nil {
		t.Fatalf("ffmpeg %v: %v\n%s", args, err, out)
	}
	return path
}

// h264 makes an ordinary clip of so many seconds.
func h264(t testing.TB, name, seconds string, more ...string) string {
	t.Helper()
	args := []string{
		"-f", "lavfi", "-i", "testsrc=s=320x240:r=10:d=" + seconds,
		"-f", "lavfi", "-i", "sine=f=440:d=" + seconds,
		"-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac",
	}
	return clip(t, name, append(args, more...)...)
}

func probe(t testing.TB, path string) media.ProbeInfo {
	t.Helper()
	_, info, err := media.Probe(t.Context(), path)
	if err != nil {
		t.Fatalf("probe %q: %v\n%s", path, err, audit.DetailsOf(err))
	}
	return info
}

// wantError checks code and words of an error.
func wantError(t testing.TB, err error, code audit.Code, words ...string) {
	t.Helper()
	if audit.CodeOf(err) != code {
		t.Fatalf("got code %q (%v), want %q", audit.CodeOf(err), err, code)
	}
	sentence := audit.SentenceOf(err)
	for _, w := range words {
		if !strings.Contains(sentence, w) {
			t.Errorf("%q does not say %q", sentence, w)
		}
	}
	if strings.Contains(sentence, "\n") {
		t.Errorf("not one sentence: %q", sentence)
	}
}

func write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
