package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/ocr"
)

// readTranscript takes a subtitle or transcript file as the whole input.
func (r *run) readTranscript(ctx context.Context) error {
	type read struct {
		SHA256   string
		Segments []audit.Segment
	}
	got, err := timed(ctx, r, StageProbe, func(ctx context.Context) (read, error) {
		var out read
		var err error
		if out.Segments, err = media.ReadSubtitles(r.job.Path, audit.Speech); err != nil {
			return out, err
		}
		out.SHA256, err = media.Hash(ctx, r.job.Path, nil)
		return out, err
	})
	if err != nil {
		return err
	}
	r.add(got.Segments)
	if err := r.readScreenFile(); err != nil {
		return err
	}
	v := audit.Video{Path: absolute(r.job.Path), SHA256: got.SHA256, Title: titleOf(r.job.Path)}
	for _, s := range r.result.Segments {
		v.DurationMS = max(v.DurationMS, s.EndMS)
	}
	for _, stage := range []Stage{StageAudio, StageTranscribe, StageScreen} {
		r.skip(stage, "the input is a transcript")
	}
	return r.setVideo(ctx, v)
}

// takeSegments takes text that is there already.
func (r *run) takeSegments(ctx context.Context) error {
	for _, stage := range []Stage{StageProbe, StageAudio, StageTranscribe, StageScreen} {
		r.skip(stage, "the text was given")
	}
	r.add(r.job.Segments)
	return r.setVideo(ctx, audit.Video{Path: r.job.Path, Title: titleOf(r.job.Path), DurationMS: r.job.DurationMS})
}

func (r *run) readScreenFile() error {
	if r.job.Screen == "" {
		return nil
	}
	segments, err := media.ReadSubtitles(r.job.Screen, audit.Screen)
	if err != nil {
		return fmt.Errorf("read the screen texts: %w", err)
	}
	r.add(segments)
	return nil
}

func (r *run) setVideo(ctx context.Context, v audit.Video) error {
	if r.job.Title != "" {
		v.Title = r.job.Title
	}
	v.SourceURL = r.job.SourceURL
	r.result.Video = v
	r.observe(Event{Video: &v})
	if r.job.OnVideo == nil {
		return nil
	}
	return r.job.OnVideo(ctx, v)
}

// probed is what the first stage keeps.
type probed struct {
	Video audit.Video
	Info  media.ProbeInfo
}

// readVideo looks at the file, takes out the sound, writes down the speech and
// reads the screens.
func (r *run) readVideo(ctx context.Context) error {
	// the path, size and time of change stand for the content until it is hashed
	st, err := os.Stat(r.job.Path)
	key := Key{Content: "path:" + hashOf(absolute(r.job.Path))}
	if err == nil {
		key.Params = fmt.Sprintf("%d|%d", st.Size(), st.ModTime().UnixNano())
	}
	got, err := cached(ctx, r, StageProbe, key, func(ctx context.Context) (probed, error) {
		v, info, err := media.Probe(ctx, r.job.Path)
		if err != nil {
			return probed{}, err
		}
		v.SHA256, err = media.Hash(ctx, r.job.Path, func(done, total int64) {
			r.tell(Progress{Stage: StageProbe, State: Runs, Done: done, Total: total, Unit: "bytes"})
		})
		return probed{v, info}, err
	})
	if err != nil {
		return err
	}
	r.info = got.Info
	v := got.Video
	v.Path = absolute(r.job.Path)
	if v.Title == "" {
		v.Title = titleOf(v.Path)
	}
	if notice := got.Info.Tell(); len(notice) > 0 {
		r.notice(notice)
	}
	if err := r.setVideo(ctx, v); err != nil {
		return err
	}
	if err := r.readSound(ctx); err != nil {
		return err
	}
	if r.job.Screen != "" {
		r.skip(StageScreen, "the screen texts were given")
		return r.readScreenFile()
	}
	return r.readScreens(ctx)
}

func (r *run) readSound(ctx context.Context) error {
	if len(r.info.Audio) == 0 {
		r.skip(StageAudio, "there is no sound")
		r.skip(StageTranscribe, "there is no sound")
		return nil
	}
	if r.Speech == nil {
		return audit.Errorf(audit.CodeModelMissing, "The speech model is not installed. Run: veristream models pull whisper-base")
	}
	dir := r.Work(r.result.Video.SHA256)
	if err := makeDir(dir); err != nil {
		return err
	}
	track := r.job.Track
	if track < 0 {
		track = r.info.DefaultTrack()
	}
	r.wav = filepath.Join(dir, "sound-"+strconv.Itoa(track)+".wav")
	language := r.job.Language
	if language == "" {
		language = "auto"
	}
	key := Key{Content: r.result.Video.SHA256, Params: hashOf(language, strconv.Itoa(track)), Model: r.Speech.ModelID()}
	type speech struct {
		Language string
		Segments []audit.Segment
	}
	haveSpeech := false
	if !r.job.Fresh {
		k := key
		k.Stage = string(StageTranscribe)
		_, ok, err := r.Cache.Get(ctx, k)
		if err != nil {
			return fmt.Errorf("look for an earlier transcript: %w", err)
		}
		haveSpeech = ok
	}
	if err := r.takeSound(ctx, track, haveSpeech); err != nil {
		return err
	}
	got, err := cached(ctx, r, StageTranscribe, key, func(ctx context.Context) (speech, error) {
		s, l, err := r.transcribe(ctx, key, language)
		return speech{l, s}, err
	})
	if err != nil {
		return err
	}
	r.result.Video.Language = got.Language
	if got.Language != "" && got.Language != "en" && got.Language != "auto" {
		r.notice(audit.Say(
			"The speech is in another language ({0}). The rules, the word lists and the models are English: findings will be missed.", got.Language))
	}
	r.tellPoorSound(got.Segments)
	r.add(got.Segments)
	return nil
}

