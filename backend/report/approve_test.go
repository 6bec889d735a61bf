package report_test

import (
	"testing"
	"time"

	"veristream/backend/audit"
	"veristream/backend/report"
)

func TestApproval(t *testing.T) {
	id, approver := identity(t, "Lena Brandt", when), identity(t, "Omar Diaz", when)
	data := signed(t, sample(t, 2), id)
	trust := report.Trust{Now: when.Add(time.Hour)}
	if _, err := report.Approve(data, id, trust, nil); audit.CodeOf(err) != audit.CodeUsage {
		t.Errorf("the preparer approves: %v", err)
	}
	if _, err := report.Approve(flip(data, 3000), approver, trust, nil); audit.CodeOf(err) != audit.CodeInput {
		t.Errorf("a changed report is approved: %v", err)
	}
	object, err := report.Approve(data, approver, trust, nil)
	if err != nil {
		t.Fatal(err)
	}
	v := report.Verify(data, trust)
	v.Approval(data, object)
	if v.Failed() || v.Approver == nil || v.Approver.Name != "Omar Diaz" {
		t.Errorf("%+v", v.Problems())
	}
	other := signed(t, sample(t, 1), id)
	v = report.Verify(other, trust)
	v.Approval(other, object)
	if p := v.Problems(); !v.Failed() || len(p) != 1 || p[0].Name != "approval" {
		t.Errorf("another report's approval: %+v", p)
	}
}
