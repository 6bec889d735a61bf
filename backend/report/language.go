package report

import (
	"fmt"
	"strconv"
	"time"

	"veristream/backend/said"
)

// language turns the report's English into the reader's language.
type language struct {
	code  string
	table map[string]string
}

func newLanguage(code string) language {
	if code == "de" {
		return language{"de", german}
	}
	return language{"en", english}
}

// t gives a text in the reader's language; English is the key.
func (l language) t(s string) string {
	if v, ok := l.table[s]; ok {
		return v
	}
	if v, ok := english[s]; ok {
		return v
	}
	return s
}

func (l language) f(format string, args ...any) string { return fmt.Sprintf(l.t(format), args...) }

// count gives a number with its noun.
func (l language) count(n int, one, many string) string {
	if n == 1 {
		return l.t(one)
	}
	return l.f(many, n)
}

func (l language) date(t time.Time) string {
	if t.IsZero() {
		return l.t("not known")
	}
	if l.code == "de" {
		return t.Format("02.01.2006")
	}
	return t.Format("2 Jan 2006")
}

func (l language) moment(t time.Time) string {
	if t.IsZero() {
		return l.t("not known")
	}
	return l.date(t) + t.UTC().Format(", 15:04:05 UTC")
}

// day writes a date that is stored as YYYY-MM-DD.
func (l language) day(s string) string {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return l.t("not known")
	}
	return l.date(t)
}

// word says a word that is kept as a code.
func (l language) word(word string) string { return said.Word(word, l.code) }

// originalNote follows a heading over words that stand as they were written.
func (l language) originalNote(spoken string) string {
	if l.code != "de" {
		return ""
	}
	return ", " + said.Original(spoken)
}

func itoa(n int) string { return strconv.Itoa(n) }
