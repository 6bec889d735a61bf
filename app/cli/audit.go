package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"veristream/app/core"
	"veristream/app/papers"
	"veristream/backend/audit"
	"veristream/backend/media"
)

// auditFlags are the flags of the command.
type auditFlags struct {
	screen, description, facts string
	language, model, llm       string
	json, pdf, out, asOf       string
	title, since, entries      string
	fresh, noLLM, quiet        bool
	fetch                      fetchFlags
}

func (a *App) auditCommand() *cobra.Command {
	var f auditFlags
	cmd := &cobra.Command{
		Use:   "audit INPUT...",
		Short: "List what in a video may break a marketing rule",
		Long: `Audits a video, a sound file, a transcript (.srt, .vtt, .txt, .json) or the video
at an address (https://...) and lists potential issues, each with its severity, its time, its exact words and the
sub-paragraph of the rule. A person decides; this is no legal advice.

Beside x.mp4 (or x.srt) the files x.screen.srt, x.description.txt and
x.facts.json are used where they are present. Facts are JSON with the keys
speaker, paid, options, audience, sponsor and published; each may be left out.

An audit that was stopped goes on where it was when it is started again.

The audit is compared with the last one of the same work (the same file, address or
content): which findings are new, which were there before, which are resolved. What a
person decided there is carried over where the same words stand under the same rule.`,
		Example: `  veristream audit talk.mp4 --facts talk.facts.json --json talk.audit.json
  veristream audit *.mp4 --out results
  veristream audit https://example.com/talk.mp4 --max-minutes 30`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(args); err != nil {
				return err
			}
			return a.auditAll(cmd.Context(), f, args)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.screen, "screen", "", "subtitle file of what is shown (else the picture is read)")
	flags.StringVar(&f.description, "description", "", "text file of the video's description")
	flags.StringVar(&f.facts, "facts", "", "JSON file of facts about speaker, sponsor and audience")
	flags.StringVar(&f.language, "language", "auto", "language that is spoken, or auto")
	flags.StringVar(&f.llm, "model", "", "language model (else the best that is installed)")
	flags.StringVar(&f.model, "speech-model", "", "speech model (else the best that is installed)")
	flags.StringVar(&f.title, "title", "", "title of the video")
	flags.StringVar(&f.json, "json", "", "write the whole result to a file; - is standard output")
	flags.StringVar(&f.pdf, "pdf", "", "write the report as a signed PDF")
	flags.StringVar(&f.out, "out", "", "folder for NAME.json of each of several inputs")
	flags.StringVar(&f.asOf, "as-of", "", "date whose rules count, YYYY-MM-DD (the day of publication, else today)")
	flags.StringVar(&f.since, "since", "", "audit to compare with: its number, latest, or none (else the last of the same work)")
	flags.BoolVar(&f.fresh, "fresh", false, "do everything again, whatever earlier runs made")
	flags.BoolVar(&f.noLLM, "no-llm", false, "use no language model; every finding then needs review")
	flags.BoolVar(&f.quiet, "quiet", false, "show no progress")
	flags.StringVar(&f.entries, "entries", "", "which videos of a playlist: all, or numbers as in 1,3-5 (else you are asked)")
	f.fetch.add(cmd)
	return cmd
}

func (f *auditFlags) check(inputs []string) error {
	if len(inputs) > 1 {
		for name, v := range map[string]string{
			"--json": f.json, "--pdf": f.pdf, "--screen": f.screen, "--description": f.description, "--title": f.title, "--since": f.since,
		} {
			if v != "" && v != core.SinceNone {
				return audit.Errorf(audit.CodeUsage, "%s takes one input; with several inputs use --out DIR.", name)
			}
		}
	}
	// Loading a model changes the working directory for a moment: paths are made
	// absolute before.
	for _, p := range []*string{&f.screen, &f.description, &f.facts, &f.json, &f.pdf, &f.out} {
		if *p == "" || *p == "-" {
			continue
		}
		abs, err := filepath.Abs(*p)
		if err != nil {
			return fmt.Errorf("find %s: %w", *p, err)
		}
		*p = abs
	}
	return nil
}

