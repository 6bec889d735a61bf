package audit_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"veristream/backend/audit"
)

// What an error says in other languages is its sentence with numbered gaps.
func TestSaidOf(t *testing.T) {
	gone := errors.New("gone")
	for _, tt := range []struct {
		err  error
		key  string
		args []string
	}{
		{audit.Errorf(audit.CodeUsage, "There is no question."), "There is no question.", nil},
		{fmt.Errorf("open: %w", audit.Wrap(gone, audit.CodeInput, "The file %q has %d MB.", "a b.mp4", 7)), `The file "{0}" has {1} MB.`, []string{"a b.mp4", "7"}},
		{audit.Errorf(audit.CodeInput, "%5.1f%% of %s", 12.34, "all"), "{0}% of {1}", []string{" 12.3", "all"}},
		{context.Canceled, "Cancelled.", nil},
		{gone, "", nil},
	} {
		got := audit.SaidOf(tt.err)
		if got.Key != tt.key || !slices.Equal(got.Args, tt.args) {
			t.Errorf("%v: got %q with %q", tt.err, got.Key, got.Args)
		}
	}
	if err := audit.Wrap(gone, audit.CodeInput, "The file %q has %d MB.", "a", 7); audit.SentenceOf(err) != `The file "a" has 7 MB.` || !errors.Is(err, gone) {
		t.Errorf("got %q", audit.SentenceOf(err))
	}
}
