package models

import (
	"math"
	"testing"
)

// TestHalves walks all 65,536 halves and the float32 numbers between them.
func TestHalves(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		f := halfToFloat(h)
		if math.IsNaN(float64(f)) {
			if back := floatToHalf(f); back&0x7c00 != 0x7c00 || back&0x3ff == 0 {
				t.Fatalf("NaN %04x became %04x", h, back)
			}
			continue
		}
		if back := floatToHalf(f); back != h {
			t.Fatalf("%04x is %g, which became %04x", h, f, back)
		}
		next := halfToFloat(h + 1)
		if h&0x8000 != 0 || h&0x7c00 == 0x7c00 || math.IsInf(float64(next), 0) {
			continue
		}
		// Half-way goes to the even one, anything beyond to the nearer one.
		mid := float32((float64(f) + float64(next)) / 2)
		even := h + h&1
		if got := floatToHalf(mid); got != even {
			t.Fatalf("half-way after %04x became %04x, want %04x", h, got, even)
		}
		if got := floatToHalf(math.Nextafter32(mid, next)); got != h+1 {
			t.Fatalf("above half-way after %04x became %04x", h, got)
		}
		if got := floatToHalf(math.Nextafter32(mid, f)); got != h {
			t.Fatalf("below half-way after %04x became %04x", h, got)
		}
	}
	for f, want := range map[float32]uint16{65519: 0x7bff, 65520: 0x7c00, 1e9: 0x7c00, -1e9: 0xfc00, 1e-9: 0} {
		if got := floatToHalf(f); got != want {
			t.Errorf("%g became %04x, want %04x", f, got, want)
		}
	}
}
