package eval

import (
	"context"
	"fmt"
	"image"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/ocr"
)

// overlay is a text that is drawn over a picture for a while.
type overlay struct {
	text, font, style, ground string
	size                      int
	start, end                int64
}

// ScreenReader is a way to read text that is measured.
type ScreenReader struct {
	Name   string
	Reader audit.TextReader
}

// screenGrounds are the pictures that texts are drawn over: ffmpeg sources of
// 1280 by 720, still and moving.
var screenGrounds = []struct{ name, source string }{
	{"plain", "color=0x173830:s=1280x720:r=25"},
	{"light", "color=0xd8d2c4:s=1280x720:r=25"},
	{"moving colours", "gradients=s=1280x720:r=25:speed=0.02:c0=0x203050:c1=0x905030:c2=0x306040:nb_colors=3:seed=3"},
	{"moving fractal", "mandelbrot=s=640x360:r=25,scale=1280:720"},
}

var (
	screenTexts = []string{
		"Past performance is no guarantee of future results.", "Capital at risk.", "Paid partnership with Harbor Pine",
		"#ad", "Results not typical", "Not investment advice", "Up 214% in 18 months", "Back-tested, hypothetical returns",
		"Investing involves risk, including loss of principal.", "Sponsored", "Join 40,000 happy members", "Member FINRA/SIPC",
		"Guaranteed 9.5% a year", "Fees of 1.25% apply", "Actor portrayal", "Limited offer: ends tonight",
	}
	screenFonts  = []string{"DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono", "DejaVu Sans\\:bold", "DejaVu Sans Condensed", "DejaVu Serif\\:italic"}
	screenSizes  = []int{14, 18, 22, 28, 36, 48, 64}
	screenStyles = []string{"plain", "boxed", "outlined"}
)

// disclaimerMS is how long the shortest disclaimers that must be caught are seen.
const disclaimerMS = 2000

// ScreenBench says what BenchScreen works with.
type ScreenBench struct {
	Exe      string // the program whose worker reads
	Readers  []ScreenReader
	Overlays int    // 0 means 200
	Dir      string // to work in, and to go on in; "" is a temporary one
}

// BenchScreen draws texts over pictures, reads them with each reader as an audit
// does, and writes what was found of them. It needs ffmpeg.
func BenchScreen(ctx context.Context, w io.Writer, b ScreenBench) error {
	if b.Overlays == 0 {
		b.Overlays = 200
	}
	dir, done, err := benchFolder(b.Dir)
	if err != nil {
		return err
	}
	defer done()
	build, err := buildOf(b.Exe)
	if err != nil {
		return err
	}
	kept, err := openNotebook(filepath.Join(dir, "screen.jsonl"))
	if err != nil {
		return err
	}
	totals := make([]screenScore, len(b.Readers))
	for n, ground := range screenGrounds {
		// Each picture has its own texts, whichever of them are still to be read.
		count := b.Overlays*(n+1)/len(screenGrounds) - b.Overlays*n/len(screenGrounds)
		path := filepath.Join(dir, fmt.Sprintf("screen-%d-%d.mp4", b.Overlays, n))
		var drawn []overlay
		for i, r := range b.Readers {
			key := fmt.Sprint(build, " ", r.Name, " ", b.Overlays, " ", ground.name)
			var score screenScore
			if !kept.get(key, &score) {
				if drawn == nil {
					if drawn, err = drawOverlays(ctx, rand.New(rand.NewPCG(7, uint64(n))), dir, path, ground.name, ground.source, count); err != nil {
						return err
					}
				}
				score.Groups = map[string]*[2]int{}
				if err := score.read(ctx, r.Reader, path, drawn); err != nil {
					return fmt.Errorf("%s: %w", r.Name, err)
				}
				if err := kept.put(key, score); err != nil {
					return err
				}
			}
			totals[i].add(score)
			fmt.Fprintf(w, "%s, up to %s: %d of %d found, %d frames, %.0f s\n", r.Name, ground.name,
				totals[i].Found, totals[i].Count, totals[i].Frames, totals[i].Spent.Seconds())
		}
		os.Remove(path)
	}
	for i, r := range b.Readers {
		totals[i].print(w, r.Name)
	}
	return nil
}

