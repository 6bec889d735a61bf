package finder_test

import (
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"veristream/app/finder"
	"veristream/backend/audit"
	"veristream/backend/regs"
	"veristream/backend/store"
)

// Names are taken in any letters; what is not known is told with what is.
func TestKnown(t *testing.T) {
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := st.ReplaceDocument(t.Context(), audit.Document{ID: "handbook", Title: "Handbook"}, nil); err != nil {
		t.Fatal(err)
	}
	f := &finder.Finder{Store: st, Cards: regs.CardSet{Sources: []regs.Source{{ID: "house", Regulator: "ACME"}}}}
	got, err := f.Known(t.Context(), audit.Filter{Regulators: []string{"finra", "Acme"}, Sources: []string{"Handbook", "house"}, Corpora: []string{"documents"}, AsOf: "2026-01-01"})
	want := audit.Filter{Regulators: []string{"FINRA", "ACME"}, Sources: []string{"handbook", "house"}, Corpora: []string{"documents"}, AsOf: "2026-01-01"}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, c := range []struct {
		filter audit.Filter
		says   string
	}{
		{audit.Filter{Regulators: []string{"SEC", "XYZ"}}, `no regulator "XYZ". Known are: FTC, SEC, FINRA, CFPB, FinCEN, ACME.`},
		{audit.Filter{Sources: []string{"hand"}}, `no source "hand". Known are: house, handbook.`},
		{audit.Filter{Corpora: []string{"papers"}}, `no corpus "papers". Known are: rules, cards, documents.`},
	} {
		if _, err := f.Known(t.Context(), c.filter); audit.CodeOf(err) != audit.CodeUsage || !strings.Contains(audit.SentenceOf(err), c.says) {
			t.Errorf("%+v: %v, want %q", c.filter, err, c.says)
		}
	}
}
