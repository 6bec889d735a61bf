package eval

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"veristream/app/core"
	"veristream/app/docstore"
	"veristream/backend/align"
	"veristream/backend/audit"
)

//go:embed ask/alignment
var alignFiles embed.FS

// KindAlign is the kind of an alignment task, beside those of the questions.
const KindAlign = "align"

// AlignTask is an element of the invented design with the controls of which one
// at least must be told, and what the handbook does with it.
type AlignTask struct {
	Element  string   `json:"element"`
	Half     Half     `json:"half"`
	Controls []string `json:"controls"`
	Covered  bool     `json:"covered"` // fully or in part; else the handbook says nothing of it
}

// AlignTasks reads the frozen tasks: odd lines are the tune half.
func AlignTasks() ([]AlignTask, error) {
	data, err := alignFiles.ReadFile("ask/alignment/tasks.tsv")
	if err != nil {
		return nil, fmt.Errorf("read the alignment tasks: %w", err)
	}
	var out []AlignTask
	for line := range strings.Lines(string(data)) {
		row := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if row[0] == "" || strings.HasPrefix(row[0], "#") {
			continue
		}
		if len(row) != 3 || row[2] != "covered" && row[2] != "missing" {
			return nil, fmt.Errorf("the alignment task %q is not of three fields, the last covered or missing", line)
		}
		t := AlignTask{Element: row[0], Half: Tune, Controls: fields(row[1]), Covered: row[2] == "covered"}
		if len(out)%2 == 1 {
			t.Half = Test
		}
		out = append(out, t)
	}
	return out, nil
}

// AlignOutcome is what came of one task.
type AlignOutcome struct {
	Task     AlignTask `json:"task"`
	Told     []string  `json:"told"`     // controls with their states
	Right    string    `json:"right"`    // the first of them that is expected; empty: none
	State    string    `json:"state"`    // of that
	Judged   bool      `json:"judged"`   // the state is as expected
	Quotes   int       `json:"quotes"`   // of the control and of the handbook
	Verbatim int       `json:"verbatim"` // of these, those that stand in their documents
}

// baselineOf finds the imported baseline that the tasks are about.
func baselineOf(have []audit.Document) (id string) {
	for _, d := range have {
		name := strings.ToUpper(d.ID + " " + d.Title)
		if d.Type == "catalog" && strings.Contains(name, "800-53") && strings.Contains(name, "LOW") {
			return d.ID
		}
	}
	return ""
}

// runAlign aligns the invented design with the invented handbook and the
// baseline. Both are imported for that and removed again.
func runAlign(ctx context.Context, c *core.Answers, run AskRun) (out []AlignOutcome, err error) {
	tasks, err := AlignTasks()
	if err != nil {
		return nil, err
	}
	have, err := c.Store.Documents(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the documents: %w", err)
	}
	baseline := baselineOf(have)
	if baseline == "" {
		return nil, audit.Errorf(audit.CodeInput, "The alignment tasks need the LOW baseline of NIST SP 800-53 (a resolved catalog). Run: veristream docs import FILE")
	}
	imp := &docstore.Importer{Store: c.Store}
	ids, err := importForAlign(ctx, imp)
	defer func() {
		_, gone := imp.Remove(context.WithoutCancel(ctx), ids)
		err = errors.Join(err, gone)
	}()
	if err != nil {
		return nil, err
	}
	if err := c.Prepare(ctx, nil); err != nil {
		return nil, fmt.Errorf("embed the handbook: %w", err)
	}
	var pages [3][]audit.Passage
	for i, id := range append(slices.Clone(ids), baseline) {
		if pages[i], err = c.Store.SourcePassages(ctx, audit.CorpusDocuments, id); err != nil {
			return nil, err
		}
	}
	aligner := c.Aligner(run.Fast)
	aligner.LLM = nil // it gives reasons and decides nothing
	rep, err := aligner.Align(ctx, align.Elements(pages[0]), ids[1:], []string{baseline}, nil)
	if err != nil {
		return nil, err
	}
	for _, t := range tasks {
		if run.Half == "" || run.Half == t.Half {
			out = append(out, scoreAlign(t, rep.Links, pages[1], pages[2]))
		}
	}
	return out, nil
}

// importForAlign imports the design and the handbook and gives their ids.
func importForAlign(ctx context.Context, imp *docstore.Importer) (ids []string, err error) {
	dir, err := os.MkdirTemp("", "eval-align-*")
	if err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	for _, name := range []string{"design.md", "handbook.md"} {
		data, err := alignFiles.ReadFile("ask/alignment/" + name)
		if err != nil {
			return ids, fmt.Errorf("read %s: %w", name, err)
		}
		file := filepath.Join(dir, "eval-alignment-"+name)
		if err := os.WriteFile(file, data, 0o600); err != nil {
			return ids, fmt.Errorf("write %s: %w", name, err)
		}
		reports, failures, err := imp.Import(ctx, []string{file}, docstore.Options{}, nil)
		if err == nil && len(failures) > 0 {
			err = failures[0].Err
		}
		if err != nil {
			return ids, fmt.Errorf("import %s: %w", name, err)
		}
		ids = append(ids, reports[0].Document.ID)
	}
	return ids, nil
}

// scoreAlign holds the links of a task's element against what is expected.
func scoreAlign(t AlignTask, links []align.Link, handbook, baseline []audit.Passage) AlignOutcome {
	o := AlignOutcome{Task: t, Told: []string{}}
	stands := func(list []audit.Passage, quote string) {
		o.Quotes++
		if slices.ContainsFunc(list, func(p audit.Passage) bool { return strings.Contains(p.Body, quote) }) {
			o.Verbatim++
		}
	}
	for _, l := range links {
		if l.Element != t.Element {
			continue
		}
		o.Told = append(o.Told, l.Control+" "+l.State)
		stands(baseline, l.Requires)
		if l.Quote != "" {
			stands(handbook, l.Quote)
		}
		if o.Right == "" && slices.Contains(t.Controls, l.Control) {
			o.Right, o.State = l.Control, l.State
			o.Judged = t.Covered == (l.State != align.Missing)
		}
	}
	return o
}

// writeAlign prints the figures of the alignment tasks.
func writeAlign(w io.Writer, list []AlignOutcome) {
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(w, "\n| alignment | n | right control | handbook judged rightly | quotes verbatim | links a task |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|")
	for _, half := range []Half{Tune, Test} {
		var n, right, judged, quotes, verbatim, links int
		for _, o := range list {
			if o.Task.Half != half {
				continue
			}
			n, quotes, verbatim, links = n+1, quotes+o.Quotes, verbatim+o.Verbatim, links+len(o.Told)
			if o.Right != "" {
				right++
			}
			if o.Judged {
				judged++
			}
		}
		if n > 0 {
			fmt.Fprintf(w, "| %s | %d | %s | %s | %s | %.1f |\n", half, n, proportion(right, n), proportion(judged, n), proportion(verbatim, quotes), float64(links)/float64(n))
		}
	}
}
