package media_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/media"
)

// cut keeps the beginning of a file.
func cut(t testing.TB, path string, keep float64) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return write(t, "cut"+filepath.Ext(path), string(content[:int(float64(len(content))*keep)]))
}

func TestProbeBadInput(t *testing.T) {
	for _, tt := range []struct {
		name  string
		path  func(t *testing.T) string
		words []string
	}{
		{"missing", func(t *testing.T) string { return filepath.Join(t.TempDir(), "gone.mp4") }, []string{"There is no file", "gone.mp4"}},
		{"below a file", func(t *testing.T) string { return filepath.Join(write(t, "a.txt", "x"), "b.mp4") }, []string{"There is no file"}},
		{"folder", func(t *testing.T) string { return t.TempDir() }, []string{"is a folder"}},
		{"empty", func(t *testing.T) string { return write(t, "empty.mp4", "") }, []string{"is empty"}},
		{"text as mp4", func(t *testing.T) string { return write(t, "notes.mp4", strings.Repeat("Just some notes.\n", 40)) }, []string{"is a text file"}},
		{"subtitles as mp4", func(t *testing.T) string {
			return write(t, "subs.mp4", "1\n00:00:01,000 --> 00:00:02,000\nHello\n")
		}, []string{"is a text file", ".srt"}},
		{"noise", func(t *testing.T) string {
			noise := make([]byte, 40000)
			for i, x := 0, uint32(1); i < len(noise); i++ {
				x = x*1664525 + 1013904223
				noise[i] = byte(x >> 24)
			}
			return write(t, "noise.mp4", string(noise))
		}, []string{"is not a video or sound file"}},
		{"picture", func(t *testing.T) string {
			return clip(t, "still.png", "-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1")
		}, []string{"is a picture"}},
		{"cut off, index at the end", func(t *testing.T) string { return cut(t, h264(t, "a.mp4", "3"), 0.6) }, []string{"is cut off"}},
		{"cut off, index first", func(t *testing.T) string {
			return cut(t, h264(t, "a.mp4", "30", "-movflags", "+faststart"), 0.5)
		}, []string{"is cut off", "30 s"}},
		{"cut off, matroska", func(t *testing.T) string { return cut(t, h264(t, "a.mkv", "30"), 0.5) }, []string{"is cut off"}},
		{"encrypted", func(t *testing.T) string {
			return h264(t, "locked.mp4", "3", "-encryption_scheme", "cenc-aes-ctr",
				"-encryption_key", "76a6c65c5ea762046bd749a2e632ccbb", "-encryption_kid", "a7e61c373e219033c21091fa607bf3b8")
		}, []string{"is encrypted"}},
		{"encrypted, as shops do", func(t *testing.T) string {
			content, err := os.ReadFile(h264(t, "a.mp4", "3"))
			if err != nil {
				t.Fatal(err)
			}
			return write(t, "shop.mp4", string(bytes.ReplaceAll(content, []byte("mp4a"), []byte("enca"))))
		}, []string{"is encrypted"}},
		{"no length", func(t *testing.T) string {
			return clip(t, "zero.mp4", "-f", "lavfi", "-i", "color=s=64x64:d=1", "-frames:v", "0", "-c:v", "libx264")
		}, []string{"zero.mp4"}},
		{"pipe", func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "pipe.mp4")
			if err := syscall.Mkfifo(path, 0o600); err != nil {
				t.Fatal(err)
			}
			return path
		}, []string{"is not a file but"}},
		{"playlist that wants the network", func(t *testing.T) string {
			return write(t, "list.mp4", "#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nhttp://127.0.0.1:9/a.ts\n#EXT-X-ENDLIST\n")
		}, []string{"list.mp4"}},
		{"no permission", func(t *testing.T) string {
			if os.Getuid() == 0 {
				t.Skip("SKIPPED: root may read everything")
			}
			path := write(t, "secret.mp4", "x")
			if err := os.Chmod(path, 0); err != nil {
				t.Fatal(err)
			}
			return path
		}, []string{"may not be read"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := tt.path(t)
			need(t, "ffprobe")
			_, _, err := media.Probe(t.Context(), path)
			if err == nil {
				t.Fatal("it was taken")
			}
			t.Log(audit.SentenceOf(err))
			wantError(t, err, audit.CodeInput, tt.words...)
		})
	}
}

// turned writes the matrix of a quarter turn into the head of the first track,
// as telephones do.
func turned(t testing.TB, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	flat := []byte("\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00")
	quarter := []byte("\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\xff\xff\x00\x00\x00\x00\x00\x00")
	track := bytes.Index(content, []byte("tkhd"))
	at := bytes.Index(content[track:], flat)
	if track < 0 || at < 0 {
		t.Fatal("no track header")
	}
	copy(content[track+at:], quarter)
	return write(t, "turned.mp4", string(content))
}

