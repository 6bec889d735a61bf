package cli

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"veristream/app/texts"
	"veristream/backend/audit"
	backendregs "veristream/backend/regs"
)

// regsListJSON is what veristream regs list --json writes.
type regsListJSON struct {
	Schema       int               `json:"schema"`
	RulesVersion string            `json:"rules_version"`
	Texts        []audit.Text      `json:"texts"`
	Cards        []cardSource      `json:"cards"`
	Available    []availableSource `json:"available"`
}

type cardSource struct {
	ID        string `json:"id"`
	Regulator string `json:"regulator"`
	Part      string `json:"part"`
	Title     string `json:"title"`
	Cards     int    `json:"cards"`
	Unchecked int    `json:"unchecked"`
	House     bool   `json:"house"`
}

type availableSource struct {
	ID        string `json:"id"`
	Covers    string `json:"covers"`
	Title     string `json:"title"`
	Installed bool   `json:"installed"`
}

func newRegsList(installed []audit.Text, set backendregs.CardSet, c backendregs.Catalogue) regsListJSON {
	v := regsListJSON{Schema: audit.SchemaVersion, RulesVersion: set.Version, Texts: installed, Cards: []cardSource{}, Available: []availableSource{}}
	if v.Texts == nil {
		v.Texts = []audit.Text{}
	}
	have := map[string]bool{}
	for _, t := range installed {
		id, _, _ := strings.Cut(t.ID, "@")
		have[id] = true
	}
	for _, s := range set.Sources {
		row := cardSource{ID: s.ID, Regulator: s.Regulator, Part: s.Part, Title: s.Title, House: s.House}
		for _, card := range set.Cards {
			if card.Source == s.ID {
				row.Cards++
				if !card.Checked {
					row.Unchecked++
				}
			}
		}
		v.Cards = append(v.Cards, row)
	}
	for _, s := range c.Sources {
		v.Available = append(v.Available, availableSource{s.ID, s.Covers, s.Title, have[s.ID]})
	}
	return v
}

