package media

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// playerSlackMS is how far a file's own beginning may lie from time 0 before a
// player that starts there is felt to be off.
const playerSlackMS = 40

// NeedsProxy says whether the window's player may not play a file, or not with
// our times, and why.
func NeedsProxy(info ProbeInfo, track int) (why string, needed bool) {
	if off := info.PlayOffsetMS(); off > playerSlackMS {
		return "the picture begins later than the file", true
	}
	if !strings.HasPrefix(info.Format, "mov,") && !strings.HasPrefix(info.Format, "matroska") && info.Format != "mp3" {
		return "the container " + info.Format + " is not one that the player reads", true
	}
	if p := info.Picture; p != nil {
		switch {
		case !slices.Contains([]string{"h264", "vp8", "vp9"}, p.Codec):
			return "the player does not decode " + p.Codec, true
		case p.PixelFormat != "yuv420p" && p.PixelFormat != "yuvj420p":
			return "the player does not show the pixel format " + p.PixelFormat, true
		case p.HDR:
			return "the picture is HDR", true
		case p.Rotation != 0:
			return "the picture must be turned", true
		}
	}
	if track > 0 {
		return "the player plays the first sound track only", true
	}
	if track < len(info.Audio) && !slices.Contains([]string{"aac", "mp3", "opus", "vorbis"}, info.Audio[track].Codec) {
		return "the player does not decode " + info.Audio[track].Codec, true
	}
	return "", false
}

// proxyHeight bounds the proxy: it is for looking, the original is the evidence.
const proxyHeight = 720

// toneMap turns HDR into what an ordinary screen shows.
const toneMap = "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=hable:desat=0,zscale=t=bt709:m=bt709:r=tv,"

// Proxy writes an H.264/AAC copy that every player can play and seek, with the
// same presentation times. Progress is in milliseconds.
func Proxy(ctx context.Context, info ProbeInfo, track int, out string, progress Progress) error {
	args := append([]string{"-y", "-copyts"}, inputArgs(info.Path)...)
	if p := info.Picture; p != nil {
		w, h := fitHeight(p.Width, p.Height, proxyHeight)
		filter := fmt.Sprintf("setpts=PTS-(%s)/TB,scale=%d:%d,setsar=1,format=yuv420p",
			strconv.FormatFloat(info.Zero, 'f', -1, 64), w, h)
		if p.HDR {
			filter = toneMap + filter
		}
		args = append(args, "-map", "0:"+strconv.Itoa(p.Index), "-vf", filter, "-vsync", "passthrough",
			// A clock of 1/90000 s keeps the times of every container.
			"-enc_time_base", "1:90000", "-video_track_timescale", "90000",
			"-c:v", "libx264", "-preset", "veryfast", "-crf", "24", "-g", "60")
	}
	if track >= 0 && track < len(info.Audio) {
		args = append(args, "-map", "0:a:"+strconv.Itoa(track), "-af", alignAudio(info.Zero),
			"-c:a", "aac", "-b:a", "128k", "-ac", "2")
	}
	return writeWhole(ctx, out, "the playback copy", func(tmp string) error {
		args := append(args, "-sn", "-dn", "-map_metadata", "-1", "-movflags", "+faststart", "-f", "mp4", "file:"+tmp)
		return runFFmpeg(ctx, "making the playback copy", info.Path, info.DurationMS, progress, args...)
	})
}
