package eval

import (
	"bufio"
	"embed"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"veristream/backend/audit"
)

//go:embed retrieval/questions.tsv retrieval/outofscope.tsv
var retrievalFiles embed.FS

// Half is the part of the questions that a constant may be fitted on, or the
// part that it is reported on.
type Half string

// The halves. A section's questions all lie in one half.
const (
	Tune Half = "tune"
	Test Half = "test"
)

// Question is one retrieval question with the paragraphs that answer it.
type Question struct {
	ID    string
	Style string
	Half  Half
	Text  string
	Gold  []audit.Citation // any of them, or with All every one
	All   bool
	Out   bool // out of scope: to be refused
}

// RetrievalQuestions reads the frozen questions.
func RetrievalQuestions() ([]Question, error) {
	var out []Question
	err := eachRow("retrieval/questions.tsv", 3, func(n int, row []string) error {
		q := Question{ID: fmt.Sprintf("q%03d", n), Style: row[0], Text: row[2], All: strings.Contains(row[1], "&")}
		for _, text := range strings.FieldsFunc(row[1], func(r rune) bool { return r == ';' || r == '&' }) {
			c, err := audit.ParseCitation(text)
			if err != nil {
				return fmt.Errorf("question %s: %w", q.ID, err)
			}
			q.Gold = append(q.Gold, c)
		}
		q.Half = halfOf(q.Gold[0].SectionCitation().String())
		out = append(out, q)
		return nil
	})
	if err != nil {
		return nil, err
	}
	n := 0
	err = eachRow("retrieval/outofscope.tsv", 2, func(i int, row []string) error {
		half := Tune
		if n++; n%2 == 0 {
			half = Test
		}
		out = append(out, Question{ID: fmt.Sprintf("o%03d", i), Style: row[0], Half: half, Text: row[1], Out: true})
		return nil
	})
	return out, err
}

// halfOf splits by section. The few sections with a rule of their own (a FINRA
// rule, the adviser rule) would make halves of very unlike size if each were
// drawn by itself, so the hash is over all of them.
func halfOf(section string) Half {
	h := fnv.New32a()
	h.Write([]byte("veristream retrieval " + section))
	if h.Sum32()%2 == 0 {
		return Tune
	}
	return Test
}

func eachRow(name string, columns int, f func(n int, row []string) error) error {
	file, err := retrievalFiles.Open(name)
	if err != nil {
		return fmt.Errorf("open questions: %w", err)
	}
	defer file.Close()
	sc := bufio.NewScanner(file)
	for n := 1; sc.Scan(); {
		line := sc.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != columns {
			return fmt.Errorf("%s: line %q has %d columns, not %d", name, line, len(row), columns)
		}
		if err := f(n, row); err != nil {
			return err
		}
		n++
	}
	return sc.Err()
}

// Answers says which of the question's paragraphs a passage holds: itself or
// something below it. A comment does not stand for its rule, nor a rule for its
// comment.
func (q Question) Answers(p audit.Passage) []int {
	var out []int
	for _, text := range append([]string{p.Citation}, p.Citations...) {
		c, err := audit.ParseCitation(text)
		if err != nil {
			continue
		}
		for i, g := range q.Gold {
			if c.IsComment() == g.IsComment() && c.Within(g) && !slices.Contains(out, i) {
				out = append(out, i)
			}
		}
	}
	return out
}
