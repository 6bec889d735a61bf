package applicability_test

import (
	"strings"
	"testing"

	"veristream/backend/agent/applicability"
	"veristream/backend/audit"
)

func TestDecide(t *testing.T) {
	table, err := applicability.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		facts audit.Facts
		asOf  string
		shown bool
		want  map[string]applicability.Verdict
	}{
		{
			"private person with own money",
			audit.Facts{Speaker: "private_person", Paid: "no", Sponsor: "none"},
			"2026-01-01", true,
			map[string]applicability.Verdict{"ftc_connection": "no", "ftc_endorsement": "no", "sec_adviser": "no", "finra_member": "no", "finra_options": "no"},
		},
		{
			"paid influencer for a member",
			audit.Facts{Speaker: "paid_endorser", Paid: "yes", Sponsor: "finra_member"},
			"2026-01-01", false,
			map[string]applicability.Verdict{"ftc_connection": "applies", "finra_member": "applies", "sec_adviser": "no", "finra_options": "no"},
		},
		{
			"paid influencer for another platform",
			audit.Facts{Speaker: "paid_endorser", Paid: "yes", Sponsor: "other_business"},
			"2026-01-01", false,
			map[string]applicability.Verdict{"ftc_connection": "applies", "finra_member": "no", "sec_adviser": "no"},
		},
		{
			"registered adviser",
			audit.Facts{Speaker: "registered_adviser"},
			"2026-01-01", false,
			map[string]applicability.Verdict{"sec_adviser": "applies", "finra_member": "no", "ftc_connection": "no", "ftc_endorsement": "own"},
		},
		{
			"adviser before the compliance date",
			audit.Facts{Speaker: "registered_adviser", Published: "2022-11-03"},
			"2022-11-03", false,
			map[string]applicability.Verdict{"sec_adviser": "no"},
		},
		{
			"state adviser",
			audit.Facts{Speaker: "state_adviser"},
			"2026-01-01", false,
			map[string]applicability.Verdict{"sec_adviser": "no", "finra_member": "no"},
		},
		{
			"member to institutions",
			audit.Facts{Speaker: "finra_member", Audience: "institutional"},
			"2026-01-01", false,
			map[string]applicability.Verdict{"finra_member": "applies", "finra_retail": "no"},
		},
		{
			"member on options",
			audit.Facts{Speaker: "finra_member"},
			"2026-01-01", true,
			map[string]applicability.Verdict{"finra_options": "applies"},
		},
		{
			"options denied",
			audit.Facts{Speaker: "finra_member", Options: "no"},
			"2026-01-01", true,
			map[string]applicability.Verdict{"finra_options": "no"},
		},
		{
			"nothing known",
			audit.Facts{},
			"2026-01-01", false,
			map[string]applicability.Verdict{"ftc_connection": "depends", "ftc_endorsement": "depends", "sec_adviser": "depends", "finra_member": "depends"},
		},
		{
			"bona fide publisher",
			audit.Facts{Speaker: "publisher", Paid: "no", Sponsor: "none"},
			"2026-01-01", false,
			map[string]applicability.Verdict{"ftc_connection": "no", "sec_adviser": "no", "finra_member": "no"},
		},
		{
			"employee of a member",
			audit.Facts{Speaker: "employee", Sponsor: "finra_member", Paid: "yes"},
			"2026-01-01", false,
			map[string]applicability.Verdict{"ftc_connection": "applies", "finra_member": "applies"},
		},
		{
			"video before the revised guides",
			audit.Facts{Speaker: "paid_endorser", Paid: "yes", Published: "2023-07-25"},
			"2023-07-25", false,
			map[string]applicability.Verdict{"ftc_connection": "no", "ftc_endorsement": "no"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := table.Decide(applicability.Input{Facts: tt.facts.WithDefaults(), AsOf: tt.asOf, OptionsShown: tt.shown})
			for group, want := range tt.want {
				a := got[group]
				if a.Verdict != want {
					t.Errorf("%s: %s (%s), want %s", group, a.Verdict, a.Reason, want)
				}
				if a.Reason.String() == "" {
					t.Errorf("%s has no reason", group)
				}
				if a.Verdict == applicability.Depends && !strings.Contains(a.Reason.String(), "depends on: ") {
					t.Errorf("%s does not say which fact settles it: %s", group, a.Reason)
				}
			}
		})
	}
}

// Every combination of facts is decided, with a reason and no panic.
func TestDecideEverything(t *testing.T) {
	table, err := applicability.Load()
	if err != nil {
		t.Fatal(err)
	}
	values := audit.FactValues()
	with := func(q string) []string { return append([]string{audit.Unknown}, values[q]...) }
	for _, speaker := range with("speaker") {
		for _, paid := range with("paid") {
			for _, sponsor := range with("sponsor") {
				for _, audience := range with("audience") {
					f := audit.Facts{Speaker: speaker, Paid: paid, Sponsor: sponsor, Audience: audience, Options: audit.Unknown}
					for id, a := range table.Decide(applicability.Input{Facts: f, AsOf: "2026-01-01"}) {
						if a.Reason.String() == "" || a.Regulator == "" || a.Scope == "" {
							t.Fatalf("%s for %+v: %+v", id, f, a)
						}
					}
				}
			}
		}
	}
}
