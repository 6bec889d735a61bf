package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"veristream/app/core"
	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/store"
	"veristream/models"
)

// fetchFlags bound what is fetched from an address.
type fetchFlags struct {
	minutes, megabytes int
	yes                bool
}

func (f *fetchFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.IntVar(&f.minutes, "max-minutes", int(core.DefaultLimits.Duration.Minutes()), "longest video to fetch from an address; 0 is any")
	flags.IntVar(&f.megabytes, "max-mb", int(core.DefaultLimits.Bytes>>20), "largest video to fetch from an address; 0 is any")
	flags.BoolVar(&f.yes, "yes", false, "fetch a longer or larger one all the same")
}

func (f fetchFlags) limits() *core.Limits {
	if f.yes {
		return &core.Limits{}
	}
	return &core.Limits{Duration: time.Duration(max(0, f.minutes)) * time.Minute, Bytes: int64(max(0, f.megabytes)) << 20}
}

// overLimit says how to fetch what is over the limits, and what is one of a list.
func overLimit(err error) error {
	switch {
	case errors.Is(err, media.ErrList):
		return audit.Errorf(audit.CodeUsage, "%s Give --entries all, or numbers as in 1,3-5.", audit.SentenceOf(err)).WithDetails(audit.DetailsOf(err))
	case !errors.Is(err, media.ErrLimit):
		return err
	}
	return audit.Errorf(audit.CodeUsage, "%s Give --yes to fetch it all the same.", audit.SentenceOf(err))
}

// fetch brings a video for a command that opens no core.
func (a *App) fetch(ctx context.Context, address string, f fetchFlags) (got core.Fetched, err error) {
	bar := newBytesBar(a.Err)
	err = a.withStore(ctx, func(st *store.Store) error {
		got, err = core.Fetcher{
			Dirs: a.Dirs, Store: st, Limits: *f.limits(),
			Tell: func(_ string, done, total int64) {
				if done > 0 {
					bar.Report(models.Progress{Model: "video", Stage: models.StageDownload, Done: done, Total: total})
				}
			},
		}.Fetch(ctx, address)
		return err
	})
	bar.end()
	if err == nil && got.Reused {
		fmt.Fprintf(a.Err, "the copy of %s is used: %s\n", got.At.Format(time.DateOnly), got.File)
	}
	return got, err
}
