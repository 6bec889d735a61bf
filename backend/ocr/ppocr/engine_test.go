package ppocr_test

import (
	"bytes"
	"image"
	_ "image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"veristream/backend/ocr/ppocr"
)

// open loads the installed models, or skips loudly where they are not there.
func open(t *testing.T) *ppocr.Engine {
	t.Helper()
	data := os.Getenv("XDG_DATA_HOME")
	if data == "" {
		data = filepath.Join(os.Getenv("HOME"), ".local", "share")
	}
	dir := filepath.Join(data, "veristream", "models", "ppocr-v6-small")
	if home := os.Getenv("VERISTREAM_HOME"); home != "" {
		dir = filepath.Join(home, "data", "models", "ppocr-v6-small")
	}
	library := filepath.Join(os.Getenv("VERISTREAM_ORT_LIB"), "libonnxruntime.so")
	for _, path := range []string{filepath.Join(dir, "det.onnx"), library} {
		if _, err := os.Stat(path); err != nil {
			if os.Getenv("VERISTREAM_REQUIRE_ALL") == "1" {
				t.Fatalf("%s is missing (veristream models pull ppocr-v6-small; . build/env)", path)
			}
			t.Skipf("SKIPPED: %s is missing", path)
		}
	}
	e, err := ppocr.Open(library, dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func picture(t *testing.T, source, filters string) image.Image {
	t.Helper()
	cmd := exec.Command("ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", source, "-vf", filters,
		"-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "pipe:1")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Skipf("SKIPPED: ffmpeg: %v %s", err, errs.String())
	}
	img, _, err := image.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// Text on a plain plate, over a wild picture, large and small.
func TestReads(t *testing.T) {
	e := open(t)
	for _, tt := range []struct{ name, source, filters, want string }{
		{"plain", "color=0x173830:s=1280x720", "drawtext=font=Sans:expansion=none:text='Back-tested return +14.9% a year':fontsize=40:fontcolor=white:x=100:y=100", "Back-tested return +14.9% a year"},
		{"small and grey", "color=0x173830:s=1280x720", "drawtext=font=Sans:text='Paid partnership':fontsize=16:fontcolor=0x8fa39b:x=1000:y=690", "Paid partnership"},
		{"in a box over a test picture", "testsrc2=s=1280x720", "drawtext=font=Sans:text='Capital at risk':fontsize=30:fontcolor=white:box=1:boxcolor=black:boxborderw=8:x=60:y=600", "Capital at risk"},
		{"outlined over fractals", "mandelbrot=s=1280x720", "drawtext=font=Serif:text='Not a real client':fontsize=36:fontcolor=white:borderw=3:x=300:y=400", "Not a real client"},
		{"on a tall picture", "color=white:s=720x1280", "drawtext=font=Sans:text='Results not typical':fontsize=36:fontcolor=black:x=60:y=1200", "Results not typical"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			boxes, err := e.ReadText(t.Context(), picture(t, tt.source, tt.filters))
			if err != nil {
				t.Fatal(err)
			}
			var all []string
			for _, b := range boxes {
				all = append(all, b.Text)
			}
			if got := strings.Join(all, " | "); !strings.Contains(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestReadsNothingWhereNothingIs(t *testing.T) {
	e := open(t)
	for _, img := range []image.Image{image.NewRGBA(image.Rect(0, 0, 1280, 720)), image.NewRGBA(image.Rect(0, 0, 3, 2)), image.NewGray(image.Rect(0, 0, 200, 20))} {
		if boxes, err := e.ReadText(t.Context(), img); err != nil || len(boxes) != 0 {
			t.Errorf("%v: %+v %v", img.Bounds(), boxes, err)
		}
	}
}

func TestOpenBrokenModels(t *testing.T) {
	open(t)
	library := filepath.Join(os.Getenv("VERISTREAM_ORT_LIB"), "libonnxruntime.so")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "det.onnx"), []byte("not a model"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ppocr.Open(library, dir, 1); err == nil || !strings.Contains(err.Error(), "det.onnx") {
		t.Errorf("%v", err)
	}
}
