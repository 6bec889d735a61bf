package regs

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"veristream/backend/audit"
)

// Italics carry meaning in rule text: they mark headings and the markers of
// the last levels. Between reader and tree builder they are kept as two
// private characters, which no source contains after cleaning.
const (
	italOn  = '\uE000'
	italOff = '\uE001'
)

// block is a paragraph, heading, table or note, as a reader found it.
type block struct {
	kind     blockKind
	level    int    // of a heading
	text     string // with italics marked
	page     int
	lastPage int
}

type blockKind int

const (
	blockPara blockKind = iota
	blockHeading
	blockTable
	blockNote
	blockImage
)

// plainText removes the marks of italics and joins runs of spaces.
func plainText(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r == italOn || r == italOff || r == '\u00ad' || r == '\ufeff':
			return -1
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsSpace(r): // thin and no-break spaces among them
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// cleanSource removes from a source what is used as marks inside.
func cleanSource(s string) string {
	if !strings.ContainsRune(s, italOn) && !strings.ContainsRune(s, italOff) {
		return s
	}
	return strings.NewReplacer(string(italOn), "", string(italOff), "").Replace(s)
}

var superscripts = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹")

// raise writes a raised number behind a digit as such: the footnote of "$500"
// must not make $5001 of it. Elsewhere the number says enough.
func raise(text, before string) string {
	if last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, string(italOn)+string(italOff))); !unicode.IsDigit(last) {
		return text
	}
	return superscripts.Replace(text)
}

// part is a stretch of a paragraph under one marker.
type part struct {
	marker   string
	italic   bool
	dotted   bool // "1." and not "(1)"
	sameLine bool // it follows another marker on its line
	upTo     string
	heading  string
	text     string // its words, marker included
}

var (
	reParen = regexp.MustCompile(`^(?:[-•*–]\s+)?\x{E000}?\(\s?\x{E000}?([A-Za-z]{1,8}|\d{1,3})\x{E001}?\s?\)\x{E001}?[ .]?\s*`)
	reDot   = regexp.MustCompile(`^(?:[-•*–]\s+)?\x{E000}?(\d{1,3}|[a-z]{1,7}|[A-Z]{1,2})\x{E000}?\.\x{E001}?\s+`)
	// "(c)-(e) [Reserved]", "(c) and (d) [Reserved]"
	reReserved = regexp.MustCompile(`^(?:[-–—]|and|through|to)\s*\(\x{E000}?([A-Za-z]{1,8}|\d{1,3})\x{E001}?\)\s*\x{E000}?\[Reserved\]`)
	reItalHead = regexp.MustCompile(`^["“]?\x{E000}([^\x{E000}\x{E001}]{2,200})\x{E001}\s*[.:]?\s*(?:—|–|-)?\s*`)
	// A heading in a source without italics, before another marker.
	rePlainHead = regexp.MustCompile(`^([A-Z][^.;:()—]{2,90}(?:\s\d+)?)(?:\.\s+|—\s*)`)
	reFirst     = regexp.MustCompile(`^\x{E000}?\(\x{E000}?(?:1|i|A|a)\x{E001}?\)`)

	reExampleHead = regexp.MustCompile(`^Examples?\b(?:\s+\d+)?[.:—]`)
	reDefines     = regexp.MustCompile(`^(?:An?\s+)?["“]?[A-Z][^.;:]{1,80}["”]?\s+(?:means|has the (?:same )?meaning|have the meanings?)\b`)
	reModal       = regexp.MustCompile(`\b(?:may|shall|must|is|are|means|will|has|have|does|do|not)\b`)
)

// maxOnLine is how many markers can stand on one line; the deepest real
// paragraph has nine levels.
const maxOnLine = 16

// splitter says which markers a text uses.
type splitter struct {
	paren bool // (a)
	dots  bool // 1.
	// letterDots takes "a." only, as FINRA's fifth level writes it.
	letterDots bool
	// plainHeads takes a first short sentence for a heading, where the source
	// shows no italics.
	plainHeads bool
	// inline takes lists within a sentence apart: "(i) ...; and (ii) ...".
	inline bool
}

