package reaudit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"veristream/backend/audit"
	"veristream/backend/reaudit"
)

var vocabulary = strings.Fields(`bank account morning market spreadsheet friend channel interest garden window teacher table
	coffee river mountain cannot lose guarantee income floor savings pension winter summer Tuesday building engine purple
	kitchen letter number percent million never always maybe nine forty two into with over after`)

// sentences makes a transcript whose sentences differ from each other.
func sentences(t *rapid.T) []string {
	n := rapid.IntRange(1, 14).Draw(t, "sentences")
	seen := map[string]bool{}
	var out []string
	for i := 0; len(out) < n && i < 100; i++ {
		words := rapid.SliceOfN(rapid.SampledFrom(vocabulary), 3, 9).Draw(t, "words")
		words[0] = strings.ToUpper(words[0][:1]) + words[0][1:]
		s := strings.Join(words, " ") + "."
		if !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	return out
}

// audited makes an audit of sentences, with findings on some.
func audited(t *rapid.T, id string, lines []string, flagged []bool) *audit.Result {
	marked := make([]string, len(lines))
	for i, l := range lines {
		marked[i] = l
		if flagged[i] {
			marked[i] = "{" + rapid.SampledFrom([]string{"promise", "projection"}).Draw(t, "category") + "} " + l
		}
	}
	return talk(id, marked...)
}

func flags(t *rapid.T, n int) []bool {
	return rapid.SliceOfN(rapid.Bool(), n, n).Draw(t, "flagged")
}

func some(t *rapid.T, r *audit.Result) []audit.Decision {
	var out []audit.Decision
	for _, f := range r.Findings {
		if rapid.Bool().Draw(t, "decided") {
			out = append(out, dismissed(f, "because "+f.ID))
		}
	}
	return out
}

// Every finding is in one place, whatever the two audits are, and nothing is
// decided that was not decided before.
func TestEveryFindingHasOnePlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		first := sentences(t)
		second := slices.Clone(first)
		for range rapid.IntRange(0, 6).Draw(t, "edits") {
			i := rapid.IntRange(0, len(second)-1).Draw(t, "at")
			switch rapid.IntRange(0, 3).Draw(t, "edit") {
			case 0:
				if len(second) > 1 {
					second = slices.Delete(second, i, i+1)
				}
			case 1:
				second = slices.Insert(second, i, "Another "+rapid.SampledFrom(vocabulary).Draw(t, "word")+" entirely.")
			case 2:
				second[i], second[0] = second[0], second[i]
			case 3:
				second[i] += " " + second[rapid.IntRange(0, len(second)-1).Draw(t, "with")]
			}
		}
		then, now := audited(t, "then", first, flags(t, len(first))), audited(t, "now", second, flags(t, len(second)))
		decisions := some(t, then)
		c := reaudit.Compare(reaudit.Audit{Result: then, Decisions: decisions}, reaudit.Audit{Result: now})

		count := map[string]int{}
		dismissedThen := map[string]bool{}
		for _, d := range decisions {
			dismissedThen[d.FindingID] = true
		}
		for _, n := range c.Since.New {
			count[n.FindingID]++
			if n.Was != nil {
				count[n.Was.FindingID]++
			}
		}
		may := map[string]bool{}
		split := map[string]bool{}
		for _, k := range c.Since.Carried {
			count[k.FindingID]++
			for _, w := range k.Was {
				if !split[w.FindingID] {
					count[w.FindingID]++
				}
				split[w.FindingID] = true
				may[k.FindingID] = dismissedThen[w.FindingID] && k.Taken
			}
			if k.Taken && k.Why != "" {
				t.Fatalf("taken and not: %+v", k)
			}
		}
		for _, o := range c.Since.Resolved {
			count[o.FindingID]++
		}
		for _, f := range slices.Concat(then.Findings, now.Findings) {
			if count[f.ID] != 1 {
				t.Fatalf("%s stands in %d places", f.ID, count[f.ID])
			}
		}
		for _, d := range c.Decisions {
			if !may[d.FindingID] || d.Carried == nil || found(then, d.Carried.FindingID).Regulator == "" {
				t.Fatalf("a decision from nowhere: %+v", d)
			}
		}
	})
}

