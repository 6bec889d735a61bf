package eval

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"veristream/app/core"
	answer "veristream/backend/ask"
	"veristream/backend/audit"
	"veristream/backend/words"
)

//go:embed ask/questions.tsv
var askFiles embed.FS

// AskQuestion is a question with what its answer must cite and hold.
type AskQuestion struct {
	ID    string   `json:"id"`
	Kind  string   `json:"kind"`
	Half  Half     `json:"half"`
	Text  string   `json:"text"`
	Cites []string `json:"cites,omitempty"`
	Facts []string `json:"facts,omitempty"`
}

// AskQuestions reads the frozen questions.
func AskQuestions() ([]AskQuestion, error) {
	data, err := askFiles.ReadFile("ask/questions.tsv")
	if err != nil {
		return nil, fmt.Errorf("read the questions: %w", err)
	}
	var out []AskQuestion
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != 4 {
			return nil, fmt.Errorf("the question %q has %d fields, not 4", line, len(row))
		}
		q := AskQuestion{ID: fmt.Sprintf("a%03d", len(out)+1), Kind: row[0], Text: row[3], Half: Tune}
		if len(out)%2 == 1 {
			q.Half = Test
		}
		q.Cites, q.Facts = fields(row[1]), fields(row[2])
		out = append(out, q)
	}
	return out, nil
}

func fields(s string) []string {
	var out []string
	for _, f := range strings.Split(s, ";") {
		if f = strings.TrimSpace(f); f != "" {
			out = append(out, f)
		}
	}
	return out
}

// AskRun says what to run.
type AskRun struct {
	Half  Half
	Fast  bool
	NoLLM bool
	Kinds []string
	Show  bool
	// Careful has the model read its answers again.
	Careful bool
	// Sample is how many questions are drawn by chance; 0: all. Seed names the draw.
	Sample int
	Seed   uint64
}

// AskOutcome is what came of one question.
type AskOutcome struct {
	Question  AskQuestion       `json:"question"`
	Answer    string            `json:"answer"`
	Refused   bool              `json:"refused"`
	Reason    string            `json:"reason,omitempty"`
	How       string            `json:"how,omitempty"`
	Conf      answer.Confidence `json:"confidence"`
	Sentences int               `json:"sentences"`
	RightCite int               `json:"right_cites"` // sentences whose support is as expected
	Quotes    int               `json:"quotes"`
	Verbatim  int               `json:"verbatim"` // quotes that stand in their passage
	Facts     bool              `json:"facts"`    // every fact is in the answer or its quotes
	Found     bool              `json:"found"`    // the expected paragraph was among the passages
	Cites     []string          `json:"cites"`
	Written   int               `json:"written"` // sentences in the model's own words
	Coverage  float64           `json:"coverage"`
	MS        int64             `json:"ms"`
	FirstMS   int64             `json:"first_ms"` // to the first sentence
	CPUMS     int64             `json:"cpu_ms"`   // of the processor, with the language model's server
	Use       audit.LLMUse      `json:"use"`
	Notice    string            `json:"notice,omitempty"`
	Drafts    []string          `json:"drafts,omitempty"` // what the model wrote of its own
}

// AskReport is what a run writes.
type AskReport struct {
	At       time.Time    `json:"at"`
	Model    string       `json:"model"`
	Run      AskRun       `json:"run"`
	Outcomes []AskOutcome `json:"outcomes"`
	// Alignment are the alignment tasks; empty where they were not run.
	Alignment []AlignOutcome `json:"alignment,omitempty"`
}

// RunAsk asks every question once.
func RunAsk(ctx context.Context, c *core.Answers, run AskRun, progress io.Writer) (AskReport, error) {
	report := AskReport{At: time.Now().UTC(), Model: c.Model, Run: run}
	if run.NoLLM || c.Model == "" {
		report.Model = "none"
	}
	questions, err := AskQuestions()
	if err != nil {
		return report, err
	}
	for _, q := range run.choose(questions) {
		o, err := askOne(ctx, c, q, run)
		if err != nil {
			return report, fmt.Errorf("question %s: %w", q.ID, err)
		}
		report.Outcomes = append(report.Outcomes, o)
		if run.Show {
			fmt.Fprintf(progress, "%s %-8s %s\n   %s\n", q.ID, q.Kind, q.Text, o.summary())
		} else {
			fmt.Fprintf(progress, "\r%d answered", len(report.Outcomes))
		}
	}
	fmt.Fprintln(progress)
	if !run.aligns() {
		return report, nil
	}
	report.Alignment, err = runAlign(ctx, c, run)
	if len(run.Kinds) == 0 && audit.CodeOf(err) == audit.CodeInput {
		fmt.Fprintln(progress, audit.SentenceOf(err)) // nobody asked for them by name
		return report, nil
	}
	for _, o := range report.Alignment {
		if run.Show {
			fmt.Fprintf(progress, "%s: %s, right %q %s, judged rightly %v\n", o.Task.Element, strings.Join(o.Told, ", "), o.Right, o.State, o.Judged)
		}
	}
	return report, err
}

