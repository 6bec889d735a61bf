package ocr_test

import (
	"bytes"
	"context"
	"image"
	_ "image/png"
	"os"
	"os/exec"
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/ocr"
)

func need(t testing.TB, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("VERISTREAM_REQUIRE_ALL") == "1" {
				t.Fatalf("%s is not installed", tool)
			}
			t.Skipf("SKIPPED: %s is not installed", tool)
		}
	}
}

// drawn makes a picture of 1280 by 720 with ffmpeg's filters.
func drawn(t testing.TB, filters string) image.Image {
	t.Helper()
	need(t, "ffmpeg")
	cmd := exec.Command("ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "color=0x173830:s=1280x720:d=1",
		"-vf", filters, "-frames:v", "1", "-f", "image2pipe", "-c:v", "png", "pipe:1")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	img, _, err := image.Decode(&out)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

const plate = "drawtext=font=Sans:text='Not investment advice':fontsize=48:fontcolor=white:x=200:y=200," +
	"drawtext=font=Sans:text='Capital at risk':fontsize=18:fontcolor=0xb0c0b8:x=900:y=680"

// readsPlate checks that a reader finds both texts where they are.
func readsPlate(t *testing.T, reader audit.TextReader) {
	t.Helper()
	boxes, err := reader.ReadText(t.Context(), drawn(t, plate))
	if err != nil {
		t.Fatalf("%v\n%s", err, audit.DetailsOf(err))
	}
	for want, at := range map[string]image.Rectangle{
		"Not investment advice": image.Rect(180, 180, 760, 270), "Capital at risk": image.Rect(880, 665, 1080, 712),
	} {
		found := false
		for _, b := range boxes {
			if strings.Contains(b.Text, want) {
				found = true
				if r := image.Rect(b.X, b.Y, b.X+b.Width, b.Y+b.Height); !r.In(at) {
					t.Errorf("%q is at %v", b.Text, r)
				}
			}
		}
		if !found {
			t.Errorf("%q is not in %+v", want, boxes)
		}
	}
}

func TestTesseractReads(t *testing.T) {
	need(t, "tesseract")
	readsPlate(t, ocr.Tesseract{})
	boxes, err := ocr.Tesseract{}.ReadText(t.Context(), drawn(t, "null"))
	if err != nil || len(boxes) != 0 {
		t.Errorf("an empty picture: %+v %v", boxes, err)
	}
}

func TestTesseractErrors(t *testing.T) {
	need(t, "tesseract")
	_, err := ocr.Tesseract{Languages: "xyz"}.ReadText(t.Context(), drawn(t, "null"))
	if audit.CodeOf(err) != audit.CodeMissing || !strings.Contains(audit.SentenceOf(err), "tesseract-ocr-xyz") {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (ocr.Tesseract{}).ReadText(ctx, drawn(t, "null")); audit.CodeOf(err) != audit.CodeCancelled {
		t.Errorf("%v", err)
	}
}
