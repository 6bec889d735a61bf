package reaudit_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"veristream/backend/reaudit"
)

// BenchmarkCompare compares two transcripts of three hours with 500 findings,
// one word in ten written down otherwise.
func BenchmarkCompare(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, 3000)
	for i := range words {
		words[i] = fmt.Sprintf("w%c%c%c", 'a'+i%26, 'a'+i/26%26, 'a'+i/676)
	}
	var first, second []string
	for i := range 2600 {
		a, z := make([]string, 12), make([]string, 12)
		for j := range a {
			a[j] = words[int(float64(len(words))*r.Float64()*r.Float64()*r.Float64())]
			z[j] = a[j]
			if r.IntN(10) == 0 {
				z[j] = words[r.IntN(len(words))]
			}
		}
		mark := ""
		if i%5 == 0 {
			mark = "{promise} "
		}
		first = append(first, mark+strings.Join(a, " ")+".")
		second = append(second, mark+strings.Join(z, " ")+".")
	}
	then, now := talk("then", first...), talk("now", second...)
	decisions := decideAll(then)
	for b.Loop() {
		reaudit.Compare(reaudit.Audit{Result: then, Decisions: decisions}, reaudit.Audit{Result: now})
	}
}
