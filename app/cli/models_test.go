package cli_test

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veristream/app/cli"
	"veristream/models"
)

// inHome runs one command line in a given home.
func inHome(t *testing.T, home string, args ...string) (code int, out, errOut string) {
	t.Helper()
	var stdout, stderr strings.Builder
	t.Setenv("VERISTREAM_HOME", home)
	app := cli.New("test")
	app.Out, app.Err = &stdout, &stderr
	code = app.RunContext(t.Context(), args)
	return code, stdout.String(), stderr.String()
}

type modelList struct {
	Schema int
	Models []models.Status
}

func listed(t *testing.T, out string) map[string]models.Status {
	t.Helper()
	var l modelList
	if err := json.Unmarshal([]byte(out), &l); err != nil || l.Schema != 1 {
		t.Fatalf("%v in %s", err, out)
	}
	by := map[string]models.Status{}
	for _, m := range l.Models {
		by[m.Name] = m
	}
	return by
}

// TestModelsCommands goes through the life of a model: the one that comes
// inside the program needs no network.
func TestModelsCommands(t *testing.T) {
	home := t.TempDir()
	code, out, _ := inHome(t, home, "models", "list", "--json")
	if by := listed(t, out); code != 0 || by["regulation-embedder"].State != models.StateBuiltIn || by["whisper-base"].State != models.StateMissing {
		t.Fatalf("exit %d: %+v", code, by)
	}
	code, out, errOut := inHome(t, home, "models", "pull", "regulation-embedder")
	if code != 0 || out != "regulation-embedder: installed\n" || !strings.Contains(errOut, "23.4 MB from inside the program") {
		t.Fatalf("exit %d: %q, %q", code, out, errOut)
	}
	if code, out, _ = inHome(t, home, "models", "verify"); code != 0 || out != "regulation-embedder: as it should be\n" {
		t.Errorf("verify: exit %d: %q", code, out)
	}

	weights := filepath.Join(home, "data", "models", "regulation-embedder", "model.onnx")
	if err := os.WriteFile(weights, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	code, _, errOut = inHome(t, home, "models", "verify", "regulation-embedder")
	if code != cli.ExitMissing || !strings.Contains(errOut, "models pull regulation-embedder") {
		t.Errorf("verify a damaged one: exit %d: %q", code, errOut)
	}
	if code, out, _ = inHome(t, home, "models", "remove", "regulation-embedder"); code != 0 {
		t.Errorf("remove: exit %d: %q", code, out)
	}
	if code, out, _ = inHome(t, home, "models", "verify"); code != 0 || !strings.Contains(out, "No model is installed") {
		t.Errorf("verify nothing: exit %d: %q", code, out)
	}
}

func TestModelsImport(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(t.TempDir(), "Mine.gguf")
	head := append([]byte("GGUF"), 3, 0, 0, 0)
	head = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(head, 1), 1)
	if err := os.WriteFile(file, head, 0o644); err != nil {
		t.Fatal(err)
	}
	if code, out, errOut := inHome(t, home, "models", "import", file); code != 0 || out != "mine: imported as mine\n" {
		t.Fatalf("exit %d: %q, %q", code, out, errOut)
	}
	_, out, _ := inHome(t, home, "models", "list", "--json")
	if m := listed(t, out)["mine"]; !m.User || m.State != models.StateInstalled || m.Kind != models.KindLLM {
		t.Errorf("%+v", m)
	}
	if code, _, errOut := inHome(t, home, "models", "remove", "mine"); code != 0 {
		t.Errorf("remove: exit %d: %q", code, errOut)
	}
}

func TestModelsWrongUse(t *testing.T) {
	junk := filepath.Join(t.TempDir(), "junk")
	if err := os.WriteFile(junk, []byte("<html>"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		args []string
		code int
		says string
	}{
		{[]string{"models", "pull", "whisper-bass"}, cli.ExitUsage, `no model "whisper-bass"; there are: whisper-base`},
		{[]string{"models", "verify", "whisper-base"}, cli.ExitMissing, "not installed"},
		{[]string{"models", "import", junk}, cli.ExitFailed, "a web page"},
		{[]string{"models", "import", junk + "x"}, cli.ExitFailed, "nothing at that path"},
		{[]string{"models", "import"}, cli.ExitUsage, "accepts 1 arg"},
		{[]string{"models", "remove"}, cli.ExitUsage, "requires at least 1 arg"},
	}
	for _, tt := range tests {
		code, out, errOut := inHome(t, t.TempDir(), tt.args...)
		if code != tt.code || !strings.Contains(errOut, tt.says) || out != "" {
			t.Errorf("%v: exit %d, %q, %q; want %d and %q", tt.args, code, out, errOut, tt.code, tt.says)
		}
	}
}

func TestDoctor(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("OLLAMA_HOST", "127.0.0.1:1")
	code, out, errOut := inHome(t, t.TempDir(), "doctor")
	if code != cli.ExitMissing || !strings.Contains(out, "MISSING  ffmpeg") || !strings.Contains(out, "models pull whisper-base") || errOut != "" {
		t.Errorf("exit %d: %s%s", code, out, errOut)
	}
	code, out, _ = inHome(t, t.TempDir(), "doctor", "--json")
	var got struct {
		Schema int
		Ready  bool
		Checks []struct{ Name, State string }
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || code != cli.ExitMissing || got.Ready || len(got.Checks) < 10 {
		t.Errorf("exit %d: %v, %+v", code, err, got)
	}
}
