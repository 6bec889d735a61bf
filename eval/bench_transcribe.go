package eval

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"veristream/backend/audit"
	"veristream/backend/transcribe"
	"veristream/backend/wav"
)

// speechText is what the benches' voices say: invented, without figures, which
// a recogniser may write in either way.
var speechText = []string{
	"Good morning and welcome to another look at the markets.",
	"Today we talk about bonds, about shares, and about the difference between saving and investing.",
	"A bond is a loan that you make to a company or to a government.",
	"In return you receive interest, and at the end you get your money back, unless the borrower fails.",
	"A share is a small piece of a company, and its price can rise or fall every day.",
	"Nobody knows what the market will do tomorrow, and anybody who says so is guessing.",
	"Spread your money over many companies, so that one failure does not hurt you too much.",
	"Fees matter more than most people think, because they are paid every year.",
	"If a stranger promises that you cannot lose, walk away and keep your savings.",
	"Past results tell you what happened, and they do not tell you what will happen.",
	"Before you buy anything, read the prospectus and ask what could go wrong.",
	"Keep enough cash for an emergency, and only invest what you will not need soon.",
	"Thank you for listening, and we will speak again next week.",
}

// TranscribeBench says what BenchTranscribe works with.
type TranscribeBench struct {
	Exe        string // the veristream program
	WhisperCLI string // whisper.cpp's own command; "" leaves the comparison out
	Model      string
	Minutes    int // 0 means 10
	Rounds     int // 0 means 2: what runs first has a colder machine
}

// BenchTranscribe compares the worker with whisper.cpp's own command on the same
// speech, model and threads, in turns, and writes the ratios. The processor time
// stands beside the wall time, because it does not depend on what else runs.
func BenchTranscribe(ctx context.Context, w io.Writer, b TranscribeBench) error {
	if b.Minutes == 0 {
		b.Minutes = 10
	}
	if b.Rounds == 0 {
		b.Rounds = 2
	}
	dir, err := os.MkdirTemp("", "veristream-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for the bench: %w", err)
	}
	defer os.RemoveAll(dir)
	sound := filepath.Join(dir, "speech.wav")
	if _, err := speak(ctx, dir, sound, "en-us", 150, int64(b.Minutes)*60_000); err != nil {
		return err
	}
	threads := strconv.Itoa(transcribe.PhysicalCores())
	var ours, theirs usage
	for range b.Rounds {
		u, err := timed(ctx, []string{"OMP_WAIT_POLICY=passive"}, b.Exe, "worker", "transcribe", "--model="+b.Model, "--wav="+sound, "--language=en", "--threads="+threads)
		if err != nil {
			return fmt.Errorf("run the worker: %w", err)
		}
		ours.add(u)
		if b.WhisperCLI == "" {
			continue
		}
		// Greedy, one candidate, as the worker decodes.
		u, err = timed(ctx, nil, b.WhisperCLI, "-m", b.Model, "-f", sound, "-l", "en", "-t", threads, "-bs", "1", "-bo", "1", "-np")
		if err != nil {
			return fmt.Errorf("run whisper-cli: %w", err)
		}
		theirs.add(u)
	}
	fmt.Fprintf(w, "%d min of speech, %s, %s threads, %d rounds\n", b.Minutes, transcribe.ModelName(b.Model), threads, b.Rounds)
	ours.print(w, "worker", b.Rounds)
	if b.WhisperCLI != "" {
		theirs.print(w, "whisper-cli", b.Rounds)
		fmt.Fprintf(w, "ratio: wall %.2f, processor %.2f\n", ours.wall.Seconds()/theirs.wall.Seconds(), ours.cpu.Seconds()/theirs.cpu.Seconds())
	}
	return nil
}

// usage is what a program took.
type usage struct {
	wall, cpu time.Duration
	rssMB     int64
}

func (u *usage) add(v usage) {
	u.wall, u.cpu, u.rssMB = u.wall+v.wall, u.cpu+v.cpu, max(u.rssMB, v.rssMB)
}

func (u usage) print(w io.Writer, name string, rounds int) {
	n := float64(rounds)
	fmt.Fprintf(w, "%-12s wall %.1f s, processor %.1f s, peak memory %d MB\n", name, u.wall.Seconds()/n, u.cpu.Seconds()/n, u.rssMB)
}

func timed(ctx context.Context, env []string, name string, args ...string) (usage, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), env...)
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return usage{}, fmt.Errorf("%s: %w: %.500s", filepath.Base(name), err, out)
	}
	u := usage{wall: time.Since(began), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if r, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.rssMB = r.Maxrss / 1024 // kilobytes on Linux
	}
	return u, nil
}

// spokenSentence is a sentence with the time at which it is said.
type spokenSentence struct {
	text       string
	start, end int64
}

