package retrieve

import (
	"bufio"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"regexp"
	"strings"
	"sync"

	"veristream/backend/audit"
)

//go:embed data
var data embed.FS

// asksDir holds everyday questions by the paragraph that answers them.
const asksDir = "asks"

// term is a row of terms.tsv.
type term struct {
	re       *regexp.Regexp
	short    string
	long     []string
	abbr     bool
	longForm []*regexp.Regexp // of an abbreviation: its long forms in a text
}

// longForms gives all that the table has for an abbreviation: what it stands for,
// and what the rules say instead.
func (t tables) longForms(short string) []string {
	var out []string
	for _, x := range t.terms {
		if x.short == short {
			out = append(out, x.long...)
		}
	}
	return out
}

// name is a row of names.tsv: what people call a body of rules.
type name struct {
	re        *regexp.Regexp
	text      string
	citation  audit.Citation // zero: there is nothing to install
	regulator string
}

// tables are the data files, read once.
type tables struct {
	terms      []term
	names      []name
	regulators []name
	stop       map[string]bool
	away       []string // questions that are known to be out of scope
}

var loadTables = sync.OnceValue(func() tables {
	var t tables
	for _, row := range rows("terms.tsv") {
		x := term{short: row[1], long: strings.Split(row[2], ";"), abbr: row[0] == "a"}
		x.re = wholeWords(x.short, x.abbr)
		for _, l := range x.long {
			if x.abbr {
				x.longForm = append(x.longForm, wholeWords(l, false))
			}
		}
		t.terms = append(t.terms, x)
	}
	for _, row := range rows("names.tsv") {
		n := name{re: wholeWords(row[0], false), text: row[0], regulator: row[2]}
		if row[1] != "-" {
			n.citation = audit.MustParseCitation(row[1])
		}
		t.names = append(t.names, n)
	}
	for _, row := range rows("regulators.tsv") {
		t.regulators = append(t.regulators, name{re: wholeWords(row[0], false), text: row[0], regulator: row[1]})
	}
	t.stop = map[string]bool{}
	for _, row := range rows("stopwords.txt") {
		for _, w := range strings.Fields(row[0]) {
			t.stop[w] = true
		}
	}
	for _, row := range rows("away.tsv") {
		t.away = append(t.away, row[1])
	}
	return t
})

// wholeWords matches a phrase between word boundaries, in any case. What must
// be written as it stands is matched so: an abbreviation ("arm" is not an ARM,
// "sec" is not the SEC) and the letter of a regulation ("regulation a bank").
func wholeWords(phrase string, exact bool) *regexp.Regexp {
	var words []string
	for _, w := range strings.Fields(phrase) {
		quoted := regexp.QuoteMeta(w)
		if w != strings.ToUpper(w) && !exact {
			quoted = "(?i:" + quoted + ")"
		}
		words = append(words, quoted)
	}
	return regexp.MustCompile(`\b` + strings.Join(words, `\s+`) + `(?:s\b|\b)`)
}

// rows reads a table's lines, without comments, split at tabs.
func rows(file string) [][]string {
	f, err := data.Open("data/" + file)
	if err != nil {
		panic(err) // it is embedded: a test reads every table
	}
	defer f.Close()
	var out [][]string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if line := sc.Text(); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, strings.Split(line, "\t"))
		}
	}
	return out
}

// AsksVersion changes with the everyday questions of this version.
var AsksVersion = sync.OnceValue(func() string {
	h := sha256.New()
	for _, file := range askFiles() {
		text, err := data.ReadFile("data/" + file)
		if err != nil {
			panic(err) // it is embedded
		}
		h.Write(text)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
})

func askFiles() []string {
	entries, err := data.ReadDir("data/" + asksDir)
	if err != nil {
		panic(err) // it is embedded
	}
	var out []string
	for _, e := range entries {
		out = append(out, asksDir+"/"+e.Name())
	}
	return out
}

// Asks gives one passage for each paragraph of which the project knows what
// people ask that it answers: its questions, in everyday words. They go into the
// index as a corpus of their own: a search that finds one finds its paragraph.
func Asks() []audit.Passage {
	var out []audit.Passage
	for _, file := range askFiles() {
		for _, row := range rows(file) {
			c := audit.MustParseCitation(row[0])
			first, rest, _ := strings.Cut(row[1], "|")
			out = append(out, audit.Passage{
				Kind: audit.KindCard, Citation: c.String(), Citations: []string{c.String()}, Body: first,
				Extra: strings.ReplaceAll(rest, "|", "\n"),
			})
		}
	}
	return out
}

// SectionGists gives one passage for each section that the project describes
// in everyday words. They go into the index as a corpus of their own: a search
// that finds one looks into its section.
func SectionGists() []audit.Passage {
	var out []audit.Passage
	for _, row := range rows("sections.tsv") {
		c := audit.MustParseCitation(row[0])
		out = append(out, audit.Passage{
			Corpus: audit.CorpusSections, Source: audit.CorpusSections, Kind: audit.KindCard,
			Citation: c.String(), Citations: []string{c.String()}, Title: row[1],
			Header: "[" + c.String() + " - " + row[1] + "]", Body: row[1],
			Extra: strings.ReplaceAll(row[2], "|", "\n"),
		})
	}
	return out
}
