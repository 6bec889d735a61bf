package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"veristream/app/batch"
	"veristream/app/core"
	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/store"
)

func (a *App) batchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "batch",
		Short: "Queue many audits and make them one after another",
		Long: `A queue of files, folders and addresses, one row each. It lies in the database: the
window shows the same queue, a crash loses nothing of it, and a failure stops nothing
but its own row. What is done is listed with the greatest risk first.

A watched folder is looked at while "batch run" or the window runs. What lies in it
and what comes into it is queued once it is complete and has not changed for 10
seconds, and never twice: its content counts, not its name.`,
		Example: `  veristream batch add talks/ https://example.com/talk.mp4 --priority 1
  veristream batch run
  veristream batch run --watch inbox/
  veristream batch retry 8hq2 --yes`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.batchAdd(), a.batchList(), a.batchRun(), a.batchRetry(), a.batchMove(), a.batchCancel(), a.batchRemove(), a.batchWatch())
	return cmd
}

// withQueue opens the database for a command of the queue.
func (a *App) withQueue(ctx context.Context, f func(*batch.Queue) error) error {
	return a.withStore(ctx, func(st *store.Store) error { return f(&batch.Queue{Store: st, Dirs: a.Dirs}) })
}

// batchFlags say what audits are made with.
type batchFlags struct {
	facts, asOf, language string
	noLLM, fresh, yes     bool
}

func (f *batchFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.facts, "facts", "", "JSON file of facts about speaker, sponsor and audience, for all (else x.facts.json beside each)")
	flags.StringVar(&f.asOf, "as-of", "", "date whose rules count, YYYY-MM-DD")
	flags.StringVar(&f.language, "language", "", "language that is spoken, or auto")
	flags.BoolVar(&f.noLLM, "no-llm", false, "use no language model; every finding then needs review")
	flags.BoolVar(&f.fresh, "fresh", false, "do everything again, whatever earlier runs made")
	flags.BoolVar(&f.yes, "yes", false, "fetch from addresses what is over the limits of size and duration too")
}

func (f batchFlags) request() (batch.Request, error) {
	r := batch.Request{AsOf: f.asOf, Language: f.language, NoLLM: f.noLLM, Fresh: f.fresh, Admit: f.yes}
	if f.asOf != "" {
		if _, err := time.Parse(time.DateOnly, f.asOf); err != nil {
			return r, audit.Wrap(err, audit.CodeUsage, "The as-of date must look like 2026-03-01, not %q.", f.asOf)
		}
	}
	if f.facts == "" {
		return r, nil
	}
	data, err := os.ReadFile(f.facts)
	if err != nil {
		return r, audit.Wrap(err, audit.CodeUsage, "The facts file %s cannot be read.", f.facts)
	}
	facts, err := audit.ParseFacts(data)
	if err != nil {
		return r, err
	}
	r.Facts = &facts
	return r, nil
}

