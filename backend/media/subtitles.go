package media

import (
	"errors"
	"fmt"
	"html"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"veristream/backend/audit"
)

// transcriptFormats are the endings that ReadSubtitles takes.
var transcriptFormats = []string{".srt", ".vtt", ".txt", ".md", ".json"}

// IsTranscript says whether a path names a text to audit instead of a video.
func IsTranscript(path string) bool {
	return slices.Contains(transcriptFormats, strings.ToLower(filepath.Ext(path)))
}

// ReadSubtitles reads a subtitle or transcript file (.srt, .vtt, .txt, .json)
// as segments of one channel, in order of time, with ids s1, o1 or d1 and so
// on. A JSON file's own sources are kept. Segments of a description have no
// time: both ends are 0.
func ReadSubtitles(path string, source audit.Source) ([]audit.Segment, error) {
	text, err := readText(path)
	if err != nil {
		return nil, err
	}
	var segments []audit.Segment
	switch strings.ToLower(filepath.Ext(path)) {
	case ".json":
		segments, err = parseJSON(text, source)
	case ".srt", ".vtt":
		segments, err = parseCues(text)
	default:
		// Subtitles are often saved as .txt.
		if reArrow.MatchString(text) {
			segments, err = parseCues(text)
		} else {
			segments, err = parsePlain(text)
		}
	}
	if err != nil {
		return nil, audit.Errorf(audit.CodeInput, "%s cannot be read: %s.", quote(filepath.Base(path)), err)
	}
	segments = tidy(segments, source)
	if len(segments) == 0 {
		return nil, audit.Errorf(audit.CodeInput, "%s holds no text.", quote(filepath.Base(path)))
	}
	return segments, nil
}

// Identify gives segments their ids: the channel's letter and a number.
func Identify(segments []audit.Segment) {
	counts := map[audit.Source]int{}
	letters := map[audit.Source]string{audit.Speech: "s", audit.Screen: "o", audit.Description: "d"}
	for i := range segments {
		src := segments[i].Source
		counts[src]++
		segments[i].ID = letters[src] + strconv.Itoa(counts[src])
	}
}

// shortestMS is what a segment lasts at least: an end that is not after its
// start is a mistake of the file.
const shortestMS = 1

// tidy puts segments in order and makes their times hold.
func tidy(segments []audit.Segment, source audit.Source) []audit.Segment {
	out := segments[:0]
	for _, s := range segments {
		s.Text = strings.Join(strings.Fields(s.Text), " ")
		if s.Text == "" {
			continue
		}
		if s.Source == "" {
			s.Source = source
		}
		if s.Source == audit.Description {
			s.StartMS, s.EndMS = 0, 0
		} else {
			s.StartMS = max(0, s.StartMS)
			s.EndMS = max(s.EndMS, s.StartMS+shortestMS)
		}
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b audit.Segment) int { return int(a.StartMS - b.StartMS) })
	Identify(out)
	return out
}

const reTime = `(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?`

var (
	reArrow  = regexp.MustCompile(`(?m)^\s*[\d:.,]+\s*-+>`)
	reCue    = regexp.MustCompile(`^\s*` + reTime + `\s*-+>\s*` + reTime + `(?:\s.*)?$`)
	reMarkup = regexp.MustCompile(`</?[a-zA-Z][^<>]*>|<\d[\d:.]*>|\{\\[^}]*\}`)
	reNumber = regexp.MustCompile(`^\s*\d+\s*$`)
	reVoice  = regexp.MustCompile(`<v(?:\.[^ >]*)?\s+([^>]+)>`)
)

// lineError is a mistake at a line of a file.
type lineError struct {
	line int
	what string
}

func (e lineError) Error() string { return fmt.Sprintf("line %d: %s", e.line, e.what) }

// cue is a subtitle with its lines.
type cue struct {
	start, end int64
	body       []string
}

