package regs

import (
	"fmt"

	"veristream/backend/audit"
)

// Resolve finds the paragraph that a citation names among those of a text. The
// examples of the FTC's guides have two names: "255.5 Example 11" is found by
// its heading where it stands under a marker.
func Resolve(rules map[string]audit.Rule, c audit.Citation) (audit.Rule, bool) {
	if r, ok := rules[c.String()]; ok {
		return r, true
	}
	if c.Example == 0 {
		return audit.Rule{}, false
	}
	above := c
	above.Example = 0
	name := fmt.Sprintf("Example %d", c.Example)
	for _, r := range rules {
		// The paragraph itself, not those below it, which carry its heading.
		if r.Kind == audit.KindExample && r.Title == name && r.Citation.Within(above) && reExampleHead.MatchString(stripMarkers(r.Text)) {
			return r, true
		}
	}
	return audit.Rule{}, false
}