func (a *App) batchAdd() *cobra.Command {
	var f batchFlags
	var priority int
	var asJSON bool
	var from, entries string
	cmd := &cobra.Command{
		Use:   "add INPUT...",
		Short: "Queue files, the recordings in folders, and addresses",
		Long: `Queues files, the recordings in folders and below, and addresses. What is in the queue
already is passed over; what failed is queued again. An address of a list of videos
(a playlist, a channel) is asked about its videos: --entries says which to queue.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if from != "" {
				lines, err := a.linesOf(from)
				if err != nil {
					return err
				}
				args = append(args, lines...)
			}
			if len(args) == 0 {
				return audit.Errorf(audit.CodeUsage, "Give files, folders or addresses to queue.")
			}
			r, err := f.request()
			if err != nil {
				return err
			}
			return a.withQueue(ctx, func(q *batch.Queue) error {
				if entries != "" {
					if args, err = a.entriesOf(ctx, q.Store, args, entries); err != nil {
						return err
					}
				}
				added, passed, err := q.Add(ctx, args, r, priority)
				if err != nil {
					return err
				}
				return a.tellAdded(added, passed, asJSON)
			})
		},
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.IntVar(&priority, "priority", 0, "the higher the sooner")
	flags.StringVar(&from, "from", "", "file with one input a line; - is standard input")
	flags.StringVar(&entries, "entries", "", "which videos of a list: all, or numbers as in 1,3-5")
	flags.BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

func (a *App) linesOf(file string) ([]string, error) {
	in := a.In
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return nil, audit.Wrap(err, audit.CodeUsage, "The list %s cannot be read.", file)
		}
		defer f.Close()
		in = f
	}
	var out []string
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if line := strings.TrimSpace(lines.Text()); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, audit.Wrap(err, audit.CodeUsage, "The list %s cannot be read.", file)
	}
	return out, nil
}

func (a *App) tellAdded(added []store.Job, passed []batch.Passed, asJSON bool) error {
	if asJSON {
		out := struct {
			Schema int            `json:"schema"`
			Added  []store.Job    `json:"added"`
			Passed []batch.Passed `json:"passed_over"`
		}{audit.SchemaVersion, orEmpty(added), orEmpty(passed)}
		return a.printJSON(out)
	}
	for _, p := range passed {
		fmt.Fprintf(a.Err, "passed over  %s: %s\n", p.Input, p.Why)
	}
	for _, j := range added {
		fmt.Fprintf(a.Out, "queued       %s  %s\n", shortID(j.ID), j.Input)
	}
	if len(added) == 0 {
		return &toldError{audit.Errorf(audit.CodeInput, "Nothing was queued.")}
	}
	return nil
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// shortID is what of an id nobody needs to copy: its end, which is random.
func shortID(id string) string { return id[strings.LastIndexByte(id, '-')+1:] }

func (a *App) batchList() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the queue: what works, what waits, what failed, what is done by its risk",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withQueue(cmd.Context(), func(q *batch.Queue) error { return a.showQueue(cmd.Context(), q, asJSON) })
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

func (a *App) showQueue(ctx context.Context, q *batch.Queue, asJSON bool) error {
	jobs, err := q.Store.Jobs(ctx)
	if err != nil {
		return err
	}
	watches, err := q.Store.Watches(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return a.printJSON(struct {
			Schema  int           `json:"schema"`
			Jobs    []store.Job   `json:"jobs"`
			Watched []store.Watch `json:"watched"`
		}{audit.SchemaVersion, orEmpty(jobs), orEmpty(watches)})
	}
	if len(jobs) == 0 {
		fmt.Fprintln(a.Out, "The queue is empty. Run: veristream batch add INPUT...")
	} else {
		w := tabwriter.NewWriter(a.Out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tSTATE\tPRIORITY\tHIGH\tMEDIUM\tLOW\tTITLE")
		for _, j := range jobs {
			high, medium, low := "", "", ""
			if j.State == store.JobDone {
				high, medium, low = fmt.Sprint(j.Risk.High), fmt.Sprint(j.Risk.Medium), fmt.Sprint(j.Risk.Low)
			}
			fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%s\t%s\n", shortID(j.ID), j.State, j.Priority, high, medium, low, j.Title)
		}
		if err := w.Flush(); err != nil {
			return fmt.Errorf("write the list: %w", err)
		}
		for _, j := range jobs {
			if j.Problem != nil {
				fmt.Fprintf(a.Out, "\n%s  %s\n  %s\n", shortID(j.ID), j.Input, j.Problem.Sentence)
			}
		}
	}
	for _, w := range watches {
		fmt.Fprintln(a.Out, "watched: "+w.Folder)
	}
	return nil
}

func (a *App) batchRun() *cobra.Command {
	var f batchFlags
	var quiet, asJSON bool
	var speech, llm, watch, out string
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Make the audits of the queue, the next one first",
		Long: `Makes the audits of the queue one after another until none waits. A failure stops
nothing but its own row. Interrupted, it goes on from there the next time. With
--watch, or where folders are watched, it stays and waits for new files until it is
interrupted.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			r, err := f.request()
			if err != nil {
				return err
			}
			if out != "" {
				if out, err = filepath.Abs(out); err != nil {
					return fmt.Errorf("find %s: %w", out, err)
				}
			}
			if watch != "" {
				if watch, err = filepath.Abs(watch); err != nil {
					return fmt.Errorf("find %s: %w", watch, err)
				}
			}
			c, err := core.Open(ctx, core.Options{Dirs: a.Dirs, Version: a.Version, SpeechModel: speech, LLM: llm, NoLLM: f.noLLM})
			if err != nil {
				return err
			}
			defer c.Close()
			b := &batchRunner{App: a, core: c, queue: &batch.Queue{Store: c.Store, Dirs: a.Dirs}, quiet: quiet || asJSON, noLLM: f.noLLM, out: out}
			if watch != "" {
				if _, err := b.queue.Watch(ctx, watch, r); err != nil {
					return err
				}
			}
			err = b.run(ctx, watch != "")
			if asJSON {
				if err := a.showQueue(context.WithoutCancel(ctx), b.queue, true); err != nil {
					return err
				}
			}
			return err
		},
	}
	f.add(cmd)
	flags := cmd.Flags()
	flags.StringVar(&watch, "watch", "", "folder whose files are queued from now on; stay and wait for them")
	flags.StringVar(&out, "out", "", "folder for NAME.json of each result")
	flags.StringVar(&llm, "model", "", "language model (else the best that is installed)")
	flags.StringVar(&speech, "speech-model", "", "speech model (else the best that is installed)")
	flags.BoolVar(&quiet, "quiet", false, "show no progress")
	flags.BoolVar(&asJSON, "json", false, "write the queue as JSON at the end")
	return cmd
}

