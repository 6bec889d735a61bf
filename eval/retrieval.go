package eval

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"veristream/app/dirs"
	"veristream/app/finder"
	"veristream/backend/audit"
	"veristream/backend/chunk"
	"veristream/backend/regs"
	"veristream/backend/retrieve"
	"veristream/backend/store"
)

// Ablation is a search with something left out or changed.
type Ablation struct {
	Name    string
	Options func(*retrieve.Options)
	Query   func(*retrieve.Query)
	NoEmbed bool
}

// Ablations lists what a run compares; the first is the product as it is.
func Ablations() []Ablation {
	options := func(f func(*retrieve.Options)) func(*retrieve.Options) { return f }
	query := func(f func(*retrieve.Query)) func(*retrieve.Query) { return f }
	return []Ablation{
		{Name: "as shipped"},
		{Name: "no reranker", Query: query(func(q *retrieve.Query) { q.NoRerank = true })},
		{Name: "bm25 only", Query: query(func(q *retrieve.Query) { q.BM25Only = true })},
		{Name: "dense only", Query: query(func(q *retrieve.Query) { q.DenseOnly = true })},
		{Name: "reranker alone", Options: options(func(o *retrieve.Options) { o.Cosine, o.Fusion = 0, 0 })},
		{Name: "fusion left out", Options: options(func(o *retrieve.Options) { o.Fusion = 0 })},
		{Name: "fusion doubled", Options: options(func(o *retrieve.Options) { o.Fusion = 1 })},
		{Name: "no scopes", Options: options(func(o *retrieve.Options) { o.WeightScope = 0 })},
		{Name: "what is named not first", Options: options(func(o *retrieve.Options) { o.Named = 0 })},
		{Name: "no sections", Options: options(func(o *retrieve.Options) { o.WeightSection = 0 })},
		{Name: "no gists", Options: options(func(o *retrieve.Options) { o.WeightGist, o.Gist = 0, 0 })},
		{Name: "gists 1.5, 0.8", Options: options(func(o *retrieve.Options) { o.WeightGist, o.Gist = 1.5, 0.8 })},
		{Name: "no card vectors", Options: options(func(o *retrieve.Options) { o.WeightCards = 0 })},
		{Name: "no everyday questions", Options: options(func(o *retrieve.Options) { o.WeightAsks, o.Asked = 0, 0 })},
		{Name: "questions' lists only", Options: options(func(o *retrieve.Options) { o.Asked = 0 })},
		{Name: "questions halved", Options: options(func(o *retrieve.Options) { o.Asked /= 2 })},
		{Name: "questions' lists doubled", Options: options(func(o *retrieve.Options) { o.WeightAsks = 2 })},
		{Name: "no definitions", Options: options(func(o *retrieve.Options) { o.WeightDefine = 0 })},
		{Name: "rules of comments far", Options: options(func(o *retrieve.Options) { o.Behind = 100 })},
		{Name: "no expansion", Options: options(func(o *retrieve.Options) { o.WeightExpanded = 0 })},
		{Name: "no links", Options: options(func(o *retrieve.Options) { o.Links = 0 })},
		{Name: "no cards", Query: query(func(q *retrieve.Query) { q.Filter.Corpora = []string{audit.CorpusRules} })},
		{
			Name:    "whole pool",
			Options: options(func(o *retrieve.Options) { o.Links, o.Budget = 0, 1<<30 }),
			Query:   query(func(q *retrieve.Query) { q.Top, q.NoRefuse = 30, true }),
		},
		{Name: "pool of 20", Options: options(func(o *retrieve.Options) { o.Pool = 20 })},
		{Name: "pool of 45", Options: options(func(o *retrieve.Options) { o.Pool = 45 })},
	}
}

// RetrievalRun says what to run.
type RetrievalRun struct {
	Regs  string // folder of official texts
	Index string // file of the index; made when it is not there
	Half  Half   // empty: both, reported apart
	Only  []string
	Memo  string // file that remembers the models' answers; empty: none, and times are real
	Fit   bool   // fit the line of refusal, with questions that are not measured with
	Show  bool   // list the questions that were not answered among the first eight
}

// RetrievalReport is what a run writes.
type RetrievalReport struct {
	At       time.Time                     `json:"at"`
	Models   []string                      `json:"models"`
	Passages int                           `json:"passages"`
	IndexMS  int64                         `json:"index_ms"`
	Line     RefusalFit                    `json:"line"`
	Results  map[string]map[string]Figures `json:"results"` // ablation, then half or style
}

