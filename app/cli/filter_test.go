package cli

import (
	"reflect"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"veristream/backend/audit"
)

func TestFilterFlags(t *testing.T) {
	parse := func(args ...string) (audit.Filter, error) {
		var f filterFlags
		flags := pflag.NewFlagSet("search", pflag.ContinueOnError)
		f.register(flags)
		if err := flags.Parse(args); err != nil {
			t.Fatal(err)
		}
		return f.filter()
	}
	got, err := parse("--within", "12 CFR 1026", "--within", "FINRA 2210(d)", "--type", "rule,exception", "--corpus", "rules",
		"--regulator", "CFPB,FINRA", "--meta", "year=2025", "--as-of", "2025-01-31")
	want := audit.Filter{
		Corpora: []string{"rules"}, Regulators: []string{"CFPB", "FINRA"}, AsOf: "2025-01-31",
		Within: []audit.Citation{audit.MustParseCitation("12 CFR 1026"), audit.MustParseCitation("FINRA 2210(d)")},
		Kinds:  []audit.Kind{audit.KindRule, audit.KindException}, Meta: map[string][]string{"year": {"2025"}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, tt := range []struct{ flag, value, says string }{
		{"--corpus", "papers", "--corpus takes rules, cards, documents"},
		{"--type", "law", "--type takes rule, definition"},
		{"--within", "chapter four", "is not a citation"},
		{"--as-of", "yesterday", "is no date"},
	} {
		if _, err := parse(tt.flag, tt.value); audit.CodeOf(err) != audit.CodeUsage || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s %s: got %v", tt.flag, tt.value, err)
		}
	}
}