// aligns says whether a run has the alignment tasks: all of them, unless only
// some questions are asked.
func (r AskRun) aligns() bool {
	return slices.Contains(r.Kinds, KindAlign) || len(r.Kinds) == 0 && r.Sample <= 0
}

// unitsRow are the units of one question, for fitting the weights that choose
// among them.
type unitsRow struct {
	Question string           `json:"question"`
	Kind     string           `json:"kind"`
	Cites    []string         `json:"cites"`
	Units    []answer.Weighed `json:"units"`
	Right    []bool           `json:"right"`
}

// WriteUnits writes, for every question about the rules of one half of eval/ask
// and of eval/retrieval, the units of its passages and which of them stand in an
// expected paragraph.
func WriteUnits(ctx context.Context, c *core.Answers, half Half, out, progress io.Writer) error {
	asked, err := AskQuestions()
	if err != nil {
		return err
	}
	searched, err := RetrievalQuestions()
	if err != nil {
		return err
	}
	var rows []unitsRow
	for _, q := range asked {
		if q.Half == half && q.Kind == "rule" {
			rows = append(rows, unitsRow{Question: q.Text, Kind: q.Kind, Cites: q.Cites})
		}
	}
	for _, q := range searched {
		if q.Half == half && q.Style != "cite" && len(q.Gold) > 0 {
			row := unitsRow{Question: q.Text, Kind: q.Style}
			for _, g := range q.Gold {
				row.Cites = append(row.Cites, g.String())
			}
			rows = append(rows, row)
		}
	}
	enc := json.NewEncoder(out)
	for i, r := range rows {
		if r.Units, err = c.Asker.Weigh(ctx, answer.Question{Text: r.Question}); err != nil {
			return fmt.Errorf("weigh %q: %w", r.Question, err)
		}
		for _, u := range r.Units {
			r.Right = append(r.Right, slices.ContainsFunc(r.Cites, func(want string) bool { return citesBelow(u.Citation, want) }))
		}
		if err := enc.Encode(r); err != nil {
			return fmt.Errorf("write the units: %w", err)
		}
		fmt.Fprintf(progress, "\r%d of %d", i+1, len(rows))
	}
	fmt.Fprintln(progress)
	return nil
}

// evalPatience lets a reply take long where other work holds the processor: what
// is measured is the model, and its cost in processor time.
const evalPatience = 15 * time.Minute

// choose gives the questions of a run, in their order.
func (r AskRun) choose(all []AskQuestion) []AskQuestion {
	all = slices.DeleteFunc(all, func(q AskQuestion) bool {
		return r.Half != "" && q.Half != r.Half || len(r.Kinds) > 0 && !slices.Contains(r.Kinds, q.Kind)
	})
	if r.Sample <= 0 || r.Sample >= len(all) {
		return all
	}
	drawn := rand.New(rand.NewPCG(r.Seed, 0)).Perm(len(all))[:r.Sample] //nolint:gosec // a draw that can be repeated
	slices.Sort(drawn)
	out := make([]AskQuestion, 0, r.Sample)
	for _, i := range drawn {
		out = append(out, all[i])
	}
	return out
}

func (o AskOutcome) summary() string {
	if o.Refused {
		return fmt.Sprintf("REFUSED (%s), found %v", o.Reason, o.Found)
	}
	return fmt.Sprintf("cited %d/%d facts %v found %v %s %s %d ms: %s %v", o.RightCite, o.Sentences, o.Facts, o.Found, o.How, o.Conf, o.MS, o.Answer, o.Cites)
}

func askOne(ctx context.Context, c *core.Answers, q AskQuestion, run AskRun) (AskOutcome, error) {
	filter, _, err := c.Narrow(ctx, q.Text, audit.Filter{})
	if err != nil {
		return AskOutcome{}, err
	}
	start, spent := time.Now(), processorTime()
	first := int64(0)
	ans, err := c.Asker.Ask(ctx, answer.Question{
		Text: q.Text, Filter: filter, Fast: run.Fast, NoLLM: run.NoLLM, Careful: run.Careful, Patience: evalPatience,
		OnSentence: func(answer.Sentence) {
			if first == 0 {
				first = time.Since(start).Milliseconds()
			}
		},
	})
	if err != nil {
		return AskOutcome{}, err
	}
	o := AskOutcome{
		Question: q, Answer: ans.Text, Refused: ans.Refused, Reason: ans.Reason, How: ans.How, Conf: ans.Confidence,
		Sentences: len(ans.Sentences), Coverage: ans.Coverage, MS: ans.MS, FirstMS: first, Cites: []string{},
		CPUMS: (processorTime() - spent).Milliseconds(), Use: ans.Use, Notice: ans.Notice,
	}
	said := ans.Text
	for _, s := range ans.Sentences {
		right := false
		for _, sup := range s.Support {
			o.Quotes++
			body := ans.Hits[sup.Passage-1].Passage.Body
			if strings.Contains(body, sup.Quote) {
				o.Verbatim++
			}
			said += " " + sup.Quote
			o.Cites = append(o.Cites, sup.Citation)
			right = right || slices.ContainsFunc(q.Cites, func(want string) bool { return citesBelow(sup.Citation, want) })
		}
		if right {
			o.RightCite++
		}
		if !s.Verbatim {
			o.Written++
			o.Drafts = append(o.Drafts, s.Text)
		}
	}
	o.Facts = true
	for _, f := range q.Facts {
		if _, _, ok := words.Find(said, f); !ok {
			o.Facts = false
		}
	}
	for _, h := range ans.Hits {
		for _, have := range append([]string{h.Passage.Citation}, h.Passage.Citations...) {
			o.Found = o.Found || slices.ContainsFunc(q.Cites, func(want string) bool { return citesBelow(have, want) })
		}
	}
	return o, nil
}

