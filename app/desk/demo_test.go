package desk_test

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"veristream/app/apptest"
	"veristream/app/dirs"
	"veristream/backend/audit"
	"veristream/backend/store"
)

// TestDemo goes the way of somebody who has just installed the program, in the
// real window and with the real machinery: the demo from the set-up page, a
// finding, accepted and dismissed, an export; and after a new start all of it
// is there.
func TestDemo(t *testing.T) {
	apptest.NeedWindow(t)
	home := t.TempDir()
	t.Setenv("VERISTREAM_HOME", home)
	d := dirs.Find()
	s := apptest.StartScreen(t)
	stop := s.Start(t, asWindow+"=1")
	s.WaitTitle(t, "Set up")
	time.Sleep(2 * time.Second) // the checks come in
	s.Shot(t, "demo-1-set-up")
	// The foot of the page: the demo, later, download.
	for range 3 {
		s.Key(t, "shift+Tab")
	}
	s.Key(t, "Return")
	s.WaitTitle(t, "Demo")
	var a store.Audit
	s.Until(t, "the demo is audited", func() bool {
		list := audits(t, d)
		if len(list) == 1 && list[0].State == store.StateDone {
			a = list[0]
		}
		return a.ID != ""
	})
	findings := result(t, d, a.ID).Findings
	if len(findings) < 2 {
		t.Fatalf("the demo has %d findings", len(findings))
	}

	// Return opens the review; ] and [ go through the findings, and each seeks.
	s.Until(t, "the player stands at a finding", func() bool {
		s.Key(t, "Return")
		time.Sleep(time.Second)
		s.Key(t, "bracketright")
		time.Sleep(time.Second)
		at, ok := position(d, a.ID)
		return ok && slices.ContainsFunc(findings, func(f audit.Finding) bool { return math.Abs(float64(at-f.StartMS)) <= 300 })
	})
	s.Shot(t, "demo-2-review")
	has := func(action string) func() bool {
		return func() bool {
			return slices.ContainsFunc(decisions(t, d, a.ID), func(x audit.Decision) bool { return x.Action == action })
		}
	}
	s.Until(t, "a finding is accepted", func() bool {
		s.Key(t, "a")
		time.Sleep(time.Second)
		return has("accept")()
	})
	s.Key(t, "d") // asks for the reason; the first stands there already
	time.Sleep(time.Second)
	s.Shot(t, "demo-3-reason")
	s.Key(t, "Return")
	s.Until(t, "a finding is dismissed", has("dismiss"))
	for _, x := range decisions(t, d, a.ID) {
		if x.Action == "dismiss" && x.Reason == "" {
			t.Error("it was dismissed without a reason")
		}
	}

	report := filepath.Join(home, "from the window.pdf")
	s.Key(t, "ctrl+e")
	time.Sleep(time.Second)
	s.Key(t, "Return") // the first format: the signed report
	s.WaitTitle(t, "Export")
	s.PointAt(t, "Export")
	time.Sleep(time.Second)
	s.Key(t, "ctrl+a")
	s.Type(t, report)
	s.Shot(t, "demo-4-export")
	s.Key(t, "Return")
	s.Until(t, "the report is on the disk", func() bool {
		data, err := os.ReadFile(report)
		return err == nil && bytes.HasPrefix(data, []byte("%PDF-")) && bytes.Contains(data[max(0, len(data)-1024):], []byte("%%EOF"))
	})
	at, _ := position(d, a.ID)
	before := decisions(t, d, a.ID)
	stop()

	s.Start(t, asWindow+"=1")
	s.WaitTitle(t, "Library") // no set-up page for somebody who has worked here
	time.Sleep(2 * time.Second)
	s.Shot(t, "demo-5-library")
	for range 60 {
		s.Click(t, 600, 235) // below the queue, which still shows the demo
		time.Sleep(time.Second)
		if s.HasTitle(t, "Demo") {
			break
		}
	}
	s.WaitTitle(t, "Demo")
	time.Sleep(2 * time.Second)
	s.Shot(t, "demo-6-again")
	if again, ok := position(d, a.ID); !ok || again != at {
		t.Errorf("started again, the playhead stands at %d ms and was left at %d", again, at)
	}
	if after := decisions(t, d, a.ID); len(after) != len(before) {
		t.Errorf("there were %d decisions and there are %d", len(before), len(after))
	}
}

func audits(t *testing.T, d dirs.Dirs) []store.Audit {
	t.Helper()
	st := openStore(t, d)
	defer st.Close()
	list, err := st.ListAudits(t.Context(), store.AuditFilter{})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func result(t *testing.T, d dirs.Dirs, id string) *audit.Result {
	t.Helper()
	st := openStore(t, d)
	defer st.Close()
	r, err := st.Result(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
