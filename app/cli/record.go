package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"veristream/backend/audit"
)

func (a *App) recordCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "record",
		Short: "Check or export the record of what happened",
		Long: `Every event (an audit done, a decision, a report signed) is written into a record in
which each entry carries the digest of the one before it. Changes, swaps and gaps
inside it show. Not seen are entries cut off at its end after the last report, and a
record that someone with the database wrote anew: keep the head, which "record verify"
and every report print, in another place.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var asJSON bool
	var head string
	check := &cobra.Command{
		Use:   "verify",
		Short: "Walk the whole record and print its head",
		Long: `Walks the record from its first entry. With --head it also asks whether an entry
has that digest, for instance the head that an earlier report printed: then nothing up
to there was cut off or written anew.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.recordVerify(cmd.Context(), head, asJSON) },
	}
	check.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	check.Flags().StringVar(&head, "head", "", "a head from an earlier report that must be in the record")
	var headOut string
	headCmd := &cobra.Command{
		Use:   "head",
		Short: "Write the record's head, to be kept in another place",
		Long: `Writes the number of events, the digest of the last one and the time. Kept where this
computer's users cannot change it, it shows later, with "record verify --head", that
nothing up to now was cut off or written anew.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.recordHead(cmd.Context(), headOut) },
	}
	headCmd.Flags().StringVar(&headOut, "out", "-", "file to write; - is standard output")
	headCmd.Flags().Bool("json", true, "write JSON (it always does)")
	var out string
	export := &cobra.Command{
		Use:   "export",
		Short: "Write the record as JSON lines",
		Args:  cobra.NoArgs,
		RunE:  func(cmd *cobra.Command, _ []string) error { return a.recordExport(cmd.Context(), out) },
	}
	export.Flags().StringVar(&out, "out", "-", "file to write; - is standard output")
	export.Flags().Bool("json", true, "write JSON (it always does)")
	cmd.AddCommand(check, export, headCmd)
	return cmd
}

func (a *App) events(ctx context.Context) ([]audit.Event, error) {
	m, done, err := a.papersOf(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return m.Store.Events(ctx, 0, 0)
}

func (a *App) recordVerify(ctx context.Context, head string, asJSON bool) error {
	events, err := a.events(ctx)
	if err != nil {
		return err
	}
	broken, err := audit.CheckEvents(events)
	if err != nil {
		return audit.Wrap(err, audit.CodeStorage, "Entry %d of the record cannot be read.", broken)
	}
	found := head == ""
	last := ""
	for _, e := range events {
		found = found || strings.EqualFold(e.Hash, head)
		last = e.Hash
	}
	if asJSON {
		err = a.printJSON(map[string]any{"schema": 1, "events": len(events), "head": last, "whole": broken == 0, "broken_at": broken, "head_found": found})
	} else {
		switch {
		case broken != 0:
			fmt.Fprintf(a.Out, "The record was changed at entry %d of %d.\n", broken, len(events))
		case !found:
			fmt.Fprintf(a.Out, "The record has no entry %s: its end was cut off, or it was written anew.\n", head)
		default:
			fmt.Fprintf(a.Out, "The record is whole: %d events, up to the head\n%s\n", len(events), last)
			fmt.Fprintln(a.Out, "Entries cut off after the last report, or a record written anew, would not show here.")
		}
	}
	if err == nil && (broken != 0 || !found) {
		err = &toldError{errors.New("the record is not whole")}
	}
	return err
}

func (a *App) recordHead(ctx context.Context, out string) error {
	events, err := a.events(ctx)
	if err != nil {
		return err
	}
	if len(events) == 0 {
		return audit.Errorf(audit.CodeInput, "The record is empty: there is no head to keep.")
	}
	last := events[len(events)-1]
	data, err := json.MarshalIndent(map[string]any{"schema": 1, "events": len(events), "head": last.Hash, "at": last.At, "written": time.Now().UTC()}, "", "  ")
	if err != nil {
		return fmt.Errorf("write the head: %w", err)
	}
	data = append(data, '\n')
	if out == "-" {
		_, err = a.Out.Write(data)
		return err
	}
	return writeFile(out, data)
}

func (a *App) recordExport(ctx context.Context, out string) error {
	events, err := a.events(ctx)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, e := range events {
		line, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("write event %d: %w", e.Seq, err)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	if out == "-" {
		fmt.Fprint(a.Out, b.String())
		return nil
	}
	if err := writeFile(out, []byte(b.String())); err != nil {
		return err
	}
	fmt.Fprintf(a.Out, "%d events: %s (%s)\n", len(events), out, time.Now().Format(time.DateOnly))
	return nil
}
