package cli

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/term"

	"veristream/backend/audit"
	"veristream/backend/retrieve"
)

// searchJSON is what search --json writes, and ask beside its answer.
type searchJSON struct {
	Schema   int           `json:"schema"`
	ID       string        `json:"id"`
	Query    string        `json:"query"`
	Refused  bool          `json:"refused"`
	Reason   string        `json:"reason"`
	MS       int64         `json:"ms"`
	Rerank   string        `json:"rerank"`
	Dense    string        `json:"dense"`
	Passages []passageJSON `json:"passages"`
}

// passageJSON is one passage of a search.
type passageJSON struct {
	Rank      int          `json:"rank"`
	Citation  string       `json:"citation"`
	Citations []string     `json:"citations"`
	Kind      audit.Kind   `json:"kind"`
	Source    string       `json:"source"`
	Text      string       `json:"text"`
	Pinned    bool         `json:"pinned"`
	Scores    audit.Scores `json:"scores"`
	Card      string       `json:"card,omitempty"`
	Matched   string       `json:"matched,omitempty"`
	Why       string       `json:"why,omitempty"`
	// ReadFrom and Confidence are of what was read from a picture.
	ReadFrom   string `json:"read_from,omitempty"`
	Confidence string `json:"confidence,omitempty"`
}

func newSearchJSON(id, query string, r retrieve.Result, explain bool) searchJSON {
	out := searchJSON{
		Schema: audit.SchemaVersion, ID: id, Query: query, Refused: r.Refused, Reason: r.Reason, MS: r.MS,
		Rerank: r.Rerank, Dense: r.Dense, Passages: []passageJSON{},
	}
	for _, h := range r.Hits {
		out.Passages = append(out.Passages, newPassageJSON(h, explain))
	}
	return out
}

func newPassageJSON(h audit.Hit, explain bool) passageJSON {
	p := passageJSON{
		Rank: h.Rank, Citation: h.Passage.Citation, Citations: h.Passage.Citations, Kind: h.Passage.Kind,
		Source: h.Passage.Source, Text: h.Passage.Text(), Pinned: h.Pinned, Scores: h.Scores, Matched: h.Matched,
		ReadFrom: h.Passage.Meta[audit.MetaReadFrom], Confidence: h.Passage.Meta[audit.MetaConfidence],
	}
	if p.Citations == nil {
		p.Citations = []string{}
	}
	if h.Card != nil {
		p.Card = h.Card.Text()
	}
	if explain {
		p.Why = h.Why
	}
	return p
}

// printSearch writes results for a person.
func (a *App) printSearch(question string, r retrieve.Result, explain bool) {
	p := painter{on: isTerminal(a.Out)}
	if r.Refused {
		fmt.Fprintln(a.Out, r.Reason)
		if len(r.Hits) > 0 {
			fmt.Fprintln(a.Out, p.dim("The nearest passages, which do not seem to answer it:"))
		}
	}
	marks := marksOf(question)
	for _, h := range r.Hits {
		fmt.Fprintf(a.Out, "%2d  %s  %s\n", h.Rank, p.bold(name(h)), p.dim(h.Passage.Title))
		fmt.Fprintf(a.Out, "    %s\n", p.dim(scores(h)))
		for _, line := range wrap(snippet(h, marks), 96) {
			fmt.Fprintf(a.Out, "    %s\n", p.mark(line, marks))
		}
		if explain && h.Why != "" {
			fmt.Fprintf(a.Out, "    %s\n", p.dim("why: "+h.Why))
		}
		fmt.Fprintln(a.Out)
	}
	state := fmt.Sprintf("%d ms", r.MS)
	if r.Rerank == retrieve.NotInstalled || r.Rerank == retrieve.Off {
		state += "; rerank: " + r.Rerank
	}
	if r.Dense == retrieve.NotInstalled || r.Dense == retrieve.Off {
		state += "; vectors: " + r.Dense
	}
	fmt.Fprintln(a.Out, p.dim(state))
}

