package pdf

import (
	"encoding/binary"
	"math"
)

// sRGB makes an ICC profile (version 2) of the sRGB colour space: what the
// numbers of the document's colours mean. The primaries are those of IEC
// 61966-2-1, adapted to the profile's white (D50).
func sRGB() []byte {
	const curvePoints = 256
	fixed := func(v float64) uint32 { return uint32(int32(math.Round(v * 65536))) }
	xyz := func(x, y, z float64) []byte {
		b := append([]byte("XYZ "), 0, 0, 0, 0)
		for _, v := range []float64{x, y, z} {
			b = binary.BigEndian.AppendUint32(b, fixed(v))
		}
		return b
	}
	curve := append([]byte("curv"), 0, 0, 0, 0)
	curve = binary.BigEndian.AppendUint32(curve, curvePoints)
	for i := range curvePoints {
		v := float64(i) / (curvePoints - 1)
		if v <= 0.04045 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		curve = binary.BigEndian.AppendUint16(curve, uint16(math.Round(v*65535)))
	}
	const title = "sRGB"
	desc := append([]byte("desc"), 0, 0, 0, 0)
	desc = binary.BigEndian.AppendUint32(desc, uint32(len(title)+1))
	desc = append(desc, title...)
	desc = append(desc, make([]byte, 1+4+4+2+1+67)...)
	tags := []struct {
		name string
		data []byte
	}{
		{"desc", desc},
		{"cprt", append([]byte("text\x00\x00\x00\x00"), "public domain\x00"...)},
		{"wtpt", xyz(0.9642, 1, 0.8249)},
		{"rXYZ", xyz(0.4360747, 0.2225045, 0.0139322)},
		{"gXYZ", xyz(0.3850649, 0.7168786, 0.0971045)},
		{"bXYZ", xyz(0.1430804, 0.0606169, 0.7141733)},
		{"rTRC", curve},
		{"gTRC", nil}, // shares the curve before it
		{"bTRC", nil},
	}
	head := make([]byte, 128)
	binary.BigEndian.PutUint32(head[8:], 0x02100000)
	copy(head[12:], "mntrRGB XYZ ")
	copy(head[24:], []byte{7, 0xE8, 0, 1, 0, 1}) // 1 January 2024
	copy(head[36:], "acsp")
	binary.BigEndian.PutUint32(head[68:], fixed(0.9642))
	binary.BigEndian.PutUint32(head[72:], fixed(1))
	binary.BigEndian.PutUint32(head[76:], fixed(0.8249))

	table := binary.BigEndian.AppendUint32(nil, uint32(len(tags)))
	var body []byte
	at, size := 0, 0
	for _, t := range tags {
		if t.data != nil {
			for len(body)%4 != 0 {
				body = append(body, 0)
			}
			at, size = 128+4+12*len(tags)+len(body), len(t.data)
			body = append(body, t.data...)
		}
		table = append(table, t.name...)
		table = binary.BigEndian.AppendUint32(table, uint32(at))
		table = binary.BigEndian.AppendUint32(table, uint32(size))
	}
	out := append(append(head, table...), body...)
	binary.BigEndian.PutUint32(out, uint32(len(out)))
	return out
}
