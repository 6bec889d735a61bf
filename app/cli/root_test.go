package cli_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"veristream/app/cli"
	"veristream/backend/audit"
)

func run(t *testing.T, args ...string) (code int, out, errOut string) {
	t.Helper()
	t.Setenv("VERISTREAM_HOME", t.TempDir())
	app := cli.New("test")
	var stdout, stderr bytes.Buffer
	app.Out, app.Err = &stdout, &stderr
	code = app.RunContext(t.Context(), args)
	return code, stdout.String(), stderr.String()
}

func TestHelpNamesTheExitCodesAndCommands(t *testing.T) {
	code, out, _ := run(t, "--help")
	if code != cli.ExitDone || !strings.Contains(out, "opens the window") {
		t.Fatalf("exit %d, output %q", code, out)
	}
}

func TestWrongUse(t *testing.T) {
	for _, args := range [][]string{{"no-such-command"}, {"--no-such-flag"}} {
		code, _, errOut := run(t, args...)
		if code != cli.ExitUsage {
			t.Errorf("%v: exit %d, want %d (%s)", args, code, cli.ExitUsage, errOut)
		}
		if strings.Count(errOut, "veristream: ") != 1 {
			t.Errorf("%v: said %q", args, errOut)
		}
	}
}

func TestExitCode(t *testing.T) {
	for _, tt := range []struct {
		err  error
		want int
	}{
		{nil, 0},
		{errors.New("boom"), 1},
		{audit.Errorf(audit.CodeInput, "bad file"), 1},
		{audit.Errorf(audit.CodeUsage, "bad flag"), 2},
		{audit.Errorf(audit.CodeMissing, "no ffmpeg"), 3},
		{audit.Errorf(audit.CodeModelMissing, "no model"), 3},
		{context.Canceled, 4},
		{audit.Wrap(context.Canceled, audit.CodeWorker, "stopped"), 4},
	} {
		if got := cli.ExitCode(tt.err); got != tt.want {
			t.Errorf("%v: exit %d, want %d", tt.err, got, tt.want)
		}
	}
}
