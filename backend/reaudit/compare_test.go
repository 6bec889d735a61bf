package reaudit_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"veristream/backend/audit"
	"veristream/backend/reaudit"
)

var decidedAt = time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC)

// talk makes an audit of lines that are said two seconds apart. A line that
// begins with a category in braces has a finding on its words.
func talk(id string, lines ...string) *audit.Result {
	r := &audit.Result{ID: id, Facts: audit.Facts{Speaker: "finra_member"}, Run: audit.Run{StartedAt: decidedAt.Add(-time.Hour)}}
	for i, line := range lines {
		category := ""
		if rest, ok := strings.CutPrefix(line, "{"); ok {
			category, line, _ = strings.Cut(rest, "} ")
		}
		s := audit.Segment{ID: fmt.Sprintf("s%d", i+1), Source: audit.Speech, StartMS: int64(i) * 2000, EndMS: int64(i)*2000 + 1900, Text: line}
		r.Segments = append(r.Segments, s)
		r.Video.DurationMS = s.EndMS
		if category != "" {
			add(r, category, s, line)
		}
	}
	return r
}

var citations = map[string]string{
	"promise": "FINRA 2210(d)(1)(B)", "projection": "FINRA 2210(d)(1)(F)", "general": "FINRA 2210(d)(1)", "yield": "FINRA 2210(d)(1)(B)",
}

func add(r *audit.Result, category string, s audit.Segment, excerpt string) *audit.Finding {
	r.Findings = append(r.Findings, audit.Finding{
		ID: fmt.Sprintf("%s-f%d", r.ID, len(r.Findings)+1), Category: category, Regulator: audit.FINRA, Citation: citations[category],
		Severity: audit.Medium, Source: s.Source, SegmentID: s.ID, StartMS: s.StartMS, EndMS: s.EndMS, Excerpt: excerpt,
		Applies: "The speaker is a member.", Rule: audit.RuleRef{Citation: citations[category], Official: true, SHA256: "aa"},
	})
	return &r.Findings[len(r.Findings)-1]
}

func dismissed(f audit.Finding, reason string) audit.Decision {
	return audit.Decision{FindingID: f.ID, Action: "dismiss", Reason: reason, By: "K. Tran", At: decidedAt}
}

func decideAll(r *audit.Result) []audit.Decision {
	var out []audit.Decision
	for _, f := range r.Findings {
		out = append(out, dismissed(f, "because "+f.ID))
	}
	return out
}

// outline says what became of each finding, by its words.
func outline(then, now *audit.Result, c reaudit.Comparison) []string {
	words := map[string]string{}
	for _, f := range slices.Concat(then.Findings, now.Findings) {
		words[f.ID] = f.Category + ": " + f.Excerpt
	}
	var out []string
	for _, n := range c.Since.New {
		line := "new " + words[n.FindingID]
		if n.Was != nil {
			line += " WAS " + n.Was.Excerpt
		}
		out = append(out, line)
	}
	for _, k := range c.Since.Carried {
		line := "carried " + words[k.FindingID]
		for _, d := range c.Decisions {
			if d.FindingID == k.FindingID {
				line += " " + d.Action
			}
		}
		if k.Why != "" {
			line += " NOT " + string(k.Why)
		}
		out = append(out, line)
	}
	for _, o := range c.Since.Resolved {
		out = append(out, "resolved "+o.Category+": "+o.Excerpt)
	}
	slices.Sort(out)
	return out
}

var opening = []string{
	"Morning everyone, welcome back to Harbour Street Money.",
	"{promise} You simply cannot lose with this note.",
	"My bank pays me four point six.",
	"{yield} You are locking in nine and a half percent a year.",
	"If you were here last week you know how I feel about surprises.",
	"{projection} Keep going and you are at two hundred thousand by fifty.",
	"See you next week.",
}