func (v regsListJSON) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if len(v.Texts) == 0 {
		fmt.Fprintln(w, "No official text is installed. Run: veristream regs pull")
	} else {
		fmt.Fprintln(w, "TEXT\tREGULATOR\tPART\tIN FORCE\tFORMAT\tTITLE")
		for _, t := range v.Texts {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", t.ID, t.Regulator, t.Part, t.AsOf, t.Format, t.Title)
		}
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "CARDS\tREGULATOR\tPART\tCARDS\tTITLE")
	for _, c := range v.Cards {
		count := fmt.Sprint(c.Cards)
		if c.Unchecked > 0 {
			count += fmt.Sprintf(" (%d not checked against the text)", c.Unchecked)
		}
		if c.House {
			count += ", house rules"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", c.ID, c.Regulator, c.Part, count, c.Title)
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "CAN BE FETCHED\tCOVERS\tINSTALLED\tTITLE")
	for _, s := range v.Available {
		state := "no"
		if s.Installed {
			state = "yes"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", s.ID, s.Covers, state, s.Title)
	}
	fmt.Fprintf(w, "\nrules version %s\n", v.RulesVersion)
	return w.Flush()
}

func printShown(out io.Writer, s texts.Shown) {
	fmt.Fprintln(out, s.Citation)
	if s.Rule != nil {
		printRule(out, s)
	}
	if s.Card != nil {
		printCard(out, *s.Card, s.Note)
	}
	if s.Without != "" {
		fmt.Fprintf(out, "\nno card of its own: %s\n", s.Without)
	}
	if s.Missing != "" {
		fmt.Fprintf(out, "\n%s.\n", s.Missing)
	}
}

func printRule(out io.Writer, s texts.Shown) {
	for _, p := range s.Parents {
		fmt.Fprintf(out, "  %s  %s\n", p.Citation, firstWords(p.Title, p.Text))
	}
	body := s.Rule.Text
	if body == "" { // a section whose words all stand in its paragraphs
		body = s.Rule.Title
	}
	fmt.Fprintf(out, "\n%s\n", body)
	if s.Rule.FirstPage > 0 {
		fmt.Fprintf(out, "\n%s\n", pages(*s.Rule))
	}
	if s.Rule.Ambiguous != "" {
		fmt.Fprintf(out, "\nambiguous: %s\n", s.Rule.Ambiguous)
	}
	if len(s.Children) > 0 {
		fmt.Fprintln(out, "\nbelow it:")
		for _, c := range s.Children {
			fmt.Fprintf(out, "  %s  %s\n", c.Citation, firstWords(c.Title, c.Text))
		}
	}
	if s.Text != nil {
		fmt.Fprintf(out, "\nsource: %s, in force %s, sha256 %.12s…, from %s\n", s.Text.ID, s.Text.AsOf, s.Text.SHA256, s.Text.Origin)
	}
}

func pages(r audit.Rule) string {
	if r.LastPage > r.FirstPage {
		return fmt.Sprintf("pages %d to %d", r.FirstPage, r.LastPage)
	}
	return fmt.Sprintf("page %d", r.FirstPage)
}

// printCard shows the project's account of a paragraph.
func printCard(out io.Writer, c audit.Card, note string) {
	fmt.Fprintf(out, "\ncard: %s (%s, severity %s)\n  %s\n", c.Title, c.Kind, c.Severity, c.Requires)
	if c.Illustrates != "" {
		fmt.Fprintf(out, "  a finding cites: %s\n", c.Illustrates)
	}
	fmt.Fprintf(out, "  can bind: %s\n", binding(c.Binds))
	for _, l := range []struct {
		label string
		items []string
	}{
		{"triggered by", c.Triggers},
		{"not by", c.LookAlikes},
		{"satisfied by", c.SatisfiedBy},
	} {
		fmt.Fprintf(out, "  %s:\n", l.label)
		for _, i := range l.items {
			fmt.Fprintf(out, "    - %s\n", i)
		}
	}
	fmt.Fprintf(out, "  remedy: %s\n  in force from %s", c.Remedy, c.Effective.From)
	if c.Effective.To != "" {
		fmt.Fprintf(out, " to %s", c.Effective.To)
	}
	if c.Effective.Note != "" {
		fmt.Fprintf(out, " (%s)", c.Effective.Note)
	}
	if !c.Checked {
		fmt.Fprint(out, "; not checked against the official text")
	}
	fmt.Fprintln(out)
	if len(c.Related) > 0 {
		fmt.Fprintf(out, "  related: %s\n", strings.Join(c.Related, ", "))
	}
	if note != "" {
		fmt.Fprintf(out, "  note: %s\n", note)
	}
}

// binding tells whom a paragraph can bind, in the words of the facts.
func binding(b audit.Binds) string {
	text := strings.Join(b.Who, ", ")
	if len(b.Sponsors) > 0 {
		text += "; through the sponsor: " + strings.Join(b.Sponsors, ", ")
	}
	if b.Audience != "" && b.Audience != "any" {
		text += "; audience: " + b.Audience
	}
	if len(b.Needs) > 0 {
		text += "; only with: " + strings.Join(b.Needs, ", ")
	}
	if b.Note != "" {
		text += ". " + b.Note
	}
	return text
}

func firstWords(title, text string) string {
	s := text
	if s == "" {
		s = title
	}
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 80 {
		return string(r[:80]) + "…"
	}
	return s
}

func joinArgs(args []string) string { return strings.Join(args, " ") }

// importJSON is what import and pull write with --json.
type importJSON struct {
	Schema   int            `json:"schema"`
	Texts    []texts.Report `json:"texts"`
	Failures []failureJSON  `json:"failures"`
}

type failureJSON struct {
	File  string `json:"file"`
	Error string `json:"error"`
}

func newImportJSON(reports []texts.Report, failures []texts.Failure) importJSON {
	v := importJSON{Schema: audit.SchemaVersion, Texts: reports, Failures: []failureJSON{}}
	if v.Texts == nil {
		v.Texts = []texts.Report{}
	}
	for _, f := range failures {
		v.Failures = append(v.Failures, failureJSON{f.File, audit.SentenceOf(f.Err)})
	}
	return v
}

func printReports(out io.Writer, reports []texts.Report, verbose bool) {
	for _, r := range reports {
		state := "installed"
		if r.Again {
			state = "installed again"
		}
		fmt.Fprintf(out, "%s: %s (%s, %s)\n", r.Text.ID, state, r.Text.Title, r.Text.Format)
		fmt.Fprintf(out, "  %d sections, %d paragraphs, %d passages, %d ambiguous markers, %.1f s\n",
			r.Sections, r.Rules, r.Passages, r.Ambiguous, float64(r.MS)/1000)
		if r.Notice != "" {
			fmt.Fprintf(out, "  note: %s (--as-of gives another)\n", r.Notice)
		}
		for _, p := range r.Problems {
			if verbose || p.Kind == backendregs.ProblemAmbiguous {
				fmt.Fprintf(out, "  %s: %s: %s\n", p.Kind, p.Citation, p.What)
			}
		}
		if n := len(r.Problems) - r.Ambiguous; n > 0 && !verbose {
			fmt.Fprintf(out, "  %d more remarks on numbering (--verbose lists them)\n", n)
		}
	}
}

func printVerification(out io.Writer, v backendregs.Verification) {
	for _, c := range v.Sources {
		fmt.Fprintf(out, "%s: %d cards of %s\n", c.Source, c.Cards, c.Part)
		if c.Text == "" {
			fmt.Fprintln(out, "  no official text is installed to hold them against")
		} else {
			fmt.Fprintf(out, "  against %s, in force %s\n", c.Text, c.AsOf)
		}
		for _, l := range []struct {
			what  string
			items []string
		}{
			{"cards whose paragraph the text does not have", c.Unresolved},
			{"paragraphs without a card", c.Uncovered},
			{"listed as without a card, but not in the text", c.Stale},
			{"changed since the card was checked", c.Changed},
			{"stand twice", c.Duplicates},
			{"gaps in the numbering", c.Gaps},
			{"ambiguous markers", c.Ambiguous},
		} {
			if len(l.items) > 0 {
				fmt.Fprintf(out, "  %s: %d\n    %s\n", l.what, len(l.items), strings.Join(l.items, "\n    "))
			}
		}
		if n := len(c.Unchecked); n > 0 {
			fmt.Fprintf(out, "  %d cards were not compared with an official text\n", n)
		}
		if c.OK() && c.Text != "" {
			fmt.Fprintln(out, "  cards and text agree")
		}
	}
}
