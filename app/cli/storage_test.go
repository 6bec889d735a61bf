package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"veristream/app/cli"
	"veristream/app/dirs"
)

func TestStorageCommand(t *testing.T) {
	t.Setenv("VERISTREAM_HOME", t.TempDir())
	d := dirs.Find()
	for _, path := range []string{filepath.Join(d.Work("aa"), "sound-0.wav"), filepath.Join(d.Fetched("k"), "video.mp4")} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, make([]byte, 1000), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	report := func(args ...string) (out struct {
		Cache int64 `json:"cache_bytes"`
		Quota int64 `json:"quota_bytes"`
		Freed int64 `json:"freed_bytes"`
		Kinds []struct {
			Kind  string `json:"kind"`
			Bytes int64  `json:"bytes"`
		} `json:"kinds"`
	},
	) {
		t.Helper()
		code, text, errOut := veristream(t.Context(), append([]string{"storage", "--json"}, args...)...)
		if code != cli.ExitDone {
			t.Fatalf("exit %d: %s", code, errOut)
		}
		if err := json.Unmarshal([]byte(text), &out); err != nil {
			t.Fatal(err)
		}
		return out
	}
	if r := report(); r.Cache != 2000 || len(r.Kinds) != 7 {
		t.Errorf("%+v", r)
	}
	if r := report("clean", "sound"); r.Cache != 1000 || r.Freed != 1000 {
		t.Errorf("%+v", r)
	}
	if r := report("quota", "0.5 kB"); r.Cache != 0 || r.Quota != 500 || r.Freed != 1000 {
		t.Errorf("%+v", r)
	}
	for _, args := range [][]string{{"clean", "models"}, {"quota", "much"}, {"quota", "-1"}} {
		if code, _, _ := veristream(t.Context(), append([]string{"storage"}, args...)...); code != cli.ExitUsage {
			t.Errorf("%v: exit %d", args, code)
		}
	}
}
