package ocr_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/ocr"
)

// line is a text of 24 pixels on a frame of 1280 by 720.
func line(text string, x, y int) ocr.Line {
	return sized(text, x, y, 24)
}

func sized(text string, x, y, height int) ocr.Line {
	return ocr.Line{
		TextBox:  audit.TextBox{Text: text, X: x, Y: y, Width: len(text) * height / 2, Height: height, Confidence: 0.95},
		Contrast: 7,
	}
}

func frame(ms int64, lines ...ocr.Line) ocr.FrameText {
	return ocr.FrameText{MS: ms, Width: 1280, Height: 720, Lines: lines}
}

func show(segments []audit.Segment) string {
	var out []string
	for _, s := range segments {
		out = append(out, fmt.Sprintf("%s %d-%d %s", s.ID, s.StartMS, s.EndMS, s.Text))
	}
	return strings.Join(out, " | ")
}

func TestMerge(t *testing.T) {
	for _, tt := range []struct {
		name   string
		frames []ocr.FrameText
		want   string
	}{
		{"nothing", []ocr.FrameText{frame(0)}, ""},
		{"one text to the end", []ocr.FrameText{frame(0), frame(2000, line("Not advice", 100, 600))}, "o1 2000-10000 Not advice"},
		{
			"a disclaimer of two seconds, misread once",
			[]ocr.FrameText{
				frame(0), frame(4000, line("Capital at risk", 100, 600)), frame(4500, line("Capita1 at nsk", 101, 600)),
				frame(5000, line("Capital at risk", 100, 601)), frame(6000),
			},
			"o1 4000-6000 Capital at risk",
		},
		{
			"missed in one frame",
			[]ocr.FrameText{frame(0, line("Link in bio", 50, 50)), frame(500), frame(1000, line("Link in bio", 50, 50)), frame(3000), frame(9000)},
			"o1 0-3000 Link in bio",
		},
		{
			"gone and back later is shown twice",
			[]ocr.FrameText{frame(0, line("Link in bio", 50, 50)), frame(2000), frame(5000, line("Link in bio", 50, 50)), frame(6000)},
			"o1 0-2000 Link in bio | o2 5000-6000 Link in bio",
		},
		{
			"another figure is another text",
			[]ocr.FrameText{frame(0, line("up 5%", 50, 50)), frame(2000, line("up 8%", 50, 50)), frame(4000)},
			"o1 0-2000 up 5% | o2 2000-4000 up 8%",
		},
		{
			"written letter by letter",
			[]ocr.FrameText{frame(0, line("Guar", 50, 50)), frame(500, line("Guaranteed", 50, 50)), frame(1000, line("Guaranteed income", 50, 50)), frame(4000)},
			"o1 0-4000 Guaranteed income",
		},
		{
			"scrolling",
			[]ocr.FrameText{frame(0, line("Past results vary widely", 900, 680)), frame(500, line("Past results vary widely", 500, 680)), frame(1000, line("Past results vary widely", 100, 680)), frame(1500)},
			"o1 0-1500 Past results vary widely",
		},
		{
			"lines of one text, and a headline that is none of it",
			[]ocr.FrameText{frame(
				0, sized("10% A YEAR", 100, 100, 80),
				line("Back-tested, not real. Your results will", 100, 600), line("differ and you may lose mo-", 100, 630), line("ney.", 100, 660),
			), frame(3000)},
			"o1 0-3000 10% A YEAR | o2 0-3000 Back-tested, not real. Your results will differ and you may lose money.",
		},
		{
			"pieces of one line, and another far from it",
			[]ocr.FrameText{frame(0, line("Paid", 100, 600), line("partnership", 160, 601), line("12:00", 1100, 600)), frame(3000)},
			"o1 0-3000 Paid partnership | o2 0-3000 12:00",
		},
		{
			"noise",
			[]ocr.FrameText{frame(0, line("||.", 5, 5), line("-", 70, 70), ocr.Line{TextBox: audit.TextBox{Text: "xqz", Width: 20, Height: 10, Confidence: 0.2}}), frame(3000)},
			"",
		},
	} {
		if got := show(ocr.Merge(tt.frames, 10_000)); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func TestMergeGivesSizeAndContrast(t *testing.T) {
	got := ocr.Merge([]ocr.FrameText{frame(0, sized("Not advice", 128, 72, 36)), frame(1000)}, 1000)
	if len(got) != 1 || got[0].Source != audit.Screen || got[0].Contrast != 7 || got[0].Confidence != 0.95 {
		t.Fatalf("%+v", got)
	}
	if b := *got[0].Box; b.X != 0.1 || b.Y != 0.1 || b.Height != 0.05 || b.LineHeight != 0.05 {
		t.Errorf("%+v", b)
	}
}

// bars draws glyph-like bars of one colour on a ground of another.
func bars(ground, glyph color.Color, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, 400, 200))
	draw.Draw(img, img.Rect, image.NewUniform(ground), image.Point{}, draw.Src)
	for x := 60; x < 300; x += 12 {
		draw.Draw(img, image.Rect(x, 100, x+4, 100+height), image.NewUniform(glyph), image.Point{}, draw.Src)
	}
	return img
}

