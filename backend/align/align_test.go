package align_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"veristream/backend/align"
	"veristream/backend/audit"
	"veristream/backend/audit/audittest"
)

func TestElements(t *testing.T) {
	got := align.Elements([]audit.Passage{
		{ID: 1, Title: "Design > Flows", Body: "What flows where:\n- Browser to gateway: sends the customer's password over TLS\n- **Store** — keeps card numbers of all customers\n- short"},
		{ID: 2, ParentID: 1, Body: "- Browser to gateway: sends the customer's password over TLS"},
		{ID: 3, Title: "Design > Assets", Body: "| Name | What |\n|---|---|\n| Ledger | holds the balances of every account |"},
		{ID: 4, Title: "Design > Batch", Body: "Every night a job copies the ledger to another site."},
	})
	var names []string
	for _, e := range got {
		names = append(names, e.Name)
	}
	if want := []string{"Browser to gateway", "Store", "Ledger", "Batch"}; !slices.Equal(names, want) {
		t.Errorf("elements %q, want %q", names, want)
	}
}

// library gives the passages of a document that share words with what is
// looked for, the most first.
type library map[string][]audit.Passage

func (l library) Find(_ context.Context, text string, documents []string, top int) ([]audit.Hit, error) {
	var hits []audit.Hit
	shares := func(p audit.Passage) int {
		n := 0
		for _, w := range strings.Fields(strings.ToLower(text)) {
			if len(w) > 3 && strings.Contains(strings.ToLower(p.Text()), strings.Trim(w, ".,")) {
				n++
			}
		}
		return n
	}
	var all []audit.Passage
	for _, d := range documents {
		all = append(all, l[d]...)
	}
	slices.SortStableFunc(all, func(a, b audit.Passage) int { return shares(b) - shares(a) })
	for i, p := range all[:min(top, len(all))] {
		if shares(p) > 0 {
			hits = append(hits, audit.Hit{Rank: i + 1, Passage: p})
		}
	}
	return hits, nil
}

func control(id, title, text string) audit.Passage {
	return audit.Passage{Title: "Family > " + id + " " + title, Header: "[" + id + " " + title + "]", Body: text, Meta: map[string]string{
		audit.MetaControlID: id, audit.MetaSectionType: "control", "title": title,
	}}
}

var shelf = library{
	"base": {
		control("XX-1", "Backup", "Conduct backups of user-level data and protect the backups at another site."),
		control("XX-2", "Visitors", "Escort visitors and keep a log of their visits to the facility."),
		control("XX-21", "Virus scanning", "Scan uploaded files for viruses before opening."),
	},
	"book": {
		{Citation: "Handbook, Backup", Title: "Handbook > Backup", Header: "[Handbook - Backup]", Body: "Backups of user-level data are made every night. Backups are protected at another site."},
		{
			Citation: "Handbook, Scope", Title: "Handbook > Scope", Header: "[Handbook - Scope]",
			Body: "This handbook says nothing of visitors, of a log of their visits to the facility and of who must escort and keep them. XX-2 is not covered.",
		},
		{Citation: "Handbook, Gate", Title: "Handbook > Gate", Header: "[Handbook - Gate]", Body: "This section answers XX-21. The gate is painted green."},
	},
}

// Each link stands on words of the control and, where the handbook covers it,
// of the handbook; what it does not speak of is missing.
func TestAlign(t *testing.T) {
	elements := []align.Element{
		{Name: "Nightly job", Text: "Nightly backups of user-level data are copied to another site and protected"},
		{Name: "Reception", Text: "Visitors are met, escorted through the facility and their visits are logged"},
		{Name: "Upload", Text: "Uploaded files are scanned for viruses before anybody opens them"},
		{Name: "Fountain", Text: "Koi swim there quietly all summer"},
	}
	r, err := (&align.Aligner{Search: shelf}).Align(context.Background(), elements, []string{"book"}, []string{"base"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	state := map[string]string{}
	for _, l := range r.Links {
		if state[l.Element] == "" {
			state[l.Element] = l.Control + " " + l.State
		}
		found := l.State == align.Missing && l.Quote == ""
		for _, p := range shelf["book"] {
			found = found || l.Quote != "" && strings.Contains(p.Body, l.Quote)
		}
		if !found {
			t.Errorf("%s: %q stands nowhere in the handbook", l.Control, l.Quote)
		}
	}
	want := map[string]string{"Nightly job": "XX-1 covered", "Reception": "XX-2 missing", "Upload": "XX-21 covered"}
	for e, s := range want {
		if state[e] != s {
			t.Errorf("%s: %q, want %q", e, state[e], s)
		}
	}
	if !slices.Equal(r.Without, []string{"Fountain"}) {
		t.Errorf("without a control: %q", r.Without)
	}
}

// A model's reason is marked; what it says otherwise changes nothing.
func TestReason(t *testing.T) {
	model := &audittest.LLM{Reply: func(audit.Request) (string, error) { return `{"reason":"Both speak of backups."}`, nil }}
	elements := []align.Element{{Name: "Nightly job", Text: "Nightly backups of user-level data are copied to another site and protected"}}
	r, err := (&align.Aligner{Search: shelf, LLM: model}).Align(context.Background(), elements, []string{"book"}, []string{"base"}, nil)
	if err != nil || len(r.Links) == 0 || !r.Links[0].ByModel || r.Links[0].Reason != "Both speak of backups." || r.Links[0].State != align.Covered {
		t.Errorf("%+v, %v", r.Links, err)
	}
}

// A handbook may say what it lacks in many words; what is forbidden is not lacking.
func TestDenials(t *testing.T) {
	for _, c := range []struct {
		text  string
		state string
	}{
		{"Visitors are escorted and a log of their visits to the facility is kept.", align.Covered},
		{"Escorting visitors and the log of their visits to the facility are outside the scope.", align.Missing},
		{"No procedure exists for visitors, their escort and the log of their visits to the facility.", align.Missing},
		{"The log of the visits of visitors to the facility and their escort have not yet been described.", align.Missing},
		{"The facility is painted every year.", align.Missing}, // one word in common
		{"Visitors do not enter the facility without an escort; a log of visits is kept.", align.Covered},
	} {
		shelf := library{"base": shelf["base"], "book": {{Citation: "Handbook", Title: "Handbook", Header: "[Handbook]", Body: c.text}}}
		r, err := (&align.Aligner{Search: shelf}).Align(t.Context(), []align.Element{{Name: "Reception", Text: "Visitors are met, escorted through the facility and their visits are logged"}}, []string{"book"}, []string{"base"}, nil)
		if err != nil || len(r.Links) == 0 || r.Links[0].Control != "XX-2" || r.Links[0].State != c.state {
			t.Errorf("%q: %+v, %v, want %s", c.text, r.Links, err, c.state)
		}
	}
}
