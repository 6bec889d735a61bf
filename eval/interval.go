package eval

import (
	"fmt"
	"math"
)

// proportion writes k of n with Wilson's 95% interval (Wilson 1927).
func proportion(k, n int) string {
	if n == 0 {
		return "- (n=0)"
	}
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	centre := (p + z*z/(2*m)) / (1 + z*z/m)
	half := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m)) / (1 + z*z/m)
	return fmt.Sprintf("%.2f [%.2f, %.2f] (%d of %d)", p, centre-half, centre+half, k, n)
}