func TestCompare(t *testing.T) {
	const (
		promise    = "carried promise: You simply cannot lose with this note. dismiss"
		yield      = "carried yield: You are locking in nine and a half percent a year. dismiss"
		projection = "carried projection: Keep going and you are at two hundred thousand by fifty. dismiss"
	)
	for _, tt := range []struct {
		name  string
		lines []string
		want  []string
	}{
		{"nothing changed", opening, []string{promise, yield, projection}},
		{"a sentence is cut before, and one is added after", append(slices.Clone(opening[1:]), "And subscribe."), []string{promise, yield, projection}},
		{"transcribed again", []string{
			"Morning everyone, welcome back to harbor street money.",
			"{promise} you simply can't loose with this note",
			"My bank pays me 4.6.",
			"{yield} Um, you're locking in 9.5% a year.",
			"If you where here last week, you know how I feel about surprises.",
			"{projection} Keep going and you're at 200,000 by 50.",
			"See you next week.",
		}, []string{
			"carried promise: you simply can't loose with this note dismiss",
			"carried yield: Um, you're locking in 9.5% a year. dismiss",
			"carried projection: Keep going and you're at 200,000 by 50. dismiss",
		}},
		{"sentences are split and joined", []string{
			"Morning everyone, welcome back to Harbour Street Money. You simply",
			"{promise} cannot lose with this note.",
			"{yield} My bank pays me four point six. You are locking in nine and a half percent a year.",
			"If you were here last week you know how I feel about surprises.",
			"{projection} Keep going and you are at two hundred thousand",
			"by fifty. See you next week.",
		}, []string{
			"carried promise: cannot lose with this note. dismiss",
			"carried yield: My bank pays me four point six. You are locking in nine and a half percent a year. dismiss",
			"carried projection: Keep going and you are at two hundred thousand dismiss",
		}},
		{"claims are changed", []string{
			opening[0],
			"{promise} You simply cannot lose with this note, I promise you that.",
			opening[2],
			"{yield} You are locking in nine point eight percent a year.",
			opening[4],
			"{projection} Keep going and you will be at two hundred thousand by fifty.",
			opening[6],
		}, []string{
			"new promise: You simply cannot lose with this note, I promise you that. WAS You simply cannot lose with this note.",
			"new yield: You are locking in nine point eight percent a year. WAS You are locking in nine and a half percent a year.",
			"new projection: Keep going and you will be at two hundred thousand by fifty. WAS Keep going and you are at two hundred thousand by fifty.",
		}},
		{"a claim is turned about in the segment before it", []string{
			"Morning everyone, welcome back to Harbour Street Money.", "Nobody says that", "{promise} you simply cannot lose with this note.",
			opening[2], opening[3], opening[4], opening[5], opening[6],
		}, []string{"new promise: you simply cannot lose with this note. WAS You simply cannot lose with this note.", yield, projection}},
		{"a claim is taken out and another comes in", []string{
			opening[0], opening[2], opening[3], opening[4], "{promise} The floor is guaranteed by us.", opening[5], opening[6],
		}, []string{"resolved promise: You simply cannot lose with this note.", "new promise: The floor is guaranteed by us.", yield, projection}},
		{"a claim is moved to the end", []string{
			opening[0], opening[2], opening[3], opening[4], opening[5], opening[6], opening[1],
		}, []string{promise, yield, projection}},
		{"the same words under another rule", []string{
			opening[0], "{projection} You simply cannot lose with this note.", opening[2], opening[3], opening[4], opening[5], opening[6],
		}, []string{
			"resolved promise: You simply cannot lose with this note.", "new projection: You simply cannot lose with this note.", yield, projection,
		}},
		{"the same words under the paragraph above", []string{
			opening[0], "{general} You simply cannot lose with this note.", opening[2], opening[3], opening[4], opening[5], opening[6],
		}, []string{"carried general: You simply cannot lose with this note. NOT paragraph", yield, projection}},
		{"everything is gone", []string{"Hello."}, []string{
			"resolved promise: You simply cannot lose with this note.",
			"resolved yield: You are locking in nine and a half percent a year.",
			"resolved projection: Keep going and you are at two hundred thousand by fifty.",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			then, now := talk("then", opening...), talk("now", tt.lines...)
			c := reaudit.Compare(reaudit.Audit{Result: then, Decisions: decideAll(then)}, reaudit.Audit{Result: now})
			slices.Sort(tt.want)
			if got := outline(then, now, c); !slices.Equal(got, tt.want) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(tt.want, "\n  "))
			}
		})
	}
}

