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
	doubtLimit       = 0.55
	letterRate       = 40 // letters a second: three times quick speech
)

// stockPhrases are captions that Whisper learned by heart.
var stockPhrases = regexp.MustCompile(`(?i)^(thank(s| you)( so| very)?( much)?( for (watching|listening|your attention))?|` +
	`(please )?(like and )?subscribe( to (my|the|our) channel)?|see you (in the )?next (time|video)|` +
	`subtitles? (by|created by).*|.*amara\.org.*|captions? by.*|transcri(bed|ption) by.*|` +
	`bye(-| )?bye|you|oh|okay|the end|i'?ll see you.*)$`)

var reAside = regexp.MustCompile(`^[\[(*♪♫].*[\])*♪♫]$|^[♪♫\s]+$`)

// doubt judges segments one after another; it remembers those before, because
// a loop shows only in a row.
type doubt struct {
	last string
	run  int
}

// flag gives the reason for not trusting a segment, or "".
func (d *doubt) flag(s audit.Segment, noSpeech float64, share float64) string {
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
	case share < silentShare:
		return FlagSilence
	case noSpeech > noSpeechLimit && s.Confidence < doubtLimit:
		return FlagNoSpeech
	case stockPhrases.MatchString(bare) && (s.Confidence < 0.7 || share < 0.5 || noSpeech > noSpeechLimit/2):
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
