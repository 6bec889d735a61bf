package eval

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"veristream/backend/audit"
	"veristream/backend/verify"
)

// FaithfulFloor is the least share of the sentences of rationales that the check
// in code supports. CI holds the demo to it.
const FaithfulFloor = 0.85

// Writer says who wrote a sentence of a rationale.
type Writer string

// The writers. No language model writes any part of a rationale: it answers yes
// or no. Whatever is neither the program's own nor a card's would be a model's.
const (
	ByProgram Writer = "program" // put together in code, from titles of categories and behaviours
	ByCard    Writer = "card"    // the project's account of the cited paragraph
	ByOther   Writer = "other"
)

// RationaleSentence is a sentence of a rationale with what it has to rest on.
type RationaleSentence struct {
	Case     string        `json:"case"`
	Category string        `json:"category"`
	By       Writer        `json:"by"`
	Text     string        `json:"text"`
	Rule     audit.RuleRef `json:"rule"`
	Words    string        `json:"words,omitempty"` // of the video, or the evidence where none are quoted
	// Missing are its terms and numbers that stand in none of rule, card, words
	// and facts, of Terms that it has.
	Missing []string `json:"missing,omitempty"`
	Terms   int      `json:"terms"`
	// Beyond are the numbers of a card's sentence that its official text lacks.
	Beyond []string `json:"beyond,omitempty"`
	// Judge is what a model said of it, Elsewhere what it said of a sentence about
	// another rule in its place; empty: not asked.
	Judge     string `json:"judge,omitempty"`
	Elsewhere string `json:"elsewhere,omitempty"`
}

// Supported says whether the check in code found what the sentence names: each
// term and number, and of the titles that the program puts before the words, which
// name several things with an "or" between them, one at least and each number.
func (s RationaleSentence) Supported() bool {
	if s.By != ByProgram || slices.ContainsFunc(s.Missing, reNumber.MatchString) {
		return len(s.Missing) == 0
	}
	return len(s.Missing) == 0 || len(s.Missing) < s.Terms
}

// Faithfulness is how well the rationales of a run are supported.
type Faithfulness struct {
	Writer    string              `json:"writer"`          // the language model of the audits; empty: none
	Judge     string              `json:"judge,omitempty"` // the model that judged
	Findings  int                 `json:"findings"`
	Sentences []RationaleSentence `json:"sentences"`
}

// Read adds the sentences of the rationales of one audit.
func (f *Faithfulness) Read(caseID string, r *audit.Result, cards map[string]audit.Card) {
	for _, x := range r.Findings {
		f.Findings++
		for _, s := range rationaleSentences(r, x, cards[x.Citation]) {
			s.Case, s.Category, s.Rule = caseID, x.Category, x.Rule
			f.Sentences = append(f.Sentences, s)
		}
	}
}

// rationaleSentences cuts a rationale into sentences and holds each against what
// it rests on.
func rationaleSentences(r *audit.Result, f audit.Finding, card audit.Card) []RationaleSentence {
	written, ok := r.Said[f.Rationale]
	if !ok {
		written = audit.Quote("und", f.Rationale)
	}
	video := []string{f.Excerpt, f.Evidence, f.Applies, factWords(r.Facts)}
	rule := []string{f.Citation, f.Rule.Title, f.Rule.Text}
	sources := slices.Concat(video, rule, cardWords(card))
	var out []RationaleSentence
	var own audit.Messages
	flush := func() {
		for _, text := range audit.Sentences(own.String()) {
			s := RationaleSentence{By: ByProgram, Text: text, Words: f.Excerpt}
			if s.Words == "" {
				s.Words = f.Evidence
			}
			named := withoutStart(text, f.StartMS)
			s.Missing = verify.Unsupported(named, append(frames(own), sources...)...)
			s.Terms = len(verify.Unsupported(named, append(frames(own), f.Citation)...))
			out = append(out, s)
		}
		own = nil
	}
	for _, m := range written {
		if m.Quoted == "" {
			own = append(own, m)
			continue
		}
		flush()
		by := ByOther
		if m.Key == strings.TrimSpace(card.Requires) {
			by = ByCard
		}
		for _, text := range audit.Sentences(m.Key) {
			s := RationaleSentence{By: by, Text: text, Missing: verify.Unsupported(text, sources...), Terms: len(verify.Unsupported(text))}
			if by == ByCard && f.Rule.Official {
				s.Beyond = slices.DeleteFunc(verify.Unsupported(text, rule...), func(term string) bool { return !reNumber.MatchString(term) })
			}
			out = append(out, s)
		}
	}
	flush()
	return out
}

