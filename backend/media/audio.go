package media

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"veristream/backend/audit"
	"veristream/backend/wav"
)

// ExtractAudio writes a sound track as 16 kHz mono 16-bit WAV whose time 0 is
// ours. Progress is in milliseconds.
func ExtractAudio(ctx context.Context, info ProbeInfo, track int, out string, progress Progress) error {
	name := quote(filepath.Base(info.Path))
	if track < 0 || track >= len(info.Audio) {
		if len(info.Audio) == 0 {
			return audit.Errorf(audit.CodeInput, "%s has no sound track.", name)
		}
		return audit.Errorf(audit.CodeUsage, "%s has no sound track %d; it has %d.", name, track+1, len(info.Audio))
	}
	return writeWhole(ctx, out, "the sound of the video", func(tmp string) error {
		args := append([]string{"-y", "-copyts"}, inputArgs(info.Path)...)
		args = append(args, "-map", "0:a:"+strconv.Itoa(track), "-vn", "-sn", "-dn",
			"-af", alignAudio(info.Zero)+",aresample="+strconv.Itoa(wav.Rate)+",aformat=sample_fmts=s16:channel_layouts=mono",
			"-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact",
			"-c:a", "pcm_s16le", "-rf64", "auto", "-f", "wav", "file:"+tmp)
		if err := runFFmpeg(ctx, "taking out the sound", info.Path, info.DurationMS, progress, args...); err != nil {
			return err
		}
		r, err := wav.Open(tmp)
		if err != nil {
			return audit.Wrap(err, audit.CodeInput, "%s: no sound could be taken out of it.", name)
		}
		defer r.Close()
		if r.Samples() == 0 {
			return audit.Errorf(audit.CodeInput, "%s: its sound track is empty.", name)
		}
		return nil
	})
}

// alignAudio shifts a sound track to our time: what is before 0 is cut, a late
// start and gaps are filled with silence.
func alignAudio(zero float64) string {
	return fmt.Sprintf("asetpts=PTS-(%s)/TB,aresample=async=1:first_pts=0", strconv.FormatFloat(zero, 'f', -1, 64))
}
