package media

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"

	"veristream/backend/audit"
)

// msPerWord is the pace given to a transcript without times: 2.5 words a second.
const msPerWord = 400

// reLineTime is a time at the beginning of a line. Two digits of seconds are
// asked for, so that "10:1 leverage" is none.
const reLineTime = `(?:(\d{1,3}):)?(\d{1,2}):(\d{2})(?:[.,](\d{1,3}))?`

var (
	// [00:12], (1:02:03), 00:12 -, 00:00:12.500: at the beginning of a line.
	reStamp = regexp.MustCompile(`^\s*[\[(]?` + reLineTime + `[\])]?(?:\s*[-–—:]\s+|\s+|$)`)
	// A range: [00:12 - 00:15].
	reStampRange = regexp.MustCompile(`^\s*[\[(]?` + reLineTime + `\s*(?:-|–|—|to)+\s*` + reLineTime + `[\])]?\s*[-–—:]?\s*`)
)

// parsePlain reads a transcript of plain lines. Lines may begin with a time;
// without any, the sentences are spread at the pace of speech.
func parsePlain(text string) ([]audit.Segment, error) {
	type stamped struct {
		start, end int64
		timed      bool
		text       string
		line       int
	}
	var lines []stamped
	times := 0
	for i, line := range strings.Split(text, "\n") {
		s := stamped{line: i + 1}
		if m := reStampRange.FindStringSubmatch(line); m != nil {
			s.start, s.end, s.timed = clockMS(m[1:5]), clockMS(m[5:9]), true
			line = line[len(m[0]):]
		} else if m := reStamp.FindStringSubmatch(line); m != nil {
			s.start, s.timed = clockMS(m[1:5]), true
			line = line[len(m[0]):]
		}
		s.text = strings.TrimSpace(line)
		if s.timed {
			times++
		}
		// A time may stand on a line of its own, before its text.
		if n := len(lines); n > 0 && lines[n-1].timed && lines[n-1].text == "" && !s.timed && s.text != "" {
			lines[n-1].text = s.text
			continue
		}
		if s.text != "" || s.timed {
			lines = append(lines, s)
		}
	}
	var out []audit.Segment
	at := int64(0)
	for i, l := range lines {
		if times > 0 && l.timed {
			if l.end != 0 && l.end < l.start {
				return nil, lineError{l.line, "the end is before the beginning"}
			}
			if l.start < at && len(out) > 0 {
				// Spread lines before this one were too slow: the stamp is right.
				out[len(out)-1].EndMS = max(out[len(out)-1].StartMS+shortestMS, min(out[len(out)-1].EndMS, l.start))
			}
			at = l.start
		}
		sentences := audit.Sentences(l.text)
		limit := l.end
		if limit == 0 {
			for _, next := range lines[i+1:] {
				if next.timed {
					limit = next.start
					break
				}
			}
		}
		for _, s := range spread(sentences, at, limit) {
			out = append(out, s)
			at = s.EndMS
		}
	}
	return out, nil
}

// spread gives sentences times from a moment on, by their words; where the end
// is known and nearer, they share what there is.
func spread(sentences []string, from, limit int64) []audit.Segment {
	words := 0
	for _, s := range sentences {
		words += len(strings.Fields(s))
	}
	pace := float64(msPerWord)
	if limit > from && words > 0 {
		pace = math.Min(pace, float64(limit-from)/float64(words))
	}
	out, done := make([]audit.Segment, 0, len(sentences)), 0
	for _, s := range sentences {
		start := from + int64(float64(done)*pace)
		done += len(strings.Fields(s))
		out = append(out, audit.Segment{Text: s, StartMS: start, EndMS: from + int64(float64(done)*pace)})
	}
	return out
}

// jsonCue is a segment in any of the JSON forms that are read: our own
// (start_ms), Whisper's (start, in seconds) and whisper.cpp's (offsets).
type jsonCue struct {
	Source  audit.Source `json:"source"`
	StartMS *int64       `json:"start_ms"`
	EndMS   *int64       `json:"end_ms"`
	Start   *float64     `json:"start"`
	End     *float64     `json:"end"`
	Offsets *struct {
		From int64 `json:"from"`
		To   int64 `json:"to"`
	} `json:"offsets"`
	Text *string `json:"text"`
	Flag string  `json:"flag"`
	// Whisper's words have other keys, so they are read as they come and kept only when they are ours.
	Words      json.RawMessage `json:"words"`
	Box        *audit.Box      `json:"box"`
	Contrast   float64         `json:"contrast"`
	Confidence float64         `json:"confidence"`
}

// ownWords gives a segment's words when they have times as we write them.
func (c jsonCue) ownWords() []audit.Word {
	var words []audit.Word
	if c.StartMS == nil || json.Unmarshal(c.Words, &words) != nil {
		return nil
	}
	return words
}

func parseJSON(text string, source audit.Source) ([]audit.Segment, error) {
	var cues []jsonCue
	var doc struct {
		Segments      []jsonCue `json:"segments"`
		Transcription []jsonCue `json:"transcription"`
	}
	err := json.Unmarshal([]byte(text), &cues)
	if err != nil {
		if err = json.Unmarshal([]byte(text), &doc); err == nil {
			cues = append(doc.Segments, doc.Transcription...)
		}
	}
	if err != nil {
		return nil, jsonError(text, err)
	}
	var out []audit.Segment
	for i, c := range cues {
		if c.Text == nil {
			return nil, fmt.Errorf("segment %d has no text", i+1)
		}
		s := audit.Segment{
			Source: c.Source, Text: *c.Text, Flag: c.Flag, Words: c.ownWords(),
			Box: c.Box, Contrast: c.Contrast, Confidence: c.Confidence,
		}
		src := s.Source
		if src == "" {
			src = source
		}
		switch src {
		case audit.Speech, audit.Screen, audit.Description:
		default:
			return nil, fmt.Errorf("segment %d: “%s” is no channel; write speech, screen or description", i+1, clip(string(src)))
		}
		switch {
		case c.StartMS != nil && c.EndMS != nil:
			s.StartMS, s.EndMS = *c.StartMS, *c.EndMS
		case c.Start != nil && c.End != nil && sane(*c.Start) && sane(*c.End):
			s.StartMS, s.EndMS = int64(math.Round(*c.Start*1000)), int64(math.Round(*c.End*1000))
		case c.Offsets != nil:
			s.StartMS, s.EndMS = c.Offsets.From, c.Offsets.To
		case src != audit.Description:
			return nil, fmt.Errorf("segment %d has no times (start_ms and end_ms, or start and end in seconds)", i+1)
		}
		if s.EndMS < s.StartMS {
			return nil, fmt.Errorf("segment %d ends before it begins", i+1)
		}
		out = append(out, s)
	}
	return out, nil
}

// sane says whether a number of seconds fits into a video.
func sane(s float64) bool { return s >= 0 && s < 1e9 }

// jsonError gives a mistake in JSON its line.
func jsonError(text string, err error) error {
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	at := int64(-1)
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset
	case errors.As(err, &typed):
		at = typed.Offset
	}
	if at < 0 || at > int64(len(text)) {
		return err
	}
	return lineError{strings.Count(text[:at], "\n") + 1, "the JSON is not right: " + strings.TrimPrefix(err.Error(), "json: ")}
}