// split takes a paragraph apart into what stands under each of its markers.
func (s splitter) split(text string) []part {
	text = strings.TrimSpace(text)
	var out []part
	for {
		p, rest, ok := s.take(text)
		if !ok || len(out) == maxOnLine {
			// Text without a marker: the whole paragraph, or the tail of nothing.
			if len(out) == 0 || text != "" {
				out = append(out, part{text: text, sameLine: len(out) > 0})
			}
			break
		}
		p.sameLine = len(out) > 0
		text = trimBullet(text) // the carrier's, not the rule's
		head, consumed, tail := s.headAndMore(rest)
		p.heading = head
		if tail == "" {
			p.text = text
			out = append(out, p)
			break
		}
		p.text = text[:len(text)-len(rest)] + consumed
		out = append(out, p)
		text = tail
	}
	out = splitGlued(out)
	if s.inline {
		out = splitInline(out)
	}
	return out
}

// splitGlued takes a paragraph from the end of its elder sibling where the
// break between them was lost: "(A) Recruit appraisers;(B) Contract with".
func splitGlued(parts []part) []part {
	last := parts[len(parts)-1]
	if last.marker == "" || last.dotted {
		return parts
	}
	for _, n := range []audit.Numbering{audit.Digits, audit.Letters, audit.Romans, audit.BigLetters} {
		v, ok := n.Value(last.marker)
		if !ok {
			continue
		}
		if at := strings.Index(last.text, ";("+n.Marker(v+1)+") "); at > 0 {
			next := part{marker: n.Marker(v + 1), text: last.text[at+1:]}
			last.text = last.text[:at+1]
			return append(parts[:len(parts)-1], append([]part{last}, splitGlued([]part{next})...)...)
		}
	}
	return parts
}

var reBullet = regexp.MustCompile(`^[-•*–]\s+`)

func trimBullet(text string) string { return text[len(reBullet.FindString(text)):] }

// take reads a marker at the beginning of a text.
func (s splitter) take(text string) (p part, rest string, ok bool) {
	if s.paren {
		if m := reParen.FindStringSubmatch(text); m != nil && audit.IsMarker(m[1]) {
			rest = text[len(m[0]):]
			p = part{marker: m[1], italic: isItalic(m[0], m[1])}
			if openItalics(m[0]) {
				rest = string(italOn) + rest
			}
			if r := reReserved.FindStringSubmatch(rest); r != nil && audit.IsMarker(r[1]) {
				p.upTo = r[1]
			}
			return p, rest, true
		}
	}
	if s.dots || s.letterDots {
		m := reDot.FindStringSubmatch(text)
		if m == nil || !audit.IsMarker(m[1]) || (s.letterDots && !s.dots && (len(m[1]) != 1 || m[1][0] < 'a')) {
			return p, text, false
		}
		rest = text[len(m[0]):]
		if openItalics(m[0]) {
			rest = string(italOn) + rest
		}
		return part{marker: m[1], italic: isItalic(m[0], m[1]), dotted: true}, rest, true
	}
	return p, text, false
}

// headAndMore reads the heading after a marker. Where another marker follows
// it directly, both stand on one line: then consumed is what goes with the
// first and tail is what begins with the second.
func (s splitter) headAndMore(rest string) (heading, consumed, tail string) {
	if _, _, ok := s.take(rest); ok && !strings.HasPrefix(rest, "-") {
		return "", "", rest
	}
	if m := reItalHead.FindStringSubmatch(rest); m != nil {
		if in := reMarkerInHead.FindStringSubmatch(m[1]); in != nil && s.dots {
			// "F. Additional examples. 1. Assume": all of it in italics.
			after := strings.TrimPrefix(rest, string(italOn)+in[1])
			return plainText(strings.TrimRight(in[1], ". ")), in[1], string(italOn) + strings.TrimLeft(after, " ")
		}
		heading = strings.Trim(plainText(m[1]), " .:—–-")
		after := rest[len(m[0]):]
		if _, _, ok := s.take(after); ok && after != "" {
			return heading, m[0], after
		}
		if utf8.RuneCountInString(heading) > 140 || startsLower(after) && !strings.HasSuffix(strings.TrimSpace(strings.Trim(m[1], "—-")), ".") {
			heading = "" // italics within a sentence, not a heading
		}
		return heading, "", ""
	}
	if m := rePlainHead.FindStringSubmatch(rest); m != nil && s.plainHeads {
		after := rest[len(m[0]):]
		words := len(strings.Fields(m[1]))
		switch {
		case reFirst.MatchString(after) && words <= 12:
			return strings.TrimSpace(m[1]), m[0], after
		case words <= 9 && after != "" && !startsLower(after) && !reModal.MatchString(m[1]):
			return strings.TrimSpace(m[1]), "", ""
		}
	}
	if m := reLeadMarker.FindStringSubmatch(rest); m != nil && s.dots {
		return "", m[1], rest[len(m[1]):]
	}
	if s.plainHeads {
		return lineHeading(rest), "", ""
	}
	return "", "", ""
}