func name(h audit.Hit) string {
	if h.Passage.Citation != "" {
		return h.Passage.Citation
	}
	return h.Passage.Source
}

func scores(h audit.Hit) string {
	parts := []string{string(h.Passage.Kind)}
	if h.Pinned {
		parts = append(parts, "pinned")
	}
	parts = append(parts, fmt.Sprintf("bm25 %.2f", h.Scores.BM25), fmt.Sprintf("dense %.3f", h.Scores.Dense), fmt.Sprintf("rrf %.4f", h.Scores.RRF))
	if h.Scores.Rerank != nil {
		parts = append(parts, fmt.Sprintf("rerank %.2f", *h.Scores.Rerank))
	}
	if sure := h.Passage.Meta[audit.MetaConfidence]; sure != "" {
		parts = append(parts, "read from a picture "+sure)
	}
	return strings.Join(append(parts, h.Passage.Source), "  ")
}

// maxSnippet is the length of a snippet in bytes.
const maxSnippet = 380

// snippet gives the run of sentences with the most words of the question.
func snippet(h audit.Hit, marks *regexp.Regexp) string {
	text := h.Passage.Body
	if h.Matched != "" {
		text = h.Matched
	}
	text = strings.Join(strings.Fields(text), " ")
	if len(text) <= maxSnippet {
		return text
	}
	sentences := audit.Sentences(text)
	best, bestCount := 0, -1
	for i := range sentences {
		window, size := "", 0
		for _, s := range sentences[i:] {
			if size += len(s) + 1; size > maxSnippet && window != "" {
				break
			}
			window += s + " "
		}
		if n := countMarks(window, marks); n > bestCount {
			best, bestCount = i, n
		}
	}
	var out []string
	size := 0
	for _, s := range sentences[best:] {
		if size += len(s) + 1; size > maxSnippet && len(out) > 0 {
			break
		}
		out = append(out, s)
	}
	cut := strings.Join(out, " ")
	if len(cut) > 2*maxSnippet {
		cut = strings.ToValidUTF8(cut[:2*maxSnippet], "") + " …"
	}
	if best > 0 {
		cut = "… " + cut
	}
	return cut
}

func countMarks(text string, marks *regexp.Regexp) int {
	if marks == nil {
		return 0
	}
	seen := map[string]bool{}
	for _, m := range marks.FindAllString(text, -1) {
		seen[strings.ToLower(m)] = true
	}
	return len(seen)
}

// marksOf matches the question's longer words and what begins like them.
func marksOf(question string) *regexp.Regexp {
	var stems []string
	for _, w := range strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if len(w) < 4 || slices.Contains([]string{"does", "have", "that", "this", "what", "when", "with", "from", "must", "they", "their", "about"}, w) {
			continue
		}
		stem := []rune(w)
		if len(stem) > 6 {
			stem = stem[:len(stem)-2]
		}
		stems = append(stems, regexp.QuoteMeta(string(stem)))
	}
	if len(stems) == 0 {
		return nil
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(stems, "|") + `)\pL*`)
}

// wrap breaks a text into lines of at most width columns.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for _, w := range strings.Fields(text) {
		if line != "" && len([]rune(line))+1+len([]rune(w)) > width {
			lines = append(lines, line)
			line = ""
		}
		line = strings.TrimPrefix(line+" "+w, " ")
	}
	return append(lines, line)
}

// painter writes emphasis to a terminal and plain text elsewhere.
type painter struct{ on bool }

func (p painter) code(code, s string) string {
	if !p.on || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p painter) bold(s string) string { return p.code("1", s) }
func (p painter) dim(s string) string  { return p.code("2", s) }

func (p painter) mark(s string, marks *regexp.Regexp) string {
	if marks == nil {
		return s
	}
	return marks.ReplaceAllStringFunc(s, func(m string) string { return p.code("33", m) })
}

// isTerminal says whether a stream is a terminal that wants colours.
func isTerminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == ""
}
