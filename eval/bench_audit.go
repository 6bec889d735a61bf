package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"veristream/backend/audit"
)

// BenchAudit audits a video twice in a home of its own that shares the models,
// and once without the language model, and writes the times: of the first run
// with its stages, of the second, which finds every stage done, and of --help.
// The rules are indexed before, as an installed program has them.
func BenchAudit(ctx context.Context, w io.Writer, exe, models, video string) error {
	home, err := os.MkdirTemp("", "veristream-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for the bench: %w", err)
	}
	defer os.RemoveAll(home)
	if err := os.MkdirAll(filepath.Join(home, "data"), 0o700); err != nil {
		return fmt.Errorf("make a folder for the bench: %w", err)
	}
	if err := os.Symlink(models, filepath.Join(home, "data", "models")); err != nil {
		return fmt.Errorf("share the models: %w", err)
	}
	run := func(args ...string) (time.Duration, []byte, error) {
		cmd := exec.CommandContext(ctx, exe, args...)
		cmd.Env = append(os.Environ(), "VERISTREAM_HOME="+home)
		var out, errOut bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errOut
		start := time.Now()
		if err := cmd.Run(); err != nil {
			return 0, nil, fmt.Errorf("run %s %v: %w: %s", exe, args, err, errOut.String())
		}
		return time.Since(start), out.Bytes(), nil
	}
	for i, c := range []struct {
		title string
		args  []string
	}{
		{"veristream --help", []string{"--help"}},
		{"first search, which indexes the rules", []string{"search", "may an ad predict returns"}},
		{"audit, first run", []string{"audit", video, "--quiet", "--json", "-"}},
		{"audit, second run", []string{"audit", video, "--quiet", "--json", "-"}},
		{"audit --fresh --no-llm", []string{"audit", video, "--quiet", "--json", "-", "--no-llm", "--fresh"}},
	} {
		took, out, err := run(c.args...)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%-40s %7.2f s\n", c.title, took.Seconds())
		if i < 2 {
			continue
		}
		var r audit.Result
		if err := json.Unmarshal(out, &r); err != nil {
			return fmt.Errorf("read the result: %w", err)
		}
		for _, s := range r.Run.Stages {
			note := ""
			if s.Cached {
				note = "  from an earlier run"
			}
			fmt.Fprintf(w, "    %-36s %7.2f s%s\n", s.Name, float64(s.MS)/1000, note)
		}
		fmt.Fprintf(w, "    %d findings, %d calls, %d prompt tokens, %d MB at most\n",
			len(r.Findings), r.Run.LLM.Calls, r.Run.LLM.PromptTokens, r.Run.PeakRSSMB)
	}
	return nil
}
