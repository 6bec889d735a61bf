package audit

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Message is a sentence of the program's own, kept so that it can be said in
// another language: Key is the English sentence, Args fill its gaps. {0} is the
// first argument as it stands, {=0} one that is a key itself, and {=*} all of
// them, as keys, with commas.
type Message struct {
	Key  string   `json:"key"`
	Args []string `json:"args,omitempty"`
	// Quoted is set where Key is not the program's own words but a card's, a
	// draft's or a site's: the language that they are in, "und" where that is not
	// known (RFC 5646). Nobody translates them.
	Quoted string `json:"quoted,omitempty"`
}

// Messages are sentences that follow each other.
type Messages []Message

// Say makes a message.
func Say(key string, args ...string) Messages { return Messages{{Key: key, Args: args}} }

// Quote makes a message of words that are not the program's own.
func Quote(language, words string) Messages { return Messages{{Key: words, Quoted: language}} }

var reVerb = regexp.MustCompile(`%[-+# 0]*\d*(?:\.\d+)?[a-zA-Z%]`)

// Formed makes a message of a format as fmt.Sprintf takes it: the key is the
// format with numbered gaps. What the format quotes comes without quotes, which
// are the sentence's and differ between languages.
func Formed(format string, args ...any) Message {
	var m Message
	m.Key = reVerb.ReplaceAllStringFunc(format, func(verb string) string {
		n := len(m.Args)
		switch {
		case verb == "%%":
			return "%"
		case n == len(args):
			return verb
		}
		gap := fmt.Sprintf("{%d}", n)
		if strings.HasSuffix(verb, "q") {
			verb, gap = "%v", `"`+gap+`"`
		}
		m.Args = append(m.Args, fmt.Sprintf(verb, args[n]))
		return gap
	})
	return m
}

// And gives these messages and then others.
func (m Messages) And(more ...Messages) Messages {
	out := append(Messages{}, m...)
	for _, x := range more {
		out = append(out, x...)
	}
	return out
}

// String says it in English.
func (m Messages) String() string {
	out := make([]string, 0, len(m))
	for _, x := range m {
		out = append(out, x.Fill(x.Key, func(key string) string { return key }))
	}
	return strings.Join(out, " ")
}

var reGap = regexp.MustCompile(`\{(=?)(\d+|\*)\}`)

// Fill puts the message's arguments into a sentence: its own key, or that in
// another language. word gives what an argument that is a key says.
func (m Message) Fill(sentence string, word func(key string) string) string {
	if m.Quoted != "" {
		return sentence
	}
	return reGap.ReplaceAllStringFunc(sentence, func(gap string) string {
		part := reGap.FindStringSubmatch(gap)
		from, to := 0, len(m.Args)
		if part[2] != "*" {
			n, err := strconv.Atoi(part[2])
			if err != nil || n >= len(m.Args) {
				return gap
			}
			from, to = n, n+1
		}
		var out []string
		for _, arg := range m.Args[from:to] {
			if part[1] != "" {
				arg = word(arg)
			}
			out = append(out, arg)
		}
		return strings.Join(out, ", ")
	})
}

// Said keeps what the sentences of a result were made of, by their English. A
// sentence that is a key by itself needs no entry.
type Said map[string]Messages

// Say keeps messages and gives their English.
func (s Said) Say(m Messages) string {
	text := m.String()
	if s != nil && (len(m) > 1 || len(m) == 1 && (len(m[0].Args) > 0 || m[0].Quoted != "")) {
		s[text] = m
	}
	return text
}
