// Package whispercpp is the native part of speech recognition: whisper.cpp
// through its Go binding. It is loaded into the worker process only; package
// transcribe does everything that needs no native code.
//
// The binding's upper layer (pkg/whisper) is not used: a segment callback there
// forces one segment for each window of 30 s, and it has neither the no-speech
// probability nor a choice of how the model is loaded.
package whispercpp

/*
#include <stdlib.h>
#include <whisper.h>

static void quiet(enum ggml_log_level level, const char * text, void * user_data) {
	(void) user_data;
	if (level >= GGML_LOG_LEVEL_WARN) fputs(text, stderr);
}

// Times of tokens come from aligning the attention of some heads with the
// sound (dynamic time warping), which flash attention does not keep.
static struct whisper_context * open_model(const char * path, enum whisper_alignment_heads_preset heads) {
	whisper_log_set(quiet, NULL);
	struct whisper_context_params p = whisper_context_default_params();
	p.use_gpu = false;
	if (heads != WHISPER_AHEADS_NONE) {
		p.flash_attn = false;
		p.dtw_token_timestamps = true;
		p.dtw_aheads_preset = heads;
	}
	return whisper_init_from_file_with_params(path, p);
}

// Patches what the binding cannot set.
static void more(struct whisper_full_params * p) {
	p->suppress_blank = true;
	p->print_progress = p->print_realtime = p->print_timestamps = p->print_special = false;
}
*/
import "C"

import (
	"path/filepath"
	"strings"
	"unsafe"

	whisper "github.com/ggerganov/whisper.cpp/bindings/go"

	"veristream/backend/audit"
	"veristream/backend/transcribe"
)

// Engine is a loaded model. It recognises one stretch of sound at a time.
type Engine struct {
	ctx     *whisper.Context
	aligned bool // the times of tokens are aligned with the sound
}

var _ transcribe.Recognizer = (*Engine)(nil)

// Open loads a model in whisper.cpp's ggml format.
func Open(path string) (*Engine, error) {
	head, err := readHeader(path)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeModel, "%s is not a speech model that can be used. Run: veristream models verify", filepath.Base(path))
	}
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	heads, aligned := alignmentHeads[head.size()]
	ctx := C.open_model(name, heads)
	if ctx == nil {
		return nil, audit.Errorf(audit.CodeModel, "The speech model %s cannot be loaded; it may be damaged. Run: veristream models verify", transcribe.ModelName(path))
	}
	return &Engine{ctx: (*whisper.Context)(unsafe.Pointer(ctx)), aligned: aligned}, nil
}

// alignmentHeads are the attention heads that follow the sound, for the models
// for which whisper.cpp knows them.
var alignmentHeads = map[string]C.enum_whisper_alignment_heads_preset{
	"tiny.en": C.WHISPER_AHEADS_TINY_EN, "tiny": C.WHISPER_AHEADS_TINY,
	"base.en": C.WHISPER_AHEADS_BASE_EN, "base": C.WHISPER_AHEADS_BASE,
	"small.en": C.WHISPER_AHEADS_SMALL_EN, "small": C.WHISPER_AHEADS_SMALL,
	"medium.en": C.WHISPER_AHEADS_MEDIUM_EN, "medium": C.WHISPER_AHEADS_MEDIUM,
	"large-v2": C.WHISPER_AHEADS_LARGE_V2, "large-v3": C.WHISPER_AHEADS_LARGE_V3,
	"large-v3-turbo": C.WHISPER_AHEADS_LARGE_V3_TURBO,
}

// Close frees the model.
func (e *Engine) Close() { e.ctx.Whisper_free() }

// languageID gives the model's number for a language; -1 lets it find out.
func (e *Engine) languageID(language string) (int, error) {
	if e.ctx.Whisper_is_multilingual() == 0 {
		if language != "auto" && language != "en" && language != "" {
			return 0, audit.Errorf(audit.CodeUsage, "This speech model knows English only. For other languages run: veristream models pull whisper-base")
		}
		return e.ctx.Whisper_lang_id("en"), nil
	}
	if language == "auto" || language == "" {
		return -1, nil
	}
	id := e.ctx.Whisper_lang_id(strings.ToLower(language))
	if id < 0 {
		return 0, audit.Errorf(audit.CodeUsage, "The speech model does not know the language %q; use auto or a code such as en.", language)
	}
	return id, nil
}

