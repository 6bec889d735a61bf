package audit_test

import (
	"encoding/json"
	"strings"
	"testing"

	"veristream/backend/audit"
)

func TestMessage(t *testing.T) {
	m := audit.Say("Looked for {=0} at {1}: {2}.", "a risk", "00:12.0", "no {=0} here").And(
		audit.Say("Missing: {=*}.", "one", "two"), audit.Quote("en", "A card with {0} in it."))
	if got := m.String(); got != "Looked for a risk at 00:12.0: no {=0} here. Missing: one, two. A card with {0} in it." {
		t.Error(got)
	}
	got := m[0].Fill("{1}: {=0} ({2}) {7}", strings.ToUpper)
	if got != "00:12.0: A RISK (no {=0} here) {7}" {
		t.Error(got)
	}
}

// Only sentences that cannot be found by their own words are kept.
func TestSaid(t *testing.T) {
	said := audit.Said{}
	if said.Say(audit.Say("A plain sentence.")) != "A plain sentence." || len(said) != 0 {
		t.Errorf("%v", said)
	}
	said.Say(audit.Say("{0} lines", "4"))
	said.Say(audit.Say("One.").And(audit.Say("Two.")))
	said.Say(audit.Quote("und", "Ours."))
	data, err := json.Marshal(said)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"4 lines":[{"key":"{0} lines","args":["4"]}],"One. Two.":[{"key":"One."},{"key":"Two."}],"Ours.":[{"key":"Ours.","quoted":"und"}]}`
	if string(data) != want {
		t.Errorf("%s", data)
	}
	if audit.Said(nil).Say(audit.Say("{0} lines", "4")) != "4 lines" {
		t.Error("nobody keeps it")
	}
}
