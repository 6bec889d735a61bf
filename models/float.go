package models

import "math"

// halfToFloat widens an IEEE 754 half.
func halfToFloat(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exp, man := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch {
	case exp == 0x1f: // infinity, NaN
		return math.Float32frombits(sign | 0x7f800000 | man<<13)
	case exp != 0:
		return math.Float32frombits(sign | (exp+112)<<23 | man<<13)
	}
	// Zero and subnormals: man * 2^-24 is exact in a float32.
	f := float32(man) * (1.0 / (1 << 24))
	return math.Float32frombits(math.Float32bits(f) | sign)
}

// floatToHalf rounds to the nearest half, ties to even, as numpy does.
func floatToHalf(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b >> 16 & 0x8000)
	abs := b & 0x7fffffff
	switch {
	case abs > 0x7f800000: // NaN keeps its upper bits and stays a NaN
		man := uint16(abs >> 13 & 0x3ff)
		if man == 0 {
			man = 1
		}
		return sign | 0x7c00 | man
	case abs >= 0x477ff000: // rounds to 65520 or more
		return sign | 0x7c00
	case abs >= 0x38800000: // normal
		abs -= 112 << 23
		return sign | uint16((abs+0xfff+(abs>>13&1))>>13)
	case abs < 0x33000000: // below half of the smallest subnormal
		return sign
	}
	// Subnormal: shift the mantissa with its hidden bit to steps of 2^-24.
	shift := 126 - abs>>23
	man := abs&0x7fffff | 0x800000
	half := man >> shift
	rest, tie := man&(1<<shift-1), uint32(1)<<(shift-1)
	if rest > tie || rest == tie && half&1 == 1 {
		half++
	}
	return sign | uint16(half)
}
