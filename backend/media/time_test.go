package media_test

import (
	"context"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/wav"
)

// flashAndBeep is a clip in which the picture turns white, and a tone begins,
// at the same second: whatever the container does to the clocks, both must be
// found at that time.
func flashAndBeep(t testing.TB, name string, more ...string) string {
	t.Helper()
	args := []string{
		"-f", "lavfi", "-i", "color=black:s=320x240:r=25:d=4,drawbox=color=white:t=fill:enable='gte(t,2)*lt(t,3)'",
		"-f", "lavfi", "-i", "aevalsrc='if(gte(t,2)*lt(t,3),0.8*sin(2*PI*880*t),0)':s=48000:d=4",
		"-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac",
	}
	return clip(t, name, append(args, more...)...)
}

// loudFrom gives the first and last millisecond of sound in a file.
func loudFrom(t testing.TB, path string) (from, to int64) {
	t.Helper()
	r, err := wav.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.Rate() != wav.Rate {
		t.Fatalf("%d Hz", r.Rate())
	}
	samples, err := r.ReadMS(0, r.DurationMS())
	if err != nil {
		t.Fatal(err)
	}
	from = -1
	for i, s := range samples {
		if s > 8000 {
			to = int64(i) * 1000 / wav.Rate
			if from < 0 {
				from = to
			}
		}
	}
	return from, to
}

func near(got, want, slack int64) bool { return got >= want-slack && got <= want+slack }

func TestSoundAndPictureShareOurClock(t *testing.T) {
	for _, tt := range []struct {
		name       string
		path       func(t *testing.T) string
		beep       int64 // when the tone begins, in our clock
		flash      int64
		needsProxy bool
	}{
		{"mp4", func(t *testing.T) string { return flashAndBeep(t, "a.mp4") }, 2000, 2000, false},
		{"mkv", func(t *testing.T) string { return flashAndBeep(t, "a.mkv") }, 2000, 2000, false},
		{"transport stream that starts at 1.4 s", func(t *testing.T) string { return flashAndBeep(t, "a.ts") }, 2000, 2000, true},
		{"clock starts at 60 s", func(t *testing.T) string { return flashAndBeep(t, "a.mkv", "-output_ts_offset", "60") }, 2000, 2000, false},
		{"picture 0.5 s after sound", func(t *testing.T) string {
			a := flashAndBeep(t, "a.mkv")
			return clip(t, "late.mkv", "-itsoffset", "0.5", "-i", a, "-i", a, "-map", "0:v", "-map", "1:a", "-c", "copy")
		}, 1500, 2000, true},
		{"sound 0.7 s after picture", func(t *testing.T) string {
			a := flashAndBeep(t, "a.mkv")
			return clip(t, "early.mkv", "-itsoffset", "0.7", "-i", a, "-i", a, "-map", "1:v", "-map", "0:a", "-c", "copy")
		}, 2700, 2000, false},
		{"picture after sound, in mp4", func(t *testing.T) string {
			a := flashAndBeep(t, "a.mkv")
			return clip(t, "late.mp4", "-itsoffset", "0.5", "-i", a, "-i", a, "-map", "0:v", "-map", "1:a", "-c", "copy")
		}, 1500, 2000, true},
		{"variable frame rate", func(t *testing.T) string {
			return clip(t, "vfr.mkv", "-i", flashAndBeep(t, "a.mkv"), "-vf", "select='not(mod(n,7))+between(n,45,60)'", "-vsync", "vfr", "-c:a", "copy")
		}, 2000, 2000, false},
		{"a hole in the sound", func(t *testing.T) string {
			return clip(t, "hole.mkv", "-i", flashAndBeep(t, "a.mkv"), "-af", "aselect='not(between(t,0.5,1.5))'", "-c:v", "copy")
		}, 2000, 2000, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			info := probe(t, tt.path(t))
			if !near(info.DurationMS, 4000, 800) {
				t.Errorf("lasts %d ms", info.DurationMS)
			}
			checkClock(t, info, tt.beep, tt.flash)
			why, needed := media.NeedsProxy(info, 0)
			if needed != tt.needsProxy {
				t.Errorf("needs a proxy: %v (%s)", needed, why)
			}
			proxy := filepath.Join(t.TempDir(), "proxy.mp4")
			if err := media.Proxy(t.Context(), info, 0, proxy, nil); err != nil {
				t.Fatalf("%v\n%s", err, audit.DetailsOf(err))
			}
			copied := probe(t, proxy)
			if why, needed := media.NeedsProxy(copied, 0); needed {
				t.Errorf("the proxy needs a proxy: %s", why)
			}
			checkClock(t, copied, tt.beep, tt.flash)
		})
	}
}