func TestProbeGood(t *testing.T) {
	t.Run("video and sound", func(t *testing.T) {
		path := h264(t, "talk.mp4", "2", "-metadata", "title=A talk")
		video, info, err := media.Probe(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if video.DurationMS < 1900 || video.DurationMS > 2200 || video.Width != 320 || video.Height != 240 ||
			!video.HasAudio || !video.HasVideo || video.Title != "A talk" || info.Notice != "" {
			t.Fatalf("%+v %+v", video, info)
		}
	})
	t.Run("no sound", func(t *testing.T) {
		video, info, err := media.Probe(t.Context(), clip(t, "mute.mp4", "-f", "lavfi", "-i", "testsrc=d=1", "-c:v", "libx264"))
		if err != nil || video.HasAudio || !strings.Contains(info.Notice, "no sound track") {
			t.Fatalf("%+v %+v %v", video, info, err)
		}
		err = media.ExtractAudio(t.Context(), info, 0, filepath.Join(t.TempDir(), "a.wav"), nil)
		wantError(t, err, audit.CodeInput, "no sound track")
	})
	t.Run("sound with a cover", func(t *testing.T) {
		cover := clip(t, "cover.png", "-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1")
		path := clip(t, "song.mp3", "-f", "lavfi", "-i", "sine=d=2", "-i", cover, "-map", "0", "-map", "1", "-disposition:v", "attached_pic")
		video, info, err := media.Probe(t.Context(), path)
		if err != nil || video.HasVideo || !video.HasAudio || !strings.Contains(info.Notice, "no picture") {
			t.Fatalf("%+v %+v %v", video, info, err)
		}
	})
	t.Run("two sound tracks", func(t *testing.T) {
		path := clip(t, "two.mkv", "-f", "lavfi", "-i", "testsrc=d=1", "-f", "lavfi", "-i", "sine=d=1", "-f", "lavfi", "-i", "sine=d=1",
			"-map", "0", "-map", "1", "-map", "2", "-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=deu",
			"-disposition:a:0", "comment", "-disposition:a:1", "default")
		info := probe(t, path)
		if len(info.Audio) != 2 || info.Audio[0].Language != "eng" || info.Audio[1].Language != "ger" && info.Audio[1].Language != "deu" || info.DefaultTrack() != 1 {
			t.Fatalf("%+v", info.Audio)
		}
		if !strings.Contains(info.Notice, "2 sound tracks") {
			t.Errorf("notice: %q", info.Notice)
		}
	})
	t.Run("turned", func(t *testing.T) {
		info := probe(t, turned(t, h264(t, "flat.mp4", "1")))
		if info.Picture.Width != 240 || info.Picture.Height != 320 || info.Picture.Rotation%180 != 90 {
			t.Fatalf("%+v", info.Picture)
		}
		if why, yes := media.NeedsProxy(info, 0); !yes {
			t.Errorf("no proxy: %s", why)
		}
	})
	t.Run("no duration in the head", func(t *testing.T) {
		path := h264(t, "live.mkv", "3", "-f", "matroska", "-live", "1")
		if info := probe(t, path); info.DurationMS < 2900 || info.DurationMS > 3200 {
			t.Fatalf("%d ms", info.DurationMS)
		}
	})
	t.Run("very short", func(t *testing.T) {
		if info := probe(t, h264(t, "short.mp4", "0.3")); info.DurationMS < 250 || info.DurationMS > 500 {
			t.Fatalf("%d ms", info.DurationMS)
		}
	})
}

// Nothing in a path may have a meaning for ffmpeg.
func TestOddPaths(t *testing.T) {
	good := h264(t, "good.mp4", "1")
	content, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{
		"with space.mp4", `it's "quoted".mp4`, "naïve – видео 動画.mp4", "new\nline.mp4", "-dash.mp4", "-i.mp4",
		"100% %d %03d.mp4", "a:b.mp4", "file:x.mp4", "concat:a|b.mp4", "[x],;=.mp4", "back\\slash.mp4", "bad\xff.mp4", "#hash?.mp4",
	} {
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
		info := probe(t, name)
		out := filepath.Join(dir, strings.TrimSuffix(name, ".mp4")+".wav")
		if err := media.ExtractAudio(t.Context(), info, 0, out, nil); err != nil {
			t.Errorf("%q: %v\n%s", name, err, audit.DetailsOf(err))
		}
		if err := media.Frame(t.Context(), info, 500, strings.TrimSuffix(out, ".wav")+".png"); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		for _, left := range []string{".wav", ".png"} {
			if _, err := os.Stat(strings.TrimSuffix(out, ".wav") + left); err != nil {
				t.Errorf("%q: %v", name, err)
			}
		}
		_, _, err := media.Probe(t.Context(), "no "+name)
		wantError(t, err, audit.CodeInput, "There is no file")
	}
}

func TestProbeCancelled(t *testing.T) {
	path := h264(t, "a.mp4", "1")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err := media.Probe(ctx, path)
	wantError(t, err, audit.CodeCancelled)
}

func TestHash(t *testing.T) {
	var last, total int64
	got, err := media.Hash(t.Context(), write(t, "abc", "abc"), func(d, n int64) { last, total = d, n })
	if err != nil || got != "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" || last != 3 || total != 3 {
		t.Fatalf("%s %d/%d %v", got, last, total, err)
	}
	_, err = media.Hash(t.Context(), filepath.Join(t.TempDir(), "none"), nil)
	wantError(t, err, audit.CodeInput, "There is no file")
}
