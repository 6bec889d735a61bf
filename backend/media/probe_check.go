package media

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"

	"veristream/backend/audit"
)

// openError says why a file cannot be opened.
func openError(path string, err error) error {
	name := quote(filepath.Base(path))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return audit.Wrap(err, audit.CodeInput, "There is no file %s.", quote(path))
	case errors.Is(err, fs.ErrPermission):
		return audit.Wrap(err, audit.CodeInput, "%s may not be read: you have no permission.", name)
	case errors.Is(err, syscall.ENAMETOOLONG):
		return audit.Wrap(err, audit.CodeInput, "The name of the file is too long.")
	case errors.Is(err, syscall.EIO):
		return audit.Wrap(err, audit.CodeInput, "%s cannot be read: the disk reports an error.", name)
	}
	return audit.Wrap(err, audit.CodeInput, "%s cannot be opened.", name)
}

// probeError says what is wrong with a file that ffprobe does not understand.
func probeError(ctx context.Context, err error, path, stderr string) error {
	name := quote(filepath.Base(path))
	var known *audit.Error
	switch {
	case errors.As(err, &known):
		return err
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return audit.Wrap(err, audit.CodeInput, "%s could not be looked at within a minute; is its disk reachable?", name)
	case ctx.Err() != nil:
		return ctx.Err()
	case looksLikeText(path):
		return audit.Wrap(err, audit.CodeInput, "%s is a text file, not a video.%s", name, textHint(path)).WithDetails(stderr)
	case strings.Contains(stderr, "moov atom not found") && hasBoxes(path):
		return audit.Wrap(err, audit.CodeInput, "%s is cut off: its index is missing, as after a broken download or recording. Get the file again.", name).WithDetails(stderr)
	case strings.Contains(stderr, "EBML header parsing failed"):
		return audit.Wrap(err, audit.CodeInput, "%s is damaged at its beginning. Get the file again.", name).WithDetails(stderr)
	}
	return audit.Wrap(err, audit.CodeInput, "%s is not a video or sound file that can be read.", name).WithDetails(stderr)
}

// checkContent refuses files without a moving picture or sound.
func checkContent(info ProbeInfo, raw probeJSON) error {
	name := quote(filepath.Base(info.Path))
	for _, s := range raw.Streams {
		if s.Tag == "encv" || s.Tag == "enca" || hasEncryption(s.SideData) {
			return encrypted(name)
		}
	}
	switch {
	case info.Format == "tty", looksLikeText(info.Path) && info.Picture == nil && len(info.Audio) == 0:
		return audit.Errorf(audit.CodeInput, "%s is a text file, not a video.%s", name, textHint(info.Path))
	case info.Format == "image2", strings.HasSuffix(info.Format, "_pipe"), info.Format == "ico":
		return audit.Errorf(audit.CodeInput, "%s is a picture, not a video.", name)
	case info.Picture == nil && len(info.Audio) == 0:
		return audit.Errorf(audit.CodeInput, "%s holds neither a moving picture nor sound.", name)
	}
	if p := info.Picture; p != nil && p.Codec == "" {
		return audit.Errorf(audit.CodeInput, "%s holds a picture in a format that ffmpeg does not know.", name)
	}
	return nil
}

func encrypted(name string) error {
	return audit.Errorf(audit.CodeInput, "%s is encrypted (protected against copying) and cannot be read. Ask its maker for an open copy.", name)
}

func hasEncryption(side []probeSideData) bool {
	return slices.ContainsFunc(side, func(d probeSideData) bool { return strings.HasPrefix(d.Type, "Encryption") })
}

// tailSeconds is how much of the end is read to see whether it is there.
const tailSeconds = 5