// batchRunner makes the audits of the queue in this process.
type batchRunner struct {
	*App
	core         *core.Core
	queue        *batch.Queue
	quiet, noLLM bool
	out          string
	done, failed int
}

func (b *batchRunner) run(ctx context.Context, stay bool) (err error) {
	w := &batch.Watcher{Queue: b.queue, Tell: func(path string, err error) {
		if err != nil {
			fmt.Fprintf(b.Err, "watched: %s\n", audit.SentenceOf(err))
		} else if !b.quiet {
			fmt.Fprintf(b.Err, "queued: %s\n", path)
		}
	}}
	watching, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- w.Run(watching) }()
	defer func() {
		stop()
		err = errors.Join(err, <-ended)
	}()
	for {
		taken, err := b.queue.Take(ctx)
		if err != nil {
			return err
		}
		if taken != nil {
			if err := b.one(ctx, taken); err != nil {
				return err
			}
			continue
		}
		if !stay {
			break
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
	if b.failed > 0 {
		fmt.Fprintf(b.Err, "veristream: %d of %d jobs failed. Run: veristream batch list\n", b.failed, b.failed+b.done)
		return &toldError{audit.Errorf(audit.CodeInput, "%d jobs failed.", b.failed)}
	}
	return nil
}

// one makes one audit of the queue. Only what concerns the queue itself is an
// error of it.
func (b *batchRunner) one(ctx context.Context, t *batch.Taken) error {
	if !b.quiet {
		fmt.Fprintf(b.Err, "%s\n", t.Job.Input)
	}
	job := core.JobOf(t.Job, t.Request)
	job.NoLLM = job.NoLLM || b.noLLM
	show := newAuditProgress(b.Err, b.quiet)
	watched, stop := t.Watch(ctx)
	r, err := b.core.Audit(watched, job, show.observe)
	stop()
	show.end()
	if err == nil && b.out != "" {
		err = b.keep(t, r)
	}
	if err := t.End(ctx, r, err, ctx.Err() != nil); err != nil {
		return err
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		b.failed++
		fmt.Fprintf(b.Err, "%s: ", t.Job.Input)
		b.tell(err)
		switch {
		case errors.Is(err, media.ErrLimit):
			fmt.Fprintf(b.Err, "  to fetch it all the same: veristream batch retry %s --yes\n", shortID(t.Job.ID))
		case errors.Is(err, media.ErrList):
			fmt.Fprintf(b.Err, "  to choose of it: veristream batch retry %s --entries all (or 1,3-5)\n", shortID(t.Job.ID))
		}
	default:
		b.done++
		fmt.Fprintf(b.Out, "%s: %s\n", t.Job.Input, summary(r))
	}
	return nil
}

// keep writes a result into the folder of results. Files of one name in several
// folders each get their own.
func (b *batchRunner) keep(t *batch.Taken, r *audit.Result) error {
	if err := os.MkdirAll(b.out, 0o755); err != nil {
		return audit.Wrap(err, audit.CodeStorage, "The folder %s cannot be made.", b.out)
	}
	path := filepath.Join(b.out, outName(t.Job.Input, r)+".json")
	if _, err := os.Stat(path); err == nil {
		path = filepath.Join(b.out, outName(t.Job.Input, r)+"-"+short(r.Video.SHA256)+".json")
	}
	return writeJSONFile(path, r)
}

// job is a command about one or several jobs of the queue, named by the ends of
// their ids.
func (a *App) jobCommand(use, short string, f func(ctx context.Context, q *batch.Queue, j store.Job) error) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.withQueue(cmd.Context(), func(q *batch.Queue) error {
				for _, id := range args {
					j, err := q.Find(cmd.Context(), id)
					if err != nil {
						return err
					}
					if err := f(cmd.Context(), q, j); err != nil {
						return err
					}
				}
				asJSON, _ := cmd.Flags().GetBool("json")
				return a.showQueue(cmd.Context(), q, asJSON)
			})
		},
	}
}