func TestMeasure(t *testing.T) {
	gray := func(v uint8) color.Color { return color.Gray{Y: v} }
	for _, tt := range []struct {
		name          string
		ground, glyph color.Color
		want          float64
	}{
		{"black on white", gray(255), gray(0), 21},
		{"white on black", gray(0), gray(255), 21},
		{"grey on white, as WCAG's limit", gray(255), gray(0x76), 4.5},
		{"red on white", gray(255), color.RGBA{255, 0, 0, 255}, 4},
		{"one colour", gray(90), gray(90), 1},
	} {
		box := audit.TextBox{Text: "x", X: 50, Y: 90, Width: 260, Height: 40, Confidence: 1}
		f := ocr.Measure(0, bars(tt.ground, tt.glyph, 20), []audit.TextBox{box})
		if got := f.Lines[0].Contrast; math.Abs(got-tt.want) > 0.15 {
			t.Errorf("%s: contrast %.1f, want %.1f", tt.name, got, tt.want)
		}
		if h := f.Lines[0].Height; tt.want > 1 && h != 20 {
			t.Errorf("%s: glyphs %d pixels high, want 20", tt.name, h)
		}
	}
	// A box that a reader puts partly outside the frame.
	out := ocr.Measure(0, bars(gray(0), gray(255), 20), []audit.TextBox{{Text: "x", X: -50, Y: 190, Width: 900, Height: 90}})
	if len(out.Lines) != 1 {
		t.Errorf("%+v", out)
	}
}

func TestFlagSubtitles(t *testing.T) {
	var screen, speech []audit.Segment
	for i := range int64(6) {
		text := fmt.Sprintf("sentence number %c of the talk", 'a'+rune(i))
		speech = append(speech, audit.Segment{Source: audit.Speech, StartMS: i * 3000, EndMS: i*3000 + 2500, Text: text})
		screen = append(screen, audit.Segment{Source: audit.Screen, StartMS: i * 3000, EndMS: i*3000 + 2800, Text: text, Box: &audit.Box{X: 0.2, Y: 0.88, Width: 0.6, Height: 0.05}})
	}
	screen = append(screen,
		audit.Segment{Source: audit.Screen, StartMS: 4000, EndMS: 6000, Text: "Paid partnership", Box: &audit.Box{Y: 0.05, Height: 0.03}},
		audit.Segment{Source: audit.Screen, StartMS: 3000, EndMS: 6000, Text: "sentence number b of the talk", Box: &audit.Box{Y: 0.4, Height: 0.1}},
	)
	ocr.FlagSubtitles(screen, speech)
	for i, s := range screen {
		if want := i < 6; (s.Flag == ocr.FlagSubtitle) != want {
			t.Errorf("%q at %.2f: flag %q", s.Text, s.Box.Y, s.Flag)
		}
	}
}
