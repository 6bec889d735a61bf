package desk_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veristream/app"
	"veristream/app/apptest"
	"veristream/app/desk"
	"veristream/app/dirs"
)

// From the window: a report is exported, checked, and approved by a second
// person.
func TestApproveFromTheWindow(t *testing.T) {
	apptest.Need(t, "ffmpeg")
	home := t.TempDir()
	t.Setenv("VERISTREAM_HOME", home)
	d := dirs.Find()
	id, _ := library(t, d, filepath.Join(home, "a film.mp4"))
	parts, end := desk.Open(t.Context(), d)
	t.Cleanup(func() { end() })

	pdf := filepath.Join(home, "report.pdf")
	if err := parts.Exporter.Export(t.Context(), id, "pdf", pdf); err != nil {
		t.Fatal(err)
	}
	r, err := parts.Approver.CheckReport(t.Context(), pdf)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != "vouched" || !r.Whole || r.Audit != id || r.Approved != nil || r.Second || len(r.Checks) < 5 || r.Own.Certificate != r.Signer.Certificate {
		t.Errorf("%+v", r)
	}
	if err := parts.Approver.Approve(t.Context(), pdf, app.Approval{With: app.WithOwn}); err == nil {
		t.Error("who prepared it approved it")
	}
	if err := parts.Approver.Approve(t.Context(), pdf, app.Approval{With: app.WithSecond, Name: "Jonas Weil", Passphrase: "long enough"}); err != nil {
		t.Fatal(err)
	}
	if r, err = parts.Approver.CheckReport(t.Context(), pdf); err != nil || r.Approved == nil || r.Approved.Name != "Jonas Weil" || !r.Second || !r.Whole {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err = parts.Approver.CheckReport(t.Context(), filepath.Join(home, "a film.mp4")); err != nil || r.Verdict != "not_ours" || r.Whole {
		t.Errorf("a film: %+v, %v", r, err)
	}
}

// deaf is a window that is not there.
type deaf struct{ app.Shell }

func (deaf) Emit(string, any) {}

// In the German window the program's own words are German.
func TestGermanWindow(t *testing.T) {
	apptest.Need(t, "ffmpeg")
	home := t.TempDir()
	t.Setenv("VERISTREAM_HOME", home)
	d := dirs.Find()
	id, _ := library(t, d, filepath.Join(home, "a film.mp4"))
	parts, end := desk.Open(t.Context(), d)
	t.Cleanup(func() { end() })
	w := app.New(parts, app.Options{Dir: filepath.Join(d.Data, "window"), Shell: deaf{}})
	t.Cleanup(w.Close)
	for language, want := range map[string]string{"en": "Undisclosed material connection", "de": "Nicht offengelegte Verbindung"} {
		file := filepath.Join(d.Data, "window", "settings.json")
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(`{"language":"`+language+`"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		titles, err := w.Library.Categories()
		if err != nil || titles["ftc_undisclosed_connection"] != want {
			t.Errorf("%s: %q, %v", language, titles["ftc_undisclosed_connection"], err)
		}
		r, err := w.Reviews.Open(id)
		if err != nil || len(r.Result.Findings) == 0 {
			t.Fatal(err)
		}
		// It was written by no program that there ever was: it has no German.
		why := r.Result.Findings[0].Rationale
		if got := strings.HasPrefix(why, "Originaltext, englisch"); why == "" || got != (language == "de") {
			t.Errorf("%s: %q", language, why)
		}
		if parts := r.Foreign[why]; len(parts) == 3 != (language == "de") || len(parts) == 3 && parts[1].Language != "en" {
			t.Errorf("%s: its parts are %q", language, parts)
		}
	}
}
