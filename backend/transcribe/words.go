package transcribe

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"veristream/backend/audit"
)

// word is a word with what the model thought of it. Lead is the space before it.
type word struct {
	lead     string
	text     string
	start    int64
	end      int64
	p        float64
	tokens   int
	noSpeech float64
}

// wordBuilder makes whole words from tokens: a token may be a part of a word,
// and even of a character.
type wordBuilder struct {
	chunk Chunk
	open  *word
}

// add takes tokens and gives the words that are complete.
func (b *wordBuilder) add(tokens []Token) []word {
	var done []word
	for _, t := range tokens {
		if t.Text == "" {
			continue
		}
		start, end := b.chunk.toRecording(t.StartMS, false), b.chunk.toRecording(t.EndMS, true)
		if end < start {
			end = start
		}
		if b.open != nil && b.starts(t) {
			done = append(done, b.close()...)
		}
		if b.open == nil {
			b.open = &word{start: start, end: end, noSpeech: t.NoSpeech}
		}
		b.open.text += t.Text
		b.open.end = max(b.open.end, end)
		b.open.p += t.P
		b.open.tokens++
	}
	return done
}

// starts says whether a token begins a new word.
func (b *wordBuilder) starts(t Token) bool {
	if t.SegmentNew || strings.HasPrefix(t.Text, " ") {
		return utf8.ValidString(b.open.text)
	}
	// Scripts without spaces: each token that ends on a whole character is a word.
	last, _ := utf8.DecodeLastRuneInString(b.open.text)
	first, _ := utf8.DecodeRuneInString(t.Text)
	return (spaceless(last) || strings.ContainsRune("。、！？", last)) && (spaceless(first) || first == utf8.RuneError)
}

func spaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// close ends the open word.
func (b *wordBuilder) close() []word {
	w := b.open
	b.open = nil
	if w == nil {
		return nil
	}
	text := strings.ToValidUTF8(w.text, "")
	w.text = strings.TrimSpace(text)
	if w.text == "" {
		return nil
	}
	w.lead = text[:strings.Index(text, w.text)]
	w.p /= float64(w.tokens)
	return []word{*w}
}

// snap moves the edges of words out of silence: the model's times are too
// early after a pause and too late before one.
func (a *Activity) snap(words []word) {
	for i := range words {
		w := &words[i]
		for _, s := range a.Spans {
			if s.EndMS <= w.start || s.StartMS >= w.end {
				continue
			}
			// The part of the word's time that is heard.
			w.start, w.end = max(w.start, s.StartMS), min(w.end, max(s.EndMS, w.start+1))
			break
		}
	}
}

// sentences groups words into segments of about one sentence.
type sentences struct {
	words []word
}

const (
	// pauseMS between two words ends a segment even without a full stop.
	pauseMS = 1500
	// A segment longer than this is cut at the next comma, and at twice this anywhere.
	longMS, longWords = 15_000, 45
)

// add takes words and gives the sentences that are complete.
func (s *sentences) add(words []word) [][]word {
	var done [][]word
	for _, w := range words {
		if n := len(s.words); n > 0 && (w.start-s.words[n-1].end > pauseMS || s.endsBefore(w)) {
			done = append(done, s.flush()...)
		}
		s.words = append(s.words, w)
	}
	return done
}

// flush gives what is left.
func (s *sentences) flush() [][]word {
	if len(s.words) == 0 {
		return nil
	}
	out := s.words
	s.words = nil
	return [][]word{out}
}

// endsBefore says whether a sentence ends before a word.
func (s *sentences) endsBefore(next word) bool {
	text := joined(s.words)
	if ends := audit.SentenceEnds(text + next.lead + next.text); len(ends) > 1 && ends[len(ends)-2] <= len(text) {
		return true
	}
	length := s.words[len(s.words)-1].end - s.words[0].start
	last, _ := utf8.DecodeLastRuneInString(text)
	comma := strings.ContainsRune(",;:，、—", last)
	return (length > longMS || len(s.words) > longWords) && comma ||
		length > 2*longMS || len(s.words) > 2*longWords
}

func joined(words []word) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteString(w.lead)
		}
		b.WriteString(w.text)
	}
	return b.String()
}

// toSegment makes a segment of words; its times lie in the recording.
func toSegment(words []word, total int64) audit.Segment {
	s := audit.Segment{
		Source: audit.Speech, Text: joined(words),
		StartMS: words[0].start, EndMS: words[len(words)-1].end,
	}
	p := 0.0
	for _, w := range words {
		p += w.p
		s.StartMS, s.EndMS = min(s.StartMS, w.start), max(s.EndMS, w.end)
		s.Words = append(s.Words, audit.Word{Text: w.text, StartMS: w.start, EndMS: w.end, Probability: round3(w.p)})
	}
	s.Confidence = round3(p / float64(len(words)))
	s.EndMS = min(s.EndMS, total)
	s.StartMS = max(0, min(s.StartMS, s.EndMS-1))
	s.EndMS = max(s.EndMS, s.StartMS+1)
	return s
}

func round3(v float64) float64 { return float64(int64(v*1000+0.5)) / 1000 }
