package papers_test

import (
	"archive/zip"
	"bytes"
	"crypto/x509"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"veristream/app/dirs"
	"veristream/app/papers"
	"veristream/backend/agent"
	"veristream/backend/audit"
	"veristream/backend/report"
	"veristream/backend/store"
)

// kept makes a database with one audit of a real clip, decided in part.
func kept(t *testing.T) (*papers.Maker, string) {
	t.Helper()
	t.Setenv("VERISTREAM_HOME", t.TempDir())
	d := dirs.Find()
	if err := d.Make(); err != nil {
		t.Fatal(err)
	}
	clip := filepath.Join(t.TempDir(), "a clip.mp4")
	cmd := exec.CommandContext(t.Context(), "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=320x180:rate=10:duration=3", "-pix_fmt", "yuv420p", clip)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("ffmpeg: %v\n%s", err, out)
	}
	sum, err := papers.FileSHA256(clip)
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(t.Context(), d.Database())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	v := audit.Video{Path: clip, SHA256: sum, DurationMS: 3000, HasVideo: true}
	if err := st.SaveVideo(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	rec, err := st.CreateAudit(t.Context(), store.Audit{Path: clip, Title: "a clip", VideoSHA256: sum, Facts: audit.Facts{}.WithDefaults(), State: store.StateRunning})
	if err != nil {
		t.Fatal(err)
	}
	r := &audit.Result{
		Schema: 1, ID: rec.ID, Video: v, AsOf: "2026-11-24",
		Segments: []audit.Segment{{ID: "s1", Source: audit.Screen, StartMS: 1000, EndMS: 2000, Text: "=9% guaranteed", Box: &audit.Box{X: 0.1, Y: 0.8, Width: 0.5, Height: 0.1}}},
		Findings: []audit.Finding{{ID: "f1", Category: "promissory", Source: audit.Screen, SegmentID: "s1", StartMS: 1000, EndMS: 2000, Excerpt: "=9% guaranteed", Severity: audit.High, Status: audit.Confirmed}},
		Run:      audit.Run{Version: "test", StartedAt: time.Now()},
	}
	if err := st.SaveResult(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if err := st.SaveDecision(t.Context(), rec.ID, audit.Decision{FindingID: "f1", Action: "accept", By: "Lena"}); err != nil {
		t.Fatal(err)
	}
	return &papers.Maker{Store: st, Dirs: d, Version: "test", Now: time.Now}, rec.ID
}

func TestFromTheDatabaseToACheckedReport(t *testing.T) {
	m, id := kept(t)
	found, err := m.Find(t.Context(), "latest")
	if err != nil || found != id {
		t.Fatalf("latest is %q, %v", found, err)
	}
	if _, err := m.Find(t.Context(), "no such"); audit.CodeOf(err) != audit.CodeInput {
		t.Errorf("an audit that is not there: %v", err)
	}
	r, err := m.Store.Result(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	o := papers.Options{Name: "Lena Brandt", Firm: "Calder Reach"}
	in, err := m.Gather(t.Context(), r, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(in.Frames) != 1 || len(in.Decisions) != 1 || in.Record.Events < 2 || len(in.Titles) < 10 || in.Program.SHA256 == "" {
		t.Errorf("%d frames, %d decisions, %d events", len(in.Frames), len(in.Decisions), in.Record.Events)
	}
	if in.Stored == nil || len(in.Prompts) > 0 {
		t.Error("the audit is not taken as it was stored, or has prompts that it did not use")
	}
	first, err := m.Make(t.Context(), in, o, papers.Signing{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := m.Make(t.Context(), in, o, papers.Signing{})
	if err != nil {
		t.Fatal(err)
	}
	if !first.New || again.New || !first.Identity.Certificate.Equal(again.Identity.Certificate) {
		t.Error("the identity is not made once and kept")
	}
	v := report.Verify(first.PDF, report.Trust{Pinned: []*x509.Certificate{first.Identity.Certificate}, Now: time.Now(), VideoSHA256: r.Video.SHA256})
	if v.Verdict != report.Vouched || v.Manifest.Record.Events != in.Record.Events {
		t.Errorf("%s: %+v", v.Verdict, v.Problems())
	}
	if err := m.Store.VerifyEvents(t.Context()); err != nil {
		t.Error(err)
	}
}

// What leaves is in the record: what it was, and whether it was signed.
func TestWrite(t *testing.T) {
	m, id := kept(t)
	r, err := m.Store.Result(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	o := papers.Options{Name: "Lena Brandt"}
	in, err := m.Gather(t.Context(), r, o)
	if err != nil {
		t.Fatal(err)
	}
	isSigned := func(want bool, when string) {
		t.Helper()
		list, err := m.Store.SignedAudits(t.Context())
		if err != nil || list[id] != want {
			t.Errorf("%s: signed is %v, %v", when, list[id], err)
		}
	}
	signed, err := m.Make(t.Context(), in, o, papers.Signing{})
	if err != nil {
		t.Fatal(err)
	}
	isSigned(false, "before anything was written")
	dir := t.TempDir()
	for _, w := range []struct{ format, name string }{{"csv", "a.csv"}, {papers.FormatPDF, "a.pdf"}, {papers.FormatZIP, "a.zip"}} {
		if err := m.Write(t.Context(), in, signed, w.format, filepath.Join(dir, w.name)); err != nil {
			t.Fatal(err)
		}
		isSigned(w.format != "csv", "after "+w.name)
	}
	if err := m.Store.SaveDecision(t.Context(), id, audit.Decision{FindingID: "f1", Action: "reopen", By: "Lena"}); err != nil {
		t.Fatal(err)
	}
	isSigned(false, "after a new decision")
	events, err := m.Store.Events(t.Context(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, e := range events {
		kinds = append(kinds, e.Kind)
	}
	want := "audit begun, audit done, decision, identity made, exported, signed, signed, exported, decision"
	if got := strings.Join(kinds, ", "); got != want {
		t.Errorf("the record has %s, want %s", got, want)
	}
	if err := m.Write(t.Context(), in, signed, papers.FormatPDF, filepath.Join(dir, "no", "a.pdf")); audit.CodeOf(err) != audit.CodeStorage {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// Prompts are attached where they are those of the audit, and only then.
func TestPrompts(t *testing.T) {
	m, id := kept(t)
	m.Prompts = os.DirFS("../../backend/agent/prompts")
	used, err := agent.Prompts()
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Store.Result(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	r.Run.Prompts = maps.Clone(used)
	r.Run.Prompts["judge-of-old.txt"] = strings.Repeat("ab", 32)
	for name := range used {
		r.Run.Prompts[name] = strings.Repeat("cd", 32) // as if it had been another text
		break
	}
	in, err := m.Gather(t.Context(), r, papers.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(used) < 2 || len(in.Prompts) != len(used)-1 {
		t.Errorf("%d of %d prompts are attached", len(in.Prompts), len(used))
	}
	for name, text := range in.Prompts {
		if r.Run.Prompts[name] != used[name] || text == "" {
			t.Errorf("%s is attached and was not used", name)
		}
	}
}

func TestEveryForm(t *testing.T) {
	m, id := kept(t)
	r, err := m.Store.Result(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	in, err := m.Gather(t.Context(), r, papers.Options{Language: "de"})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range report.Formats() {
		data, err := report.Export(in, f.ID)
		if err != nil {
			t.Fatalf("%s: %v", f.ID, err)
		}
		switch f.ID {
		case "xlsx", "docx":
			if _, err := zip.NewReader(bytes.NewReader(data), int64(len(data))); err != nil {
				t.Errorf("%s: %v", f.ID, err)
			}
		case "json":
			var back audit.Result
			if err := json.Unmarshal(data, &back); err != nil || back.ID != id {
				t.Errorf("json: %v", err)
			}
		case "csv":
			if !strings.Contains(string(data), "'=9% guaranteed") {
				t.Error("csv: words of a video can become a formula")
			}
		default:
			if !strings.Contains(string(data), "9% guaranteed") {
				t.Errorf("%s: the words are missing", f.ID)
			}
		}
	}
	draft, err := m.Make(t.Context(), in, papers.Options{}, papers.Signing{Draft: true})
	if err != nil {
		t.Fatal(err)
	}
	packed, err := report.Evidence(in, draft.PDF)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, f := range z.File {
		names[f.Name] = true
	}
	for _, want := range []string{"report.pdf", "report.docx", "attached/audit.json", "attached/manifest.json", "attached/frame-000001500.jpg", "SHA256SUMS"} {
		if !names[want] {
			t.Errorf("the evidence has no %s: %v", want, names)
		}
	}
}
