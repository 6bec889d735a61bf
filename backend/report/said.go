package report

import (
	"slices"
	"strings"

	"veristream/backend/audit"
)

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
// another language. What nobody translated stays as it is and says so. The
// audit that is kept and attached is the one in English.
func InLanguage(r *audit.Result, code string) *audit.Result {
	if code != "de" {
		return r
	}
	say := func(text string) string { return spoken(r.Said, text) }
	out := *r
	out.Said = nil
	out.Findings = slices.Clone(r.Findings)
	for i := range out.Findings {
		f := &out.Findings[i]
		f.Evidence, f.Rationale, f.Remedy, f.Applies = say(f.Evidence), say(f.Rationale), say(f.Remedy), say(f.Applies)
		f.Context = slices.Clone(f.Context)
		for n := range f.Context {
			f.Context[n].Why = say(f.Context[n].Why)
		}
	}
	out.NotApplicable = slices.Clone(r.NotApplicable)
	for i := range out.NotApplicable {
		out.NotApplicable[i].Reason = say(out.NotApplicable[i].Reason)
	}
	out.Checked = slices.Clone(r.Checked)
	for i := range out.Checked {
		out.Checked[i].Note = say(out.Checked[i].Note)
	}
	out.Dropped = slices.Clone(r.Dropped)
	for i := range out.Dropped {
		out.Dropped[i].Reason = say(out.Dropped[i].Reason)
	}
	out.Notices = slices.Clone(r.Notices)
	for i := range out.Notices {
		out.Notices[i] = say(out.Notices[i])
	}
	out.Run.Models = map[string]audit.ModelInfo{}
	for id, m := range r.Run.Models {
		m.Note = say(m.Note)
		out.Run.Models[id] = m
	}
	if r.Since != nil {
		out.Since = earlierIn(*r.Since, say)
	}
	return &out
}

func earlierIn(s audit.Since, say func(string) string) *audit.Since {
	earlier := func(list []audit.EarlierFinding) []audit.EarlierFinding {
		list = slices.Clone(list)
		for i := range list {
			list[i].Evidence = say(list[i].Evidence)
		}
		return list
	}
	s.Resolved = earlier(s.Resolved)
	s.Carried = slices.Clone(s.Carried)
	for i := range s.Carried {
		s.Carried[i].Was = earlier(s.Carried[i].Was)
	}
	s.New = slices.Clone(s.New)
	for i := range s.New {
		if s.New[i].Was != nil {
			s.New[i].Was = &earlier([]audit.EarlierFinding{*s.New[i].Was})[0]
		}
	}
	return &s
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

// spoken says an English sentence of the program in German: by what it was made
// of, where that was kept, else by its own words.
func spoken(said audit.Said, text string) string {
	if text == "" {
		return ""
	}
	messages, ok := said[text]
	if !ok {
		messages = audit.Say(text)
	}
	parts := make([]string, 0, len(messages))
	for _, m := range messages {
		sentence, known := germanWords[strings.ToLower(m.Key)]
		switch {
		case m.Quoted != "":
			parts = append(parts, original(m.Quoted)+": „"+m.Key+"“")
		case known:
			parts = append(parts, m.Fill(sentence, germanWord))
		default:
			return original("en") + ": „" + text + "“"
		}
	}
	return strings.Join(parts, " ")
}

// germanWord says a word in a gap; one that is nobody's but a firm's own stays.
func germanWord(key string) string {
	if words, ok := germanWords[strings.ToLower(key)]; ok {
		return words
	}
	return "„" + key + "“ (" + original("und") + ")"
}

// word says a word that is kept as a code, where the language is another.
func (l language) word(code string) string {
	if words, ok := germanWords[code]; ok && l.code == "de" {
		return words
	}
	return code
}

// originalNote follows a heading over words that stand as they were written.
func (l language) originalNote(spoken string) string {
	if l.code != "de" {
		return ""
	}
	return ", " + original(spoken)
}

// ruleLanguage is that of a paragraph: a firm's own rule may be in any.
func ruleLanguage(citation string) string {
	if c, err := audit.ParseCitation(citation); err == nil && (c.Code == audit.CodeCFR || c.Code == audit.CodeFINRA) {
		return "en"
	}
	return "und"
}

// original marks words that stand in the language in which they were written.
func original(language string) string {
	switch language {
	case "en":
		return "Originaltext, englisch"
	case "", "und", "auto", "de":
		return "Originaltext"
	}
	return "Originaltext, Sprache: " + language
}
