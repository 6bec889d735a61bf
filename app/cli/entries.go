package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/term"

	"veristream/app/core"
	"veristream/backend/audit"
	"veristream/backend/media"
	"veristream/backend/store"
)

// pickEntries reads "all" or numbers as in 1,3-5, counted from 1, in the order
// in which they are given and each once.
func pickEntries(entries []media.Remote, which string) ([]media.Remote, error) {
	if strings.EqualFold(strings.TrimSpace(which), "all") {
		return entries, nil
	}
	var out []media.Remote
	taken := map[int]bool{}
	for _, part := range strings.FieldsFunc(which, func(r rune) bool { return r == ',' || r == ' ' }) {
		from, to, isRange := strings.Cut(part, "-")
		if !isRange {
			to = from
		}
		a, errA := strconv.Atoi(from)
		b, errB := strconv.Atoi(to)
		if errA != nil || errB != nil || a < 1 || b < a || b > len(entries) {
			return nil, audit.Errorf(audit.CodeUsage, "%q is none of the %d videos: give all, or numbers as in 1,3-5.", part, len(entries))
		}
		for i := a; i <= b; i++ {
			if !taken[i] {
				taken[i] = true
				out = append(out, entries[i-1])
			}
		}
	}
	return out, nil
}

// asks says whether there is a person at the terminal who can answer.
func (a *App) asks() bool {
	f, ok := a.In.(*os.File)
	return ok && term.IsTerminal(int(f.Fd())) && isTerminal(a.Err)
}

func (a *App) question(text string) string {
	fmt.Fprint(a.Err, text)
	var line strings.Builder
	b := make([]byte, 1)
	for { // a byte at a time: what follows is for the next question
		n, err := a.In.Read(b)
		if n == 1 && b[0] == '\n' || err != nil {
			return strings.TrimSpace(line.String())
		}
		if n == 1 {
			line.WriteByte(b[0])
		}
	}
}

// chosen puts in place of each address of a list the videos that are to be
// audited: those that --entries names, else those that the person at the
// terminal chooses. Only addresses that look like lists are asked about; of any
// other it is told when its turn comes.
func (a *App) chosen(ctx context.Context, st *store.Store, inputs []string, entries string) ([]string, error) {
	if entries != "" {
		return a.entriesOf(ctx, st, inputs, entries)
	}
	if !a.asks() {
		return inputs, nil
	}
	return a.inPlaceOfLists(ctx, st, inputs, func(in string) bool {
		if !media.LooksLikeList(in) {
			return false
		}
		fmt.Fprintln(a.Err, "asking the site what is in the list ...")
		return true
	}, a.askEntries)
}

// entriesOf asks addresses about their lists and gives the chosen videos in
// place of each list.
func (a *App) entriesOf(ctx context.Context, st *store.Store, inputs []string, which string) ([]string, error) {
	return a.inPlaceOfLists(ctx, st, inputs, func(string) bool { return true }, func(r media.Remote) ([]media.Remote, error) {
		return pickEntries(r.Entries, which)
	})
}

// inPlaceOfLists looks at the addresses that ask is true for, and puts what pick
// chooses of a list in the place of its address.
func (a *App) inPlaceOfLists(ctx context.Context, st *store.Store, inputs []string, ask func(string) bool,
	pick func(media.Remote) ([]media.Remote, error),
) ([]string, error) {
	var out []string
	for _, in := range inputs {
		if !media.IsURL(in) || !ask(in) {
			out = append(out, in)
			continue
		}
		r, err := core.Fetcher{Dirs: a.Dirs, Store: st}.Look(ctx, in)
		if err != nil {
			return nil, err
		}
		if len(r.Entries) == 0 {
			out = append(out, in)
			continue
		}
		picked, err := pick(r)
		if err != nil {
			return nil, err
		}
		for _, e := range picked {
			out = append(out, e.URL)
		}
	}
	return out, nil
}

func (a *App) askEntries(r media.Remote) ([]media.Remote, error) {
	fmt.Fprintf(a.Err, "%s: a list of %d videos\n", r.Title, len(r.Entries))
	for i, e := range r.Entries {
		title := e.Title
		if title == "" {
			title = e.URL
		}
		fmt.Fprintf(a.Err, "%4d  %s\n", i+1, title)
	}
	for {
		answer := a.question("Which of them? all, or numbers as in 1,3-5; nothing leaves it: ")
		if answer == "" {
			return nil, audit.Errorf(audit.CodeCancelled, "No video of the list was chosen.")
		}
		picked, err := pickEntries(r.Entries, answer)
		if err == nil {
			return picked, nil
		}
		fmt.Fprintln(a.Err, audit.SentenceOf(err))
	}
}

// admitted asks a person at the terminal whether to fetch what is over the
// limits.
func (a *App) admitted(err error) bool {
	if !errors.Is(err, media.ErrLimit) || !a.asks() {
		return false
	}
	answer := strings.ToLower(a.question(audit.SentenceOf(err) + " Fetch it all the same? [y/N] "))
	return answer == "y" || answer == "yes"
}