// citesBelow says whether a citation is the wanted one, stands below it, or is
// a place in the wanted document or control.
func citesBelow(have, want string) bool {
	if have == want || strings.HasSuffix(have, " "+want) || strings.Contains(have, " "+want+"(") {
		return true
	}
	if !strings.HasPrefix(have, want) {
		return strings.Contains(have, " "+want+"-") // a family of controls
	}
	return strings.ContainsAny(have[len(want):][:1], "(.,- ") || !strings.ContainsAny(want, "0123456789")
}

// Write prints the figures, for each half and kind.
func (r AskReport) Write(w io.Writer) {
	mode := "standard"
	if r.Run.Fast {
		mode = "fast (no reranker)"
	}
	fmt.Fprintf(w, "Model: %s; mode: %s; %s\n\n", r.Model, mode, r.At.Format(time.DateOnly))
	fmt.Fprintln(w, "| set | n | right citation | sentences rightly cited | facts | found | quotes verbatim | good refused | bad refused | written | tokens read, written | processor | first p50 | first p95 | whole p50 | whole p95 |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	line := func(name string, keep func(AskOutcome) bool) {
		var some []AskOutcome
		for _, o := range r.Outcomes {
			if keep(o) {
				some = append(some, o)
			}
		}
		if len(some) > 0 {
			fmt.Fprintf(w, "| %s | %d | %s |\n", name, len(some), strings.Join(askFigures(some), " | "))
		}
	}
	line("tune", func(o AskOutcome) bool { return o.Question.Half == Tune })
	line("test", func(o AskOutcome) bool { return o.Question.Half == Test })
	var seen []string
	for _, o := range r.Outcomes {
		if k := o.Question.Kind; !slices.Contains(seen, k) {
			seen = append(seen, k)
			line(k, func(o AskOutcome) bool { return o.Question.Kind == k })
		}
	}
	writeAlign(w, r.Alignment)
}

// askFigures sums up outcomes; a refused good question has no right citation.
func askFigures(some []AskOutcome) []string {
	var good, cited, sentences, rightly, facts, withFacts, found, quotes, verbatim, goodRefused, bad, badRefused, said, written int
	var ms, first, cpu, read, wrote []float64
	for _, o := range some {
		ms, cpu = append(ms, float64(o.MS)), append(cpu, float64(o.CPUMS))
		if o.FirstMS > 0 {
			first = append(first, float64(o.FirstMS))
		}
		if o.Use.Calls > 0 {
			read, wrote = append(read, float64(o.Use.PromptTokens)), append(wrote, float64(o.Use.OutputTokens))
		}
		said, written = said+o.Sentences, written+o.Written
		quotes, verbatim = quotes+o.Quotes, verbatim+o.Verbatim
		if o.Question.Kind == "refuse" {
			bad++
			if o.Refused {
				badRefused++
			}
			continue
		}
		good++
		if o.Refused {
			goodRefused++
		}
		if o.RightCite > 0 {
			cited++
		}
		if o.Found {
			found++
		}
		sentences, rightly = sentences+o.Sentences, rightly+o.RightCite
		if len(o.Question.Facts) > 0 {
			withFacts++
			if o.Facts && !o.Refused {
				facts++
			}
		}
	}
	seconds := func(of []float64, p float64) string { return fmt.Sprintf("%.1f s", quantile(of, p)/1000) }
	return []string{
		proportion(cited, good), proportion(rightly, sentences), proportion(facts, withFacts), proportion(found, good),
		proportion(verbatim, quotes), proportion(goodRefused, good), proportion(badRefused, bad),
		fmt.Sprintf("%d of %d", written, said), fmt.Sprintf("%.0f, %.0f", quantile(read, .5), quantile(wrote, .5)),
		seconds(cpu, .5), seconds(first, .5), seconds(first, .95), seconds(ms, .5), seconds(ms, .95),
	}
}
