package media

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"veristream/backend/audit"
)

// TranscriptFormats are the formats that WriteTranscript knows.
var TranscriptFormats = []string{"srt", "vtt", "txt"}

// WriteTranscript writes segments as SRT, WebVTT or plain text. Players need
// an end that is after the beginning and no empty line within a cue.
func WriteTranscript(w io.Writer, format string, segments []audit.Segment) error {
	out := bufio.NewWriter(w)
	switch format {
	case "srt":
		for i, s := range segments {
			fmt.Fprintf(out, "%d\n%s --> %s\n%s\n\n", i+1, stamp(s.StartMS, ','), stamp(s.EndMS, ','), oneLine(s.Text))
		}
	case "vtt":
		fmt.Fprint(out, "WEBVTT\n\n")
		escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
		for _, s := range segments {
			fmt.Fprintf(out, "%s --> %s\n%s\n\n", stamp(s.StartMS, '.'), stamp(s.EndMS, '.'), escape.Replace(oneLine(s.Text)))
		}
	case "txt":
		for _, s := range segments {
			fmt.Fprintf(out, "[%s] %s\n", stamp(s.StartMS, '.')[:8], oneLine(s.Text))
		}
	default:
		return audit.Errorf(audit.CodeUsage, "There is no format %q; use %s or json.", format, strings.Join(TranscriptFormats, ", "))
	}
	if err := out.Flush(); err != nil {
		return storageError(err, "the transcript")
	}
	return nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// stamp writes a time as 00:01:02,345.
func stamp(ms int64, point byte) string {
	return fmt.Sprintf("%02d:%02d:%02d%c%03d", ms/3_600_000, ms/60_000%60, ms/1000%60, point, ms%1000)
}