// What a person decided goes on under that person's name, and names its origin.
func TestDecisionsKeepTheirAuthor(t *testing.T) {
	then, now := talk("a1", opening...), talk("a2", opening...)
	first := then.Findings[0]
	decisions := []audit.Decision{
		{FindingID: first.ID, Action: "accept", By: "L. Brandt", At: decidedAt},
		{FindingID: first.ID, Action: "severity", Severity: audit.Low, By: "L. Brandt", At: decidedAt},
		{FindingID: first.ID, Action: "comment", Reason: "ask Ann", By: "L. Brandt", At: decidedAt},
		dismissed(first, "quoted"),
	}
	c := reaudit.Compare(reaudit.Audit{Result: then, Decisions: decisions}, reaudit.Audit{Result: now})
	var actions []string
	for _, d := range c.Decisions {
		actions = append(actions, d.Action)
		want := audit.Origin{AuditID: "a1", FindingID: first.ID, Excerpt: first.Excerpt, From: "a1"}
		if d.FindingID != now.Findings[0].ID || !d.At.Equal(decidedAt) || d.Carried == nil || *d.Carried != want {
			t.Errorf("decision %+v, origin %+v", d, d.Carried)
		}
	}
	if want := []string{"severity", "comment", "dismiss"}; !slices.Equal(actions, want) {
		t.Errorf("carried %v, want %v", actions, want)
	}
	if k := c.Since.Carried[0]; !k.Taken || k.Was[0].Stand != audit.StandDismissed || k.Was[0].By != "K. Tran" || k.Was[0].Severity != audit.Low {
		t.Errorf("got %+v", k)
	}

	// The origin stays the first audit over any number of later ones.
	third := talk("a3", opening...)
	c = reaudit.Compare(reaudit.Audit{Result: now, Decisions: c.Decisions}, reaudit.Audit{Result: third})
	last := c.Decisions[len(c.Decisions)-1]
	if last.By != "K. Tran" || last.Carried.AuditID != "a1" || last.Carried.From != "a2" || last.Carried.FindingID != first.ID {
		t.Errorf("got %+v, origin %+v", last, last.Carried)
	}

	// What was opened again is open, and stays so.
	reopened := append(slices.Clone(decisions), audit.Decision{FindingID: first.ID, Action: "reopen", By: "K. Tran", At: decidedAt})
	c = reaudit.Compare(reaudit.Audit{Result: then, Decisions: reopened}, reaudit.Audit{Result: now})
	if slices.ContainsFunc(c.Decisions, func(d audit.Decision) bool { return d.Action == "dismiss" || d.Action == "accept" }) {
		t.Errorf("a reopened finding carries %+v", c.Decisions)
	}
	// A decision of the later audit itself is left alone.
	own := []audit.Decision{{FindingID: now.Findings[0].ID, Action: "accept", By: "L. Brandt", At: decidedAt}}
	if c = reaudit.Compare(reaudit.Audit{Result: then, Decisions: decisions}, reaudit.Audit{Result: now, Decisions: own}); len(c.Decisions) != 0 {
		t.Errorf("carried over a person's own decision: %+v", c.Decisions)
	}
}

