package verify

import (
	"slices"
	"strings"
	"unicode"

	"veristream/backend/audit"
)

// rationale gives what a finding's rationale may keep, and the sentences that it
// loses. The program's own sentences are put together from what was measured and
// stay. Whoever else wrote one, a card or a model, may say no more than the cited
// rule, its card and the words of the video.
func (in Input) rationale(f audit.Finding) (kept string, lost []string) {
	written, ok := in.Said[f.Rationale]
	if !ok {
		written = audit.Quote("und", f.Rationale)
	}
	sources := []string{f.Citation, f.Rule.Title, f.Rule.Text, f.Excerpt, f.Evidence}
	if in.Card != nil {
		sources = append(sources, in.Card(f.Citation))
	}
	var rest audit.Messages
	for _, m := range written {
		if m.Quoted == "" {
			rest = append(rest, m)
			continue
		}
		var stays []string
		for _, s := range audit.Sentences(m.Key) {
			if len(Unsupported(s, sources...)) > 0 {
				lost = append(lost, s)
				continue
			}
			stays = append(stays, s)
		}
		if len(stays) > 0 {
			m.Key = strings.Join(stays, " ")
			rest = append(rest, m)
		}
	}
	if len(lost) == 0 {
		return f.Rationale, nil
	}
	return in.Said.Say(rest), lost
}

// Unsupported gives the terms and numbers of a text that stand in none of the
// sources, numbers in digits. A term stands there in any of its endings, a number
// in digits or in words. Words that name nothing do not count.
func Unsupported(text string, sources ...string) []string {
	have := map[string]bool{}
	for _, s := range sources {
		for _, t := range terms(s) {
			have[t.stem] = true
		}
	}
	var out []string
	for _, t := range terms(text) {
		if !have[t.stem] && !slices.Contains(out, t.word) {
			out = append(out, t.word)
		}
	}
	return out
}

// term is a word of a text as it stands there, and what is compared of it.
type term struct{ word, stem string }

// Shorter words than this name nothing that could be checked, save for numbers,
// and no ending but that of the plural is taken off where it would leave less.
const (
	shortestTerm = 3
	shortestStem = 4
)

// terms gives the words of a text that name something, and its numbers.
func terms(text string) []term {
	var out []term
	for _, w := range tokens(text) {
		number, spelled := numberWords[w]
		switch {
		case unicode.IsDigit([]rune(w)[0]):
			out = append(out, term{w, strings.TrimSuffix(w, ".0")})
		case spelled:
			out = append(out, term{number, number})
		case len([]rune(w)) >= shortestTerm && !nameless[w]:
			out = append(out, term{w, stem(w)})
		}
	}
	return out
}

// tokens gives a text's words in small letters; a number keeps its point and
// loses its commas.
func tokens(text string) []string {
	runes := []rune(strings.ToLower(text))
	digit := func(i int) bool { return i >= 0 && i < len(runes) && unicode.IsDigit(runes[i]) }
	var clean strings.Builder
	for i, r := range runes {
		between := digit(i-1) && digit(i+1)
		switch {
		case r == ',' && between:
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '.' && between:
			clean.WriteRune(r)
		case r == '\'' || r == '’': // "viewer's" is a viewer, "isn't" is nothing
			clean.WriteByte(' ')
		default:
			clean.WriteByte(' ')
		}
	}
	return strings.Fields(clean.String())
}

// stem takes the commonest English endings off, one kind after another.
func stem(w string) string {
	for _, kind := range []struct {
		endings []string
		least   int // letters that have to stay
	}{
		{[]string{"es", "s"}, shortestTerm},
		{[]string{"ly"}, shortestStem},
		{[]string{"ations", "ation", "ions", "ion", "ments", "ment", "ance", "ence", "ing", "ed", "er", "or", "al", "ive", "ory"}, shortestStem},
	} {
		for _, e := range kind.endings {
			if rest, ok := strings.CutSuffix(w, e); ok && len([]rune(rest)) >= kind.least && !strings.HasSuffix(rest, "s") {
				w = rest
				break
			}
		}
	}
	if rest := strings.TrimRight(w, "eyi"); len([]rune(rest)) >= shortestTerm {
		return rest
	}
	return w
}

// numberWords are numbers as they are spelled; "one" is a pronoun as often.
var numberWords = map[string]string{
	"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11",
	"twelve": "12", "fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70",
	"eighty": "80", "ninety": "90", "hundred": "100", "thousand": "1000", "million": "1000000", "billion": "1000000000",
}

// nameless are words that are in every text and name nothing in it.
var nameless = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`all and any are but can did few for get got had has her him his how its let lot may nor not now off one our
		out own per put say see set she the too use via was way who why yet you about above after again against also although among another anybody anyone anything because become been before
		being below beside besides between both cannot come comes could does doing done down during each either else enough ever every
		everybody everyone everything from further given gives goes have having here however into itself just keep kind least less
		like made make makes making many matter matters might mean means more most much must need needs neither never nobody none nothing
		often once only other others ought over part perhaps rather same says shall should simply since some somebody someone something
		still such take taken takes than that their them themselves then there these they thing things this those though through
		together under unless until upon used uses using very want wants well were what whatever when where whether which while whoever
		whole whom whose will with within without would your yours`) {
		out[w] = true
	}
	return out
}()
