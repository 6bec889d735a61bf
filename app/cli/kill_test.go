package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"veristream/app/cli"
	"veristream/app/core"
	"veristream/app/dirs"
	"veristream/backend/store"
	"veristream/eval"
)

// Killed at any time, the next start goes on from what was done, ends with what
// an undisturbed run finds, and no record stays open.
func TestKilledAtAnyTime(t *testing.T) {
	speechModel(t)
	models := cli.New("test").Dirs.Models()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	video := ""
	missing(t, "espeak-ng or ffmpeg", func() error {
		video, err = eval.SpokenVideo(t.Context(), dir)
		return err
	})
	bench := eval.KillBench{Exe: exe, Env: []string{"VERISTREAM_TEST_CLI=1"}, Models: models, Video: video, Dir: dir, Kills: 6, Seed: 1}
	killed, err := eval.KillAtRandom(t.Context(), bench)
	if err != nil {
		t.Fatal(err)
	}
	if len(killed.Undisturbed.Findings) == 0 || len(killed.Undisturbed.Segments) < 2 {
		t.Fatalf("the undisturbed run found too little: %+v", killed.Undisturbed)
	}
	if len(killed.Different) > 0 {
		t.Errorf("%s\nundisturbed: %+v", strings.Join(killed.Different, "\n"), killed.Undisturbed)
	}
	for i := range 4 { // an interrupt is a cancel: its own exit code, and soon
		home, err := bench.NewHome()
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		cmd, err := bench.Start(t.Context(), home, filepath.Join(home, "none.json"), &text)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(killed.Last * time.Duration(i+1) / 6)
		asked := time.Now()
		_ = cmd.Process.Signal(os.Interrupt)
		err = cmd.Wait()
		if took := time.Since(asked); took > 10*time.Second { // 3 s on a machine that does nothing else
			t.Errorf("interrupted after %d/6: took %v", i+1, took)
		}
		if err != nil && cmd.ProcessState.ExitCode() != cli.ExitCancelled {
			t.Errorf("interrupted after %d/6: %v\n%s", i+1, err, text.String())
		}
	}
	t.Setenv("VERISTREAM_HOME", killed.Home)
	c, err := core.Open(t.Context(), core.Options{Dirs: dirs.Find(), NoLLM: true})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	open, err := c.Store.ListAudits(t.Context(), store.AuditFilter{State: store.StateRunning})
	if err != nil || len(open) != 0 {
		t.Errorf("records that stay open: %+v, %v", open, err)
	}
	ended, err := c.Store.ListAudits(t.Context(), store.AuditFilter{State: store.StateFailed})
	if err != nil || len(ended) == 0 || ended[0].Error != core.Interrupted {
		t.Errorf("records of killed runs: %+v, %v", ended, err)
	}
}