// Recognize writes down a stretch of sound.
func (e *Engine) Recognize(samples []float32, opt transcribe.Options, tokens func([]transcribe.Token) error, progress func(int)) (string, error) {
	if len(samples) == 0 {
		return "", nil // the binding takes the address of the first sample
	}
	language, err := e.languageID(opt.Language)
	if err != nil {
		return "", err
	}
	strategy := whisper.SAMPLING_GREEDY
	if opt.BeamSize > 1 {
		strategy = whisper.SAMPLING_BEAM_SEARCH
	}
	params := e.ctx.Whisper_full_default_params(strategy)
	C.more((*C.struct_whisper_full_params)(unsafe.Pointer(&params)))
	if opt.BeamSize > 1 {
		params.SetBeamSize(opt.BeamSize)
	}
	if err := params.SetLanguage(language); err != nil {
		return "", audit.Wrap(err, audit.CodeUsage, "The speech model does not know the language %q.", opt.Language)
	}
	threads := opt.Threads
	if threads <= 0 {
		threads = transcribe.PhysicalCores()
	}
	params.SetThreads(threads)
	params.SetTranslate(opt.Translate)
	params.SetNoContext(true)
	params.SetTokenTimestamps(true)
	if opt.Prompt != "" {
		params.SetInitialPrompt(opt.Prompt)
		params.SetCarryInitialPrompt(true)
	}
	// With aligned times whisper.cpp calls back with a wrong count, and not for every window, so what is
	// new is found by counting, and looked for before each window and at the end as well.
	var failed error
	next, last := 0, int64(-1)
	take := func() {
		for ; next < e.ctx.Whisper_full_n_segments() && failed == nil; next++ {
			failed = tokens(e.tokens(next, &last))
		}
	}
	// Ending early is told by this callback; whisper.cpp then returns as if all were well.
	begin := func() bool {
		take()
		return failed == nil
	}
	if err := e.ctx.Whisper_full(params, samples, begin, func(int) { take() }, progress); err != nil {
		return "", audit.Wrap(err, audit.CodeModel, "The speech model failed on a stretch of sound.")
	}
	if take(); failed != nil {
		return "", failed
	}
	id := e.ctx.Whisper_full_lang_id()
	if id < 0 {
		return "", nil
	}
	return whisper.Whisper_lang_str(id), nil
}

// tokens gives the text tokens of one of the model's segments. last is the
// aligned time of the token before, or -1.
func (e *Engine) tokens(segment int, last *int64) []transcribe.Token {
	ctx, n := (*C.struct_whisper_context)(unsafe.Pointer(e.ctx)), C.int(segment)
	noSpeech := float64(C.whisper_full_get_segment_no_speech_prob(ctx, n))
	from, to := e.ctx.Whisper_full_get_segment_t0(segment)*unitMS, e.ctx.Whisper_full_get_segment_t1(segment)*unitMS
	textEnds := e.ctx.Whisper_token_eot()
	var out []transcribe.Token
	for i := range e.ctx.Whisper_full_n_tokens(segment) {
		data := C.whisper_full_get_token_data(ctx, n, C.int(i))
		if whisper.Token(data.id) >= textEnds {
			continue // times and other marks
		}
		t := transcribe.Token{
			Text:    e.ctx.Whisper_full_get_token_text(segment, i),
			StartMS: int64(data.t0) * unitMS, EndMS: int64(data.t1) * unitMS,
			P: float64(data.p), SegmentNew: len(out) == 0, NoSpeech: noSpeech,
		}
		if e.aligned && data.t_dtw >= 0 {
			align(&t, int64(data.t_dtw)*unitMS, *last, from, to)
			*last = t.EndMS
		}
		out = append(out, t)
	}
	return out
}

// unitMS is whisper.cpp's unit of time.
const unitMS = 10

// align gives a token its aligned times. The alignment tells when the model was
// done with a token, so a token begins where the one before it ended: measured
// on speech with known times, that is within 0.2 s for every word, where the
// model's own guess is off by more than 0.3 s for one word in four.
func align(t *transcribe.Token, aligned, last, from, to int64) {
	const slack = 1000
	if aligned < from-slack || aligned > to+slack {
		return // an alignment that lost its way
	}
	start := last
	if last < from-slack || last > aligned || t.SegmentNew && last < from-slack/2 {
		start = max(from, min(t.StartMS, aligned))
	}
	t.StartMS, t.EndMS = min(start, aligned), aligned
}
