package regs_test

import (
	"testing"

	"veristream/backend/audit"
	"veristream/backend/chunk"
	"veristream/backend/regs"
	cardfiles "veristream/regs"
)

// The cards that the app carries.
func TestOwnCards(t *testing.T) {
	set, err := regs.LoadCards(cardfiles.Files, "cards")
	if err != nil {
		t.Fatalf("%v\n%s", err, audit.DetailsOf(err))
	}
	if len(set.Cards) < 120 {
		t.Errorf("only %d cards", len(set.Cards))
	}
	for _, p := range chunk.Cards(set.Cards) {
		if p.Body == "" || p.Extra == "" || p.Citation == "" {
			t.Errorf("%s: an empty passage", p.Citation)
		}
	}
}
