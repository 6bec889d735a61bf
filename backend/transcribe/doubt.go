package transcribe

import (
	"bytes"
	"compress/zlib"
	"regexp"
	"strings"
	"unicode"

	"veristream/backend/audit"
)

// Why a text is not trusted, as Segment.Flag says it.
const (
	FlagNotSpeech   = "not speech"   // [Music], ♪
	FlagSilence     = "silence"      // nothing is to be heard there
	FlagNoSpeech    = "no speech"    // the model itself doubts that someone speaks
	FlagStock       = "stock phrase" // what Whisper says when nobody does
	FlagRepetition  = "repetition"   // the same again and again
	FlagCompression = "compression"  // text that compresses too well is a loop
	FlagUnsure      = "unsure"       // hardly any word is certain
	FlagTooFast     = "too fast"     // more than anyone can say in that time
)

// The limits. noSpeechLimit and compressionLimit are Whisper's own
// (openai/whisper, transcribe.py: no_speech_threshold, compression_ratio_threshold).
const (
	noSpeechLimit    = 0.6
	compressionLimit = 2.4
	silentShare      = 0.15
	unsureLimit      = 0.35
	// Speech is syllables: its loudness goes up and down by 6 dB and more, that of noise hardly at all.
	steadyDB   = 1.5
	doubtLimit = 0.55
	letterRate = 40 // letters a second: three times quick speech
)

// stockPhrases are captions that Whisper learned by heart, in the languages in
// which it says them most.
var stockPhrases = regexp.MustCompile(`(?i)^(thank(s| you)( so| very)?( much)?( for (watching|listening|your attention))?|` +
	`(please )?(like and )?subscribe( to (my|the|our) channel)?|see you (in the )?next (time|video)|` +
	`.*amara\.org.*|(captions?|subtitles?|transcri(bed|ption)) (created )?by.*|` +
	`bye(-| )?bye|you|oh|okay|the end|` +
	`ご(視聴|清聴)ありがとうございま(した|す)|チャンネル登録.*|(시청|구독)해 ?주셔서 감사합니다|.*(请不吝点赞|字幕由|谢谢(观看|大家)|謝謝(觀看|大家|收看)|明镜与点点).*|` +
	`untertitel.*|vielen dank( f(ü|u)rs zuschauen)?|sous-titr.*|merci d'avoir regardé.*|subtítulos.*|gracias por ver.*|` +
	`legendas? .*|obrigad[oa]|sottotitoli.*|grazie (a tutti|per la visione)|субтитры.*|продолжение следует|спасибо за (просмотр|внимание))$`)

var reAside = regexp.MustCompile(`^[\[(*♪♫].*[\])*♪♫]$|^[♪♫\s]+$`)

// heard is what else is known about the sound under a segment.
type heard struct {
	noSpeech float64 // the model's own doubt
	share    float64 // how much of its time holds any sound
	swing    float64 // how much the loudness varies, in dB
}

// doubt judges segments one after another; it remembers those before, because
// a loop shows only in a row.
type doubt struct {
	last string
	run  int
}

// flag gives the reason for not trusting a segment, or "".
func (d *doubt) flag(s audit.Segment, heard heard) string {
	bare := strings.ToLower(strings.TrimFunc(s.Text, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSpace(r) }))
	if bare != "" && bare == d.last {
		d.run++
	} else {
		d.last, d.run = bare, 1
	}
	letters := 0
	for _, r := range s.Text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters++
		}
	}
	switch {
	case letters == 0 || reAside.MatchString(s.Text):
		return FlagNotSpeech
	case heard.share < silentShare:
		return FlagSilence
	case heard.noSpeech > noSpeechLimit && s.Confidence < doubtLimit, heard.swing < steadyDB:
		return FlagNoSpeech
	case stockPhrases.MatchString(bare) && (s.Confidence < 0.7 || heard.share < 0.5 || heard.noSpeech > noSpeechLimit/2):
		return FlagStock
	case d.run >= 3 && len(bare) > 3:
		return FlagRepetition
	case loops(s.Text):
		return FlagRepetition
	case compression(s.Text) > compressionLimit:
		return FlagCompression
	case s.Confidence > 0 && s.Confidence < unsureLimit:
		return FlagUnsure
	case int64(letters)*1000 > letterRate*max(200, s.EndMS-s.StartMS) && letters > 20:
		return FlagTooFast
	}
	return ""
}

// compression gives how many times smaller a text becomes.
func compression(text string) float64 {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		return 0
	}
	if err := w.Close(); err != nil {
		return 0
	}
	return float64(len(text)) / float64(b.Len())
}

// loops says whether a text says the same few words four times in a row.
func loops(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
	for size := 1; size <= 6; size++ {
		for at := 0; at+4*size <= len(words); at++ {
			same := true
			for i := at; same && i < at+3*size; i++ {
				same = words[i] == words[i+size]
			}
			// "No, no, no, no" is said by people; six times is not.
			if same && (size > 1 || at+6 <= len(words) && words[at] == words[at+4] && words[at] == words[at+5]) {
				return true
			}
		}
	}
	return false
}
