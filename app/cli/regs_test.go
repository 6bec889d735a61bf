package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veristream/app/cli"
)

const inventedGuide = `§ 255.99 Invented things.

(a) A firm must write letters.

(b) A firm must keep:

(1) the letters; and

(2) a copy of each.
`

// regsApp runs command lines one after the other in one home.
func regsApp(t *testing.T) func(want int, args ...string) (out, errOut string) {
	t.Helper()
	t.Setenv("VERISTREAM_HOME", t.TempDir())
	return func(want int, args ...string) (string, string) {
		t.Helper()
		app := cli.New("test")
		var stdout, stderr bytes.Buffer
		app.Out, app.Err = &stdout, &stderr
		if code := app.RunContext(t.Context(), append([]string{"regs"}, args...)); code != want {
			t.Fatalf("regs %v: exit %d, want %d\n%s\n%s", args, code, want, stdout.String(), stderr.String())
		}
		return stdout.String(), stderr.String()
	}
}

func wantAll(t *testing.T, text string, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%q is missing in:\n%s", w, text)
		}
	}
}

func TestRegsFromImportToRemoval(t *testing.T) {
	regs := regsApp(t)
	file := filepath.Join(t.TempDir(), "guide-2025-01-01.txt")
	if err := os.WriteFile(file, []byte(inventedGuide), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := regs(cli.ExitDone, "list")
	wantAll(t, out, "No official text is installed", "ftc-255", "finra-2220", "not checked against the text", "rules version")

	out, _ = regs(cli.ExitDone, "import", "--no-embed", file)
	wantAll(t, out, "installed", "1 sections, 5 paragraphs")

	out, _ = regs(cli.ExitDone, "show", "section", "255.99(b)(1) and (2)")
	wantAll(t, out, "(1) the letters; and", "(2) a copy of each.", "(b) A firm must keep:", "in force 2025-01-01")

	// Of a range what is there is shown, and what is not is told.
	out, errOut := regs(cli.ExitFailed, "show", "255.99(a)-(c)")
	wantAll(t, out, "(a) A firm must write letters.", "(b) A firm must keep:")
	wantAll(t, errOut, "has 16 CFR 255.99, but no 16 CFR 255.99(c)")

	out, _ = regs(cli.ExitDone, "show", "--json", "16 CFR 255.99(b)")
	var shown struct {
		Paragraphs []struct {
			Citation string
			Rule     struct{ Text string }
			Children []struct{ Citation string }
		}
	}
	if err := json.Unmarshal([]byte(out), &shown); err != nil || len(shown.Paragraphs) != 1 || len(shown.Paragraphs[0].Children) != 2 {
		t.Errorf("%v: %s", err, out)
	}

	out, _ = regs(cli.ExitDone, "list", "--json")
	var listed struct {
		Texts []struct{ ID string }
		Cards []struct{ ID string }
	}
	if err := json.Unmarshal([]byte(out), &listed); err != nil || len(listed.Texts) != 1 || len(listed.Cards) < 5 {
		t.Fatalf("%v: %s", err, out)
	}
	regs(cli.ExitDone, "remove", listed.Texts[0].ID)
	_, errOut = regs(cli.ExitUsage, "remove", listed.Texts[0].ID)
	wantAll(t, errOut, "No text")
	_, errOut = regs(cli.ExitFailed, "show", "16 CFR 255.99(b)")
	wantAll(t, errOut, "No text that has 16 CFR 255.99(b) is installed")
}

func TestRegsShowsACardWithoutText(t *testing.T) {
	regs := regsApp(t)
	out, _ := regs(cli.ExitDone, "show", "Rule 2210(d)(1)(B)")
	wantAll(t, out, "FINRA 2210(d)(1)(B)", "card:", "can bind: finra_member", "triggered by", "satisfied by",
		"in force from", "related: ", "No text that has FINRA 2210(d)(1)(B) is installed")
	out, _ = regs(cli.ExitDone, "show", "FINRA 2220(d)(2)(A)(i)")
	wantAll(t, out, "only with: options", "not checked against the official text", "note: Written from an outline")
	out, _ = regs(cli.ExitDone, "show", "FTC 255.5, Example 11")
	wantAll(t, out, "16 CFR 255.5(b)(11)", "a finding cites: 16 CFR 255.5(a)", "inconsistent with")
}

func TestRegsVerifyFindsAWrongText(t *testing.T) {
	regs := regsApp(t)
	out, _ := regs(cli.ExitDone, "verify")
	wantAll(t, out, "no official text is installed")
	file := filepath.Join(t.TempDir(), "rule-2026-01-01.txt")
	if err := os.WriteFile(file, []byte("2010. Standards of Commercial Honor and Principles of Trade\n\n(a) Quite other words.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	regs(cli.ExitDone, "import", "--no-embed", file)
	out, _ = regs(cli.ExitFailed, "verify")
	wantAll(t, out, "FINRA 2010", "paragraphs without a card")
}

func TestRegsWrongUse(t *testing.T) {
	regs := regsApp(t)
	for _, args := range [][]string{
		{"show", "not a citation"},
		{"show"},
		{"import"},
		{"pull", "no-such-source"},
		{"pull", "--title", "31"},
		{"import", "x.txt", "--as-of", "yesterday"},
		{"verify", "--as-of", "2026-13-01"},
	} {
		regs(cli.ExitUsage, args...)
	}
	_, errOut := regs(cli.ExitFailed, "import", filepath.Join(t.TempDir(), "none.xml"))
	wantAll(t, errOut, "cannot be opened")
}

func TestRegsReadsHouseRules(t *testing.T) {
	regs := regsApp(t)
	dir := filepath.Join(os.Getenv("VERISTREAM_HOME"), "config", "rules")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	card, err := os.ReadFile("../../backend/regs/testdata/cards/acme.yaml")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "acme.yaml")
	if err := os.WriteFile(file, card, 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := regs(cli.ExitDone, "list")
	wantAll(t, out, "acme-social", "house rules")
	out, _ = regs(cli.ExitDone, "show", "Acme Policy 3.1")
	wantAll(t, out, "No talk of a client's account")
	if err := os.WriteFile(file, bytes.Replace(card, []byte("kind: rule"), []byte("kind: law"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	_, errOut := regs(cli.ExitFailed, "list")
	wantAll(t, errOut, "acme.yaml:16: kind is \"law\"")
}
