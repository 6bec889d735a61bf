package doctor_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veristream/app/dirs"
	"veristream/app/doctor"
)

// tools puts programs on an otherwise empty PATH that print the given texts.
func tools(t *testing.T, texts map[string]string) {
	t.Helper()
	bin := t.TempDir()
	for name, text := range texts {
		script := "#!/bin/sh\necho '" + text + "'\n"
		if text == "" {
			script = "#!/bin/sh\necho cannot load a library >&2\nexit 127\n"
		}
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	for _, v := range []string{"VERISTREAM_CACHE", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"} {
		t.Setenv(v, t.TempDir())
	}
	t.Setenv("VERISTREAM_HOME", "")
	t.Setenv("OLLAMA_HOST", "127.0.0.1:1")
}

func inspect(t *testing.T) map[string]doctor.Check {
	t.Helper()
	d, err := doctor.New(dirs.Find())
	if err != nil {
		t.Fatal(err)
	}
	checks := d.Inspect(t.Context())
	out := map[string]doctor.Check{}
	for _, c := range checks {
		if c.Name == "" || c.State == "" || c.State != doctor.OK && c.Fix == "" {
			t.Errorf("a check that helps nobody: %+v", c)
		}
		out[c.Name] = c
	}
	if doctor.Ready(checks) != (count(checks, doctor.Missing) == 0) {
		t.Error("Ready does not follow from the checks")
	}
	return out
}

func count(checks []doctor.Check, s doctor.State) int {
	n := 0
	for _, c := range checks {
		if c.State == s {
			n++
		}
	}
	return n
}

func TestBareComputer(t *testing.T) {
	tools(t, nil)
	got := inspect(t)
	want := map[string]doctor.State{
		"ffmpeg": doctor.Missing, "ffprobe": doctor.Missing, "speech model": doctor.Missing, "ONNX Runtime": doctor.Missing,
		"Ollama": doctor.Missing, "language model": doctor.Missing, "yt-dlp": doctor.Warning, "tesseract": doctor.Warning, "pdftotext": doctor.Warning,
		"embedder": doctor.OK, "reranker": doctor.OK,
	}
	for name, state := range want {
		if got[name].State != state {
			t.Errorf("%s: %+v, want %s", name, got[name], state)
		}
	}
	if fix := got["speech model"].Fix; fix != "veristream models pull whisper-base" {
		t.Errorf("speech model: %q", fix)
	}
}

func TestToolsThere(t *testing.T) {
	tools(t, map[string]string{
		"ffmpeg":    "ffmpeg version 7.1-3-gabc Copyright (c) 2000-2024",
		"ffprobe":   "", // there, but does not run
		"yt-dlp":    "2026.10.26",
		"tesseract": "tesseract 5.3.0\neng",
		"pdftotext": "pdftotext version 22.12.0",
		"ollama":    "Warning: could not connect to a running Ollama instance\nWarning: client version is 0.17.4",
	})
	got := inspect(t)
	for name, version := range map[string]string{"ffmpeg": "7.1-3-gabc", "yt-dlp": "2026.10.26", "tesseract": "5.3.0", "pdftotext": "22.12.0", "Ollama": "0.17.4"} {
		if c := got[name]; c.State != doctor.OK || c.Version != version || c.Fix != "" {
			t.Errorf("%s: %+v, want %s", name, c, version)
		}
	}
	if c := got["ffprobe"]; c.State != doctor.Missing || !strings.Contains(c.Detail, "cannot load a library") {
		t.Errorf("ffprobe: %+v", c)
	}
	if c := got["Ollama"]; !strings.Contains(c.Detail, "not running") {
		t.Errorf("Ollama: %+v", c)
	}
}

func TestTesseractWithoutEnglish(t *testing.T) {
	tools(t, map[string]string{"tesseract": "tesseract 5.3.0\ndeu"})
	if c := inspect(t)["tesseract"]; c.State != doctor.Warning || !strings.Contains(c.Fix, "eng") {
		t.Errorf("%+v", c)
	}
}
