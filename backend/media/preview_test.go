package media_test

import (
	"bytes"
	"image/jpeg"
	"testing"

	"veristream/backend/media"
)

func TestPreview(t *testing.T) {
	info := probe(t, h264(t, "a 'b' ü.mp4", "4"))
	for _, ms := range []int64{0, 1500, 3900, 9000} {
		data, err := media.Preview(t.Context(), info, ms, 160)
		if err != nil {
			t.Fatalf("at %d ms: %v", ms, err)
		}
		img, err := jpeg.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatalf("at %d ms: %v", ms, err)
		}
		if got := img.Bounds().Dx(); got != 160 {
			t.Errorf("at %d ms: %d pixels wide, want 160", ms, got)
		}
	}
}

func TestPreviewOfSound(t *testing.T) {
	info := probe(t, clip(t, "sound.wav", "-f", "lavfi", "-i", "sine=d=1"))
	if _, err := media.Preview(t.Context(), info, 0, 160); err == nil {
		t.Error("a picture came out of sound alone")
	}
}
