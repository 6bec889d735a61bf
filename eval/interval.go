package eval

import (
	"fmt"

	"veristream/app/measures"
)

// proportion writes k of n with its 95% interval.
func proportion(k, n int) string {
	s := measures.Of(k, n)
	if s == nil {
		return "- (n=0)"
	}
	return fmt.Sprintf("%.2f [%.2f, %.2f] (%d of %d)", s.Value, s.Low, s.High, k, n)
}
