package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"veristream/app/core"
	"veristream/app/storage"
	"veristream/app/weights"
	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/store"
	"veristream/backend/transcribe"
)

// transcribeFlags are the flags of the command.
type transcribeFlags struct {
	format, out, model, language, prompt string
	asJSON, all, translate               bool
	track                                int
	fetch                                fetchFlags
}

// transcriptJSON is what the command writes as JSON.
type transcriptJSON struct {
	Schema   int             `json:"schema"`
	Video    audit.Video     `json:"video"`
	Language string          `json:"language,omitempty"`
	Model    string          `json:"model,omitempty"`
	Segments []audit.Segment `json:"segments"`
}

func (a *App) transcribeCommand() *cobra.Command {
	var f transcribeFlags
	cmd := &cobra.Command{
		Use:   "transcribe INPUT",
		Short: "Write down what is said in a video or a sound file",
		Long: `Writes the speech of a video or a sound file as SRT, WebVTT, plain text or JSON.
A subtitle file as input is changed into the other format; the video at an address
is fetched first.

Text that is not to be trusted (words over silence or music, loops) is left out
and counted; --all keeps it, and JSON always has it, with the reason.`,
		Example: "  veristream transcribe talk.mp4 --format srt --out talk.srt",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.settle(); err != nil {
				return err
			}
			result, err := a.transcribe(cmd, args[0], f)
			if err != nil {
				return err
			}
			return a.writeTranscript(result, f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.format, "format", "", "srt, vtt, txt or json (else by the name of --out, else txt)")
	flags.BoolVar(&f.asJSON, "json", false, "the same as --format json")
	flags.StringVar(&f.out, "out", "", "file to write instead of standard output")
	flags.StringVar(&f.model, "model", "whisper-base", "speech model")
	flags.StringVar(&f.language, "language", "auto", "language that is spoken, or auto")
	flags.StringVar(&f.prompt, "prompt", "", "names and terms to expect, as a sentence")
	flags.BoolVar(&f.translate, "translate", false, "translate into English")
	flags.IntVar(&f.track, "track", 0, "number of the sound track; 0 is the one marked as the default")
	flags.BoolVar(&f.all, "all", false, "keep text that is not to be trusted")
	f.fetch.add(cmd)
	return cmd
}

// settle finds the format that is wanted.
func (f *transcribeFlags) settle() error {
	switch {
	case f.asJSON:
		f.format = "json"
	case f.format == "" && f.out != "":
		f.format = strings.TrimPrefix(strings.ToLower(filepath.Ext(f.out)), ".")
	case f.format == "":
		f.format = "txt"
	}
	known := append(slices.Clone(media.TranscriptFormats), "json")
	if !slices.Contains(known, f.format) {
		return audit.Errorf(audit.CodeUsage, "There is no format %q; use one of %s.", f.format, strings.Join(known, ", "))
	}
	return nil
}

// transcribe reads a subtitle file, or takes out the sound and writes it down.
func (a *App) transcribe(cmd *cobra.Command, input string, f transcribeFlags) (transcriptJSON, error) {
	ctx := cmd.Context()
	result := transcriptJSON{Schema: audit.SchemaVersion, Segments: []audit.Segment{}}
	if !media.IsURL(input) && media.IsTranscript(input) {
		segments, err := media.ReadSubtitles(input, audit.Speech)
		result.Segments = segments
		result.Video.Path = input
		return result, err
	}
	var from core.Fetched
	if media.IsURL(input) {
		var err error
		if from, err = a.fetch(ctx, input, f.fetch); err != nil {
			return result, overLimit(err)
		}
		input = from.File
	}
	video, info, err := media.Probe(ctx, input)
	if err != nil {
		return result, err
	}
	if from.Address != "" {
		video.SourceURL, video.Title = from.Address, from.Remote.Title
	}
	result.Video = video
	installed, err := weights.Open(a.Dirs)
	if err != nil {
		return result, err
	}
	model, err := installed.Get(ctx, f.model)
	if err != nil {
		return result, weights.Explain(err)
	}
	result.Model = model.Name
	work, err := storage.Begin(a.Dirs, store.NewID(time.Now()))
	if err != nil {
		return result, err
	}
	defer work.End() //nolint:errcheck // what stays is removed at the next start
	dir := work.Dir
	track := info.DefaultTrack()
	if f.track > 0 {
		track = f.track - 1
	}
	sound := filepath.Join(dir, "sound.wav")
	bar := newTimeBar(a.Err, "taking out the sound")
	err = media.ExtractAudio(ctx, info, track, sound, bar.At)
	bar.end()
	if err != nil {
		return result, err
	}
	bar = newTimeBar(a.Err, "transcribing")
	worker := &transcribe.Worker{
		ModelPath: model.Path, Language: f.language, Prompt: f.prompt, Translate: f.translate,
		OnProgress: bar.At,
		OnLanguage: func(l string) { result.Language = l },
		OnRetry: func(err error) {
			bar.end()
			fmt.Fprintln(a.Err, "veristream: "+audit.SentenceOf(err)+" It is started once more.")
		},
	}
	err = worker.Transcribe(ctx, sound, func(s audit.Segment) error {
		result.Segments = append(result.Segments, s)
		return nil
	})
	bar.end()
	return result, err
}

func (a *App) writeTranscript(result transcriptJSON, f transcribeFlags) error {
	var out bytes.Buffer
	if f.format == "json" {
		if err := writeJSONTo(&out, result); err != nil {
			return err
		}
	} else {
		segments := result.Segments
		if !f.all {
			segments = slices.DeleteFunc(slices.Clone(segments), func(s audit.Segment) bool { return s.Flag != "" })
		}
		if left := len(result.Segments) - len(segments); left > 0 {
			fmt.Fprintf(a.Err, "%d doubtful segments are left out (--all keeps them)\n", left)
		}
		if len(segments) == 0 {
			fmt.Fprintln(a.Err, "no speech was found")
		}
		if err := media.WriteTranscript(&out, f.format, segments); err != nil {
			return err
		}
	}
	if f.out == "" || f.out == "-" {
		_, err := a.Out.Write(out.Bytes())
		return err
	}
	return media.WriteFile(f.out, "the transcript", out.Bytes())
}

func writeJSONTo(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	return nil
}