// Words drift by one in each transcript: after a while they are others than those
// that were decided on.
func TestReadingsAddUp(t *testing.T) {
	lines := []string{
		"{promise} Moreover the Calder Halyard cannot lose.", "{promise} Moreover the Kalder Halyard cannot lose.",
		"{promise} Moreover the Kalder Hallyard cannot lose.",
	}
	before := talk("a0", lines[0])
	decisions := decideAll(before)
	for i, want := range []bool{true, false} {
		now := talk(fmt.Sprintf("a%d", i+1), lines[i+1])
		c := reaudit.Compare(reaudit.Audit{Result: before, Decisions: decisions}, reaudit.Audit{Result: now})
		if len(c.Since.Carried) != 1 || c.Since.Carried[0].Taken != want || len(c.Since.Carried[0].Heard) != 1 {
			t.Fatalf("step %d: %+v", i+1, c.Since)
		}
		before, decisions = now, c.Decisions
	}
}

func TestWhatStandsAgainst(t *testing.T) {
	for _, tt := range []struct {
		name  string
		touch func(then, now *audit.Result)
		want  audit.WhyNot
	}{
		{"nothing", func(*audit.Result, *audit.Result) {}, ""},
		{"other facts, same ground", func(_, now *audit.Result) { now.Facts.Audience = "retail" }, ""},
		{"other facts, other ground", func(_, now *audit.Result) {
			now.Facts.Audience, now.Findings[0].Applies = "retail", "It is for the public."
		}, audit.WhyFacts},
		{"another ground alone: the program words it otherwise", func(_, now *audit.Result) { now.Findings[0].Applies = "It is so." }, ""},
		{"an amended rule", func(_, now *audit.Result) { now.Findings[0].Rule.SHA256 = "bb" }, audit.WhyRuleText},
		{"the official text where a card was", func(then, now *audit.Result) {
			then.Findings[0].Rule.Official, now.Findings[0].Rule.SHA256 = false, "bb"
		}, ""},
		{"graver", func(_, now *audit.Result) { now.Findings[0].Severity = audit.High }, audit.WhyGraver},
		{"less grave", func(_, now *audit.Result) { now.Findings[0].Severity = audit.Low }, ""},
	} {
		then, now := talk("then", opening...), talk("now", opening...)
		tt.touch(then, now)
		c := reaudit.Compare(reaudit.Audit{Result: then, Decisions: decideAll(then)}, reaudit.Audit{Result: now})
		if k := c.Since.Carried[0]; k.Why != tt.want || k.Taken != (tt.want == "") || len(c.Decisions) != 3-min(1, len(tt.want)) {
			t.Errorf("%s: %+v, %d decisions", tt.name, k, len(c.Decisions))
		}
	}
}

// Of a finding about something that is missing the words are all the words.
func TestMissing(t *testing.T) {
	missing := func(r *audit.Result) {
		f := add(r, "promise", audit.Segment{Source: audit.Speech, EndMS: 9000}, "")
		f.Evidence = "No disclosure was found."
	}
	for _, tt := range []struct {
		name  string
		lines []string
		want  audit.WhyNot
	}{
		{"the same", []string{"Welcome to the channel.", "Here is what I like about it.", "Paid ad."}, ""},
		{"transcribed again", []string{"welcome to the channel", "Um, here's what I liked about it.", "paid ad"}, ""},
		{"a disclosure is gone", []string{"Welcome to the channel.", "Here is what I like about it."}, audit.WhyVideo},
		{"a sentence is new", []string{"Welcome to the channel.", "Here is what I like about it.", "Buy it.", "Paid ad."}, audit.WhyVideo},
		{"a negation is new", []string{"Welcome to the channel.", "Here is what I like about it.", "Not paid ad."}, audit.WhyVideo},
	} {
		then := talk("then", "Welcome to the channel.", "Here is what I like about it.", "Paid ad.")
		now := talk("now", tt.lines...)
		missing(then)
		missing(now)
		c := reaudit.Compare(reaudit.Audit{Result: then, Decisions: decideAll(then)}, reaudit.Audit{Result: now})
		if len(c.Since.Carried) != 1 || c.Since.Carried[0].Why != tt.want || len(c.Decisions) != 1-min(1, len(tt.want)) {
			t.Errorf("%s: %+v, %+v", tt.name, c.Since, c.Decisions)
		}
	}
}

