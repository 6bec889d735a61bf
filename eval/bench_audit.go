package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"veristream/backend/audit"
	"veristream/backend/pipeline"
)

// AuditBench says what BenchAudit works with.
type AuditBench struct {
	Exe     string // the program
	Models  string // the folder of installed models
	Video   string
	Minutes int // the video is repeated until it is so long; 0: as it is
}

// BenchAudit audits a video twice in a home of its own that shares the models,
// and once without the language model, and writes the times: of the first run
// with its stages, of the second, which finds every stage done, and of --help.
// The rules are indexed before, as an installed program has them. Beside each
// time stands that of the processor, which other work on the machine changes
// little.
func BenchAudit(ctx context.Context, w io.Writer, b AuditBench) error {
	home, err := os.MkdirTemp("", "veristream-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for the bench: %w", err)
	}
	defer os.RemoveAll(home)
	if err := os.MkdirAll(filepath.Join(home, "data"), 0o700); err != nil {
		return fmt.Errorf("make a folder for the bench: %w", err)
	}
	if err := os.Symlink(b.Models, filepath.Join(home, "data", "models")); err != nil {
		return fmt.Errorf("share the models: %w", err)
	}
	video, err := b.repeated(ctx, home)
	if err != nil {
		return err
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
		cmd := exec.CommandContext(ctx, b.Exe, c.args...)
		cmd.Env = append(os.Environ(), "VERISTREAM_HOME="+home)
		var out, errOut bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errOut
		start := time.Now()
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("run %s %v: %w: %s", b.Exe, c.args, err, errOut.String())
		}
		// What its own processes used, the model's server among them, counts as well.
		used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		fmt.Fprintf(w, "%-40s %7.2f s %8.2f s of the processor\n", c.title, time.Since(start).Seconds(), used.Seconds())
		if i < 2 {
			continue
		}
		var r audit.Result
		if err := json.Unmarshal(out.Bytes(), &r); err != nil {
			return fmt.Errorf("read the result: %w", err)
		}
		writeStages(w, &r)
	}
	return nil
}

// repeated gives the video, or one beside its facts that repeats it.
func (b AuditBench) repeated(ctx context.Context, dir string) (string, error) {
	if b.Minutes == 0 {
		return b.Video, nil
	}
	video := filepath.Join(dir, fmt.Sprintf("repeated-%d.mp4", b.Minutes))
	if err := ffmpeg(ctx, "-stream_loop", "-1", "-i", b.Video, "-t", fmt.Sprint(60*b.Minutes), "-c", "copy", video); err != nil {
		return "", err
	}
	facts := func(of string) string { return strings.TrimSuffix(of, filepath.Ext(of)) + ".facts.json" }
	data, err := os.ReadFile(facts(b.Video))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return video, nil
	case err != nil:
		return "", fmt.Errorf("read the facts: %w", err)
	}
	if err := os.WriteFile(facts(video), data, 0o600); err != nil {
		return "", fmt.Errorf("write the facts: %w", err)
	}
	return video, nil
}

// writeStages writes what each stage took, and what they took that come after
// the video has been read.
func writeStages(w io.Writer, r *audit.Result) {
	var after time.Duration
	for _, s := range r.Run.Stages {
		note := ""
		if s.Cached {
			note = "  from an earlier run"
		}
		took := time.Duration(s.MS) * time.Millisecond
		fmt.Fprintf(w, "    %-36s %7.2f s%s\n", s.Name, took.Seconds(), note)
		switch pipeline.Stage(s.Name) {
		case pipeline.StageScreening, pipeline.StageJudge, pipeline.StageTests, pipeline.StageVerify:
			after += took
		}
	}
	fmt.Fprintf(w, "    %-36s %7.2f s\n", "after speech and screen were read", after.Seconds())
	fmt.Fprintf(w, "    %.0f s of video, %d findings, %d calls, %d prompt tokens, %d MB at most\n",
		float64(r.Video.DurationMS)/1000, len(r.Findings), r.Run.LLM.Calls, r.Run.LLM.PromptTokens, r.Run.PeakRSSMB)
}
