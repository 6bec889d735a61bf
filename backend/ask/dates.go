package ask

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"veristream/backend/audit"
	"veristream/backend/words"
)

var (
	reISO     = regexp.MustCompile(`\b((?:19|20)\d{2}-\d{2}-\d{2})\b`)
	reDay     = regexp.MustCompile(`(?i)\b(\d{1,2}) (january|february|march|april|may|june|july|august|september|october|november|december),? ((?:19|20)\d{2})\b`)
	reDayUS   = regexp.MustCompile(`(?i)\b(january|february|march|april|may|june|july|august|september|october|november|december) (\d{1,2}),? ((?:19|20)\d{2})\b`)
	reMonth   = regexp.MustCompile(`(?i)\b(january|february|march|april|may|june|july|august|september|october|november|december) (?:of )?((?:19|20)\d{2})\b`)
	reAYear   = regexp.MustCompile(`(?i)\b(?:in|of|during|by|since|between|and|from|to|until) ((?:19|20)\d{2})\b`)
	rePast    = regexp.MustCompile(`(?i)\b(?:did|was|were|as of|in force|back (?:in|then))\b`)
	reOfRules = regexp.MustCompile(`(?i)\b(?:rules?|regulations?|reg\.? ?[a-z]|cfr|paragraph|section|commentary|guides?)\b`)
	reChanged = regexp.MustCompile(`(?i)\bwhat(?:'s| has| is| was)? (?:been )?(?:changed|different|new|amended)\b|\bhow (?:has|did|was) .{0,60}\b(?:change|changed|amended)\b|\bwhat changes\b`)
)

// pastDate reads the day of which a question about rules asks; the last day of
// a month or a year that it names. Empty: none, or none in the past.
func pastDate(text string, cites int, now time.Time) string {
	if cites == 0 && !reOfRules.MatchString(text) || !rePast.MatchString(text) {
		return ""
	}
	days := datesOf(text)
	if len(days) != 1 || days[0] >= now.Format(time.DateOnly) {
		return ""
	}
	return days[0]
}

// datesOf gives the days that a text names, in its order.
func datesOf(text string) []string {
	var out []string
	take := func(re *regexp.Regexp, read func(m []string) (string, bool)) {
		text = re.ReplaceAllStringFunc(text, func(s string) string {
			if day, ok := read(re.FindStringSubmatch(s)); ok {
				out = append(out, day)
				return " "
			}
			return s
		})
	}
	parse := func(layout, s string) (string, bool) {
		t, err := time.Parse(layout, s)
		return t.Format(time.DateOnly), err == nil
	}
	take(reISO, func(m []string) (string, bool) { return parse(time.DateOnly, m[1]) })
	take(reDay, func(m []string) (string, bool) { return parse("2 January 2006", m[1]+" "+title(m[2])+" "+m[3]) })
	take(reDayUS, func(m []string) (string, bool) { return parse("2 January 2006", m[2]+" "+title(m[1])+" "+m[3]) })
	take(reMonth, func(m []string) (string, bool) {
		t, err := time.Parse("January 2006", title(m[1])+" "+m[2])
		return t.AddDate(0, 1, -1).Format(time.DateOnly), err == nil
	})
	take(reAYear, func(m []string) (string, bool) { return m[1] + "-12-31", true })
	return out
}

func title(s string) string { return strings.ToUpper(s[:1]) + strings.ToLower(s[1:]) }

// Texts lists the installed official texts. What implements Rules may have it;
// without it nobody can tell what changed.
type Texts interface {
	Texts(ctx context.Context) ([]audit.Text, error)
}

// version is a paragraph with those below it as one text has them.
type version struct {
	asOf  string
	rules []audit.Rule
}