// drawOverlays makes a clip in which one text after another is shown.
func drawOverlays(ctx context.Context, rng *rand.Rand, dir, path, name, source string, count int) ([]overlay, error) {
	var drawn []overlay
	var filters []string
	at := int64(500)
	for i := range count {
		o := overlay{
			text: screenTexts[rng.IntN(len(screenTexts))], font: screenFonts[rng.IntN(len(screenFonts))],
			style: screenStyles[rng.IntN(len(screenStyles))], size: screenSizes[rng.IntN(len(screenSizes))],
			ground: name, start: at, end: at + disclaimerMS,
		}
		// Every third one is a disclaimer of two seconds, the others are seen for 1.5 to 10 s.
		if i%3 != 0 {
			o.end = at + 1500 + rng.Int64N(8500)
		}
		// The same text twice with so short a pause would rightly count as one.
		for i > 0 && o.text == drawn[i-1].text {
			o.text = screenTexts[rng.IntN(len(screenTexts))]
		}
		// What is wider than the frame would be cut off.
		for o.size > 14 && len(o.text)*o.size*6/10 > 1150 {
			o.size -= 2
		}
		at = o.end + 700
		drawn = append(drawn, o)
		file := filepath.Join(dir, fmt.Sprintf("%s%d.txt", strings.ReplaceAll(name, " ", ""), i))
		if err := os.WriteFile(file, []byte(o.text), 0o600); err != nil {
			return nil, fmt.Errorf("write a text: %w", err)
		}
		style, colour := "", "white"
		switch {
		case o.style == "boxed":
			style = ":box=1:boxcolor=black@0.7:boxborderw=8"
		case o.style == "outlined":
			style = ":borderw=2:bordercolor=black"
		case name == "light":
			colour = "0x202020"
		}
		filters = append(filters, fmt.Sprintf(
			"drawtext=font='%s':textfile=%s:expansion=none:fontsize=%d:fontcolor=%s%s:x=%.3f*(w-tw):y=%.3f*(h-th):enable='gte(t,%.3f)*lt(t,%.3f)'",
			o.font, file, o.size, colour, style, 0.05+0.9*rng.Float64(), 0.05+0.9*rng.Float64(), float64(o.start)/1000, float64(o.end)/1000))
	}
	input := []string{"-f", "lavfi", "-i", source}
	if strings.HasPrefix(name, "moving") {
		// Such pictures are slow to compute, the fractal more so the longer it goes on: some seconds of them are shown again and again.
		loop := path + ".ground.mp4"
		defer os.Remove(loop)
		if err := ffmpeg(ctx, "-f", "lavfi", "-i", source, "-t", "20", "-vf", "format=yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-crf", "14", loop); err != nil {
			return nil, fmt.Errorf("draw a ground: %w", err)
		}
		input = []string{"-stream_loop", "-1", "-i", loop}
	}
	err := ffmpeg(ctx, append(input, "-t", fmt.Sprintf("%.3f", float64(at)/1000), "-vf", strings.Join(filters, ",")+",format=yuv420p",
		"-c:v", "libx264", "-preset", "ultrafast", "-crf", "20", path)...)
	if err != nil {
		return nil, fmt.Errorf("draw texts: %w", err)
	}
	return drawn, nil
}

// screenScore is what one reader found.
type screenScore struct {
	Count, Found, OnTime int
	Short, ShortFound    int // texts seen for disclaimerMS
	Errors, Letters      int // spaces and case do not count
	StrictErrors, Strict int // they do
	Looks, Frames        int // looks at the picture, and frames that were read because it had changed
	Spent                time.Duration
	Groups               map[string]*[2]int // found of all, by property
	Extra                int                // segments that are no drawn text
	Lost, Late, Wrong    []string
}

func (s *screenScore) add(o screenScore) {
	s.Count, s.Found, s.OnTime = s.Count+o.Count, s.Found+o.Found, s.OnTime+o.OnTime
	s.Short, s.ShortFound = s.Short+o.Short, s.ShortFound+o.ShortFound
	s.Errors, s.Letters, s.StrictErrors, s.Strict = s.Errors+o.Errors, s.Letters+o.Letters, s.StrictErrors+o.StrictErrors, s.Strict+o.Strict
	s.Looks, s.Frames, s.Spent, s.Extra = s.Looks+o.Looks, s.Frames+o.Frames, s.Spent+o.Spent, s.Extra+o.Extra
	s.Lost, s.Late, s.Wrong = append(s.Lost, o.Lost...), append(s.Late, o.Late...), append(s.Wrong, o.Wrong...)
	for property, n := range o.Groups {
		if s.Groups == nil {
			s.Groups = map[string]*[2]int{}
		}
		if s.Groups[property] == nil {
			s.Groups[property] = &[2]int{}
		}
		s.Groups[property][0] += n[0]
		s.Groups[property][1] += n[1]
	}
}