// takeSound makes the WAV file, unless it lies there whole or nobody needs it.
func (r *run) takeSound(ctx context.Context, track int, haveSpeech bool) error {
	_, statErr := os.Stat(r.wav)
	if statErr == nil || haveSpeech {
		r.result.Run.Stages = append(r.result.Run.Stages, audit.StageRun{Name: string(StageAudio), Cached: true})
		r.tell(Progress{Stage: StageAudio, State: Done, Cached: true})
		return nil
	}
	_, err := timed(ctx, r, StageAudio, func(ctx context.Context) (struct{}, error) {
		return struct{}{}, media.ExtractAudio(ctx, r.info, track, r.wav, func(done, total int64) {
			r.tell(Progress{Stage: StageAudio, State: Runs, Done: done, Total: total, Unit: "ms"})
		})
	})
	return err
}

// partial is a transcript under way: what is final up to DoneMS.
type partial struct {
	DoneMS   int64
	Language string
	Segments []audit.Segment
}

// transcribe writes down the speech. What is final is kept after each chunk, so
// that a run that was killed goes on from there.
func (r *run) transcribe(ctx context.Context, key Key, language string) ([]audit.Segment, string, error) {
	key.Stage = "transcribe-partial"
	var p partial
	if !r.job.Fresh {
		raw, ok, err := r.Cache.Get(ctx, key)
		if err != nil {
			return nil, "", fmt.Errorf("look for a part of the transcript: %w", err)
		}
		if ok && json.Unmarshal(raw, &p) != nil {
			p = partial{}
		}
	}
	segments := p.Segments
	for i := range segments {
		r.observe(Event{Segment: &segments[i]})
	}
	start := r.Now()
	lang, err := r.Speech.Transcribe(ctx, SpeechRequest{
		WAV: r.wav, Language: language, OffsetMS: p.DoneMS, FirstID: len(segments) + 1,
		Emit: func(s audit.Segment) error {
			segments = append(segments, s)
			r.observe(Event{Segment: &s})
			return ctx.Err()
		},
		OnChunk: func(doneMS int64) error {
			p.DoneMS, p.Segments = doneMS, segments
			raw, err := json.Marshal(p)
			if err != nil {
				return fmt.Errorf("keep a part of the transcript: %w", err)
			}
			return r.Cache.Put(ctx, key, raw)
		},
		OnProgress: func(done, total int64) {
			r.tell(Progress{
				Stage: StageTranscribe, State: Runs, Done: done, Total: total, Unit: "ms",
				Elapsed: r.Now().Sub(start), Left: left(r.Now().Sub(start), done-p.DoneMS, total-p.DoneMS),
			})
		},
	})
	if lang == "" {
		lang = p.Language
	}
	return segments, lang, err
}

// left estimates the time to go from the share that is done.
func left(elapsed time.Duration, done, total int64) time.Duration {
	if done <= 0 || total <= done || elapsed < time.Second {
		return 0
	}
	return time.Duration(float64(elapsed) / float64(done) * float64(total-done))
}

func (r *run) readScreens(ctx context.Context) error {
	switch {
	case r.info.Picture == nil:
		r.skip(StageScreen, "there is no picture")
		return nil
	case r.Screens == nil:
		r.skip(StageScreen, "no text reader is installed")
		r.notice(audit.Say("The text on the screen was not read: Tesseract is not installed. Run: veristream doctor"))
		return nil
	}
	key := Key{Content: r.result.Video.SHA256, Model: r.Screens.ModelID()}
	segments, err := cached(ctx, r, StageScreen, key, func(ctx context.Context) ([]audit.Segment, error) {
		start, total := r.Now(), r.result.Video.DurationMS
		return r.Screens.Read(ctx, r.info, func(s audit.Segment) { r.observe(Event{Segment: &s}) }, func(done int64) {
			r.tell(Progress{
				Stage: StageScreen, State: Runs, Done: done, Total: total, Unit: "ms",
				Elapsed: r.Now().Sub(start), Left: left(r.Now().Sub(start), done, total),
			})
		})
	})
	if err != nil {
		return err
	}
	ocr.FlagSubtitles(segments, r.result.Segments)
	r.result.Segments = mergeByTime(r.result.Segments, segments)
	return nil
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

func titleOf(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}
