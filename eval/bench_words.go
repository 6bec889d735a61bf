package eval

import (
	"context"
	"fmt"
	"io"
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
	// Dir is a folder to work in that stays; a later call goes on there. "" is a temporary one.
	Dir string

	build string
	kept  *notebook
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
	dir, done, err := benchFolder(b.Dir)
	if err != nil {
		return err
	}
	defer done()
	if b.build, err = buildOf(b.Exe); err != nil {
		return err
	}
	if b.kept, err = openNotebook(filepath.Join(dir, "words.jsonl")); err != nil {
		return err
	}
	totals := make([]wordScore, len(b.Models))
	printWordHead(w)
	for i, c := range conditions {
		if !strings.Contains(c.String(), b.Only) {
			continue
		}
		lengthMS := int64(b.Minutes) * 60_000 / int64(len(conditions))
		err := b.hear(ctx, w, c.String(), fmt.Sprint(c, lengthMS, i), totals, func() (string, spoken, error) {
			return c.speak(ctx, dir, i*17, lengthMS)
		})
		if err != nil {
			return err
		}
	}
	for i, m := range b.Models {
		totals[i].print(w, transcribe.ModelName(m), "all of these", false)
	}
	if b.Sample == "" {
		return nil
	}
	return b.hear(ctx, w, "whisper.cpp's sample", "sample", make([]wordScore, len(b.Models)), func() (string, spoken, error) {
		sound := filepath.Join(dir, "sample.wav")
		return sound, spoken{lines: []string{sampleText}}, ffmpeg(ctx, "-i", b.Sample, "-ar", "16000", "-ac", "1", "-c:a", "pcm_s16le", sound)
	})
}

// speak makes the recording of a condition.
func (c condition) speak(ctx context.Context, dir string, first int, lengthMS int64) (string, spoken, error) {
	clean, sound := filepath.Join(dir, "clean.wav"), filepath.Join(dir, "sound.wav")
	said, err := speak(ctx, clean, c.voice, c.speed, first, lengthMS)
	if err != nil || c.noise == "" {
		return clean, said, err
	}
	return sound, said, mix(ctx, said, clean, sound, c.noise, c.snr)
}

// hear writes down one recording with each model that has not done so yet, and
// what came of it. The recording is made when it is needed.
func (b WordsBench) hear(ctx context.Context, w io.Writer, name, key string, totals []wordScore, record func() (string, spoken, error)) error {
	var sound string
	var said spoken
	for i, model := range b.Models {
		key := strings.Join([]string{b.build, transcribe.ModelName(model), key}, " ")
		var score wordScore
		if !b.kept.get(key, &score) {
			if sound == "" {
				var err error
				if sound, said, err = record(); err != nil {
					return err
				}
			}
			var heard []audit.Segment
			worker := &transcribe.Worker{Exe: b.Exe, ModelPath: model, Language: "en"}
			before := childrenCPU()
			if err := worker.Transcribe(ctx, sound, func(s audit.Segment) error { heard = append(heard, s); return nil }); err != nil {
				return err
			}
			score = scoreWords(said, heard)
			score.CPU = childrenCPU() - before
			if err := b.kept.put(key, score); err != nil {
				return err
			}
		}
		score.print(w, transcribe.ModelName(model), name, b.Show)
		totals[i].add(score)
	}
	return nil
}

// wordScore counts what was heard of a text. Words of flagged segments take no
// part in an audit, so they count as not heard.
type wordScore struct {
	Said, Wrong, Invented, Missed int // Invented: heard, and not said or said otherwise
	Flagged, FlaggedRight         int // words of flagged segments, and those that were said
	Timed, Timely                 int // words whose time is known, and those heard in time
	Offs                          []int64
	CPU                           time.Duration
	Misheard                      []string
}

func (s *wordScore) add(o wordScore) {
	s.Said, s.Wrong, s.Invented, s.Missed = s.Said+o.Said, s.Wrong+o.Wrong, s.Invented+o.Invented, s.Missed+o.Missed
	s.Flagged, s.FlaggedRight = s.Flagged+o.Flagged, s.FlaggedRight+o.FlaggedRight
	s.Timed, s.Timely, s.Offs, s.CPU = s.Timed+o.Timed, s.Timely+o.Timely, append(s.Offs, o.Offs...), s.CPU+o.CPU
}

func printWordHead(w io.Writer) {
	fmt.Fprintf(w, "%-9s %-40s %6s %7s %9s %7s %13s %9s %8s %6s\n", "model", "", "words", "WER", "invented", "missed", "flagged/right", "in 0.3 s", "median", "CPU s")
}

func (s wordScore) print(w io.Writer, model, name string, show bool) {
	timely, median := "-", "-"
	if s.Timed > 0 {
		slices.Sort(s.Offs)
		timely = fmt.Sprintf("%.1f%%", 100*float64(s.Timely)/float64(s.Timed))
		median = fmt.Sprintf("%.2f s", float64(s.Offs[len(s.Offs)/2])/1000)
	}
	fmt.Fprintf(w, "%-9s %-40s %6d %6.1f%% %9d %7d %13s %9s %8s %6.0f\n", model, name, s.Said, 100*float64(s.Wrong)/float64(max(1, s.Said)),
		s.Invented, s.Missed, fmt.Sprintf("%d/%d", s.Flagged, s.FlaggedRight), timely, median, s.CPU.Seconds())
	if show {
		for _, m := range s.Misheard {
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
			s.Flagged += len(words)
			s.FlaggedRight += len(words) - editDistance(words, nearest(want, words))
			s.Misheard = append(s.Misheard, fmt.Sprintf("flagged %s at %d ms: %q", seg.Flag, seg.StartMS, seg.Text))
			continue
		}
		for _, word := range seg.Words {
			for _, p := range plainWords(word.Text) {
				got = append(got, p)
				all = append(all, audit.Word{Text: p, StartMS: word.StartMS, EndMS: word.EndMS, Probability: word.Probability})
			}
		}
	}
	s.Said = len(want)
	s.Wrong = editDistance(want, got)
	pairs := aligned(want, got)
	for i, j := range pairs {
		switch {
		case j < 0:
			s.Missed++
			s.Misheard = append(s.Misheard, fmt.Sprintf("missed %q", want[i]))
		case want[i] != got[j]:
			s.Misheard = append(s.Misheard, fmt.Sprintf("%q for %q at %d ms (%.2f)", got[j], want[i], all[j].StartMS, all[j].Probability))
		}
	}
	right := 0
	for i, j := range pairs {
		if j >= 0 && want[i] == got[j] {
			right++
		}
	}
	s.Invented = len(got) - right
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
		s.Timed++
		s.Offs = append(s.Offs, off)
		if off <= timelyMS {
			s.Timely++
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
