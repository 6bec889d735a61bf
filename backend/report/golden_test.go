package report_test

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "write the golden pages anew; look at them before they are committed")

// The pages look as they did when a person last looked at them.
func TestGoldenPages(t *testing.T) {
	for _, tt := range []struct {
		n           int
		language    string
		first, last int
		golden      string
	}{
		{6, "en", 1, 4, "six"},
		{1, "de", 1, 6, "one-de"},
	} {
		in := sample(t, tt.n)
		in.Language = tt.language
		path := keep(t, "golden-"+tt.golden+".pdf", signed(t, in, identity(t, "Lena Brandt", when)))
		stem := filepath.Join(t.TempDir(), "page")
		tool(t, "pdftoppm", "-r", "36", "-gray", "-png", "-f", fmt.Sprint(tt.first), "-l", fmt.Sprint(tt.last), path, stem)
		got, err := filepath.Glob(stem + "*.png")
		if err != nil || len(got) == 0 {
			t.Fatalf("no pages: %v", err)
		}
		for i, file := range got {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", "pages", fmt.Sprintf("%s-%d.png", tt.golden, tt.first+i))
			if *update {
				if err := os.MkdirAll(filepath.Dir(golden), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(golden, data, 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if d := distance(t, data, want); d > 0.012 {
				t.Errorf("%s: the page looks different (%.4f)", golden, d)
			}
		}
	}
}

// distance is the mean difference of two pictures' grey, from 0 to 1. Other
// versions of the renderer smooth letters a little differently.
func distance(t *testing.T, a, b []byte) float64 {
	t.Helper()
	x, y := decode(t, a), decode(t, b)
	if x.Bounds() != y.Bounds() {
		return 1
	}
	var sum, n float64
	for py := range x.Bounds().Dy() {
		for px := range x.Bounds().Dx() {
			g := color.GrayModel.Convert(x.At(px, py)).(color.Gray).Y
			h := color.GrayModel.Convert(y.At(px, py)).(color.Gray).Y
			sum += max(float64(g), float64(h)) - min(float64(g), float64(h))
			n++
		}
	}
	return sum / n / 255
}

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}
