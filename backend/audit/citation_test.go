package audit_test

import (
	"slices"
	"strings"
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
		{"1026.54 ( b )", "12 CFR 1026.54(b)"},
		{"2210 ( d ) ( 1 ) (B)", "FINRA 2210(d)(1)(B)"},
		{"Rule 206(4)-1 ( a )(1 )", "17 CFR 275.206(4)-1(a)(1)"},
		{"FINRA 2210.01", "FINRA 2210.01"},
		{"Rule 2010", "FINRA 2010"},
		{"comment 54(a)(1)-2.i", "Comment 1026.54(a)(1)-2.i"},
		{"Comment 1026.54(a)(1)-2.i.A", "Comment 1026.54(a)(1)-2.i.A"},
		{"Comment 1026 Appendix M1-3.ii", "Comment 1026 Appendix M1-3.ii"},
		{"12 CFR 1026 Appendix M1(a)", "12 CFR 1026 Appendix M1(a)"},
		{"31 CFR 1010.230(b)", "31 CFR 1010.230(b)"},
		{"Acme Policy 3.1", "Acme Policy 3.1"},
		{"Acme Policy 3.1(b)", "Acme Policy 3.1(b)"},
		{"Comment 1026-3", "Comment 1026-3"},
		{"comment app. G-1", "Comment 1026 Appendix G-1"},
		{"Comment 1026 Appendix G and H-1", "Comment 1026 Appendix G and H-1"},
		{"12 CFR 1026 Appendix G-25(B)", "12 CFR 1026 Appendix G-25(B)"},
		{"Appendix G-25(B) to part 1026", "12 CFR 1026 Appendix G-25(B)"},
		{"12 C.F.R. part 1005, app. A-2(b)", "12 CFR 1005 Appendix A-2(b)"},
		{`17 CFR 230.405 "Affiliate"`, `17 CFR 230.405 "Affiliate"`},
		{"17 CFR 240.10b-5(b)", "17 CFR 240.10b-5(b)"},
		{"17 CFR 275.204A-1", "17 CFR 275.204A-1"},
		{"17 CFR 275.202(a)(11)(G)-1(b)", "17 CFR 275.202(a)(11)(G)-1(b)"},
		{"12 CFR 1026.43(e)(4)(iii)(B)(1)(ii)", "12 CFR 1026.43(e)(4)(iii)(B)(1)(ii)"},
		{"Supplementary Material .01 of Rule 2210", "FINRA 2210.01"},
		{"FINRA 2210.01(a)", "FINRA 2210.01(a)"},
		{"§\u00a01026.6(b)(2)", "12 CFR 1026.6(b)(2)"},
		{"31 CFR 1010.100(aa)", "31 CFR 1010.100(aa)"},
		{"SEC Rule 206(4)-1(a)(1)", "17 CFR 275.206(4)-1(a)(1)"},
		{"the Advisers Act Rule 206(4)-1", "17 CFR 275.206(4)-1"},
		{"Marketing Rule 206(4)-1(d)(6)(i)", "17 CFR 275.206(4)-1(d)(6)(i)"},
		{"FTC 255.5(a)", "16 CFR 255.5(a)"},
		{"FTC Guides 255.5", "16 CFR 255.5"},
		{"Regulation Z 1026.2(a)(15)", "12 CFR 1026.2(a)(15)"},
		{"Reg. E, § 1005.6(b)(1)", "12 CFR 1005.6(b)(1)"},
		{"Regulation Z, 12 CFR 1026.54(a)", "12 CFR 1026.54(a)"},
		{"Reg E comment 6(b)-2", "Comment 1005.6(b)-2"},
		{"Regulation Z comment 54(a)(1)-2", "Comment 1026.54(a)(1)-2"},
		{"§ 1026.54(a)(1), comment 2.i", "Comment 1026.54(a)(1)-2.i"},
		{"255.5 ex. 11", "16 CFR 255.5 Example 11"},
		{"Example 11 of § 255.5", "16 CFR 255.5 Example 11"},
		{"paragraph (b)(2)(iii) of section 255.5", "16 CFR 255.5(b)(2)(iii)"},
		{"paragraph (d)(1)(B) of FINRA Rule 2210", "FINRA 2210(d)(1)(B)"},
		{"16CFR255.5(a)", "16 CFR 255.5(a)"},
		{"FINRA2210(d)(1)", "FINRA 2210(d)(1)"},
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
	for _, bad := range []string{"", "in 2021", "hello", "255", "$2210", "CFR", "16 CFR", "$1,005.20", "2210.50", "1005.5%", "comment 54(a)", "99 CFR"} {
		if c, err := audit.ParseCitation(bad); err == nil {
			t.Errorf("%q was read as %q", bad, c)
		}
	}
}

