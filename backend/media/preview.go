package media

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"veristream/backend/audit"
	"veristream/backend/proc"
)

// Preview gives a small JPEG of at most that width for a time: the key frame
// at or before it, which is found at once however long the video is. For the
// exact picture there is Frame.
func Preview(ctx context.Context, info ProbeInfo, ms int64, width int) ([]byte, error) {
	if info.Picture == nil {
		return nil, audit.Errorf(audit.CodeInput, "%s has no picture.", quote(filepath.Base(info.Path)))
	}
	ms = max(0, min(ms, info.DurationMS-1))
	at := float64(ms)/1000 + info.Zero - info.Start
	args := append([]string{"-v", "error", "-nostdin", "-noaccurate_seek", "-ss", strconv.FormatFloat(at, 'f', 3, 64)}, inputArgs(info.Path)...)
	args = append(args, "-map", "0:"+strconv.Itoa(info.Picture.Index), "-frames:v", "1",
		"-vf", fmt.Sprintf("scale='min(%d,iw)':-2", width), "-q:v", "5", "-f", "mjpeg", "-")
	cmd, err := command(ctx, "ffmpeg", args...)
	if err != nil {
		return nil, err
	}
	out, words, err := proc.Run(cmd)
	if err != nil {
		return nil, toolError(ctx, err, "taking a picture", info.Path, words)
	}
	if len(out) == 0 {
		return nil, audit.Errorf(audit.CodeInput, "%s has no picture at %d ms.", quote(filepath.Base(info.Path)), ms)
	}
	return out, nil
}
