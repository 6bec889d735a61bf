package app_test

import (
	"testing"

	"veristream/app"
	"veristream/backend/audit"
)

// A person may choose the audit with which another one is compared.
func TestCompare(t *testing.T) {
	b := set(t, t.TempDir(), nil)
	first, second := b.run(t), b.run(t)
	r, err := b.Reviews.Compare(second.AuditID, first.AuditID)
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Result.Since; s == nil || s.AuditID != first.AuditID || len(s.Carried) != len(r.Result.Findings) || s.Found != audit.SinceChosen {
		t.Errorf("compared: %+v", r.Result.Since)
	}
	b.told(t, app.EventLibrary)
	if _, err := b.Reviews.Compare(second.AuditID, "none"); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("compared with what is not there: %v", err)
	}
}
