package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"veristream/app/cli"
	"veristream/backend/audit"
	"veristream/backend/store"
)

// A transcript is audited, decided on, edited in four ways and audited again:
// one claim is cut out, one is reworded, one is written down otherwise at another
// time and in other segments, and one comes in. Then once more, unchanged.
func TestAuditAgainAfterEdits(t *testing.T) {
	home(t)
	ctx, dir := t.Context(), t.TempDir()
	in, facts := filepath.Join(dir, "talk.txt"), write(t, "f.json", `{"speaker":"finra_member","sponsor":"finra_member","audience":"retail"}`)
	audited := func(text string, more ...string) (*audit.Result, string) {
		t.Helper()
		if err := os.WriteFile(in, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, "out.json")
		code, said, errOut := veristream(ctx, append([]string{"audit", in, "--facts", facts, "--json", out, "--no-llm", "--quiet"}, more...)...)
		if code != cli.ExitDone {
			t.Fatalf("exit %d: %s", code, errOut)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		var r audit.Result
		if err := json.Unmarshal(data, &r); err != nil {
			t.Fatal(err)
		}
		return &r, said
	}
	about := func(r *audit.Result, words string) audit.Finding {
		t.Helper()
		i := slices.IndexFunc(r.Findings, func(f audit.Finding) bool {
			return strings.Contains(f.Excerpt, words) && f.Citation == "FINRA 2210(d)(1)(B)"
		})
		if i < 0 {
			t.Fatalf("no finding about %q in %+v", words, r.Findings)
		}
		return r.Findings[i]
	}

	first, said := audited(`[00:01] Welcome to the channel.
[00:04] You simply cannot lose with this note.
[00:09] This fund is guaranteed to double your money.
[00:14] Your profit is guaranteed, whatever the market does.
[00:20] See you soon.
`)
	if first.Since != nil || strings.Contains(said, "Since the audit") {
		t.Fatalf("the first audit has nothing before it: %+v", first.Since)
	}
	stay, reworded, cut := about(first, "cannot lose"), about(first, "guaranteed to double"), about(first, "profit is guaranteed")
	s, err := store.Open(ctx, cli.New("test").Dirs.Database())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, f := range []audit.Finding{stay, reworded, cut} {
		if err := s.SaveDecision(ctx, first.ID, audit.Decision{FindingID: f.ID, Action: "dismiss", Reason: "Quoted from a film.", By: "K. Tran"}); err != nil {
			t.Fatal(err)
		}
	}

	second, said := audited(`[00:01] Hello, and welcome back to the channel.
[00:08] Um, you simply can't lose
[00:11] with this note. You cannot go broke with it.
[00:15] This fund is guaranteed to triple your money.
[00:26] See you soon.
`)
	since := second.Since
	if since == nil || since.AuditID != first.ID || since.Found != audit.SincePath {
		t.Fatalf("compared with %+v", since)
	}
	carried := func(words string) *audit.CarriedFinding {
		for i, c := range since.Carried {
			if slices.ContainsFunc(second.Findings, func(f audit.Finding) bool { return f.ID == c.FindingID && strings.Contains(f.Excerpt, words) }) {
				return &since.Carried[i]
			}
		}
		return nil
	}
	if c := carried("lose"); c == nil || !c.Taken || c.Was[0].FindingID != stay.ID || c.Was[0].By != "K. Tran" {
		t.Errorf("the claim that stayed: %+v in %+v", c, since)
	}
	changed := about(second, "triple")
	i := slices.IndexFunc(since.New, func(n audit.NewFinding) bool { return n.FindingID == changed.ID })
	if i < 0 || since.New[i].Was == nil || since.New[i].Was.FindingID != reworded.ID {
		t.Errorf("the claim that was reworded: %+v", since.New)
	}
	if !slices.ContainsFunc(since.Resolved, func(e audit.EarlierFinding) bool { return e.FindingID == cut.ID }) {
		t.Errorf("the claim that was cut: %+v", since.Resolved)
	}
	for _, want := range []string{"Since the audit of ", "1 dismissed before", "Carried: dismissed by K. Tran", "“Quoted from a film”", "Changed since: it was “This fund is guaranteed to double your money.”", "Resolved since"} {
		if !strings.Contains(said, want) {
			t.Errorf("the terminal does not say %q:\n%s", want, said)
		}
	}
	decisions, err := s.Decisions(ctx, second.ID)
	if err != nil || len(decisions) != 1 || decisions[0].Carried == nil || decisions[0].Carried.From != first.ID || decisions[0].By != "K. Tran" {
		t.Errorf("decisions %+v, %v", decisions, err)
	}

	// Every finding is told of once.
	told := map[string]int{}
	for _, n := range since.New {
		told[n.FindingID]++
	}
	for _, c := range since.Carried {
		told[c.FindingID]++
	}
	for _, f := range second.Findings {
		if told[f.ID] != 1 {
			t.Errorf("%s %q is told of %d times", f.ID, f.Excerpt, told[f.ID])
		}
	}

	// Opened again, it stays open in the next audit; the record names both.
	if err := s.SaveDecision(ctx, second.ID, audit.Decision{FindingID: decisions[0].FindingID, Action: "reopen", By: "L. Brandt"}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(in)
	if err != nil {
		t.Fatal(err)
	}
	third, _ := audited(string(text))
	if third.Since == nil || third.Since.AuditID != second.ID || len(third.Since.New)+len(third.Since.Resolved) > 0 {
		t.Errorf("an unchanged transcript: %+v", third.Since)
	}
	if got, err := s.Decisions(ctx, third.ID); err != nil || len(got) != 0 {
		t.Errorf("what was opened again carries %+v, %v", got, err)
	}
	// By choice it is compared with the first, whose dismissal stands.
	if fourth, _ := audited(string(text), "--since", first.ID); fourth.Since == nil || fourth.Since.Found != audit.SinceChosen || fourth.Since.AuditID != first.ID {
		t.Errorf("by choice: %+v", fourth.Since)
	}
	if fifth, _ := audited(string(text), "--since", "none"); fifth.Since != nil {
		t.Errorf("by choice with none: %+v", fifth.Since)
	}
	if code, _, errOut := veristream(ctx, "audit", in, "--no-llm", "--since", "nothing"); code != cli.ExitFailed || !strings.Contains(errOut, `"nothing"`) {
		t.Errorf("exit %d: %s", code, errOut)
	}
	if err := s.VerifyEvents(ctx); err != nil {
		t.Error(err)
	}
}
