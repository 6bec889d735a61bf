package transcribe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime/debug"

	"veristream/backend/audit"
	"veristream/backend/wav"
)

// Serve is the worker: it transcribes a recording and writes messages. What
// goes wrong is the last message, so that the parent can tell it.
func Serve(ctx context.Context, rec Recognizer, opt Options, out io.Writer) error {
	s := &server{rec: rec, opt: opt, out: json.NewEncoder(out)}
	err := s.run(ctx)
	if err == nil {
		return s.send(Message{Type: typeDone, Language: s.language, DoneMS: s.total, TotalMS: s.total})
	}
	return errors.Join(err, SendError(out, err))
}

// SendError tells the parent why the worker ends.
func SendError(out io.Writer, err error) error {
	m := Message{Type: typeError, Code: audit.CodeOf(err), Sentence: audit.SentenceOf(err), Details: err.Error()}
	if err := json.NewEncoder(out).Encode(m); err != nil {
		return fmt.Errorf("write to the parent: %w", err)
	}
	return nil
}

type server struct {
	rec      Recognizer
	opt      Options
	out      *json.Encoder
	total    int64
	language string
	activity *Activity
	doubt    doubt
	lastEnd  int64
}

func (s *server) send(m Message) error {
	if err := s.out.Encode(m); err != nil {
		return fmt.Errorf("write to the parent: %w", err)
	}
	return nil
}

func (s *server) run(ctx context.Context) error {
	r, err := wav.Open(s.opt.WAV)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return audit.Wrap(err, audit.CodeInput, "The sound file is gone.")
		}
		return audit.Wrap(err, audit.CodeInput, "The sound cannot be read.")
	}
	defer r.Close()
	if r.Rate() != wav.Rate {
		return audit.Errorf(audit.CodeInternal, "the sound has %d samples a second instead of %d", r.Rate(), wav.Rate)
	}
	s.total = r.DurationMS()
	if s.activity, err = Listen(ctx, r); err != nil {
		return fmt.Errorf("listen for sound: %w", err)
	}
	for _, c := range s.activity.Plan() {
		if c.EndMS <= s.opt.OffsetMS {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.chunk(r, c); err != nil {
			return fmt.Errorf("transcribe %d to %d ms: %w", c.StartMS, c.EndMS, err)
		}
		debug.FreeOSMemory() // ten minutes of samples
		if err := s.send(Message{Type: typeChunk, DoneMS: c.EndMS, TotalMS: s.total}); err != nil {
			return err
		}
	}
	return nil
}

// leastSamples is what Whisper needs: it leaves out what is shorter than a second.
const leastSamples = wav.Rate * 12 / 10

func (s *server) chunk(r *wav.Reader, c Chunk) error {
	samples := make([]float32, 0, max(leastSamples, c.KeptMS()*wav.Rate/1000))
	for _, k := range c.Keep {
		part, err := r.ReadMS(k.StartMS, k.EndMS)
		if err != nil {
			return err
		}
		for _, v := range part {
			samples = append(samples, float32(v)/32768)
		}
	}
	for len(samples) < leastSamples {
		samples = append(samples, 0)
	}
	build, group := wordBuilder{chunk: c}, sentences{}
	take := func(words []word) error {
		s.activity.snap(words)
		for _, sentence := range group.add(words) {
			if err := s.emit(sentence); err != nil {
				return err
			}
		}
		return nil
	}
	tokens := func(t []Token) error {
		// The model's segments end on a whole word.
		return take(append(build.add(t), build.close()...))
	}
	progress := func(percent int) {
		done := c.StartMS + (c.EndMS-c.StartMS)*int64(min(max(percent, 0), 100))/100
		s.send(Message{Type: typeProgress, DoneMS: done, TotalMS: s.total}) //nolint:errcheck // a broken pipe shows at the next segment
	}
	language, err := s.rec.Recognize(samples, s.opt, tokens, progress)
	if err != nil {
		return err
	}
	if language != "" && language != s.language {
		s.language = language
		if err := s.send(Message{Type: typeLanguage, Language: language}); err != nil {
			return err
		}
	}
	for _, sentence := range group.flush() {
		if err := s.emit(sentence); err != nil {
			return err
		}
	}
	return nil
}

// emit makes a segment of a sentence, judges it and sends it. Segments never
// go back in time.
func (s *server) emit(sentence []word) error {
	seg := toSegment(sentence, s.total)
	if seg.StartMS < s.lastEnd {
		seg.StartMS = min(s.lastEnd, s.total-1)
		seg.EndMS = max(seg.EndMS, seg.StartMS+1)
		for i := range seg.Words {
			w := &seg.Words[i]
			w.StartMS, w.EndMS = max(w.StartMS, seg.StartMS), max(w.EndMS, seg.StartMS)
		}
	}
	s.lastEnd = seg.EndMS
	noSpeech := 0.0
	for _, w := range sentence {
		noSpeech += w.noSpeech / float64(len(sentence))
	}
	seg.Flag = s.doubt.flag(seg, heard{
		noSpeech: noSpeech, share: s.activity.Share(seg.StartMS, seg.EndMS), swing: s.activity.swing(seg.StartMS, seg.EndMS),
	})
	return s.send(Message{Type: typeSegment, Segment: &seg})
}