func (s *screenScore) read(ctx context.Context, reader audit.TextReader, path string, drawn []overlay) error {
	_, info, err := media.Probe(ctx, path)
	if err != nil {
		return err
	}
	var m ocr.Merger
	before, err := readerCPU()
	if err != nil {
		return err
	}
	look := func(int64, int64) { s.Looks++ }
	err = media.Frames(ctx, info, media.FrameOptions{Progress: look}, func(ms int64, img image.Image) error {
		boxes, err := reader.ReadText(ctx, img)
		s.Frames++
		m.Add(ocr.Measure(ms, img, boxes))
		return err
	})
	if err != nil {
		return err
	}
	after, err := readerCPU()
	if err != nil {
		return err
	}
	s.Spent += after - before
	segments := m.Finish(info.DurationMS)
	used := map[int]bool{}
	for _, o := range drawn {
		best, low := -1, 1.0
		for i, seg := range segments {
			if seg.StartMS < o.end && seg.EndMS > o.start {
				if e := errorRate(o.text, seg.Text); e < low {
					best, low = i, e
				}
			}
		}
		s.Count++
		s.Letters += len(bareRunes(o.text))
		s.Strict += len(o.text)
		found := low <= 0.3
		if o.end-o.start == disclaimerMS {
			s.Short++
			if found {
				s.ShortFound++
			}
		}
		if !found {
			s.Errors += len(bareRunes(o.text))
			s.StrictErrors += len(o.text)
			s.Lost = append(s.Lost, fmt.Sprintf("%q, %s, %d px, %s, over %s", o.text, o.font, o.size, o.style, o.ground))
		} else {
			used[best] = true
			s.Found++
			s.Errors += editDistance(bareRunes(o.text), bareRunes(segments[best].Text))
			s.StrictErrors += editDistance([]rune(o.text), []rune(segments[best].Text))
			if low > 0 {
				s.Wrong = append(s.Wrong, fmt.Sprintf("%q for %q, %d px, %s, over %s", segments[best].Text, o.text, o.size, o.style, o.ground))
			}
			if abs(segments[best].StartMS-o.start) <= 300 && abs(segments[best].EndMS-o.end) <= 300 {
				s.OnTime++
			} else {
				s.Late = append(s.Late, fmt.Sprintf("%q over %s: %+d ms, %+d ms", o.text, o.ground, segments[best].StartMS-o.start, segments[best].EndMS-o.end))
			}
		}
		for _, property := range []string{"size " + fmt.Sprint(o.size), "style " + o.style, "ground " + o.ground} {
			if s.Groups[property] == nil {
				s.Groups[property] = &[2]int{}
			}
			s.Groups[property][1]++
			if found {
				s.Groups[property][0]++
			}
		}
	}
	s.Extra += len(segments) - len(used)
	return nil
}

func (s *screenScore) print(w io.Writer, name string) {
	share := func(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
	fmt.Fprintf(w, "%s: %d of %d texts found (%.1f %%); %d of %d of those seen for 2 s (%.1f %%)\n",
		name, s.Found, s.Count, share(s.Found, s.Count), s.ShortFound, s.Short, share(s.ShortFound, s.Short))
	fmt.Fprintf(w, "  character error rate %.2f %% (%.2f %% with spaces and capitals)\n", share(s.Errors, s.Letters), share(s.StrictErrors, s.Strict))
	fmt.Fprintf(w, "  both ends within 0.3 s for %d of %d found (%.1f %%); %d texts that are none\n", s.OnTime, s.Found, share(s.OnTime, s.Found), s.Extra)
	fmt.Fprintf(w, "  %d looks, %d frames read in %.0f s of processor time: %.1f looks and %.1f frames a second and core\n",
		s.Looks, s.Frames, s.Spent.Seconds(), float64(s.Looks)/s.Spent.Seconds(), float64(s.Frames)/s.Spent.Seconds())
	properties := make([]string, 0, len(s.Groups))
	for p := range s.Groups {
		properties = append(properties, p)
	}
	slices.Sort(properties)
	for _, p := range properties {
		fmt.Fprintf(w, "  %-24s %3d of %3d\n", p, s.Groups[p][0], s.Groups[p][1])
	}
	for _, l := range s.Wrong {
		fmt.Fprintf(w, "  misread: %s\n", l)
	}
	for _, l := range s.Late {
		fmt.Fprintf(w, "  off in time: %s\n", l)
	}
	for _, l := range s.Lost {
		fmt.Fprintf(w, "  not found: %s\n", l)
	}
}

func abs(v int64) int64 {
	if v < 0 {
		return -v
	}
	return v
}

// errorRate gives the edits that turn one text into the other, over the length
// of the first; case and spaces do not count.
func errorRate(want, got string) float64 {
	x, y := bareRunes(want), bareRunes(got)
	if len(x) == 0 {
		return 1
	}
	return min(1, float64(editDistance(x, y))/float64(len(x)))
}

func bareRunes(s string) []rune { return []rune(strings.ToLower(strings.ReplaceAll(s, " ", ""))) }

// readerCPU gives the processor time of what reads for this process: its
// worker, which lives on, and programs that have ended. The decoder counts once
// it has ended.
func readerCPU() (time.Duration, error) {
	running, err := processes(os.Getpid())
	if err != nil {
		return 0, err
	}
	spent := childrenCPU()
	for _, p := range running {
		if p.parent == os.Getpid() {
			spent += p.cpu
		}
	}
	return spent, nil
}

// editDistance is Levenshtein's.
func editDistance[T comparable](x, y []T) int {
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		last := row[0]
		row[0] = i + 1
		for j := range y {
			cost := last
			if x[i] != y[j] {
				cost++
			}
			last = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(y)]
}
