package report_test

import (
	"os"
	"path/filepath"
	"testing"

	"veristream/backend/report"
	"veristream/backend/report/sign"
)

func TestRender(t *testing.T) {
	for _, n := range []int{0, 1, 30} {
		out, err := report.Render(t.Context(), sample(t, n), nil)
		if err != nil {
			t.Fatal(err)
		}
		if dir := os.Getenv("REPORT_DIR"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, "sample-"+string(rune('a'+n%26))+".pdf"), out, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestSign(t *testing.T) {
	id, err := sign.New("Lena Brandt", "Calder Reach Securities", when)
	if err != nil {
		t.Fatal(err)
	}
	out, err := report.Sign(t.Context(), sample(t, 3), id, nil)
	if err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("REPORT_DIR"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, "signed.pdf"), out, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
