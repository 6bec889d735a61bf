package pdf

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/go-text/typesetting/font"
)

// write puts the face into the file with the glyphs that were used, their
// widths, and the text that they stand for (so that it can be searched and
// copied).
func (f *fontUse) write(w *writer) error {
	cut, err := subset(f.data, f.glyphs)
	if err != nil {
		return fmt.Errorf("cut the font %s: %w", faceFiles[f.index], err)
	}
	gids := make([]font.GID, 0, len(f.glyphs))
	for g := range f.glyphs {
		gids = append(gids, g)
	}
	slices.Sort(gids)

	file := w.addStream(fmt.Sprintf("/Length1 %d", len(cut)), cut, true)
	// A subset's name begins with six letters that differ between subsets.
	base := subsetTag(gids) + "+" + faceFiles[f.index]
	per := func(v float32) int { return int(v * 1000 / float32(f.face.Upem())) }
	ext, _ := f.face.FontHExtents()
	flags := 4 // symbolic: the glyphs are named by number
	if f.index == int(Mono) {
		flags |= 1
	}
	box := f.box()
	descriptor := w.add(fmt.Sprintf("<< /Type /FontDescriptor /FontName %s /Flags %d /FontBBox [%d %d %d %d] /ItalicAngle 0 "+
		"/Ascent %d /Descent %d /CapHeight 714 /StemV 80 /FontFile2 %s >>",
		name(base), flags, box[0], box[1], box[2], box[3], per(ext.Ascender), per(ext.Descender), file))

	var widths strings.Builder
	for _, g := range gids {
		fmt.Fprintf(&widths, " %d [%s]", g, num(f.width(g)))
	}
	descendant := w.add(fmt.Sprintf("<< /Type /Font /Subtype /CIDFontType2 /BaseFont %s "+
		"/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "+
		"/FontDescriptor %s /DW 0 /W [%s ] /CIDToGIDMap /Identity >>", name(base), descriptor, widths.String()))
	unicode := w.addStream("", toUnicode(gids, f.glyphs), true)
	w.put(f.object, fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont %s /Encoding /Identity-H /DescendantFonts [%s] /ToUnicode %s >>",
		name(base), descendant, unicode))
	return nil
}

// box gives the font's own bounding box in thousandths.
func (f *fontUse) box() [4]int {
	tables, err := readTables(f.data)
	if err != nil || len(tables["head"]) < 44 {
		return [4]int{0, -300, 1000, 1100}
	}
	var out [4]int
	for i := range out {
		v := int(int16(uint16(tables["head"][36+2*i])<<8 | uint16(tables["head"][37+2*i])))
		out[i] = v * 1000 / int(f.face.Upem())
	}
	return out
}

func subsetTag(gids []font.GID) string {
	h := uint32(2166136261)
	for _, g := range gids {
		h = (h ^ uint32(g)) * 16777619
	}
	tag := make([]byte, 6)
	for i := range tag {
		tag[i] = 'A' + byte(h%26)
		h /= 26
	}
	return string(tag)
}

// noText stands for a glyph that has no text of its own, such as a dot that a
// font draws apart from its letter: the run around it tells what it says
// (ActualText), but PDF/A wants every glyph mapped (ISO 19005-3, 6.2.11.7.2).
const noText = "\u200B"

func toUnicode(gids []font.GID, glyphs map[font.GID]string) []byte {
	var b strings.Builder
	b.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n" +
		"/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n" +
		"/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n")
	var lines []string
	for _, g := range gids {
		s := glyphs[g]
		if s == "" && g != 0 {
			s = noText
		}
		if s != "" {
			var hex strings.Builder
			for _, u := range utf16.Encode([]rune(s)) {
				fmt.Fprintf(&hex, "%04X", u)
			}
			lines = append(lines, fmt.Sprintf("<%04X> <%s>\n", g, hex.String()))
		}
	}
	for part := range slices.Chunk(lines, 100) { // the most that one block may hold
		fmt.Fprintf(&b, "%d beginbfchar\n%sendbfchar\n", len(part), strings.Join(part, ""))
	}
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return []byte(b.String())
}