// Retrieval builds the index where it is not there, asks every question under
// every ablation, and writes a table to w.
func Retrieval(ctx context.Context, d dirs.Dirs, run RetrievalRun, w io.Writer) (RetrievalReport, error) {
	report := RetrievalReport{At: time.Now().UTC(), Results: map[string]map[string]Figures{}}
	questions, err := RetrievalQuestions()
	if err != nil {
		return report, err
	}
	st, err := store.Open(ctx, run.Index)
	if err != nil {
		return report, fmt.Errorf("open the index: %w", err)
	}
	defer st.Close()
	start := time.Now()
	if err := ImportFolder(ctx, st, run.Regs); err != nil {
		return report, err
	}
	find, err := finder.With(ctx, st, d)
	if err != nil {
		return report, err
	}
	defer find.Close()
	if len(find.Missing) > 0 {
		return report, find.Missing[0]
	}
	if err := find.Prepare(ctx, func(done, total int) { fmt.Fprintf(w, "\rembedding %d of %d", done, total) }); err != nil {
		return report, err
	}
	embed, rerank := find.Embedder, find.Reranker
	if run.Memo != "" {
		memo, err := OpenMemo(run.Memo)
		if err != nil {
			return report, err
		}
		defer memo.Save() //nolint:errcheck // what is not remembered is asked again
		embed, rerank = memo.Embedder(embed), memo.Reranker(rerank)
	}
	report.IndexMS = time.Since(start).Milliseconds()
	report.Models = []string{find.Embedder.ModelID(), find.Reranker.ModelID()}
	fmt.Fprintf(w, "\nindex ready in %d ms\n", report.IndexMS)
	if err := checkGold(ctx, st, questions, w); err != nil {
		return report, err
	}
	for _, a := range Ablations() {
		if len(run.Only) > 0 && !slices.Contains(run.Only, a.Name) {
			continue
		}
		outcomes, err := askQuestion(ctx, st, embed, rerank, a, questions, run.Half)
		if err != nil {
			return report, fmt.Errorf("ablation %q: %w", a.Name, err)
		}
		report.Results[a.Name] = tabulate(w, a.Name, outcomes, len(report.Results) == 0)
		if run.Show {
			showMisses(w, outcomes)
		}
		if len(report.Results) == 1 && run.Fit {
			find := retrieve.New(st, embed, rerank, retrieve.Defaults())
			questions, err := fitQuestions(ctx, st)
			if err != nil {
				return report, err
			}
			good, err := nearnesses(ctx, find, questions)
			if err != nil {
				return report, err
			}
			out, err := nearnesses(ctx, find, every(retrieve.AwayQuestions(), 6))
			if err != nil {
				return report, err
			}
			report.Line = fitRefusal(w, outcomes, good, out)
		}
	}
	return report, nil
}

//go:embed retrieval/inscope.txt
var inScope string

//go:embed retrieval/inscope-bsa.txt
var inScopeBSA string

// fitQuestions gives questions that the installed rules answer: those on the
// Bank Secrecy Act count only where its rules are in the index.
func fitQuestions(ctx context.Context, st *store.Store) ([]string, error) {
	text := inScope
	bsa, err := st.Covers(ctx, audit.MustParseCitation("31 CFR 1010"))
	if bsa {
		text += inScopeBSA
	}
	return every(strings.Split(strings.TrimSpace(text), "\n"), 2), err
}

// every takes one in n.
func every(list []string, n int) (out []string) {
	for i := 0; i < len(list); i += n {
		out = append(out, list[i])
	}
	return out
}

// nearnesses asks questions that only fix the line of refusal.
func nearnesses(ctx context.Context, s *retrieve.Searcher, questions []string) ([]retrieve.Nearness, error) {
	var out []retrieve.Nearness
	for _, text := range questions {
		r, err := s.Search(ctx, retrieve.Query{Text: strings.TrimSpace(text), LeaveOut: true})
		if err != nil {
			return nil, fmt.Errorf("question %q: %w", text, err)
		}
		if len(r.Hits) > 0 && !r.Near.Paper && len(audit.FindCitations(text)) == 0 {
			out = append(out, r.Near)
		}
	}
	return out, nil
}

// ask asks every question once.
func askQuestion(ctx context.Context, st *store.Store, embed audit.Embedder, rerank audit.Reranker, a Ablation, questions []Question, half Half) ([]Outcome, error) {
	opts := retrieve.Defaults()
	if a.Options != nil {
		a.Options(&opts)
	}
	s := retrieve.New(st, embed, rerank, opts)
	var out []Outcome
	for _, q := range questions {
		if half != "" && q.Half != half {
			continue
		}
		query := retrieve.Query{Text: q.Text}
		if a.Query != nil {
			a.Query(&query)
		}
		start := time.Now()
		r, err := s.Search(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("question %s: %w", q.ID, err)
		}
		o := judge(q, r.Hits)
		o.MS = float64(time.Since(start).Microseconds()) / 1000
		o.Refused, o.Reason, o.Score, o.Near = r.Refused, r.Reason, r.Score, r.Near
		o.Fits = len(r.Hits) > 0 && len(audit.FindCitations(q.Text)) == 0
		out = append(out, o)
	}
	return out, nil
}

