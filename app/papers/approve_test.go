package papers_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"veristream/app/papers"
	"veristream/backend/audit"
	"veristream/backend/report"
)

// A second person at the same computer has an identity of their own, under a
// passphrase that the first does not know.
func TestApproveAsASecondPerson(t *testing.T) {
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
	made, err := m.Make(t.Context(), in, o, papers.Signing{})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.pdf")
	if err := m.Write(t.Context(), in, made, papers.FormatPDF, path); err != nil {
		t.Fatal(err)
	}
	if err := m.Approve(t.Context(), path, made.Identity); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("the preparer approves: %v", err)
	}
	second := papers.Options{Name: "Jonas Weil"}
	if _, err := m.Approver(t.Context(), second, "short"); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("a short passphrase: %v", err)
	}
	if m.HasApprover() {
		t.Error("there is a second person already")
	}
	approver, err := m.Approver(t.Context(), second, "long enough")
	if err != nil || !m.HasApprover() {
		t.Fatal(err)
	}
	if _, err := m.Approver(t.Context(), second, "not the same"); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("another passphrase: %v", err)
	}
	again, err := m.Approver(t.Context(), second, "long enough")
	if err != nil || !again.Certificate.Equal(approver.Certificate) {
		t.Errorf("the identity is not kept: %v", err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Approve(t.Context(), path, approver); err != nil {
		t.Fatal(err)
	}
	v, err := m.Check(path, report.Trust{Now: time.Now()})
	if err != nil || v.Failed() || v.Signer.Name != "Lena Brandt" || v.Approver == nil || v.Approver.Name != "Jonas Weil" {
		t.Errorf("%+v, %v", v, err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the report itself was changed: %v", err)
	}
	events, err := m.Store.Events(t.Context(), 0, 0)
	if err != nil || events[len(events)-1].Kind != audit.EventApproved || events[len(events)-1].Subject != id {
		t.Errorf("the record ends with %+v, %v", events[len(events)-1], err)
	}
}