func checkClock(t *testing.T, info media.ProbeInfo, beep, flash int64) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "a.wav")
	if err := media.ExtractAudio(t.Context(), info, 0, out, nil); err != nil {
		t.Fatalf("%v\n%s", err, audit.DetailsOf(err))
	}
	if from, to := loudFrom(t, out); !near(from, beep, 40) || !near(to, beep+1000, 60) {
		t.Errorf("tone from %d to %d ms, want %d to %d", from, to, beep, beep+1000)
	}
	var changes []int64
	err := media.Frames(t.Context(), info, media.FrameOptions{FPS: 10}, func(ms int64, img image.Image) error {
		changes = append(changes, ms)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(changes) != 3 || changes[0] != 0 || !near(changes[1], flash, 60) || !near(changes[2], flash+1000, 120) {
		t.Errorf("changes at %v, want 0, %d, %d", changes, flash, flash+1000)
	}
	for ms, want := range map[int64]bool{0: false, flash - 300: false, flash + 500: true, flash + 1500: false, 99_000: false} {
		path := filepath.Join(t.TempDir(), "still.png")
		if err := media.Frame(t.Context(), info, ms, path); err != nil {
			t.Fatal(err)
		}
		if got := brightness(t, path) > 128; got != want {
			t.Errorf("at %d ms white is %v, want %v", ms, got, want)
		}
	}
}

func brightness(t testing.TB, path string) int {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, _, err := image.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	middle := img.Bounds().Max.Div(2)
	return int(color.GrayModel.Convert(img.At(middle.X, middle.Y)).(color.Gray).Y)
}

func TestFramesSeesSmallText(t *testing.T) {
	path := clip(t, "small.mp4", "-f", "lavfi", "-i",
		"color=0x203040:s=1280x720:r=25:d=6,drawtext=text='Paid partnership':fontsize=16:fontcolor=0x8090a0:x=900:y=690:enable='between(t,2,4)'",
		"-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast")
	var changes []int64
	var told int64
	err := media.Frames(t.Context(), probe(t, path), media.FrameOptions{Progress: func(d, _ int64) { told = d }}, func(ms int64, img image.Image) error {
		changes = append(changes, ms)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(changes) != 3 || !near(changes[1], 2000, 250) || !near(changes[2], 4000, 250) {
		t.Errorf("changes at %v, want 0, 2000, 4000", changes)
	}
	if told < 5000 {
		t.Errorf("progress ended at %d", told)
	}
}

func TestFramesStopsWithEmit(t *testing.T) {
	info := probe(t, h264(t, "a.mp4", "3"))
	stop := context.DeadlineExceeded
	n := 0
	err := media.Frames(t.Context(), info, media.FrameOptions{}, func(int64, image.Image) error { n++; return stop })
	if err != stop || n != 1 {
		t.Fatalf("%d frames, %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = media.Frames(ctx, info, media.FrameOptions{}, func(int64, image.Image) error { cancel(); return nil })
	wantError(t, err, audit.CodeCancelled)
}

func TestThumbnailsAndPeaks(t *testing.T) {
	info := probe(t, flashAndBeep(t, "a.mp4", "-g", "5"))
	strip := filepath.Join(t.TempDir(), "strip.jpg")
	width, err := media.Thumbnails(t.Context(), info, 4, 60, strip)
	if err != nil || width != 80 {
		t.Fatalf("%d wide, %v", width, err)
	}
	f, err := os.Open(strip)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, _, err := image.Decode(f)
	if err != nil || img.Bounds().Dx() != 320 || img.Bounds().Dy() != 60 {
		t.Fatalf("%v %v", img.Bounds(), err)
	}
	for i, white := range []bool{false, false, true, false} {
		if got := color.GrayModel.Convert(img.At(i*80+40, 30)).(color.Gray).Y > 128; got != white {
			t.Errorf("thumbnail %d is white: %v", i, got)
		}
	}
	sound := filepath.Join(t.TempDir(), "a.wav")
	if err := media.ExtractAudio(t.Context(), info, 0, sound, nil); err != nil {
		t.Fatal(err)
	}
	peaks, err := media.Peaks(t.Context(), sound, 4)
	if err != nil || len(peaks) != 4 || peaks[0] > 0.05 || peaks[2] < 0.7 || peaks[3] > 0.3 {
		t.Fatalf("%v %v", peaks, err)
	}
}

// What is cancelled leaves nothing behind.
func TestCancelledExtractLeavesNothing(t *testing.T) {
	info := probe(t, h264(t, "a.mp4", "20"))
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := media.ExtractAudio(ctx, info, 0, filepath.Join(dir, "a.wav"), nil)
	wantError(t, err, audit.CodeCancelled)
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Fatalf("left: %v %v", left, err)
	}
}
