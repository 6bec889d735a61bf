package audit_test

import (
	"testing"

	"veristream/backend/audit"
)

func TestParseCitation(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"16 CFR 255.5(a)", "16 CFR 255.5(a)"},
		{"section 255.5", "16 CFR 255.5"},
		{"16 CFR 255", "16 CFR 255"},
		{"16 CFR 255.2(b) Example 4", "16 CFR 255.2(b) Example 4"},
		{"17 CFR 275.206(4)-1(d)(6)(i)", "17 CFR 275.206(4)-1(d)(6)(i)"},
		{"Rule 206(4)-1(a)(1)", "17 CFR 275.206(4)-1(a)(1)"},
		{"206(4)-1", "17 CFR 275.206(4)-1"},
		{"§ 1026.54(b)", "12 CFR 1026.54(b)"},
		{"12 CFR 1026.54(b)(1)", "12 CFR 1026.54(b)(1)"},
		{"FINRA Rule 2210 (d)(1)(B)", "FINRA 2210(d)(1)(B)"},
		{"FINRA 2210.01", "FINRA 2210.01"},
		{"Rule 2010", "FINRA 2010"},
		{"comment 54(a)(1)-2.i", "Comment 1026.54(a)(1)-2.i"},
		{"Comment 1026.54(a)(1)-2.i.A", "Comment 1026.54(a)(1)-2.i.A"},
		{"Comment 1026 Appendix M1-3.ii", "Comment 1026 Appendix M1-3.ii"},
		{"12 CFR 1026 Appendix M1(a)", "12 CFR 1026 Appendix M1(a)"},
		{"31 CFR 1010.230(b)", "31 CFR 1010.230(b)"},
		{"Acme Policy 3.1", "Acme Policy 3.1"},
	} {
		c, err := audit.ParseCitation(tt.in)
		if err != nil {
			t.Errorf("%q: %v", tt.in, err)
			continue
		}
		if got := c.String(); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
		again, err := audit.ParseCitation(c.String())
		if err != nil || !again.Equal(c) {
			t.Errorf("%q does not survive printing: %q, %v", tt.in, again, err)
		}
	}
	for _, bad := range []string{"", "in 2021", "hello", "255", "$2210", "CFR", "16 CFR"} {
		if c, err := audit.ParseCitation(bad); err == nil {
			t.Errorf("%q was read as %q", bad, c)
		}
	}
}

func TestCitationWithin(t *testing.T) {
	for _, tt := range []struct {
		in, out string
		want    bool
	}{
		{"FINRA 2210(d)(1)(B)", "FINRA 2210(d)", true},
		{"FINRA 2210(d)", "FINRA 2210(d)(1)", false},
		{"Comment 1026.54(a)(1)-2.i", "12 CFR 1026.54(a)", true},
		{"16 CFR 255.5(a) Example 3", "16 CFR 255.5(a)", true},
		{"16 CFR 255.5", "16 CFR 255.5", true},
		{"17 CFR 275.206(4)-1(a)(1)", "17 CFR 275.206(4)-1(a)(10)", false},
	} {
		got := audit.MustParseCitation(tt.in).Within(audit.MustParseCitation(tt.out))
		if got != tt.want {
			t.Errorf("%s within %s: got %v", tt.in, tt.out, got)
		}
	}
}
