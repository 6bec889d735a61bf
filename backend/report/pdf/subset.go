package pdf

import (
	"encoding/binary"
	"errors"
	"sort"

	"github.com/go-text/typesetting/font"
)

// subset cuts a TrueType font down to the outlines of some glyphs. Glyphs keep
// their numbers, so that nothing else must change; tables that a PDF does not
// use are left out (ISO 32000-2, 9.9).
func subset(data []byte, used map[font.GID]string) ([]byte, error) {
	tables, err := readTables(data)
	if err != nil {
		return nil, err
	}
	head, loca, glyf, hhea, maxp := tables["head"], tables["loca"], tables["glyf"], tables["hhea"], tables["maxp"]
	if len(head) < 54 || len(maxp) < 6 || len(hhea) < 36 || glyf == nil {
		return nil, errors.New("not a TrueType font with outlines")
	}
	long := binary.BigEndian.Uint16(head[50:]) == 1
	n := int(binary.BigEndian.Uint16(maxp[4:]))
	offset := func(i int) int {
		if long {
			return int(binary.BigEndian.Uint32(loca[4*i:]))
		}
		return 2 * int(binary.BigEndian.Uint16(loca[2*i:]))
	}
	size := 2
	if long {
		size = 4
	}
	if len(loca) < size*(n+1) {
		return nil, errors.New("the font's glyph index is too short")
	}
	outline := func(i int) []byte {
		from, to := offset(i), offset(i+1)
		if from < 0 || to > len(glyf) || from >= to {
			return nil
		}
		return glyf[from:to]
	}
	keep := map[int]bool{0: true}
	var visit func(i int)
	visit = func(i int) {
		if i >= n || keep[i] && i != 0 {
			return
		}
		keep[i] = true
		for _, part := range components(outline(i)) {
			visit(part)
		}
	}
	for g := range used {
		visit(int(g))
	}

	newGlyf := []byte{}
	newLoca := make([]byte, 0, 4*(n+1))
	for i := range n {
		newLoca = binary.BigEndian.AppendUint32(newLoca, uint32(len(newGlyf)))
		if keep[i] {
			newGlyf = append(newGlyf, outline(i)...)
			for len(newGlyf)%4 != 0 {
				newGlyf = append(newGlyf, 0)
			}
		}
	}
	newLoca = binary.BigEndian.AppendUint32(newLoca, uint32(len(newGlyf)))
	newHead := append([]byte{}, head...)
	binary.BigEndian.PutUint16(newHead[50:], 1)
	binary.BigEndian.PutUint32(newHead[8:], 0)

	// Metrics of glyphs that are not used compress to nothing when they are zero.
	hmtx := append([]byte{}, tables["hmtx"]...)
	metrics := int(binary.BigEndian.Uint16(hhea[34:]))
	for i := 0; i < metrics-1 && 4*i+4 <= len(hmtx); i++ {
		if !keep[i] {
			copy(hmtx[4*i:4*i+4], []byte{0, 0, 0, 0})
		}
	}
	out := map[string][]byte{"head": newHead, "loca": newLoca, "glyf": newGlyf, "hhea": hhea, "maxp": maxp, "hmtx": hmtx}
	for _, tag := range []string{"cvt ", "fpgm", "prep"} {
		if t := tables[tag]; t != nil {
			out[tag] = t
		}
	}
	return writeTables(out), nil
}

// components lists the glyphs that a composite glyph is made of.
func components(outline []byte) []int {
	if len(outline) < 12 || int16(binary.BigEndian.Uint16(outline)) >= 0 {
		return nil
	}
	const wordArgs, scale, more, xyScale, matrix = 1, 8, 32, 64, 128
	var out []int
	for at := 10; at+4 <= len(outline); {
		flags := binary.BigEndian.Uint16(outline[at:])
		out = append(out, int(binary.BigEndian.Uint16(outline[at+2:])))
		at += 6
		if flags&wordArgs != 0 {
			at += 2
		}
		switch {
		case flags&scale != 0:
			at += 2
		case flags&xyScale != 0:
			at += 4
		case flags&matrix != 0:
			at += 8
		}
		if flags&more == 0 {
			break
		}
	}
	return out
}

func readTables(data []byte) (map[string][]byte, error) {
	bad := errors.New("the font file is damaged")
	if len(data) < 12 {
		return nil, bad
	}
	out := map[string][]byte{}
	for i := range int(binary.BigEndian.Uint16(data[4:])) {
		at := 12 + 16*i
		if at+16 > len(data) {
			return nil, bad
		}
		from, size := int(binary.BigEndian.Uint32(data[at+8:])), int(binary.BigEndian.Uint32(data[at+12:]))
		if from < 0 || size < 0 || from+size > len(data) {
			return nil, bad
		}
		out[string(data[at:at+4])] = data[from : from+size]
	}
	return out, nil
}

func writeTables(tables map[string][]byte) []byte {
	tags := make([]string, 0, len(tables))
	for tag := range tables {
		tags = append(tags, tag)
	}
	sort.Strings(tags)
	n := len(tags)
	log := 0
	for 2<<log <= n {
		log++
	}
	out := binary.BigEndian.AppendUint32(nil, 0x00010000)
	out = binary.BigEndian.AppendUint16(out, uint16(n))
	out = binary.BigEndian.AppendUint16(out, uint16(16<<log))
	out = binary.BigEndian.AppendUint16(out, uint16(log))
	out = binary.BigEndian.AppendUint16(out, uint16(16*n-16<<log))
	at := 12 + 16*n
	for _, tag := range tags {
		t := tables[tag]
		out = append(out, tag...)
		out = binary.BigEndian.AppendUint32(out, checksum(t))
		out = binary.BigEndian.AppendUint32(out, uint32(at))
		out = binary.BigEndian.AppendUint32(out, uint32(len(t)))
		at += (len(t) + 3) &^ 3
	}
	headAt := 0
	for _, tag := range tags {
		if tag == "head" {
			headAt = len(out)
		}
		out = append(out, tables[tag]...)
		for len(out)%4 != 0 {
			out = append(out, 0)
		}
	}
	// checkSumAdjustment makes the whole file sum up to a fixed value.
	binary.BigEndian.PutUint32(out[headAt+8:], 0xB1B0AFBA-checksum(out))
	return out
}

func checksum(t []byte) (sum uint32) {
	for len(t) >= 4 {
		sum += binary.BigEndian.Uint32(t)
		t = t[4:]
	}
	var last [4]byte
	copy(last[:], t)
	return sum + binary.BigEndian.Uint32(last[:])
}
