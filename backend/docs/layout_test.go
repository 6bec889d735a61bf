package docs

import (
	"strings"
	"testing"

	"veristream/backend/audit"
)

// at makes a line of letters that are ten pixels wide.
func at(x, y int, text string) audit.TextBox {
	return audit.TextBox{Text: text, X: x, Y: y, Width: 10 * len([]rune(text)), Height: 18, Confidence: 0.9}
}

// Lines stand as on the page: paragraphs apart, figures in columns, and of two
// columns of prose the left one first.
func TestPageText(t *testing.T) {
	left, right := []string{}, []string{}
	var two []audit.TextBox
	for i := range 8 {
		left, right = append(left, "left column of prose"+strings.Repeat("x", i)), append(right, "right column of prose"+strings.Repeat("y", i))
		two = append(two, at(420, 100+24*i, right[i]), at(60, 101+24*i, left[i]))
	}
	two = append(two, at(60, 40, "A heading that runs over both of the columns of this page"))
	for _, c := range []struct {
		name  string
		boxes []audit.TextBox
		want  string
	}{
		{"nothing", nil, ""},
		{"a line in pieces", []audit.TextBox{at(115, 11, "the door."), at(20, 10, "Close up")}, "Close up the door.\n"},
		{"paragraphs", []audit.TextBox{at(20, 10, "One goes"), at(20, 34, "on here."), at(20, 82, "Two.")}, "One goes\non here.\n\nTwo.\n"},
		{
			"columns of figures",
			[]audit.TextBox{at(20, 10, "Sales"), at(220, 10, "1,234"), at(20, 34, "Costs of it"), at(220, 35, "90")},
			"Sales               1,234\nCosts of it         90\n",
		},
		{"columns of prose", two, "A heading that runs over both of the columns of this page\n\n" + strings.Join(left, "\n") + "\n\n" + strings.Join(right, "\n") + "\n"},
	} {
		if got := pageText(c.boxes); got != c.want {
			t.Errorf("%s:\n%q\nwant\n%q", c.name, got, c.want)
		}
	}
}
