package eval

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"veristream/backend/audit"
	"veristream/backend/transcribe"
)

// WordsBench says what BenchWords works with.
type WordsBench struct {
	Exe    string   // the veristream program
	Models []string // files of speech models
	// Minutes are those of all conditions together; 0 means 36.
	Minutes int
	// Sample is whisper.cpp's own recording, samples/jfk.mp3 of its source; "" leaves it out.
	Sample string
	// Only leaves out conditions whose name lacks it, such as "5 dB".
	Only string
	// Show lists what was heard wrongly.
	Show bool
}

// sampleText is what is said in whisper.cpp's own recording.
const sampleText = "And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country."

// timelyMS is how far the time of a word may be off.
const timelyMS = 300

// condition is a way in which the text is said.
type condition struct {
	voice string
	speed int
	noise string // of noises; "" for none
	snr   float64
}

var conditions = []condition{
	{"en-us", 120, "", 0},
	{"en-us", 150, "", 0},
	{"en-us", 190, "", 0},
	{"en", 150, "", 0},
	{"en-us+f3", 150, "", 0},
	{"en+m3", 170, "", 0},
	{"en-us", 150, "white", 20},
	{"en-us", 150, "white", 10},
	{"en-us", 150, "white", 5},
	{"en", 150, "pink", 20},
	{"en", 150, "pink", 10},
	{"en", 150, "pink", 5},
	{"en-us+f3", 150, "music", 20},
	{"en-us", 150, "music", 10},
	{"en-us", 150, "music", 5},
}

func (c condition) String() string {
	if c.noise == "" {
		return fmt.Sprintf("%s at %d words/min", c.voice, c.speed)
	}
	return fmt.Sprintf("%s at %d words/min, %s %.0f dB", c.voice, c.speed, c.noise, c.snr)
}

// BenchWords measures word error rate and the times of words over voices,
// speeds, and noise at several levels, for each model on the same sound.
func BenchWords(ctx context.Context, w io.Writer, b WordsBench) error {
	if b.Minutes == 0 {
		b.Minutes = 36
	}
	dir, err := os.MkdirTemp("", "veristream-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for the bench: %w", err)
	}
	defer os.RemoveAll(dir)
	totals := make([]wordScore, len(b.Models))
	printWordHead(w)
	for i, c := range conditions {
		if !strings.Contains(c.String(), b.Only) {
			continue
		}
		clean, sound := filepath.Join(dir, "clean.wav"), filepath.Join(dir, "sound.wav")
		said, err := speak(ctx, clean, c.voice, c.speed, i*17, int64(b.Minutes)*60_000/int64(len(conditions)))
		if err != nil {
			return err
		}
		if c.noise == "" {
			sound = clean
		} else if err := mix(ctx, said, clean, sound, c.noise, c.snr); err != nil {
			return err
		}
		if err := b.hear(ctx, w, c.String(), sound, said, totals); err != nil {
			return err
		}
	}
	for i, m := range b.Models {
		totals[i].print(w, transcribe.ModelName(m), "all of these", false)
	}
	if b.Sample == "" {
		return nil
	}
	sound := filepath.Join(dir, "sample.wav")
	if err := ffmpeg(ctx, "-i", b.Sample, "-ar", "16000", "-ac", "1", "-c:a", "pcm_s16le", sound); err != nil {
		return err
	}
	return b.hear(ctx, w, "whisper.cpp's sample", sound, spoken{lines: []string{sampleText}}, make([]wordScore, len(b.Models)))
}

// hear writes down one recording with each model, and what came of it.
func (b WordsBench) hear(ctx context.Context, w io.Writer, name, sound string, said spoken, totals []wordScore) error {
	for i, model := range b.Models {
		var heard []audit.Segment
		worker := &transcribe.Worker{Exe: b.Exe, ModelPath: model, Language: "en"}
		before := childrenCPU()
		if err := worker.Transcribe(ctx, sound, func(s audit.Segment) error { heard = append(heard, s); return nil }); err != nil {
			return err
		}
		score := scoreWords(said, heard)
		score.cpu = childrenCPU() - before
		score.print(w, transcribe.ModelName(model), name, b.Show)
		totals[i].add(score)
	}
	return nil
}

// wordScore counts what was heard of a text. Words of flagged segments take no
// part in an audit, so they count as not heard.
type wordScore struct {
	said, wrong, invented, missed int // invented: heard, and not said or said otherwise
	flagged, flaggedRight         int // words of flagged segments, and those that were said
	timed, timely                 int // words whose time is known, and those heard in time
	offs                          []int64
	cpu                           time.Duration
	misheard                      []string
}

func (s *wordScore) add(o wordScore) {
	s.said, s.wrong, s.invented, s.missed = s.said+o.said, s.wrong+o.wrong, s.invented+o.invented, s.missed+o.missed
	s.flagged, s.flaggedRight = s.flagged+o.flagged, s.flaggedRight+o.flaggedRight
	s.timed, s.timely, s.offs, s.cpu = s.timed+o.timed, s.timely+o.timely, append(s.offs, o.offs...), s.cpu+o.cpu
}