func TestParseCitations(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"255.5(a)-(c)", "16 CFR 255.5(a); 16 CFR 255.5(b); 16 CFR 255.5(c)"},
		{"206(4)-1(a)(1) and (2)", "17 CFR 275.206(4)-1(a)(1); 17 CFR 275.206(4)-1(a)(2)"},
		{"comments 54(a)(1)-1 through -3", "Comment 1026.54(a)(1)-1; Comment 1026.54(a)(1)-2; Comment 1026.54(a)(1)-3"},
		{"Rule 2210(d)(1)(B), (D) and (F)", "FINRA 2210(d)(1)(B); FINRA 2210(d)(1)(D); FINRA 2210(d)(1)(F)"},
		{"FINRA Rules 2010, 2210(d) and 2220(d)", "FINRA 2010; FINRA 2210(d); FINRA 2220(d)"},
		{"16 CFR 255.1, 255.2(b) and 255.5", "16 CFR 255.1; 16 CFR 255.2(b); 16 CFR 255.5"},
		{"§§ 1026.6(a)(1) and (b)", "12 CFR 1026.6(a)(1); 12 CFR 1026.6(b)"},
		{"1026.43(e)(4)(ii) through (iv)", "12 CFR 1026.43(e)(4)(ii); 12 CFR 1026.43(e)(4)(iii); 12 CFR 1026.43(e)(4)(iv)"},
		{"16 CFR 255.5 Examples 3", ""},
		{"16 CFR 255.5 Example 3 and 4", "16 CFR 255.5 Example 3; 16 CFR 255.5 Example 4"},
		{"16 CFR 255.5(a); FINRA 2210(d)", "16 CFR 255.5(a); FINRA 2210(d)"},
		{"FINRA 2210(d) says that 2220(d)", ""},
		{"SEC Rule 206(4)-1(a)(1) and FINRA Rule 2210(d)", "17 CFR 275.206(4)-1(a)(1); FINRA 2210(d)"},
		{"16 CFR 255.0 to 255.3", "16 CFR 255.0; 16 CFR 255.1; 16 CFR 255.2; 16 CFR 255.3"},
		{"comment 54(a)(1)-2.i through iii", "Comment 1026.54(a)(1)-2.i; Comment 1026.54(a)(1)-2.ii; Comment 1026.54(a)(1)-2.iii"},
		{"comment 54(a)(1)-2.i and ii", "Comment 1026.54(a)(1)-2.i; Comment 1026.54(a)(1)-2.ii"},
		{"comment 54(a)(1)-2.A and I", ""},
	} {
		cs, err := audit.ParseCitations(tt.in)
		var got []string
		for _, c := range cs {
			got = append(got, c.String())
		}
		if strings.Join(got, "; ") != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%q:\ngot  %v, %v\nwant %s", tt.in, strings.Join(got, "; "), err, tt.want)
		}
	}
}

func TestFindCitationsInText(t *testing.T) {
	text := "He paid $1,005.20 in 2021 under Rule 2210(d)(1)(B) and (F) (see section 255.5(a) or so), " +
		"not comment 54(a)(1)-2.The rest is in 12 CFR part 1026, and 2023 brought 16 CFR 255.2 (as amended). " +
		"See § 1026.5, comment 5(a)-1, and paragraph (b)(1) of § 255.5."
	var got []string
	for _, f := range audit.FindCitations(text) {
		got = append(got, f.Citation.String()+"="+text[f.Start:f.End])
	}
	want := []string{
		"FINRA 2210(d)(1)(B)=Rule 2210(d)(1)(B)", "FINRA 2210(d)(1)(F)=(F)", "16 CFR 255.5(a)=section 255.5(a)",
		"Comment 1026.54(a)(1)-2=comment 54(a)(1)-2", "12 CFR 1026=12 CFR part 1026", "16 CFR 255.2=16 CFR 255.2",
		"12 CFR 1026.5=§ 1026.5", "Comment 1026.5(a)-1=comment 5(a)-1", "16 CFR 255.5(b)(1)=paragraph (b)(1) of § 255.5",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestCitationOrder(t *testing.T) {
	want := []string{
		"12 CFR 1026.6", "12 CFR 1026.6(a)", "12 CFR 1026.6(a)(1)", "12 CFR 1026.6(a)(1)(iv)", "12 CFR 1026.6(a)(1)(ix)",
		"12 CFR 1026.6(a)(2)", "12 CFR 1026.6(a)(10)", "12 CFR 1026.6(h)", "12 CFR 1026.6(i)", "12 CFR 1026.6(j)",
		"12 CFR 1026.6(z)", "12 CFR 1026.6(aa)", "12 CFR 1026.54", "12 CFR 1026 Appendix G", "12 CFR 1026 Appendix G-2",
		"12 CFR 1026 Appendix G-10", "Comment 1026.6(a)-2", "Comment 1026.6(a)-2.ii", "Comment 1026.6(a)-10",
		"16 CFR 255.5 Example 2", "16 CFR 255.5 Example 11", "17 CFR 275.206(4)-2", "17 CFR 275.206(4)-10",
		"FINRA 2210(a)", "FINRA 2210(d)(1)(A)", "FINRA 2210(d)(1)(A)(ii)", "FINRA 2210(d)(1)(B)",
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, func(a, b string) int {
		return audit.CompareCitations(audit.MustParseCitation(a), audit.MustParseCitation(b))
	})
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
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
		{"12 CFR 1026.54(b)", "12 CFR 1026", true},
		{"12 CFR 1026 Appendix G-25(B)", "12 CFR 1026 Appendix G", true},
		{"12 CFR 1026 Appendix G-25(B)", "12 CFR 1026", true},
		{"16 CFR 255.51", "16 CFR 255.5", false},
		{`17 CFR 230.405 "Affiliate"`, "17 CFR 230.405", true},
	} {
		got := audit.MustParseCitation(tt.in).Within(audit.MustParseCitation(tt.out))
		if got != tt.want {
			t.Errorf("%s within %s: got %v", tt.in, tt.out, got)
		}
	}
}