// Sentences that were decided differently and are one now stay open; a sentence
// that became two keeps its decision on both.
func TestJoinedAndSplit(t *testing.T) {
	apart := talk("apart", "Hello.", "{promise} You cannot lose money here,", "{promise} and you cannot fall behind either.", "Bye.")
	one := talk("one", "Hello.", "{promise} You cannot lose money here, and you cannot fall behind either.", "Bye.")
	c := reaudit.Compare(reaudit.Audit{Result: apart, Decisions: decideAll(apart)}, reaudit.Audit{Result: one})
	if k := c.Since.Carried; len(k) != 1 || !k[0].Taken || len(k[0].Was) != 2 || len(c.Since.Resolved) != 0 {
		t.Errorf("joined: %+v", c.Since)
	}
	c = reaudit.Compare(reaudit.Audit{Result: apart, Decisions: decideAll(apart)[:1]}, reaudit.Audit{Result: one})
	if k := c.Since.Carried; len(k) != 1 || k[0].Why != audit.WhyJoined || len(c.Decisions) != 0 {
		t.Errorf("joined, decided apart: %+v", c.Since)
	}
	c = reaudit.Compare(reaudit.Audit{Result: one, Decisions: decideAll(one)}, reaudit.Audit{Result: apart})
	if k := c.Since.Carried; len(k) != 2 || !k[0].Taken || !k[1].Taken || len(c.Since.New) != 0 || len(c.Decisions) != 2 {
		t.Errorf("split: %+v", c.Since)
	}
}

// A second finding in a sentence of which the earlier audit had one is new: nobody
// has decided about its words.
func TestSecondFindingInASentence(t *testing.T) {
	const line = "You cannot lose money here, and your bank will pay you double."
	then, now := talk("then", line), talk("now", line)
	add(then, "promise", then.Segments[0], "You cannot lose money here")
	add(now, "promise", now.Segments[0], "your bank will pay you double")
	add(now, "promise", now.Segments[0], "You cannot lose money here")
	c := reaudit.Compare(reaudit.Audit{Result: then, Decisions: decideAll(then)}, reaudit.Audit{Result: now})
	if len(c.Since.New) != 1 || c.Since.New[0].FindingID != "now-f1" || len(c.Decisions) != 1 || c.Decisions[0].FindingID != "now-f2" {
		t.Errorf("got %+v", c.Since)
	}
	// Nor does it take the place of the first where that is not found any more.
	now.Findings = now.Findings[:1]
	c = reaudit.Compare(reaudit.Audit{Result: then, Decisions: decideAll(then)}, reaudit.Audit{Result: now})
	if len(c.Since.New) != 1 || len(c.Since.Resolved) != 1 || len(c.Decisions) != 0 {
		t.Errorf("got %+v", c.Since)
	}
}

// The same sentence stands twice and was decided differently: each keeps its own
// decision, and one that moved alone takes none.
func TestSameWordsTwice(t *testing.T) {
	lines := []string{"One.", "{promise} You cannot lose.", "Two and three.", "{promise} You cannot lose.", "Four is the end."}
	then := talk("then", lines...)
	decisions := decideAll(then)[:1]
	c := reaudit.Compare(reaudit.Audit{Result: then, Decisions: decisions}, reaudit.Audit{Result: talk("now", lines...)})
	if len(c.Decisions) != 1 || c.Decisions[0].FindingID != "now-f1" {
		t.Errorf("got %+v", c.Decisions)
	}
	c = reaudit.Compare(reaudit.Audit{Result: then, Decisions: decisions}, reaudit.Audit{Result: talk("now", "Four is the end.", "{promise} You cannot lose.", "Then other things.")})
	if len(c.Decisions) != 0 {
		t.Errorf("took a decision although it is not known which sentence it is: %+v", c.Since)
	}
}

