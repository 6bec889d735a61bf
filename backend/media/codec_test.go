package media_test

import (
	"image"
	"path/filepath"
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/media"
)

// Everything that ffmpeg reads is taken; what the window cannot play is known.
func TestContainersAndCodecs(t *testing.T) {
	picture := []string{"-f", "lavfi", "-i", "testsrc=s=160x120:r=10:d=1"}
	sound := []string{"-f", "lavfi", "-i", "sine=f=440:d=1"}
	for _, tt := range []struct {
		file    string
		sound   bool
		encode  string
		picture bool
		proxy   bool
	}{
		{"h264.mp4", true, "-c:v libx264 -pix_fmt yuv420p -c:a aac", true, false},
		{"h264.mov", true, "-c:v libx264 -pix_fmt yuv420p -c:a aac", true, false},
		{"h264.mkv", true, "-c:v libx264 -pix_fmt yuv420p -c:a libmp3lame", true, false},
		{"ten bits.mp4", true, "-c:v libx264 -pix_fmt yuv420p10le -c:a aac", true, true},
		{"hevc.mp4", true, "-c:v libx265 -x265-params log-level=none -c:a aac", true, true},
		{"vp9.webm", true, "-c:v libvpx-vp9 -deadline realtime -pix_fmt yuv420p -c:a libopus", true, false},
		{"vp8.webm", true, "-c:v libvpx -deadline realtime -pix_fmt yuv420p -c:a libvorbis", true, false},
		{"av1.mp4", true, "-c:v libsvtav1 -preset 12 -c:a aac", true, true},
		{"prores.mov", true, "-c:v prores_ks -c:a pcm_s16le", true, true},
		{"old.avi", true, "-c:v mpeg4 -c:a libmp3lame", true, true},
		{"stream.ts", true, "-c:v libx264 -pix_fmt yuv420p -c:a aac", true, true},
		{"old.wmv", true, "-c:v wmv2 -c:a wmav2", true, true},
		{"moving.gif", false, "", true, true},
		{"sound.mp3", true, "-vn", false, false},
		{"sound.m4a", true, "-vn -c:a aac", false, false},
		{"sound.wav", true, "-vn", false, true},
		{"sound.flac", true, "-vn", false, true},
		{"sound.ogg", true, "-vn -c:a libvorbis", false, true},
	} {
		t.Run(tt.file, func(t *testing.T) {
			args := append([]string{}, picture...)
			if tt.sound {
				args = append(args, sound...)
			}
			info := probe(t, clip(t, tt.file, append(args, strings.Fields(tt.encode)...)...))
			if !near(info.DurationMS, 1000, 200) || (info.Picture != nil) != tt.picture || (len(info.Audio) > 0) != tt.sound {
				t.Fatalf("%+v", info)
			}
			if why, needed := media.NeedsProxy(info, 0); needed != tt.proxy {
				t.Errorf("needs a proxy: %v (%s)", needed, why)
			}
			if tt.sound {
				if err := media.ExtractAudio(t.Context(), info, 0, filepath.Join(t.TempDir(), "a.wav"), nil); err != nil {
					t.Errorf("%v\n%s", err, audit.DetailsOf(err))
				}
			}
			if tt.picture {
				n := 0
				if err := media.Frames(t.Context(), info, media.FrameOptions{}, func(int64, image.Image) error { n++; return nil }); err != nil || n == 0 {
					t.Errorf("%d frames, %v\n%s", n, err, audit.DetailsOf(err))
				}
			}
		})
	}
}

func TestHDRIsMadeVisible(t *testing.T) {
	path := clip(t, "hdr.mp4", "-f", "lavfi", "-i", "testsrc=s=160x120:r=10:d=1", "-c:v", "libx265", "-x265-params", "log-level=none",
		"-pix_fmt", "yuv420p10le", "-color_primaries", "bt2020", "-color_trc", "smpte2084", "-colorspace", "bt2020nc")
	info := probe(t, path)
	if !info.Picture.HDR {
		t.Fatalf("%+v", info.Picture)
	}
	proxy := filepath.Join(t.TempDir(), "p.mp4")
	if err := media.Proxy(t.Context(), info, 0, proxy, nil); err != nil {
		t.Fatalf("%v\n%s", err, audit.DetailsOf(err))
	}
	if got := probe(t, proxy); got.Picture.HDR || got.Picture.PixelFormat != "yuv420p" {
		t.Errorf("%+v", got.Picture)
	}
}

func TestOtherSoundTrack(t *testing.T) {
	path := clip(t, "two.mkv", "-f", "lavfi", "-i", "aevalsrc=0:s=16000:d=1", "-f", "lavfi", "-i", "sine=d=1", "-map", "0", "-map", "1")
	info := probe(t, path)
	out := filepath.Join(t.TempDir(), "a.wav")
	for track, loud := range []bool{false, true} {
		if err := media.ExtractAudio(t.Context(), info, track, out, nil); err != nil {
			t.Fatal(err)
		}
		peaks, err := media.Peaks(t.Context(), out, 1)
		if err != nil || (peaks[0] > 0.05) != loud {
			t.Errorf("track %d: %v %v", track, peaks, err)
		}
	}
	wantError(t, media.ExtractAudio(t.Context(), info, 2, out, nil), audit.CodeUsage, "no sound track 3")
}
