package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veristream/app/cli"
)

// An alignment goes from the command line into the signed report of an audit,
// and only as it was made.
func TestAlignmentIntoTheReport(t *testing.T) {
	home(t)
	dir := t.TempDir()
	file := func(name, text string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	design := file("align-design.md", "# Design\n\n## Parts\n\n- Backup job: user data and system state are copied each night to another site and protected\n- Fountain: koi swim there quietly all summer long\n")
	book := file("align-book.md", "# Handbook\n\n## Backup\n\nBackups of user-level data are conducted every night and protected at another site.\n")
	base := file("align-base.csv", "Control ID,Title,Text,Risk Tier\nXX-1,Backup,Conduct backups of user-level data and protect the backups at another site,high\n"+
		"XX-2,Visitors,Escort visitors and keep a log of their visits,low\nXX-3,Doors,Doors of the premises are shut at night and inspected,low\n")
	trace := filepath.Join(dir, "trace.json")
	if code, _, errOut := call(t, "align", design, "--handbook", book, "--baseline", base, "--no-llm", "--fast", "--json="+trace); code != 0 {
		t.Fatalf("align: exit %d: %s", code, errOut)
	}
	var made struct {
		Schema    int                            `json:"schema"`
		Documents map[string][]map[string]string `json:"documents"`
		Links     []struct{ Element, Control, State string }
	}
	data, err := os.ReadFile(trace)
	if err == nil {
		err = json.Unmarshal(data, &made)
	}
	if err != nil || made.Schema != 1 || len(made.Documents["baseline"]) != 1 || made.Documents["design"][0]["sha256"] == "" || len(made.Links) == 0 || made.Links[0].Control != "XX-1" {
		t.Fatalf("%+v, %v", made, err)
	}
	if code, _, errOut := call(t, "audit", write(t, "aligned.txt", talk), "--no-llm"); code != 0 {
		t.Fatalf("audit: exit %d: %s", code, errOut)
	}
	pdf := filepath.Join(dir, "report.pdf")
	if code, _, errOut := call(t, "report", "latest", "--pdf", pdf, "--name", "Lena Brandt", "--alignment", trace); code != 0 {
		t.Fatalf("report: exit %d: %s", code, errOut)
	}
	if code, out, errOut := call(t, "verify", pdf); code != 0 || !strings.Contains(out, "alignment") {
		t.Errorf("verify: exit %d: %s%s", code, out, errOut)
	}
	forged := file("forged.json", strings.Replace(string(data), made.Links[0].State, map[bool]string{true: "missing", false: "covered"}[made.Links[0].State == "covered"], 1))
	code, _, errOut := call(t, "report", "latest", "--pdf", pdf, "--alignment", forged)
	if code != cli.ExitFailed || !strings.Contains(errOut, "not in this computer's record") {
		t.Errorf("a changed alignment: exit %d: %s", code, errOut)
	}
	if code, _, _ := call(t, "docs", "remove", "align-design", "align-book", "align-base"); code != 0 {
		t.Errorf("remove: exit %d", code)
	}
}

// What is not known is told with what is.
func TestUnknownFilters(t *testing.T) {
	home(t)
	for _, command := range []string{"search", "ask"} {
		for flag, says := range map[string]string{"--regulator": "Known are: FTC, SEC, FINRA", "--source": "Known are: ", "--type": "takes rule, definition"} {
			args := []string{command, "must a paid endorser say so", flag, "XYZ"}
			if command == "ask" {
				args = append(args, "--no-llm")
			}
			if code, out, errOut := call(t, args...); code != cli.ExitUsage || out != "" || !strings.Contains(errOut, says) || !strings.Contains(errOut, `"XYZ"`) {
				t.Errorf("%s %s: exit %d, %q, %q", command, flag, code, out, errOut)
			}
		}
	}
}