// speak writes speech of at least a length, sentence after sentence, and gives
// the times.
func speak(ctx context.Context, dir, out, voice string, speed int, lengthMS int64) ([]spokenSentence, error) {
	var parts [][]int16
	for i, text := range speechText {
		raw, one := filepath.Join(dir, "raw.wav"), filepath.Join(dir, "one"+strconv.Itoa(i)+".wav")
		if msg, err := exec.CommandContext(ctx, "espeak-ng", "-v", voice, "-s", strconv.Itoa(speed), "-w", raw, "--", text).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("speak: %w: %s", err, msg)
		}
		trim := "silenceremove=start_periods=1:start_threshold=-50dB,areverse,silenceremove=start_periods=1:start_threshold=-50dB,areverse"
		if msg, err := exec.CommandContext(ctx, "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", raw, "-af", trim, "-ar", "16000", "-ac", "1", "-c:a", "pcm_s16le", one).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("trim speech: %w: %s", err, msg)
		}
		r, err := wav.Open(one)
		if err != nil {
			return nil, err
		}
		samples, err := r.ReadMS(0, r.DurationMS())
		r.Close()
		if err != nil {
			return nil, err
		}
		parts = append(parts, samples)
	}
	var samples []int16
	var said []spokenSentence
	ms := func() int64 { return int64(len(samples)) * 1000 / wav.Rate }
	for i := 0; ms() < lengthMS; i++ {
		// Pauses of 0.3 to 0.9 s.
		samples = append(samples, make([]int16, wav.Rate*(3+i*7%7)/10)...)
		s := spokenSentence{text: speechText[i%len(speechText)], start: ms()}
		samples = append(samples, parts[i%len(parts)]...)
		s.end = ms()
		said = append(said, s)
	}
	return said, wav.Write(out, wav.Rate, samples)
}

// BenchWords measures word error rate and the times of sentences over voices,
// speeds, and noise at several levels. Minutes are those of each condition.
func BenchWords(ctx context.Context, w io.Writer, exe, model string, minutes int) error {
	dir, err := os.MkdirTemp("", "veristream-bench-")
	if err != nil {
		return fmt.Errorf("make a folder for the bench: %w", err)
	}
	defer os.RemoveAll(dir)
	fmt.Fprintf(w, "%s, %d min of speech each\n%-34s %8s %10s %10s\n", transcribe.ModelName(model), minutes, "", "WER", "in 0.3 s", "flagged")
	for _, c := range []struct {
		voice string
		speed int
		noise string // of ffmpeg; "" for none
		snr   float64
	}{
		{"en-us", 150, "", 0},
		{"en-us", 190, "", 0},
		{"en-gb", 150, "", 0},
		{"en-us+f3", 150, "", 0},
		{"en-us", 150, "white", 20},
		{"en-us", 150, "white", 10},
		{"en-us", 150, "white", 5},
		{"en-us", 150, "music", 20},
		{"en-us", 150, "music", 10},
		{"en-us", 150, "music", 5},
	} {
		clean, sound := filepath.Join(dir, "clean.wav"), filepath.Join(dir, "sound.wav")
		said, err := speak(ctx, dir, clean, c.voice, c.speed, int64(minutes)*60_000)
		if err != nil {
			return err
		}
		if err := mix(ctx, clean, sound, c.noise, c.snr); err != nil {
			return err
		}
		var heard []audit.Segment
		worker := &transcribe.Worker{Exe: exe, ModelPath: model, Language: "en"}
		if err := worker.Transcribe(ctx, sound, func(s audit.Segment) error { heard = append(heard, s); return nil }); err != nil {
			return err
		}
		name := fmt.Sprintf("%s at %d words/min", c.voice, c.speed)
		if c.noise != "" {
			name += fmt.Sprintf(", %s %.0f dB", c.noise, c.snr)
		}
		rate, timely, flagged := wordScore(said, heard)
		fmt.Fprintf(w, "%-34s %7.1f%% %9.1f%% %10d\n", name, rate*100, timely*100, flagged)
	}
	return nil
}

// mix adds noise so many dB below the speech.
func mix(ctx context.Context, in, out, noise string, snr float64) error {
	source, filter := "anullsrc=r=16000:cl=mono", "amix=inputs=2:duration=first:normalize=0"
	switch noise {
	case "white":
		source = "anoisesrc=c=white:r=16000:a=0.1"
	case "music":
		source = "aevalsrc='0.1*(sin(2*PI*220*pow(2,floor(mod(t*2,8))/12)*t)+sin(2*PI*330*pow(2,floor(mod(t*3,5))/12)*t))':s=16000"
	}
	if noise != "" {
		// Both sources have an RMS near -25 dB; espeak's speech has one near -20 dB.
		filter = fmt.Sprintf("[1]volume=%.1fdB[n];[0][n]amix=inputs=2:duration=first:normalize=0", 5-snr)
	}
	cmd := exec.CommandContext(ctx, "ffmpeg", "-nostdin", "-v", "error", "-y", "-i", in, "-f", "lavfi", "-i", source,
		"-filter_complex", filter, "-ar", "16000", "-ac", "1", "-c:a", "pcm_s16le", out)
	if msg, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("mix noise: %w: %s", err, msg)
	}
	return nil
}

// wordScore gives the word error rate, the share of sentences whose first word
// begins within 0.3 s of its time, and how many segments were flagged.
func wordScore(said []spokenSentence, heard []audit.Segment) (rate, timely float64, flagged int) {
	var want, got []string
	var gotAt []int64
	for _, s := range said {
		want = append(want, plainWords(s.text)...)
	}
	for _, s := range heard {
		if !s.Audited() {
			flagged++
			continue
		}
		for _, word := range s.Words {
			for _, p := range plainWords(word.Text) {
				got, gotAt = append(got, p), append(gotAt, word.StartMS)
			}
		}
	}
	rate = float64(editDistance(want, got)) / math.Max(1, float64(len(want)))
	hits := 0
	for _, s := range said {
		first := plainWords(s.text)[0]
		for i, g := range got {
			if g == first && abs(gotAt[i]-s.start) <= 300 {
				hits++
				break
			}
		}
	}
	return rate, float64(hits) / math.Max(1, float64(len(said))), flagged
}

func plainWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
}
