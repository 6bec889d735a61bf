package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"veristream/app/finder"
	"veristream/app/weights"
	"veristream/backend/audit"
	"veristream/backend/infer"
	"veristream/backend/ocr"
	"veristream/eval"
)

func (a *App) evalBenchCommand() *cobra.Command {
	var f benchFlags
	cmd := &cobra.Command{
		Use:   "bench [audit|infer|search|scale|transcribe|media|words|screen|kills|long]...",
		Short: "Measure how fast it is on this machine, against the libraries' own programs",
		Long: `Measures speed on this machine, each figure beside its reference in the same run.
Nothing else should run meanwhile. transcribe compares with whisper.cpp's own
command, which build/whisper-cli builds. scale searches 100 documents of 2,000
passages each, whose texts are invented; --folder keeps its database.

media measures speech and screen text whose truth is known: words (error rates and
times, over voices and noise), screen (texts drawn over pictures), kills (audits
killed at random moments) and long (memory and time over three hours). Each of them
can be asked for by itself. With --dir each goes on where it was cut off. Their
counts and processor times hold on a busy machine.`,
		ValidArgs: []string{"audit", "infer", "search", "scale", "transcribe", "media", "words", "screen", "kills", "long"},
		RunE: func(cmd *cobra.Command, parts []string) error {
			if f.exe == "" {
				self, err := os.Executable()
				if err != nil {
					return fmt.Errorf("find this program: %w", err)
				}
				f.exe = self
			}
			if len(parts) == 0 {
				parts = []string{"infer", "search", "audit"}
			}
			if i := slices.Index(parts, "media"); i >= 0 {
				parts = slices.Replace(parts, i, i+1, mediaBenches...)
			}
			for _, part := range parts {
				fmt.Fprintf(a.Out, "== %s\n", part)
				if err := a.bench(cmd.Context(), part, f); err != nil {
					return fmt.Errorf("bench %s: %w", part, err)
				}
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.video, "video", "", "video to audit (build/demo makes one)")
	flags.StringVar(&f.whisper, "whisper-cli", "", "whisper.cpp's own command (else build/whisper-cli is asked)")
	flags.StringVar(&f.exe, "exe", "", "the program to measure (this one)")
	flags.IntVar(&f.minutes, "minutes", 0, "minutes of speech to write down (transcribe 10, words 36, long 180); audit repeats its video until it is so long")
	flags.StringVar(&f.dir, "dir", "", "folder to work in that stays: words, screen, kills and long go on there where they were cut off")
	flags.IntVar(&f.kills, "kills", 0, "audits to kill (20)")
	flags.StringSliceVar(&f.models, "models", []string{"whisper-tiny.en", "whisper-base"}, "speech models to measure words with; long takes the first")
	flags.StringVar(&f.sample, "sample", "", "whisper.cpp's own recording, samples/jfk.mp3 of its source, to be among the words")
	flags.IntVar(&f.overlays, "overlays", 0, "texts to draw for screen (200)")
	flags.BoolVar(&f.tesseract, "tesseract", false, "measure screen with Tesseract, too")
	flags.StringVar(&f.folder, "folder", "", "keep the database of scale in this folder, and use it again")
	flags.IntVar(&f.documents, "documents", 0, "documents of scale (100)")
	flags.IntVar(&f.passages, "passages", 0, "passages of scale, of all documents together (200000)")
	flags.IntVar(&f.questions, "questions", 0, "questions of scale, asked in each way (100)")
	flags.StringVar(&f.only, "only", "", "only the conditions of words with this in their name, such as \"5 dB\"")
	flags.BoolVar(&f.show, "show", false, "list what was heard wrongly")
	return cmd
}

// mediaBenches are the parts of the bench "media".
var mediaBenches = []string{"words", "screen", "kills", "long"}

// benchFlags are the flags of the command.
type benchFlags struct {
	video, whisper, exe, sample, only, dir string
	folder                                 string
	models                                 []string
	minutes, overlays, kills               int
	documents, passages, questions         int
	show, tesseract                        bool
}

func (a *App) bench(ctx context.Context, part string, f benchFlags) error {
	store, err := weights.Open(a.Dirs)
	if err != nil {
		return err
	}
	path := func(name string) (string, error) {
		p, err := store.Path(name)
		return p, weights.Explain(err)
	}
	var libraries []string
	for _, l := range a.Dirs.Native(infer.LibraryName) {
		libraries = append(libraries, filepath.Dir(l))
	}
	switch part {
	case "audit":
		if f.video == "" {
			return audit.Errorf(audit.CodeUsage, "Name a video with --video; build/demo makes one.")
		}
		return eval.BenchAudit(ctx, a.Out, eval.AuditBench{Exe: f.exe, Models: a.Dirs.Models(), Video: f.video, Minutes: f.minutes})
	case "infer":
		embedder, err := path(finder.EmbedderName)
		if err != nil {
			return err
		}
		reranker, err := path(finder.RerankerName)
		if err != nil {
			return err
		}
		return eval.BenchInfer(ctx, a.Out, eval.InferBench{LibraryDirs: libraries, Embedder: embedder, Reranker: reranker})
	case "search":
		embedder, err := path(finder.EmbedderName)
		if err != nil {
			return err
		}
		rt := infer.New(infer.Options{LibraryDirs: libraries})
		defer rt.Close()
		e, err := rt.Embedder(embedder)
		if err != nil {
			return err
		}
		return eval.BenchSearch(ctx, a.Out, e, 20_000)
	case "scale":
		return eval.BenchScale(ctx, a.Out, eval.ScaleBench{Dirs: a.Dirs, Folder: f.folder, Documents: f.documents, Passages: f.passages, Questions: f.questions})
	case "transcribe":
		model, err := path("whisper-base")
		if err != nil {
			return err
		}
		if f.whisper == "" {
			out, err := exec.CommandContext(ctx, "build/whisper-cli").Output()
			if err != nil {
				return audit.Wrap(err, audit.CodeMissing, "build/whisper-cli could not be run from this folder; give --whisper-cli.")
			}
			f.whisper = strings.TrimSpace(string(out))
		}
		return eval.BenchTranscribe(ctx, a.Out, eval.TranscribeBench{Exe: f.exe, WhisperCLI: f.whisper, Model: model, Minutes: f.minutes})
	case "words":
		b := eval.WordsBench{Exe: f.exe, Minutes: f.minutes, Sample: f.sample, Only: f.only, Show: f.show, Dir: f.dir}
		for _, name := range f.models {
			model, err := path(name)
			if err != nil {
				return err
			}
			b.Models = append(b.Models, model)
		}
		return eval.BenchWords(ctx, a.Out, b)
	case "screen":
		return a.benchScreen(ctx, path, f)
	case "kills":
		return eval.BenchKills(ctx, a.Out, eval.KillBench{Exe: f.exe, Models: a.Dirs.Models(), Kills: f.kills, Seed: 1, Dir: f.dir})
	case "long":
		b := eval.LongBench{Dirs: a.Dirs, Minutes: f.minutes, Version: a.Version, Exe: f.exe, Dir: f.dir}
		if len(f.models) > 0 {
			b.SpeechModel = f.models[0]
		}
		return eval.BenchLong(ctx, a.Out, b)
	}
	return audit.Errorf(audit.CodeUsage, "There is no bench %q.", part)
}

func (a *App) benchScreen(ctx context.Context, path func(string) (string, error), f benchFlags) error {
	var readers []eval.ScreenReader
	model, err := path("ppocr-v6-small")
	if err != nil {
		return err
	}
	if libraries := a.Dirs.Native(infer.LibraryName); len(libraries) > 0 {
		w := &ocr.Worker{Exe: f.exe, Library: libraries[0], Model: model}
		defer w.Close() //nolint:errcheck // it only ends the worker
		readers = append(readers, eval.ScreenReader{Name: "PP-OCR", Reader: w})
	}
	if f.tesseract || len(readers) == 0 {
		readers = append(readers, eval.ScreenReader{Name: "tesseract", Reader: ocr.Tesseract{}})
	}
	return eval.BenchScreen(ctx, a.Out, eval.ScreenBench{Exe: f.exe, Readers: readers, Overlays: f.overlays, Dir: f.dir})
}
