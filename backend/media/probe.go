package media

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"veristream/backend/audit"
	"veristream/backend/proc"
)

// ProbeInfo is what is in a file.
type ProbeInfo struct {
	Path       string  // as given
	Format     string  // ffmpeg's name of the container
	Start      float64 // of the container, in seconds of its own clock
	Zero       float64 // our time 0, in seconds of the container's clock
	DurationMS int64   // from time 0 to the end of the last stream
	Size       int64
	Title      string
	Picture    *Picture // nil for sound alone
	Audio      []AudioTrack
	Subtitles  []SubtitleTrack
	// Notice is a sentence for the user about what is missing and what that means for the audit.
	Notice string
}

// PlayOffsetMS is what a player that starts at the container's start must add
// to our times.
func (p ProbeInfo) PlayOffsetMS() int64 { return int64(math.Round((p.Zero - p.Start) * 1000)) }

// Picture is the video stream that is audited: the first that is not a cover.
type Picture struct {
	Index         int
	Codec         string
	PixelFormat   string
	Width, Height int // as shown, after rotation
	Rotation      int // degrees, clockwise, that a player must turn it
	FrameRate     float64
	Start         float64
	HDR           bool
	Profile       string
}

// AudioTrack is one sound track. Track is its number among the sound tracks.
type AudioTrack struct {
	Track      int
	Index      int
	Codec      string
	Language   string // ISO 639, as the file says; "" when it does not
	Title      string
	Channels   int
	SampleRate int
	Start      float64
	Default    bool
	Comment    bool // commentary, or a description for the blind
}

// SubtitleTrack is a track of subtitles in the file.
type SubtitleTrack struct {
	Index    int
	Codec    string
	Language string
	Title    string
}

// DefaultTrack gives the sound track to use when nobody chooses: the first
// that is marked default and is not a commentary.
func (p ProbeInfo) DefaultTrack() int {
	for _, t := range p.Audio {
		if t.Default && !t.Comment {
			return t.Track
		}
	}
	for _, t := range p.Audio {
		if !t.Comment {
			return t.Track
		}
	}
	return 0
}

// What ffprobe writes, as far as it is used.
type probeJSON struct {
	Streams []probeStream `json:"streams"`
	Format  struct {
		Name      string            `json:"format_name"`
		StartTime string            `json:"start_time"`
		Duration  string            `json:"duration"`
		Tags      map[string]string `json:"tags"`
	} `json:"format"`
	Packets []probePacket `json:"packets"`
}

type probeStream struct {
	Index         int               `json:"index"`
	Codec         string            `json:"codec_name"`
	Profile       string            `json:"profile"`
	Type          string            `json:"codec_type"`
	Tag           string            `json:"codec_tag_string"`
	Width         int               `json:"width"`
	Height        int               `json:"height"`
	PixelFormat   string            `json:"pix_fmt"`
	ColorTransfer string            `json:"color_transfer"`
	FrameRate     string            `json:"avg_frame_rate"`
	SampleRate    string            `json:"sample_rate"`
	Channels      int               `json:"channels"`
	StartTime     string            `json:"start_time"`
	Duration      string            `json:"duration"`
	Disposition   map[string]int    `json:"disposition"`
	Tags          map[string]string `json:"tags"`
	SideData      []probeSideData   `json:"side_data_list"`
}

type probeSideData struct {
	Type     string  `json:"side_data_type"`
	Rotation float64 `json:"rotation"`
}

type probePacket struct {
	PTS      string          `json:"pts_time"`
	Duration string          `json:"duration_time"`
	SideData []probeSideData `json:"side_data_list"`
}

// probeDeadline bounds a look at a file: a slow network disk, not a hang.
const probeDeadline = time.Minute