// lineHeading gives a line that is a heading and nothing else, as FINRA writes
// them.
func lineHeading(rest string) string {
	plain := plainText(rest)
	if n := len(strings.Fields(plain)); n > 0 && n <= 22 && !strings.ContainsAny(plain[len(plain)-1:], ".;:,") &&
		!startsLower(plain) && !strings.HasSuffix(plain, " and") && !strings.HasSuffix(plain, " or") && isTitleCase(plain) {
		return plain
	}
	return ""
}

var (
	reMarkerInHead = regexp.MustCompile(`^(.{3,120}?\.)\s+(?:1|i|A)\.(?:\s.*)?$`)
	// "ii. For example: A. The initial term"
	reLeadMarker = regexp.MustCompile(`^((?:For example|Examples(?: include)?|To illustrate)[:.]\s+)(?:1|i|A)\.\s`)
)

func isItalic(matched, marker string) bool {
	return strings.Contains(matched, string(italOn)+marker) ||
		strings.Contains(matched, string(italOn)+"("+marker) && strings.ContainsRune(matched, italOff)
}

// openItalics says whether a matched marker began italics that go on after it.
func openItalics(matched string) bool {
	return strings.Count(matched, string(italOn)) > strings.Count(matched, string(italOff))
}

func startsLower(s string) bool {
	s = strings.TrimLeft(s, "\"“'( "+string(italOn)+string(italOff))
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

// isTitleCase says whether most of the longer words begin with a capital.
func isTitleCase(s string) bool {
	big, long := 0, 0
	for _, w := range strings.Fields(s) {
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(w, "(\"“"))
		if len(w) > 3 {
			long++
			if unicode.IsUpper(r) {
				big++
			}
		}
	}
	return long == 0 || big*3 >= long*2
}

// stripMarkers removes the markers at the beginning of a paragraph's text.
func stripMarkers(text string) string {
	s := splitter{paren: true}
	for {
		_, rest, ok := s.take(text)
		if !ok {
			return text
		}
		text = rest
	}
}

var reInline = regexp.MustCompile(`(^|[:;,]\s+(?:and\s+|or\s+)?|\s)\((i{1,3}|iv|vi{0,3}|ix|x)\)\s`)

// splitInline takes lists within a sentence apart, where they run (i), (ii)
// and so on behind a colon. What follows the list's last sentence goes back to
// the paragraph that holds it.
func splitInline(parts []part) []part {
	if len(parts) == 0 {
		return parts
	}
	last := parts[len(parts)-1]
	colon := strings.Index(last.text, ": (i) ")
	if colon < 0 || last.marker == "" || last.marker == "i" {
		return parts
	}
	type place struct{ start int }
	var places []place
	want := 1
	for _, m := range reInline.FindAllStringSubmatchIndex(last.text, -1) {
		open := m[4] - 1
		if v, _ := audit.Romans.Value(last.text[m[4]:m[5]]); v == want && open > colon {
			places = append(places, place{open})
			want++
		}
	}
	if len(places) < 2 {
		return parts
	}
	out := parts[:len(parts)-1]
	lead := last
	lead.text = last.text[:places[0].start]
	out = append(out, lead)
	for i, pl := range places {
		end := len(last.text)
		if i+1 < len(places) {
			end = places[i+1].start
		}
		text := last.text[pl.start:end]
		var flush string
		if i+1 == len(places) {
			if dot := sentenceEnd(text); dot > 0 {
				text, flush = text[:dot], text[dot:]
			}
		}
		out = append(out, part{marker: audit.Romans.Marker(i + 1), sameLine: true, text: text})
		if strings.TrimSpace(flush) != "" {
			out = append(out, part{text: flush, sameLine: true})
		}
	}
	return out
}

// sentenceEnd gives the place after the first full stop that ends a sentence.
func sentenceEnd(s string) int {
	for i := 0; i+2 < len(s); i++ {
		if s[i] == '.' && s[i+1] == ' ' && s[i+2] >= 'A' && s[i+2] <= 'Z' && i > 6 {
			return i + 1
		}
	}
	return 0
}