// The channel is part of the scope: what is shown is not what is said.
func TestChannelIsScope(t *testing.T) {
	then, now := talk("then", "{promise} You cannot lose."), talk("now", "Hello.")
	shown := audit.Segment{ID: "x1", Source: audit.Screen, EndMS: 900, Text: "You cannot lose."}
	now.Segments = append(now.Segments, shown)
	add(now, "promise", shown, shown.Text)
	c := reaudit.Compare(reaudit.Audit{Result: then, Decisions: decideAll(then)}, reaudit.Audit{Result: now})
	if len(c.Since.New) != 1 || len(c.Since.Resolved) != 1 || len(c.Decisions) != 0 {
		t.Errorf("got %+v", c.Since)
	}
}

// Words beside a carried claim that were changed are told.
func TestNear(t *testing.T) {
	then := talk("then", "Hello.", "{promise} You cannot lose.", "Past returns promise nothing.", "Bye.")
	for text, want := range map[string]bool{"Past returns promise nothing.": false, "Buy it today.": true} {
		now := talk("now", "Hello.", "{promise} You cannot lose.", text, "Bye.")
		c := reaudit.Compare(reaudit.Audit{Result: then, Decisions: decideAll(then)}, reaudit.Audit{Result: now})
		if k := c.Since.Carried; len(k) != 1 || !k[0].Taken || k[0].Near != want || (c.Since.WordsGone > 0) != want {
			t.Errorf("%q: %+v", text, c.Since)
		}
	}
}

func found(r *audit.Result, id string) audit.Finding {
	i := slices.IndexFunc(r.Findings, func(f audit.Finding) bool { return f.ID == id })
	return r.Findings[i]
}

// Compared with another audit, what carried from the first and does not carry
// from the second is opened again; what a person decided stays, and what carries
// from both is not written twice.
func TestAgain(t *testing.T) {
	a, b, now := talk("a", opening...), talk("b", opening...), talk("now", opening...)
	at := decidedAt.Add(time.Hour)
	decisions := []audit.Decision{
		{FindingID: "a-f1", Action: "comment", Reason: "ask Ann", By: "K. Tran", At: decidedAt},
		dismissed(a.Findings[0], "quoted"), dismissed(a.Findings[1], "quoted"), dismissed(a.Findings[2], "quoted"),
		{FindingID: "a-f2", Action: "severity", Severity: audit.Low, By: "K. Tran", At: decidedAt},
	}
	first := reaudit.Compare(reaudit.Audit{Result: a, Decisions: decisions}, reaudit.Audit{Result: now})
	own := audit.Decision{FindingID: "now-f3", Action: "accept", By: "L. Brandt", At: at}
	record := append(first.Decisions, own)

	again := reaudit.Again(reaudit.Audit{Result: a, Decisions: decisions}, reaudit.Audit{Result: now, Decisions: record}, "L. Brandt", at)
	if len(again.Decisions) != 0 {
		t.Errorf("with the same audit again: %+v", again.Decisions)
	}
	other := []audit.Decision{dismissed(b.Findings[0], "quoted"), dismissed(b.Findings[2], "quoted")}
	again = reaudit.Again(reaudit.Audit{Result: b, Decisions: other}, reaudit.Audit{Result: now, Decisions: record}, "L. Brandt", at)
	var got []string
	for _, d := range again.Decisions {
		got = append(got, d.FindingID+" "+d.Action+" "+string(d.Severity))
		if d.Carried == nil || d.By != "L. Brandt" {
			t.Errorf("got %+v", d)
		}
	}
	if want := []string{"now-f2 reopen ", "now-f2 severity medium"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	// And back: the comparison's own reopening is nobody's decision.
	record = append(record, again.Decisions...)
	again = reaudit.Again(reaudit.Audit{Result: a, Decisions: decisions}, reaudit.Audit{Result: now, Decisions: record}, "L. Brandt", at)
	if len(again.Decisions) != 2 || again.Decisions[0].FindingID != "now-f2" || again.Decisions[0].By != "K. Tran" {
		t.Errorf("and back: %+v", again.Decisions)
	}
}