func withJSON(cmd *cobra.Command) *cobra.Command {
	cmd.Flags().Bool("json", false, "write JSON")
	return cmd
}

func (a *App) batchRetry() *cobra.Command {
	var yes bool
	var entries string
	cmd := a.jobCommand("retry ID...", "Queue jobs again that failed, were cancelled or are done", func(ctx context.Context, q *batch.Queue, j store.Job) error {
		if entries == "" {
			return q.Retry(ctx, j.ID, yes)
		}
		r, err := batch.RequestOf(j)
		if err != nil {
			return err
		}
		chosen, err := a.entriesOf(ctx, q.Store, []string{j.Input}, entries)
		if err != nil {
			return err
		}
		r.Admit = r.Admit || yes
		if _, _, err := q.Add(ctx, chosen, r, j.Priority); err != nil {
			return err
		}
		return q.Remove(ctx, j.ID) // the videos stand for their list
	})
	cmd.Flags().BoolVar(&yes, "yes", false, "fetch what is over the limits of size and duration all the same")
	cmd.Flags().StringVar(&entries, "entries", "", "which videos of a list to queue in its place: all, or numbers as in 1,3-5")
	return withJSON(cmd)
}

func (a *App) batchMove() *cobra.Command {
	var before string
	var last bool
	var priority int
	cmd := a.jobCommand("move ID...", "Put waiting jobs elsewhere in the queue (first, unless told otherwise)", func(ctx context.Context, q *batch.Queue, j store.Job) error {
		switch {
		case priority != 0:
			return q.Prioritise(ctx, j.ID, priority)
		case last:
			return q.Move(ctx, j.ID, "")
		case before != "":
			other, err := q.Find(ctx, before)
			if err != nil {
				return err
			}
			return q.Move(ctx, j.ID, other.ID)
		}
		jobs, err := q.Store.Jobs(ctx)
		if err != nil {
			return err
		}
		for _, first := range jobs {
			if first.State == store.JobQueued {
				return q.Move(ctx, j.ID, first.ID)
			}
		}
		return nil
	})
	cmd.Flags().StringVar(&before, "before", "", "id of the job to stand before")
	cmd.Flags().BoolVar(&last, "last", false, "put it at the end")
	cmd.Flags().IntVar(&priority, "priority", 0, "give it a priority instead; the higher the sooner")
	return withJSON(cmd)
}

func (a *App) batchCancel() *cobra.Command {
	return withJSON(a.jobCommand("cancel ID...", "Cancel jobs that wait or work, in whatever process",
		func(ctx context.Context, q *batch.Queue, j store.Job) error { return q.Cancel(ctx, j.ID) }))
}

func (a *App) batchRemove() *cobra.Command {
	var ended bool
	remove := a.jobCommand("remove ID...", "Take jobs off the list; their audits stay",
		func(ctx context.Context, q *batch.Queue, j store.Job) error { return q.Remove(ctx, j.ID) })
	each := remove.RunE
	remove.Args = cobra.ArbitraryArgs
	remove.RunE = func(cmd *cobra.Command, args []string) error {
		if !ended {
			if len(args) == 0 {
				return audit.Errorf(audit.CodeUsage, "Give the ids of jobs, or --ended.")
			}
			return each(cmd, args)
		}
		return a.withQueue(cmd.Context(), func(q *batch.Queue) error {
			if _, err := q.Clear(cmd.Context()); err != nil {
				return err
			}
			asJSON, _ := cmd.Flags().GetBool("json")
			return a.showQueue(cmd.Context(), q, asJSON)
		})
	}
	remove.Flags().BoolVar(&ended, "ended", false, "all that are done or cancelled")
	return withJSON(remove)
}

func (a *App) batchWatch() *cobra.Command {
	var f batchFlags
	var off, asJSON bool
	cmd := &cobra.Command{
		Use:   "watch FOLDER",
		Short: "Queue what comes into a folder, while batch run or the window runs",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := f.request()
			if err != nil {
				return err
			}
			return a.withQueue(cmd.Context(), func(q *batch.Queue) error {
				if off {
					err = q.Unwatch(cmd.Context(), args[0])
				} else {
					_, err = q.Watch(cmd.Context(), args[0], r)
				}
				if err != nil {
					return err
				}
				return a.showQueue(cmd.Context(), q, asJSON)
			})
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&off, "off", false, "watch it no more")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}
