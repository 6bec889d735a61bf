package pdf

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"sync"

	"github.com/go-text/typesetting/font"
)

//go:embed fonts/*.gz
var fontFiles embed.FS

// Weight chooses among the faces of the Latin script.
type Weight int

// The weights.
const (
	Regular Weight = iota
	Strong
	Mono
)

// Other scripts have one face each, tried in the order of fallbacks. Those of
// Korean and of the ideographs are by far the largest, so they are opened only
// when they are needed.
var faceFiles = []string{
	Regular: "NotoSans-Regular", Strong: "NotoSans-SemiBold", Mono: "NotoSansMono-Regular",
	3: "NotoSansArabic-Regular", 4: "NotoSansHebrew-Regular", 5: "NotoEmoji-Regular", 6: "NanumGothic-Regular", 7: "DroidSansFallbackFull",
}

// loaded is a font file, read once a process.
type loaded struct {
	once sync.Once
	data []byte
	font *font.Font
	err  error
}

var loadedFonts [8]loaded

func loadFont(i int) (*loaded, error) {
	l := &loadedFonts[i]
	l.once.Do(func() {
		packed, err := fontFiles.ReadFile("fonts/" + faceFiles[i] + ".ttf.gz")
		if err == nil {
			var z *gzip.Reader
			if z, err = gzip.NewReader(bytes.NewReader(packed)); err == nil {
				l.data, err = io.ReadAll(z)
			}
		}
		if err == nil {
			var face *font.Face
			if face, err = font.ParseTTF(bytes.NewReader(l.data)); err == nil {
				l.font = face.Font
			}
		}
		if err != nil {
			l.err = fmt.Errorf("load the font %s: %w", faceFiles[i], err)
		}
	})
	return l, l.err
}

// fontUse is a face as one document uses it.
type fontUse struct {
	index  int
	face   *font.Face
	data   []byte
	object ref
	glyphs map[font.GID]string // used, with the text that each stands for
}

func newFontUse(i int) (*fontUse, error) {
	l, err := loadFont(i)
	if err != nil {
		return nil, err
	}
	return &fontUse{index: i, face: font.NewFace(l.font), data: l.data, glyphs: map[font.GID]string{0: ""}}, nil
}

func (f *fontUse) name() string { return fmt.Sprintf("F%d", f.index) }

// has says whether the face can show a rune.
func (f *fontUse) has(r rune) bool {
	_, ok := f.face.NominalGlyph(r)
	return ok
}

// width gives a glyph's advance in thousandths of the size.
func (f *fontUse) width(g font.GID) float64 {
	return float64(f.face.HorizontalAdvance(g)) * 1000 / float64(f.face.Upem())
}