// measure finds the duration, and refuses files that are cut off, encrypted or
// of no length.
func measure(ctx context.Context, info *ProbeInfo, raw probeJSON) error {
	name := quote(filepath.Base(info.Path))
	duration, known := seconds(raw.Format.Duration)
	end := info.Start + duration
	if strings.HasPrefix(info.Format, "matroska") {
		end = duration // a Matroska file's duration counts from 0 of its clock, not from its start
	}
	indexed := strings.HasPrefix(info.Format, "mov,") || strings.HasPrefix(info.Format, "matroska")
	if !known || indexed {
		from := ""
		if known && duration > 2*tailSeconds {
			from = strconv.FormatFloat(end-tailSeconds, 'f', 3, 64)
		}
		last, err := readTail(ctx, info.Path, from)
		if err != nil {
			return err
		}
		switch {
		case last.encrypted:
			return encrypted(name)
		case last.cutOff, known && last.any && last.end < end-tailSeconds, known && !last.any && from != "":
			return audit.Errorf(audit.CodeInput,
				"%s is cut off: it should last %s, but its end is missing. Get the file again.", name, clock(duration)).WithDetails(last.stderr)
		case last.any:
			end = last.end
		}
	}
	info.DurationMS = int64(math.Round((end - info.Zero) * 1000))
	if info.DurationMS <= 0 {
		return audit.Errorf(audit.CodeInput, "%s has no length: there is nothing in it to hear or see.", name)
	}
	return nil
}

type tail struct {
	any, encrypted, cutOff bool
	end                    float64
	stderr                 string
}

// readTail reads the packets from a time on (all of them when from is "").
func readTail(ctx context.Context, path, from string) (tail, error) {
	raw, stderr, err := ffprobe(ctx, path, "-read_intervals", from+"%", "-show_packets",
		"-show_entries", "packet=pts_time,duration_time:packet_side_data=side_data_type")
	if err != nil {
		return tail{}, probeError(ctx, err, path, stderr)
	}
	t := tail{stderr: stderr, cutOff: strings.Contains(stderr, "partial file") || strings.Contains(stderr, "File ended prematurely")}
	for _, p := range raw.Packets {
		at, ok := seconds(p.PTS)
		if !ok {
			continue
		}
		length, _ := seconds(p.Duration)
		if !t.any || at+length > t.end {
			t.end = at + length
		}
		t.any = true
		t.encrypted = t.encrypted || hasEncryption(p.SideData)
	}
	return t, nil
}

func clock(s float64) string {
	n := int64(math.Round(s))
	if n < 60 {
		return strconv.FormatInt(n, 10) + " s"
	}
	if n < 3600 {
		return strconv.FormatInt(n/60, 10) + " min " + strconv.FormatInt(n%60, 10) + " s"
	}
	return strconv.FormatInt(n/3600, 10) + " h " + strconv.FormatInt(n%3600/60, 10) + " min"
}

// looksLikeText says whether a file's beginning is text that a person wrote.
func looksLikeText(path string) bool {
	head := headOf(path, 4096)
	if len(head) == 0 || bytes.IndexByte(head, 0) >= 0 {
		return bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
	}
	for cut := 0; cut < utf8.UTFMax && len(head) > 0 && !utf8.Valid(head); cut++ {
		head = head[:len(head)-1] // the limit may have cut a character
	}
	if !utf8.Valid(head) {
		return false
	}
	control := 0
	for _, b := range head {
		if b < ' ' && b != '\n' && b != '\r' && b != '\t' {
			control++
		}
	}
	return control*50 < len(head)
}

// textHint tells how to give subtitles, when the text is of that kind.
func textHint(path string) string {
	if strings.Contains(string(headOf(path, 4096)), "-->") {
		return " It looks like subtitles: name it .srt or .vtt."
	}
	return ""
}

// hasBoxes says whether a file begins as an MP4 does.
func hasBoxes(path string) bool {
	head := headOf(path, 12)
	return len(head) == 12 && slices.Contains([]string{"ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"}, string(head[4:8]))
}

func headOf(path string, n int64) []byte {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	head, _ := readAllTo(f, n)
	return head
}
