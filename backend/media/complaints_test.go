package media_test

// Complaints that people have about tools of this kind, each a test by its name.

import (
	"encoding/binary"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"veristream/backend/audit"
	"veristream/backend/media"
)

// Memory that grows with length: reading the sound of three hours takes no more
// than that of three minutes, and so does looking at its pictures.
func TestMemoryDoesNotGrowWithLength(t *testing.T) {
	silence := func(minutes int) string { // a file with a hole in it: it takes no space on the disk
		path := filepath.Join(t.TempDir(), "sound.wav")
		data := uint32(minutes * 60 * 16000 * 2)
		var h []byte
		h = append(append(h, "RIFF"...), binary.LittleEndian.AppendUint32(nil, 36+data)...)
		h = append(append(h, "WAVEfmt "...), 16, 0, 0, 0, 1, 0, 1, 0)
		h = binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(h, 16000), 32000)
		h = append(append(append(h, 2, 0, 16, 0), "data"...), binary.LittleEndian.AppendUint32(nil, data)...)
		if err := os.WriteFile(path, h, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, int64(len(h))+int64(data)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	peaks := func(minutes int) uint64 { // what the heap has grown to by then
		if got, err := media.Peaks(t.Context(), silence(minutes), 1000); err != nil || len(got) != 1000 {
			t.Fatalf("%d peaks, %v", len(got), err)
		}
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		return now.HeapSys
	}
	if short, long := peaks(3), peaks(180); long > short+(32<<20) {
		t.Errorf("after the peaks of 3 minutes the heap has %d bytes, after those of 3 hours %d", short, long)
	}
	held := func(seconds string) (most uint64) {
		info := probe(t, h264(t, "still.mp4", seconds))
		err := media.Frames(t.Context(), info, media.FrameOptions{}, func(int64, image.Image) error {
			var now runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return most
	}
	if short, long := held("3"), held("30"); long > short+(8<<20) {
		t.Errorf("looking at 3 s holds %d bytes, at 30 s %d", short, long)
	}
}

// yt-dlp breaking without a word: however it ends, one sentence says so, and what
// it wrote stands behind it.
func TestYTDLPBreaks(t *testing.T) {
	for name, tt := range map[string]struct{ script, says string }{
		"a traceback":        {`echo 'Traceback (most recent call last): KeyError: streamingData' >&2; exit 1`, "could not be downloaded"},
		"too old":            {`echo 'ERROR: Unable to extract initial player response; please report this issue' >&2; exit 1`, "too old"},
		"not a word":         {`exit 1`, "could not be downloaded"},
		"an answer of noise": {`echo '<html>blocked</html>'; exit 0`, "did not understand"},
		"no answer at all":   {`exit 0`, "did not understand"},
		"killed":             {`kill -9 $$`, "could not be downloaded"},
	} {
		t.Run(name, func(t *testing.T) {
			exe := filepath.Join(t.TempDir(), "yt-dlp")
			if err := os.WriteFile(exe, []byte("#!/bin/sh\n"+tt.script+"\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			_, err := media.Downloader{Exe: exe}.Fetch(t.Context(), "https://videos.example/watch?v=1", t.TempDir(), nil)
			if err == nil || audit.CodeOf(err) != audit.CodeNetwork || !strings.Contains(audit.SentenceOf(err), tt.says) {
				t.Fatalf("%v (%s)", err, audit.CodeOf(err))
			}
			if strings.ContainsAny(audit.SentenceOf(err), "\n{<") || strings.Contains(audit.SentenceOf(err), "Traceback") {
				t.Errorf("its own words are told: %q", audit.SentenceOf(err))
			}
			if strings.Contains(tt.script, ">&2") && audit.DetailsOf(err) == "" {
				t.Error("what it wrote is lost")
			}
		})
	}
	t.Run("it says that it is done, and there is nothing", func(t *testing.T) {
		dir := t.TempDir()
		exe := filepath.Join(dir, "yt-dlp")
		answer := `{"title":"A talk","webpage_url":"https://videos.example/watch?v=1"}`
		if err := os.WriteFile(exe, fmt.Appendf(nil, "#!/bin/sh\ncase \"$*\" in *--dump-single-json*) echo '%s';; *) echo 'vs-file \"%s/none.mp4\"';; esac\n", answer, dir), 0o700); err != nil {
			t.Fatal(err)
		}
		_, err := media.Downloader{Exe: exe}.Fetch(t.Context(), "https://videos.example/watch?v=1", dir, nil)
		wantError(t, err, audit.CodeNetwork, "0 bytes")
	})
}
