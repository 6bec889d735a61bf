package eval

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"veristream/backend/audit"
)

// trainingVideo is one line of eval/screener/videos: a video whose every
// sentence is labelled. Its times are computed.
type trainingVideo struct {
	ID       string      `json:"id"`
	Kind     string      `json:"kind"`
	Note     string      `json:"note"`
	Facts    audit.Facts `json:"facts"`
	Segments []struct {
		Source audit.Source `json:"source"`
		Text   string       `json:"text"`
		At     int          `json:"at"`  // screen: the spoken sentence during which it appears
		For    float64      `json:"for"` // screen: seconds
	} `json:"segments"`
	Expected      []ExpectedFinding `json:"expected"`
	NotApplicable []string          `json:"not_applicable"`
}

// Sentences are spoken at this many words a second, with a pause between them.
const (
	spokenWordsASecond = 2.5
	pauseMS            = 600
)

// LoadTrainingVideos reads the videos that the screener and the weights of the
// audit are fitted on. They are never measured with.
func LoadTrainingVideos(dir string) ([]AuditCase, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil {
		return nil, fmt.Errorf("look for videos in %s: %w", dir, err)
	}
	var out []AuditCase
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("read training videos: %w", err)
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, 1<<20)
		for n := 1; lines.Scan(); n++ {
			var v trainingVideo
			if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
				return nil, fmt.Errorf("read %s, line %d: %w", file, n, err)
			}
			out = append(out, v.timed())
		}
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no training videos in %s", dir)
	}
	return out, nil
}

// timed gives the video with the times of its sentences.
func (v trainingVideo) timed() AuditCase {
	c := AuditCase{ID: v.ID, Kind: v.Kind, Note: v.Note, Facts: v.Facts, NotApplicable: v.NotApplicable}
	at := int64(pauseMS)
	var starts []int64
	n := map[audit.Source]int{}
	add := func(src audit.Source, text string, start, end int64) {
		n[src]++
		c.Segments = append(c.Segments, audit.Segment{ID: fmt.Sprintf("%c%d", src[1], n[src]), Source: src, Text: text, StartMS: start, EndMS: end})
	}
	for _, s := range v.Segments {
		if s.Source == audit.Speech {
			end := at + int64(1000*float64(len(strings.Fields(s.Text)))/spokenWordsASecond)
			add(s.Source, s.Text, at, end)
			starts = append(starts, at)
			at = end + pauseMS
		}
	}
	c.DurationMS = at + pauseMS
	for _, s := range v.Segments {
		switch s.Source {
		case audit.Description:
			add(s.Source, s.Text, 0, 0)
		case audit.Screen:
			start := int64(0)
			if len(starts) > 0 {
				start = starts[min(max(0, s.At), len(starts)-1)]
			}
			length := int64(1000 * s.For)
			if length <= 0 {
				length = 4000
			}
			add(s.Source, s.Text, start, min(start+length, c.DurationMS))
		}
	}
	sortSegments(c.Segments)
	for _, e := range v.Expected {
		e.StartMS, e.EndMS = 0, c.DurationMS
		for _, s := range c.Segments {
			if e.Excerpt != "" && s.Source != audit.Description && strings.Contains(s.Text, e.Excerpt) {
				e.StartMS, e.EndMS = s.StartMS, s.EndMS
				break
			}
		}
		c.Expected = append(c.Expected, e)
	}
	return c
}