// versions gives the texts of a paragraph that differ, the oldest first.
func (w *work) versions(ctx context.Context, c audit.Citation) ([]version, error) {
	lister, ok := w.asker.Rules.(Texts)
	if !ok {
		return nil, nil
	}
	texts, err := lister.Texts(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the texts: %w", err)
	}
	slices.SortFunc(texts, func(a, b audit.Text) int { return strings.Compare(a.AsOf, b.AsOf) })
	var out []version
	seen := map[string]bool{}
	for _, t := range texts {
		r, err := w.asker.Rules.Rule(ctx, c, t.AsOf)
		if err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			continue // another part, or not in it yet
		}
		if r.Source != t.ID || seen[t.ID] {
			continue
		}
		seen[t.ID] = true
		v := version{asOf: t.AsOf}
		if err := w.collect(ctx, r, t.AsOf, 0, &v.rules); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

func (w *work) collect(ctx context.Context, r audit.Rule, asOf string, depth int, out *[]audit.Rule) error {
	*out = append(*out, r)
	if depth >= maxDirectDepth {
		return nil
	}
	kids, err := w.asker.Rules.Children(ctx, r.Citation, asOf)
	if err != nil {
		return err
	}
	for _, k := range kids {
		if k.Citation.IsComment() == r.Citation.IsComment() && k.Kind != audit.KindExample {
			if err := w.collect(ctx, k, asOf, depth+1, out); err != nil {
				return err
			}
		}
	}
	return nil
}

// changed answers what is different between two texts of a paragraph: those of
// the days that the question names, else the last two. It says why where it
// cannot.
func (w *work) changed(ctx context.Context) (missing string, err error) {
	c := w.u.citations[0]
	all, err := w.versions(ctx, c)
	if err != nil {
		return "", err
	}
	if len(all) < 2 {
		return fmt.Sprintf("Fewer than two dated texts with %s are installed, so that nothing can be said of what changed. An earlier text can be imported or fetched (veristream regs).", c), nil
	}
	from, to := all[len(all)-2], all[len(all)-1]
	if days := datesOf(w.u.text); len(days) > 0 {
		slices.Sort(days)
		from = inForce(all, days[0])
		if len(days) > 1 {
			to = inForce(all, days[len(days)-1])
		}
	}
	if from.asOf == to.asOf {
		return fmt.Sprintf("One text of %s, that of %s, covers the days asked about.", c, to.asOf), nil
	}
	w.hits = nil
	for _, v := range []version{from, to} {
		f := w.q.Filter
		f.AsOf, f.Corpora = v.asOf, []string{audit.CorpusRules}
		found, err := w.asker.Search.Search(ctx, Query{Text: c.String(), Filter: f, Fast: true})
		if err != nil {
			return "", err
		}
		for _, h := range found.Hits {
			if h.Passage.Source == v.rules[0].Source {
				h.Rank = len(w.hits) + 1
				w.hits = append(w.hits, h)
			}
		}
	}
	w.differ(to, from, "New in the text of "+to.asOf)
	w.differ(from, to, "No longer in it, from the text of "+from.asOf)
	if len(w.sentences) == 0 {
		w.quoteAs(from.rules[0], from.rules[0].Text, "Unchanged between "+from.asOf+" and "+to.asOf)
	}
	return "", nil
}

// inForce gives the last version not later than a day, else the first.
func inForce(all []version, day string) version {
	out := all[0]
	for _, v := range all {
		if v.asOf <= day {
			out = v
		}
	}
	return out
}

// differ tells the sentences of one version that the other has not.
func (w *work) differ(of, without version, label string) {
	var other strings.Builder
	for _, r := range without.rules {
		other.WriteString(r.Text + "\n")
	}
	for _, r := range of.rules {
		for _, s := range audit.Sentences(r.Text) {
			if _, _, ok := words.Find(other.String(), s); !ok && len(strings.Fields(s)) > 2 && len(w.sentences) < maxDirect {
				w.quoteAs(r, s, label)
			}
		}
	}
}

// quoteAs puts words of a rule into the answer where a passage holds them.
func (w *work) quoteAs(r audit.Rule, text, label string) {
	for i, h := range w.hits {
		if h.Passage.Source != r.Source {
			continue
		}
		if start, end, ok := words.Find(h.Passage.Body, text); ok {
			w.put(Sentence{Text: label + ", " + r.Citation.String() + ": " + text, Verbatim: true, Support: []Support{{
				Citation: r.Citation.String(), Source: h.Passage.Source, Quote: h.Passage.Body[start:end], Passage: i + 1,
			}}})
			return
		}
	}
}
