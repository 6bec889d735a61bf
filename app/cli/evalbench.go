package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
	var video, whisper, exe string
	var minutes int
	cmd := &cobra.Command{
		Use:   "bench [audit|infer|search|transcribe|words|screen]...",
		Short: "Measure how fast it is on this machine, against the libraries' own programs",
		Long: `Measures speed on this machine, each figure beside its reference in the same run.
Nothing else should run meanwhile. transcribe compares with whisper.cpp's own
command, which build/whisper-cli builds.`,
		ValidArgs: []string{"audit", "infer", "search", "transcribe", "words", "screen"},
		RunE: func(cmd *cobra.Command, parts []string) error {
			if exe == "" {
				self, err := os.Executable()
				if err != nil {
					return fmt.Errorf("find this program: %w", err)
				}
				exe = self
			}
			if len(parts) == 0 {
				parts = []string{"infer", "search", "audit"}
			}
			for _, part := range parts {
				fmt.Fprintf(a.Out, "== %s\n", part)
				if err := a.bench(cmd.Context(), part, exe, video, whisper, minutes); err != nil {
					return fmt.Errorf("bench %s: %w", part, err)
				}
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&video, "video", "", "video to audit (build/demo makes one)")
	flags.StringVar(&whisper, "whisper-cli", "", "whisper.cpp's own command (else build/whisper-cli is asked)")
	flags.StringVar(&exe, "exe", "", "the program to measure (this one)")
	flags.IntVar(&minutes, "minutes", 10, "minutes of speech to write down")
	return cmd
}

func (a *App) bench(ctx context.Context, part, exe, video, whisper string, minutes int) error {
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
		if video == "" {
			return audit.Errorf(audit.CodeUsage, "Name a video with --video; build/demo makes one.")
		}
		return eval.BenchAudit(ctx, a.Out, exe, a.Dirs.Models(), video)
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
	case "transcribe", "words":
		model, err := path("whisper-base")
		if err != nil {
			return err
		}
		if part == "words" {
			return eval.BenchWords(ctx, a.Out, exe, model, minutes)
		}
		if whisper == "" {
			out, err := exec.CommandContext(ctx, "build/whisper-cli").Output()
			if err != nil {
				return audit.Wrap(err, audit.CodeMissing, "build/whisper-cli could not be run from this folder; give --whisper-cli.")
			}
			whisper = strings.TrimSpace(string(out))
		}
		return eval.BenchTranscribe(ctx, a.Out, eval.TranscribeBench{Exe: exe, WhisperCLI: whisper, Model: model, Minutes: minutes})
	case "screen":
		return a.benchScreen(ctx, path)
	}
	return audit.Errorf(audit.CodeUsage, "There is no bench %q.", part)
}

func (a *App) benchScreen(ctx context.Context, path func(string) (string, error)) error {
	readers := []eval.ScreenReader{{Name: "tesseract", Reader: ocr.Tesseract{}}}
	model, err := path("ppocr-v6-small")
	if err != nil {
		return err
	}
	if libraries := a.Dirs.Native(infer.LibraryName); len(libraries) > 0 {
		w := &ocr.Worker{Library: libraries[0], Model: model}
		defer w.Close() //nolint:errcheck // it only ends the worker
		readers = append(readers, eval.ScreenReader{Name: "PP-OCR", Reader: w})
	}
	return eval.BenchScreen(ctx, a.Out, readers, 200)
}