var (
	reNumber = regexp.MustCompile(`\d`)
	reStamp  = regexp.MustCompile(`\b(?:\d+:)?\d\d:\d\d\.\d\b`)
	reGaps   = regexp.MustCompile(`\{=?(?:\d+|\*)\}`)
)

// frames gives the words in which the program says things, without the things:
// what stands in the gaps has to rest on something else. A sentence without gaps
// has to as a whole.
func frames(own audit.Messages) []string {
	var out []string
	for _, m := range own {
		if len(m.Args) > 0 || strings.HasSuffix(m.Key, ":") {
			out = append(out, reGaps.ReplaceAllString(m.Key, " "))
		}
	}
	return out
}

// withoutStart takes out the time at which the finding begins; another time
// stays, and nothing supports it.
func withoutStart(text string, startMS int64) string {
	return reStamp.ReplaceAllStringFunc(text, func(stamp string) string {
		var at float64
		for _, part := range strings.Split(stamp, ":") {
			v, err := strconv.ParseFloat(part, 64)
			if err != nil {
				return stamp
			}
			at = 60*at + v
		}
		if d := int64(at*1000) - startMS; d > -100 && d <= 0 {
			return " "
		}
		return stamp
	})
}

func cardWords(c audit.Card) []string {
	return slices.Concat([]string{c.Title, c.Requires, c.Gist, c.Remedy}, c.Triggers, c.SatisfiedBy)
}

func factWords(f audit.Facts) string {
	data, err := json.Marshal(f)
	if err != nil {
		return ""
	}
	return strings.NewReplacer("_", " ", `"`, " ").Replace(string(data))
}

// Share gives how many sentences the check in code supports, and of how many.
func (f *Faithfulness) Share() (k, n int) {
	for _, s := range f.Sentences {
		if s.Supported() {
			k++
		}
	}
	return k, len(f.Sentences)
}

// Write prints the figures.
func (f *Faithfulness) Write(w io.Writer) {
	k, n := f.Share()
	fmt.Fprintf(w, "rationales of %d findings, %d sentences\n", f.Findings, n)
	beyond := 0
	for _, by := range []Writer{ByProgram, ByCard, ByOther} {
		supported, whole, all := 0, 0, 0
		for _, s := range f.Sentences {
			if s.By != by {
				continue
			}
			all++
			if s.Supported() {
				supported++
			}
			if len(s.Missing) == 0 {
				whole++
			}
			if len(s.Beyond) > 0 {
				beyond++
			}
		}
		fmt.Fprintf(w, "  by %-8s supported %s, in every term %s\n", by, proportion(supported, all), proportion(whole, all))
	}
	fmt.Fprintf(w, "  all         supported %s (floor %.2f)\n", proportion(k, n), FaithfulFloor)
	fmt.Fprintf(w, "  sentences of cards with a number that the official text lacks: %d\n", beyond)
	f.writeJudge(w)
}

// writeJudge prints what a model made of the same sentences, and whether its
// word is worth anything: it should refuse those about other rules.
func (f *Faithfulness) writeJudge(w io.Writer) {
	if f.Judge == "" {
		fmt.Fprintln(w, "  no model is installed besides the one of the audits: only the check in code counts")
		return
	}
	writer := f.Writer
	if writer == "" {
		writer = "none"
	}
	fmt.Fprintf(w, "  judged by %s (language model of the audits: %s)\n", f.Judge, writer)
	for _, by := range []Writer{ByProgram, ByCard, ByOther} {
		asked, yes, elsewhere, agree := 0, 0, 0, 0
		for _, s := range f.Sentences {
			if s.By != by || s.Judge == "" {
				continue
			}
			asked++
			if s.Judge == "yes" {
				yes++
			}
			if s.Elsewhere == "yes" {
				elsewhere++
			}
			if s.Supported() == (s.Judge == "yes") {
				agree++
			}
		}
		if asked > 0 {
			fmt.Fprintf(w, "    by %-8s supported %s; one about another rule in its place %s; agrees with the code %s\n",
				by, proportion(yes, asked), proportion(elsewhere, asked), proportion(agree, asked))
		}
	}
}