// auditAll audits each input, goes on after a failure, and fails at the end
// where one failed.
func (a *App) auditAll(ctx context.Context, f auditFlags, inputs []string) error {
	for i, in := range inputs {
		if media.IsURL(in) {
			continue
		}
		abs, err := filepath.Abs(in)
		if err != nil {
			return fmt.Errorf("find %s: %w", in, err)
		}
		inputs[i] = abs
	}
	var facts *audit.Facts
	if f.facts != "" {
		data, err := os.ReadFile(f.facts)
		if err != nil {
			return audit.Wrap(err, audit.CodeUsage, "The facts file %s cannot be read.", f.facts)
		}
		read, err := audit.ParseFacts(data)
		if err != nil {
			return err
		}
		facts = &read
	}
	c, err := core.Open(ctx, core.Options{Dirs: a.Dirs, Version: a.Version, SpeechModel: f.model, LLM: f.llm, NoLLM: f.noLLM})
	if err != nil {
		return err
	}
	defer c.Close()
	if f.since != "" && f.since != core.SinceNone {
		m := papers.Maker{Store: c.Store, Dirs: a.Dirs}
		if f.since, err = m.Find(ctx, f.since); err != nil {
			return err
		}
	}
	if inputs, err = a.chosen(ctx, c.Store, inputs, f.entries); err != nil {
		return err
	}
	if err := f.check(inputs); err != nil { // a list may have become several
		return err
	}
	var failed []error
	for _, in := range inputs {
		err := a.auditOne(ctx, c, f, facts, in, len(inputs) > 1)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && len(inputs) == 1 {
			return err
		}
		if err != nil {
			fmt.Fprintf(a.Err, "%s: ", in)
			a.tell(err)
			failed = append(failed, err)
		}
	}
	if len(failed) > 0 {
		fmt.Fprintf(a.Err, "veristream: %d of %d inputs failed.\n", len(failed), len(inputs))
		return &toldError{errors.Join(failed...)}
	}
	return nil
}

func (a *App) auditOne(ctx context.Context, c *core.Core, f auditFlags, facts *audit.Facts, in string, several bool) error {
	job := core.Job{
		Path: in, Title: f.title, Screen: f.screen, Description: f.description, Facts: facts, AsOf: f.asOf,
		Language: f.language, NoLLM: f.noLLM, Fresh: f.fresh, Limits: f.fetch.limits(), Since: f.since,
	}
	show := newAuditProgress(a.Err, f.quiet)
	r, err := c.Audit(ctx, job, show.observe)
	show.end()
	if err != nil && a.admitted(err) {
		job.Limits = &core.Limits{}
		r, err = c.Audit(ctx, job, show.observe)
		show.end()
	}
	if err != nil {
		return overLimit(err)
	}
	target := f.json
	if f.out != "" {
		if err := os.MkdirAll(f.out, 0o755); err != nil {
			return audit.Wrap(err, audit.CodeStorage, "The folder %s cannot be made.", f.out)
		}
		target = filepath.Join(f.out, outName(in, r)+".json")
	}
	if target == "-" {
		return a.printJSON(r)
	}
	if target != "" {
		if err := writeJSONFile(target, r); err != nil {
			return err
		}
	}
	if several {
		fmt.Fprintf(a.Out, "%s: %s\n", in, summary(r))
		if r.Since != nil {
			fmt.Fprintln(a.Out, "  "+sinceLine(r.Since))
		}
	} else {
		a.printAudit(r)
	}
	if target != "" {
		fmt.Fprintln(a.Out, "JSON: "+target)
	}
	if f.pdf != "" {
		return a.writeReport(ctx, c, r, f.pdf)
	}
	return nil
}

func writeJSONFile(path string, v any) error {
	return writeWhole(path, func(w io.Writer) error { return writeIndented(w, v) })
}

// outName names the result of one of several inputs. Of addresses the last part
// is often the same (watch?v=...), so the digest's beginning is added.
func outName(in string, r *audit.Result) string {
	if media.IsURL(in) {
		return "video-" + short(r.Video.SHA256)
	}
	return strings.TrimSuffix(filepath.Base(in), filepath.Ext(in))
}