// ImportFolder reads the official texts of a folder into a store; what has not
// changed is passed over.
func ImportFolder(ctx context.Context, st *store.Store, dir string) error {
	var files []string
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() && wanted(filepath.Base(path)) {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return audit.Wrap(err, audit.CodeInput, "The folder of official texts %s cannot be read.", dir)
	}
	have, err := st.Texts(ctx)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, t := range have {
		if !wanted(filepath.Base(t.Origin)) {
			if err := st.RemoveText(ctx, t.ID); err != nil {
				return err
			}
			continue
		}
		known[t.ID+t.SHA256] = true
	}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			return audit.Wrap(err, audit.CodeInput, "%s cannot be read.", path)
		}
		parsed, err := regs.Parse(ctx, data, regs.Options{Name: path})
		if err != nil {
			return fmt.Errorf("import %s: %w", path, err)
		}
		for _, p := range parsed {
			if known[p.Text.ID+p.Text.SHA256] {
				continue
			}
			if err := st.ReplaceText(ctx, p.Text, p.Rules, chunk.Rules(p.Text, p.Rules)); err != nil {
				return fmt.Errorf("install %s: %w", p.Text.ID, err)
			}
		}
	}
	return nil
}

// wanted leaves out what is no official text, and the second copies of texts
// that the folder holds in two forms or in an older state.
func wanted(name string) bool {
	for _, not := range []string{"SOURCES", "outline", "pdf_lines", "regml"} {
		if strings.Contains(name, not) {
			return false
		}
	}
	return !strings.HasPrefix(name, "17cfr275") || strings.HasSuffix(name, ".md")
}

// checkGold says which questions ask for a paragraph that the index has not.
func checkGold(ctx context.Context, st *store.Store, questions []Question, w io.Writer) error {
	for _, q := range questions {
		n := 0
		for _, g := range q.Gold {
			ok, err := st.Covers(ctx, g)
			if err != nil {
				return err
			}
			if ok {
				n++
			}
		}
		if !q.Out && (n == 0 || q.All && n < len(q.Gold)) {
			fmt.Fprintf(w, "note: %s asks for %v, which the index does not have\n", q.ID, q.Gold)
		}
	}
	return nil
}

// tabulate prints a line for each half, and for the first run for each style.
func tabulate(w io.Writer, name string, outcomes []Outcome, styles bool) map[string]Figures {
	out := map[string]Figures{}
	print := func(label string, keep func(Outcome) bool) {
		var some []Outcome
		for _, o := range outcomes {
			if keep(o) {
				some = append(some, o)
			}
		}
		if len(some) == 0 {
			return
		}
		f := measure(some)
		out[label] = f
		fmt.Fprintf(w, "%-16s %-10s n=%-3d R@1 %s R@3 %s R@8 %s R@30 %.3f MRR %s nDCG@8 %.3f both@8 %.3f(%d) refused good %.3f out %.3f(%d) p50 %.0f p95 %.0f ms\n",
			name, label, f.R1.N, f.R1, f.R3, f.R8, f.R30.Value, f.MRR, f.NDCG8.Value, f.Both8.Value, f.Both8.N,
			f.RefusedGood.Value, f.RefusedOut.Value, f.RefusedOut.N, f.P50MS, f.P95MS)
	}
	for _, half := range []Half{Tune, Test} {
		print(string(half), func(o Outcome) bool { return o.Question.Half == half })
	}
	if styles {
		var seen []string
		for _, o := range outcomes {
			if s := o.Question.Style; !o.Question.Out && !slices.Contains(seen, s) {
				seen = append(seen, s)
				print(s, func(o Outcome) bool { return o.Question.Style == s && !o.Question.Out })
			}
		}
	}
	return out
}

// String writes a figure with its interval.
func (f Figure) String() string { return fmt.Sprintf("%.3f [%.2f,%.2f]", f.Value, f.Low, f.High) }

func showMisses(w io.Writer, outcomes []Outcome) {
	for _, o := range outcomes {
		q := o.Question
		switch {
		case q.Out && !o.Refused:
			fmt.Fprintf(w, "  %s %s NOT REFUSED %.3f %q: %v\n", q.ID, q.Half, o.Score, q.Text, o.Top[:min(2, len(o.Top))])
		case !q.Out && o.Refused:
			fmt.Fprintf(w, "  %s %s REFUSED %.3f %q (%s)\n", q.ID, q.Half, o.Score, q.Text, o.Reason)
		case !q.Out && (o.First == 0 || o.First > 3 || q.All && (o.Both == 0 || o.Both > 8)):
			fmt.Fprintf(w, "  %s %s %s first %d both %d %q want %v got %v\n", q.ID, q.Half, q.Style, o.First, o.Both, q.Text, q.Gold, o.Top[:min(5, len(o.Top))])
		}
	}
}

// Write writes the report to a file whose name holds the time of the run.
func (r RetrievalReport) Write(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", audit.Wrap(err, audit.CodeStorage, "%s cannot be written.", dir)
	}
	path := filepath.Join(dir, "retrieval-"+r.At.Format("20060102-150405")+".json")
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return "", fmt.Errorf("write report: %w", err)
	}
	if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
		return "", audit.Wrap(err, audit.CodeStorage, "%s cannot be written.", path)
	}
	return path, nil
}
