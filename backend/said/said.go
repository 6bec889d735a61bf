// Package said says in another language what the program itself says of a video
// while it audits it: one table for reports and window. What nobody translated
// stays in its own language and is marked.
package said

import (
	"regexp"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// Part is a piece of what is said.
type Part struct {
	Text string `json:"text"`
	// Language is that of words which are not in the reader's own, "und" where it
	// is not known (RFC 5646); empty: the reader's.
	Language string `json:"language,omitempty"`
}

// Foreign has the parts of each text in which some are not in the reader's
// language. Joined, they are the text.
type Foreign map[string][]Part

// germanWords has every key of germanSaid and germanData in small letters: a
// title inside of a sentence begins with one.
var germanWords = func() map[string]string {
	out := map[string]string{}
	for _, table := range []map[string]string{germanSaid, germanData} {
		for key, words := range table {
			out[strings.ToLower(key)] = words
		}
	}
	return out
}()

// InLanguage gives an audit in which all that the program says itself is said in
// another language, and which of its texts have words that are not in it. The
// audit that is kept and attached is the one in English.
func InLanguage(r *audit.Result, code string) (*audit.Result, Foreign) {
	if code != "de" {
		return r, nil
	}
	g := german{said: r.Said, video: r.Video.Language, foreign: Foreign{}}
	out := *r
	out.Said = nil
	out.Findings = each(r.Findings, func(f *audit.Finding) {
		f.Evidence, f.Rationale, f.Remedy, f.Applies = g.say(f.Evidence), g.say(f.Rationale), g.say(f.Remedy), g.say(f.Applies)
		f.Context = each(f.Context, func(c *audit.SegmentRef) { c.Why = g.say(c.Why) })
	})
	out.NotApplicable = each(r.NotApplicable, func(n *audit.NotApplicable) { n.Reason = g.say(n.Reason) })
	out.Checked = each(r.Checked, func(c *audit.Checked) { c.Note = g.say(c.Note) })
	out.Dropped = each(r.Dropped, func(d *audit.Dropped) { d.Reason = g.say(d.Reason) })
	out.Notices = each(r.Notices, func(n *string) { *n = g.say(*n) })
	out.Run.Models = map[string]audit.ModelInfo{}
	for id, m := range r.Run.Models {
		m.Note = g.say(m.Note)
		out.Run.Models[id] = m
	}
	if r.Since != nil {
		out.Since = earlierIn(*r.Since, g.say)
	}
	return &out, g.foreign
}

func earlierIn(s audit.Since, say func(string) string) *audit.Since {
	earlier := func(f *audit.EarlierFinding) { f.Evidence = say(f.Evidence) }
	s.Resolved = each(s.Resolved, earlier)
	s.Carried = each(s.Carried, func(c *audit.CarriedFinding) { c.Was = each(c.Was, earlier) })
	s.New = each(s.New, func(n *audit.NewFinding) {
		if n.Was != nil {
			was := *n.Was
			earlier(&was)
			n.Was = &was
		}
	})
	return &s
}

// each gives a copy of a list in which every element was changed.
func each[T any](list []T, change func(*T)) []T {
	list = slices.Clone(list)
	for i := range list {
		change(&list[i])
	}
	return list
}

// Titles gives titles of categories in a language.
func Titles(titles map[string]string, code string) map[string]string {
	if code != "de" {
		return titles
	}
	out := map[string]string{}
	for id, title := range titles {
		out[id] = title
		if words, ok := germanWords[strings.ToLower(title)]; ok {
			out[id] = words
		}
	}
	return out
}

// german says the sentences of one audit in German.
type german struct {
	said    audit.Said
	video   string // the language that is spoken in the video
	foreign Foreign
}

// say says an English sentence of the program in German: by what it was made
// of, where that was kept, else by its own words.
func (g german) say(text string) string {
	if text == "" {
		return ""
	}
	parts := g.parts(text)
	var out strings.Builder
	foreign := false
	for _, p := range parts {
		out.WriteString(p.Text)
		foreign = foreign || p.Language != ""
	}
	if foreign {
		g.foreign[out.String()] = parts
	}
	return out.String()
}

func (g german) parts(text string) []Part {
	messages, ok := g.said[text]
	if !ok {
		messages = audit.Say(text)
	}
	var parts []Part
	for i, m := range messages {
		if i > 0 {
			parts = append(parts, Part{Text: " "})
		}
		sentence, known := germanWords[strings.ToLower(m.Key)]
		switch {
		case m.Quoted != "":
			parts = append(parts, quoted(m.Key, m.Quoted)...)
		case known:
			parts = append(parts, g.filled(m, sentence)...)
		default:
			return quoted(text, "en")
		}
	}
	return joined(parts)
}

// reQuoted is a gap between quotation marks: words of the video, as they stand.
var reQuoted = regexp.MustCompile(`„(\{\d+\})“`)

// filled gives a German sentence with its gaps filled.
func (g german) filled(m audit.Message, sentence string) []Part {
	var parts []Part
	from := 0
	for _, at := range reQuoted.FindAllStringSubmatchIndex(sentence, -1) {
		parts = append(parts, Part{Text: m.Fill(sentence[from:at[2]], germanWord)}, Part{m.Fill(sentence[at[2]:at[3]], germanWord), other(g.video)})
		from = at[3]
	}
	return append(parts, Part{Text: m.Fill(sentence[from:], germanWord)})
}

// other gives a language, or nothing where it is the reader's.
func other(language string) string {
	switch language {
	case "de":
		return ""
	case "", "auto":
		return "und"
	}
	return language
}

func quoted(words, language string) []Part {
	return []Part{{Text: Original(language) + ": „"}, {words, other(language)}, {Text: "“"}}
}

// joined makes one part of those of the same language that follow each other.
func joined(parts []Part) []Part {
	var out []Part
	for _, p := range parts {
		if n := len(out); n > 0 && out[n-1].Language == p.Language {
			out[n-1].Text += p.Text
			continue
		}
		out = append(out, p)
	}
	return out
}

// germanWord says a word in a gap; one that is nobody's but a firm's own stays.
func germanWord(key string) string {
	if words, ok := germanWords[strings.ToLower(key)]; ok {
		return words
	}
	return "„" + key + "“ (" + Original("und") + ")"
}

// Word says a word that is kept as a code.
func Word(word, code string) string {
	if words, ok := germanWords[word]; ok && code == "de" {
		return words
	}
	return word
}

// RuleLanguage is that of a paragraph: a firm's own rule may be in any.
func RuleLanguage(citation string) string {
	if c, err := audit.ParseCitation(citation); err == nil && (c.Code == audit.CodeCFR || c.Code == audit.CodeFINRA) {
		return "en"
	}
	return "und"
}

// Original marks, in German, words that stand in the language in which they were
// written.
func Original(language string) string {
	switch language {
	case "en":
		return "Originaltext, englisch"
	case "", "und", "auto", "de":
		return "Originaltext"
	}
	return "Originaltext, Sprache: " + language
}