// parseCues reads SRT and WebVTT: they differ in little that matters here.
func parseCues(text string) ([]audit.Segment, error) {
	lines := strings.Split(text, "\n")
	var cues []cue
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case isBlock(line, len(cues) == 0):
			for i+1 < len(lines) && strings.TrimSpace(lines[i+1]) != "" && !nextIsCue(lines, i) {
				i++
			}
		case strings.Contains(line, "-->"):
			c, err := parseTimes(line)
			if err != nil {
				return nil, lineError{i + 1, err.Error()}
			}
			cues = append(cues, c)
		case nextIsCue(lines, i):
			// The number or name of a cue, unless it is a line of the one before it that lacks an
			// empty line at its end.
			if len(cues) > 0 && !reNumber.MatchString(line) && i > 0 && strings.TrimSpace(lines[i-1]) != "" {
				cues[len(cues)-1].add(line)
			}
		case len(cues) > 0:
			// Makers of subtitles leave empty lines within a text.
			cues[len(cues)-1].add(line)
		case strings.TrimSpace(line) != "" && !reNumber.MatchString(line):
			return nil, lineError{i + 1, "there is text without a time before it"}
		}
	}
	var out []audit.Segment
	var before []string
	for _, c := range cues {
		// Between two lines that roll up stands a cue of 10 ms that only repeats.
		repeats := c.end-c.start <= 50 && slices.Equal(c.body, before)
		if fresh := withoutRolled(c.body, before); len(fresh) > 0 && !repeats {
			out = append(out, audit.Segment{StartMS: c.start, EndMS: c.end, Text: strings.Join(fresh, " ")})
		}
		before = c.body
	}
	return out, nil
}

func (c *cue) add(line string) {
	if s := cleanCue(line); s != "" {
		c.body = append(c.body, s)
	}
}

var reBlock = regexp.MustCompile(`^(WEBVTT|STYLE|REGION|NOTE)(\s|$)`)

// isBlock says whether a line begins a part of a WebVTT file that holds no
// text; all but remarks stand before the first cue.
func isBlock(line string, atHead bool) bool {
	m := reBlock.FindStringSubmatch(line)
	return m != nil && (atHead || m[1] == "NOTE")
}

func parseTimes(line string) (cue, error) {
	m := reCue.FindStringSubmatch(line)
	if m == nil {
		return cue{}, fmt.Errorf("“%s” is not a pair of times such as 00:00:01,000 --> 00:00:03,500", clip(strings.TrimSpace(line)))
	}
	c := cue{start: clockMS(m[1:5]), end: clockMS(m[5:9])}
	if c.end < c.start {
		return cue{}, errors.New("the end is before the beginning")
	}
	return c, nil
}

func nextIsCue(lines []string, i int) bool {
	return i+1 < len(lines) && strings.Contains(lines[i+1], "-->")
}

// withoutRolled takes off the lines that a rolling caption repeats from the
// cue before it.
func withoutRolled(body, before []string) []string {
	for n := min(len(body), len(before)); n > 0; n-- {
		if len(before) > 1 || len(body) > 1 {
			if slices.Equal(body[:n], before[len(before)-n:]) {
				return body[n:]
			}
		}
	}
	return body
}

func cleanCue(s string) string {
	s = reVoice.ReplaceAllString(s, "$1: ")
	s = reMarkup.ReplaceAllString(s, "")
	return strings.TrimSpace(html.UnescapeString(s))
}

// clockMS reads hours, minutes, seconds and a fraction.
func clockMS(m []string) int64 {
	h, _ := strconv.ParseInt(m[0], 10, 64)
	minutes, _ := strconv.ParseInt(m[1], 10, 64)
	s, _ := strconv.ParseInt(m[2], 10, 64)
	ms, _ := strconv.ParseInt((m[3] + "000")[:3], 10, 64)
	return ((h*60+minutes)*60+s)*1000 + ms
}

func clip(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:40]) + "…"
	}
	return s
}