// Probe looks at a file. What cannot be audited is an audit.Error whose
// sentence says why.
func Probe(ctx context.Context, path string) (audit.Video, ProbeInfo, error) {
	size, err := checkFile(path)
	if err != nil {
		return audit.Video{}, ProbeInfo{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, probeDeadline)
	defer cancel()
	raw, stderr, err := ffprobe(ctx, path, "-show_format", "-show_streams")
	if err != nil {
		return audit.Video{}, ProbeInfo{}, probeError(ctx, err, path, stderr)
	}
	info := describe(path, size, raw)
	if err := checkContent(info, raw); err != nil {
		return audit.Video{}, ProbeInfo{}, err
	}
	if err := measure(ctx, &info, raw); err != nil {
		return audit.Video{}, ProbeInfo{}, err
	}
	info.Notice = info.Tell().String()
	return videoOf(info), info, nil
}

func videoOf(info ProbeInfo) audit.Video {
	v := audit.Video{
		Path: info.Path, DurationMS: info.DurationMS, Size: info.Size,
		Title: info.Title, HasVideo: info.Picture != nil, HasAudio: len(info.Audio) > 0,
	}
	if v.Title == "" {
		name := filepath.Base(info.Path)
		v.Title = strings.ToValidUTF8(strings.TrimSuffix(name, filepath.Ext(name)), "\ufffd")
	}
	if info.Picture != nil {
		v.Width, v.Height = info.Picture.Width, info.Picture.Height
	}
	return v
}

// Tell gives Notice as what it is made of.
func (p ProbeInfo) Tell() audit.Messages {
	switch {
	case len(p.Audio) == 0:
		return audit.Say("The video has no sound track: only the text on the screen is audited.")
	case p.Picture == nil:
		return audit.Say("The file has no picture: only what is said is audited.")
	case len(p.Audio) > 1:
		return audit.Say("The file has {0} sound tracks; number {1} is audited unless you choose another.",
			strconv.Itoa(len(p.Audio)), strconv.Itoa(p.DefaultTrack()+1))
	}
	return nil
}

func ffprobe(ctx context.Context, path string, args ...string) (probeJSON, string, error) {
	args = append([]string{"-hide_banner", "-v", "error", "-of", "json"}, args...)
	cmd, err := command(ctx, "ffprobe", append(args, inputArgs(path)...)...)
	if err != nil {
		return probeJSON{}, "", err
	}
	out, stderr, err := proc.Run(cmd)
	if err != nil {
		return probeJSON{}, stderr, err
	}
	var raw probeJSON
	if err := json.Unmarshal(out, &raw); err != nil {
		return probeJSON{}, stderr, err
	}
	return raw, stderr, nil
}

func describe(path string, size int64, raw probeJSON) ProbeInfo {
	info := ProbeInfo{
		Path: path, Size: size, Format: raw.Format.Name,
		Title: strings.TrimSpace(strings.ToValidUTF8(tag(raw.Format.Tags, "title"), "")),
	}
	info.Start, _ = seconds(raw.Format.StartTime)
	for _, s := range raw.Streams {
		start, known := seconds(s.StartTime)
		if !known {
			start = info.Start
		}
		switch s.Type {
		case "video":
			// A cover image in a sound file is no picture.
			if info.Picture == nil && s.Disposition["attached_pic"] == 0 && s.Width > 0 {
				info.Picture = pictureOf(s, start)
			}
		case "audio":
			rate, _ := strconv.Atoi(s.SampleRate)
			info.Audio = append(info.Audio, AudioTrack{
				Track: len(info.Audio), Index: s.Index, Codec: s.Codec,
				Language: language(s.Tags), Title: tag(s.Tags, "title"),
				Channels: s.Channels, SampleRate: rate, Start: start,
				Default: s.Disposition["default"] == 1,
				Comment: s.Disposition["comment"] == 1 || s.Disposition["visual_impaired"] == 1,
			})
		case "subtitle":
			info.Subtitles = append(info.Subtitles, SubtitleTrack{
				Index: s.Index, Codec: s.Codec, Language: language(s.Tags), Title: tag(s.Tags, "title"),
			})
		}
	}
	switch {
	case info.Picture != nil:
		info.Zero = info.Picture.Start
	case len(info.Audio) > 0:
		info.Zero = info.Audio[0].Start
	}
	return info
}

func pictureOf(s probeStream, start float64) *Picture {
	p := &Picture{
		Index: s.Index, Codec: s.Codec, PixelFormat: s.PixelFormat, Profile: s.Profile,
		Width: s.Width, Height: s.Height, FrameRate: ratio(s.FrameRate), Start: start,
		HDR: s.ColorTransfer == "smpte2084" || s.ColorTransfer == "arib-std-b67",
	}
	for _, d := range s.SideData {
		if d.Type == "Display Matrix" {
			// ffprobe gives degrees counter-clockwise.
			p.Rotation = ((-int(math.Round(d.Rotation)))%360 + 360) % 360
		}
	}
	if p.Rotation%180 == 90 {
		p.Width, p.Height = p.Height, p.Width
	}
	return p
}

// checkFile refuses what is not worth asking ffprobe about.
func checkFile(path string) (int64, error) {
	stat, err := os.Stat(path)
	if err != nil {
		return 0, openError(path, err)
	}
	name := quote(filepath.Base(path))
	switch {
	case stat.IsDir():
		return 0, audit.Errorf(audit.CodeInput, "%s is a folder. Choose a video, sound or subtitle file in it.", name)
	case !stat.Mode().IsRegular():
		return 0, audit.Errorf(audit.CodeInput, "%s is not a file but a device or a pipe.", name)
	case stat.Size() == 0:
		return 0, audit.Errorf(audit.CodeInput, "%s is empty (0 bytes).", name)
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, openError(path, err)
	}
	defer f.Close()
	// A disk that fails does so at the first read.
	if _, err := f.Read(make([]byte, 1)); err != nil {
		return 0, openError(path, err)
	}
	return stat.Size(), nil
}

func seconds(s string) (float64, bool) {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}

func ratio(s string) float64 {
	a, b, _ := strings.Cut(s, "/")
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	if y == 0 {
		return 0
	}
	return x / y
}

func tag(tags map[string]string, name string) string {
	for k, v := range tags {
		if strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

func language(tags map[string]string) string {
	l := strings.ToLower(tag(tags, "language"))
	if l == "und" {
		return ""
	}
	return l
}
