package report_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"veristream/backend/report"
)

// keep writes a report where a person can look at it.
func keep(t *testing.T, name string, data []byte) string {
	t.Helper()
	dir := os.Getenv("REPORT_DIR")
	if dir == "" {
		dir = t.TempDir()
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// tool runs a program on a file and gives what it says.
func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		missing(t, name+" is not installed (Debian: poppler-utils, qpdf)")
	}
	out, err := exec.CommandContext(t.Context(), path, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}

// Other programs accept what is written, at any length and in both languages.
func TestOthersAccept(t *testing.T) {
	id := identity(t, "Lena Brandt", when)
	for _, tt := range []struct {
		n        int
		language string
	}{{0, "en"}, {1, "en"}, {1, "de"}, {30, "en"}, {30, "de"}, {500, "en"}, {500, "de"}} {
		t.Run(fmt.Sprintf("%d %s", tt.n, tt.language), func(t *testing.T) {
			in := sample(t, tt.n)
			in.Language = tt.language
			path := keep(t, fmt.Sprintf("report-%d-%s.pdf", tt.n, tt.language), signed(t, in, id))
			said := tool(t, "pdfsig", path)
			for _, want := range []string{"Signature is Valid", "Total document signed", "ETSI.CAdES.detached", "CN=Lena Brandt"} {
				if !strings.Contains(said, want) {
					t.Errorf("pdfsig does not say %q:\n%s", want, said)
				}
			}
			if said := tool(t, "qpdf", "--check", path); strings.Contains(said, "WARNING") {
				t.Errorf("qpdf: %s", said)
			}
			for _, line := range strings.Split(strings.TrimSpace(tool(t, "pdffonts", path)), "\n")[2:] {
				if !strings.Contains(line, "yes yes yes") {
					t.Errorf("a font is not embedded, cut and mapped: %s", line)
				}
			}
			if list := tool(t, "pdfdetach", "-list", path); !strings.Contains(list, "manifest.json") || !strings.Contains(list, "audit.json") {
				t.Errorf("attachments: %s", list)
			}
		})
	}
}

// What is written can be read: searched, copied, read aloud.
func TestTextOfPages(t *testing.T) {
	in := sample(t, 12)
	path := keep(t, "text.pdf", signed(t, in, identity(t, "Lena Brandt", when)))
	said := tool(t, "pdftotext", "-layout", path, "-")
	for _, want := range []string{
		"The boring half: why I moved to the Harbour note", "12 potential issues", "Draft", "FINRA 2210(d)(1)(B)",
		"这只基金保证每年百分之九的回报", "必ず儲かります", "원금이 보장됩니다", "größer, schöner, weiß", "🚀🚀", "[U+202E]", "[U+13080]",
		"By Lena Brandt, 25 Nov 2026", "no legal advice", strings.Repeat("8c1e07d2", 8), "What this report cannot tell",
		"The speaker is not an adviser registered with the SEC.", "guaranteed forever", "There is no text to check.",
	} {
		if want == "Draft" {
			if strings.Contains(said, "Draft, not signed") {
				t.Error("a signed report calls itself a draft")
			}
			continue
		}
		if !strings.Contains(said, want) {
			t.Errorf("the pages do not say %q", want)
		}
	}
	if strings.Contains(strings.ToLower(said), "compliant") {
		t.Error("the report gives a verdict")
	}
	for _, arabic := range []string{"مضمون", "הזאת"} {
		reversed := []rune(arabic)
		for i, j := 0, len(reversed)-1; i < j; i, j = i+1, j-1 {
			reversed[i], reversed[j] = reversed[j], reversed[i]
		}
		if !strings.Contains(said, arabic) && !strings.Contains(said, string(reversed)) {
			t.Errorf("the pages do not say %q", arabic)
		}
	}
}

// The same audit gives the same pages.
func TestSameBytes(t *testing.T) {
	a, err := report.Render(t.Context(), sample(t, 4), nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := report.Render(t.Context(), sample(t, 4), nil)
	if err != nil {
		t.Fatal(err)
	}
	if string(a) != string(b) {
		t.Error("two reports of one audit differ")
	}
}

// Sentences of two directions do not share a line: its order would be that of
// only one of them.
func TestContextOfTwoDirections(t *testing.T) {
	in := sample(t, 4) // the sentence after the third finding's is Arabic
	f := &in.Result.Findings[3]
	seg := in.Result.Segments[4]
	f.SegmentID, f.Source, f.StartMS, f.EndMS, f.Excerpt = seg.ID, seg.Source, seg.StartMS, seg.EndMS, "هذا الاستثمار مضمون"
	said := tool(t, "pdftotext", "-layout", keep(t, "directions.pdf", signed(t, in, identity(t, "Lena Brandt", when))), "-")
	seen := 0
	for _, line := range strings.Split(said, "\n") {
		// Poppler may write such a line as it is read or as it is seen.
		if !strings.Contains(line, "الاستثمار") && !strings.Contains(line, "رامثتسالا") {
			continue
		}
		seen++
		if strings.ContainsAny(line, "abcdefghijklmnopqrstuvwxyz") {
			t.Errorf("a line of two directions: %q", line)
		}
	}
	if seen < 2 {
		t.Errorf("the sentence stands on %d lines, not in its place and in the transcript", seen)
	}
	if strings.Count(said, "Das ist keine Anlageberatung") < 2 {
		t.Error("the sentence before the finding's is missing")
	}
}