// An audit compared with itself, at other times and in other segments, and
// written down otherwise, has the same findings and all their decisions.
func TestAnotherTranscriptOfTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := sentences(t)
		flagged := flags(t, len(lines))
		then := talk("then", mark(lines, flagged, "promise")...)
		again := make([]string, len(lines))
		for i, l := range lines {
			again[i] = rapid.Custom(func(t *rapid.T) string { return rewritten(t, l) }).Draw(t, "rewritten")
		}
		now := talk("now", mark(again, flagged, "promise")...)
		shift := rapid.Int64Range(-1900, 900000).Draw(t, "shift")
		for i := range now.Segments {
			now.Segments[i].StartMS += shift
			now.Segments[i].EndMS += shift
			now.Segments[i].ID = "n" + now.Segments[i].ID
		}
		for i := range now.Findings {
			now.Findings[i].StartMS += shift
			now.Findings[i].EndMS += shift
			now.Findings[i].SegmentID = "n" + now.Findings[i].SegmentID
		}
		c := reaudit.Compare(reaudit.Audit{Result: then, Decisions: decideAll(then)}, reaudit.Audit{Result: now})
		if len(c.Since.New)+len(c.Since.Resolved) > 0 || len(c.Decisions) != len(now.Findings) {
			t.Fatalf("%+v\n%q\n%q", c.Since, lines, again)
		}
		for i, d := range c.Decisions {
			if want := "because " + fmt.Sprintf("then-f%d", i+1); d.Reason != want {
				t.Fatalf("decision %d says %q, want %q", i, d.Reason, want)
			}
		}
	})
}

func mark(lines []string, flagged []bool, category string) []string {
	out := slices.Clone(lines)
	for i := range out {
		if flagged[i] {
			out[i] = "{" + category + "} " + out[i]
		}
	}
	return out
}

// rewritten is a sentence as another recogniser writes it.
func rewritten(t *rapid.T, line string) string {
	words := strings.Fields(strings.TrimSuffix(line, "."))
	var out []string
	for i, w := range words {
		if i > 0 && slices.Contains([]string{"nine", "forty", "two", "million"}, w) { // no recogniser cuts a number in two
			out = append(out, w)
			continue
		}
		switch rapid.IntRange(0, 6).Draw(t, "word") {
		case 0:
			out = append(out, "um,", w)
		case 1:
			out = append(out, "the", w)
		case 2:
			out = append(out, strings.ToUpper(w))
		case 3:
			out = append(out, strings.ReplaceAll(w, "cannot", "can’t"))
		default:
			out = append(out, w)
		}
	}
	end := rapid.SampledFrom([]string{".", "!", "."}).Draw(t, "end")
	s := strings.Join(out, " ")
	return strings.ToUpper(s[:1]) + s[1:] + end
}

// A claim in which one word that counts is another never takes a decision over.
func TestAChangedClaimInheritsNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := sentences(t)
		i := rapid.IntRange(0, len(lines)-1).Draw(t, "claim")
		flagged := make([]bool, len(lines))
		flagged[i] = true
		then := talk("then", mark(lines, flagged, "promise")...)
		changed := slices.Clone(lines)
		words := strings.Fields(strings.TrimSuffix(changed[i], "."))
		at := rapid.IntRange(0, len(words)-1).Draw(t, "word")
		switch rapid.IntRange(0, 2).Draw(t, "change") {
		case 0:
			words = slices.Insert(words, at, rapid.SampledFrom([]string{"not", "never", "17", "unless", "guaranteed"}).Draw(t, "new"))
		case 1:
			words[at] = rapid.SampledFrom([]string{"hedgehog", "71", "nobody", "unlikely"}).Draw(t, "other")
		case 2:
			words = slices.Delete(words, at, at+1)
		}
		changed[i] = strings.ToUpper(words[0][:1]) + words[0][1:]
		if len(words) > 1 {
			changed[i] += " " + strings.Join(words[1:], " ")
		}
		changed[i] += "."
		now := talk("now", mark(changed, flagged, "promise")...)
		c := reaudit.Compare(reaudit.Audit{Result: then, Decisions: decideAll(then)}, reaudit.Audit{Result: now})
		if len(c.Decisions) != 0 || len(c.Since.New) != 1 {
			t.Fatalf("%q took over what was decided of %q: %+v", changed[i], lines[i], c.Since)
		}
	})
}

// The order in which findings are listed decides nothing.
func TestOrderDecidesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := sentences(t)
		then, now := audited(t, "then", lines, flags(t, len(lines))), audited(t, "now", lines, flags(t, len(lines)))
		decisions := some(t, then)
		first := outline(then, now, reaudit.Compare(reaudit.Audit{Result: then, Decisions: decisions}, reaudit.Audit{Result: now}))
		slices.Reverse(then.Findings)
		slices.Reverse(now.Findings)
		if second := outline(then, now, reaudit.Compare(reaudit.Audit{Result: then, Decisions: decisions}, reaudit.Audit{Result: now})); !slices.Equal(first, second) {
			t.Fatalf("%q\n%q", first, second)
		}
	})
}