func printWordHead(w io.Writer) {
	fmt.Fprintf(w, "%-9s %-40s %6s %7s %9s %7s %13s %9s %8s %6s\n", "model", "", "words", "WER", "invented", "missed", "flagged/right", "in 0.3 s", "median", "CPU s")
}

func (s wordScore) print(w io.Writer, model, name string, show bool) {
	timely, median := "-", "-"
	if s.timed > 0 {
		slices.Sort(s.offs)
		timely = fmt.Sprintf("%.1f%%", 100*float64(s.timely)/float64(s.timed))
		median = fmt.Sprintf("%.2f s", float64(s.offs[len(s.offs)/2])/1000)
	}
	fmt.Fprintf(w, "%-9s %-40s %6d %6.1f%% %9d %7d %13s %9s %8s %6.0f\n", model, name, s.said, 100*float64(s.wrong)/float64(max(1, s.said)),
		s.invented, s.missed, fmt.Sprintf("%d/%d", s.flagged, s.flaggedRight), timely, median, s.cpu.Seconds())
	if show {
		for _, m := range s.misheard {
			fmt.Fprintf(w, "    %s\n", m)
		}
	}
}

// scoreWords compares what was heard with what was said.
func scoreWords(said spoken, heard []audit.Segment) wordScore {
	var s wordScore
	var want, got []string
	var all []audit.Word
	for _, line := range said.lines {
		want = append(want, plainWords(line)...)
	}
	for _, seg := range heard {
		if !seg.Audited() {
			words := plainWords(seg.Text)
			s.flagged += len(words)
			s.flaggedRight += len(words) - editDistance(words, nearest(want, words))
			s.misheard = append(s.misheard, fmt.Sprintf("flagged %s at %d ms: %q", seg.Flag, seg.StartMS, seg.Text))
			continue
		}
		for _, word := range seg.Words {
			for _, p := range plainWords(word.Text) {
				got = append(got, p)
				all = append(all, audit.Word{Text: p, StartMS: word.StartMS, EndMS: word.EndMS, Probability: word.Probability})
			}
		}
	}
	s.said = len(want)
	s.wrong = editDistance(want, got)
	pairs := aligned(want, got)
	for i, j := range pairs {
		switch {
		case j < 0:
			s.missed++
			s.misheard = append(s.misheard, fmt.Sprintf("missed %q", want[i]))
		case want[i] != got[j]:
			s.misheard = append(s.misheard, fmt.Sprintf("%q for %q at %d ms (%.2f)", got[j], want[i], all[j].StartMS, all[j].Probability))
		}
	}
	right := 0
	for i, j := range pairs {
		if j >= 0 && want[i] == got[j] {
			right++
		}
	}
	s.invented = len(got) - right
	// The synthesiser joins some words, so its list is aligned by itself.
	var names []string
	for _, t := range said.words {
		name := ""
		if words := plainWords(t.Text); len(words) > 0 {
			name = words[0]
		}
		names = append(names, name)
	}
	for i, j := range aligned(names, got) {
		if j < 0 || names[i] != got[j] {
			continue
		}
		off := abs(all[j].StartMS - said.words[i].Start)
		s.timed++
		s.offs = append(s.offs, off)
		if off <= timelyMS {
			s.timely++
		}
	}
	return s
}

// nearest gives the stretch of a text that a few words are most like.
func nearest(text, words []string) []string {
	best, low := text[:0], len(words)
	for i := range text {
		part := text[i:min(len(text), i+len(words))]
		if d := editDistance(words, part); d < low {
			best, low = part, d
		}
	}
	return best
}

// aligned gives for each word of one text the index of its counterpart in the
// other, or -1, by the fewest edits.
func aligned(want, got []string) []int {
	cost := make([][]int, len(want)+1)
	for i := range cost {
		cost[i] = make([]int, len(got)+1)
		for j := range cost[i] {
			switch {
			case i == 0:
				cost[i][j] = j
			case j == 0:
				cost[i][j] = i
			default:
				cost[i][j] = min(cost[i-1][j]+1, cost[i][j-1]+1, cost[i-1][j-1]+differs(want[i-1], got[j-1]))
			}
		}
	}
	out := make([]int, len(want))
	for i, j := len(want), len(got); i > 0; {
		switch {
		case j > 0 && cost[i][j] == cost[i-1][j-1]+differs(want[i-1], got[j-1]):
			i, j = i-1, j-1
			out[i] = j
		case cost[i][j] == cost[i-1][j]+1:
			i--
			out[i] = -1
		default:
			j--
		}
	}
	return out
}

func differs(a, b string) int {
	if a == b {
		return 0
	}
	return 1
}
