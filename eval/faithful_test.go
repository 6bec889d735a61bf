package eval_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	appdemo "veristream/app/demo"
	"veristream/backend/agent"
	"veristream/backend/agent/applicability"
	"veristream/backend/audit"
	"veristream/backend/audit/audittest"
	"veristream/backend/pipeline"
	"veristream/backend/regs"
	"veristream/eval"
	cards "veristream/regs"
)

// cardRules gives the paragraphs that a category names, and the cards as rules.
type cardRules map[string]audit.Card

func (cardRules) Retrieve(_ context.Context, q agent.RuleQuery) ([]audit.Hit, error) {
	return []audit.Hit{{Passage: audit.Passage{Citations: q.Citations}}}, nil
}

func (c cardRules) RuleRef(_ context.Context, citation, _ string) (audit.RuleRef, error) {
	return audit.RuleRef{Citation: citation, Title: c[citation].Title, Text: c[citation].Requires}, nil
}

// nowhere keeps nothing of an earlier run.
type nowhere struct{}

func (nowhere) Get(context.Context, pipeline.Key) (json.RawMessage, bool, error) {
	return nil, false, nil
}
func (nowhere) Put(context.Context, pipeline.Key, json.RawMessage) error { return nil }

// The rationales of the demo's findings say what the rule, its card, the words
// and the facts say: the floor that CI watches, here with no model at all and in
// TestDemoEndToEnd with all of them.
func TestRationalesAreFaithful(t *testing.T) {
	path, facts, err := appdemo.Lay(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	data, err := agent.LoadData()
	if err != nil {
		t.Fatal(err)
	}
	table, err := applicability.Load()
	if err != nil {
		t.Fatal(err)
	}
	set, err := regs.LoadCards(cards.Files, "cards")
	if err != nil {
		t.Fatal(err)
	}
	rules := cardRules{}
	for _, card := range set.Cards {
		rules[card.Citation] = card
	}
	p := &pipeline.Pipeline{
		Cache: nowhere{}, Rules: rules, Resolves: func(c string) bool { return rules[c].Citation != "" }, Now: time.Now,
		Auditor: &agent.Auditor{Data: data, Table: table, Retriever: rules, Cards: rules},
	}
	r, err := p.Run(t.Context(), pipeline.Job{
		Path: path, Screen: strings.TrimSuffix(path, ".srt") + ".screen.srt", Facts: facts, AsOf: facts.Published, NoLLM: true,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	checkRationales(t, r, rules)
}

// A sentence that is nobody's, a number that stands nowhere and another time than
// the finding's are seen.
func TestRationalesAreRead(t *testing.T) {
	card := audit.Card{Citation: "FINRA 2210(d)(1)(B)", Title: "No promise", Requires: "No statement may be a promise. Ten days are enough."}
	absent := "{=0}. The video promotes ({=1}, from {2} on) and what {3} asks for was not found."
	for _, tt := range []struct {
		name      string
		rationale audit.Messages
		want      []eval.Writer
		supported []bool
	}{
		{
			"program and card", audit.Say("{=0}: these words may be a violation of {1}.", "Promise of a result", card.Citation).And(audit.Quote("en", card.Requires)),
			[]eval.Writer{eval.ByProgram, eval.ByCard, eval.ByCard},
			[]bool{true, true, true},
		},
		{"another citation", audit.Say("{=0}: these words may be a violation of {1}.", "Promise of a result", "FINRA 2999"), []eval.Writer{eval.ByProgram}, []bool{false}},
		{"a title from nowhere", audit.Say("{=0}: these words may be a violation of {1}.", "Tax claim", card.Citation), []eval.Writer{eval.ByProgram}, []bool{false}},
		{"its time", audit.Say(absent, "No promise", "promise", "01:02.5", card.Citation), []eval.Writer{eval.ByProgram, eval.ByProgram}, []bool{true, true}},
		{"another time", audit.Say(absent, "No promise", "promise", "01:03.5", card.Citation), []eval.Writer{eval.ByProgram, eval.ByProgram}, []bool{true, false}},
		{"a model's", audit.Quote("en", "The statement is a promise. It costs 5 dollars."), []eval.Writer{eval.ByOther, eval.ByOther}, []bool{true, false}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			said := audit.Said{}
			f := audit.Finding{Citation: card.Citation, StartMS: 62_540, Excerpt: "You cannot lose.", Rationale: said.Say(tt.rationale)}
			f.Rule = audit.RuleRef{Citation: card.Citation, Text: "No promissory statement.", Official: true}
			var got eval.Faithfulness
			got.Read("one", &audit.Result{Findings: []audit.Finding{f}, Said: said}, map[string]audit.Card{card.Citation: card})
			if len(got.Sentences) != len(tt.want) {
				t.Fatalf("%+v", got.Sentences)
			}
			for i, s := range got.Sentences {
				if s.By != tt.want[i] || s.Supported() != tt.supported[i] {
					t.Errorf("%q: by %s, supported %v (missing %v of %d)", s.Text, s.By, s.Supported(), s.Missing, s.Terms)
				}
				if beyond := strings.Contains(s.Text, "Ten days"); beyond != (len(s.Beyond) > 0) {
					t.Errorf("%q: numbers beyond the official text %v", s.Text, s.Beyond)
				}
			}
		})
	}
}

// The judge is asked about each different sentence once, and about one of another
// rule in its place.
func TestAskJudge(t *testing.T) {
	var f eval.Faithfulness
	for i, cite := range []string{"FINRA 2210(d)(1)(B)", "FINRA 2210(d)(2)", "FINRA 2210(d)(2)"} {
		s := eval.RationaleSentence{By: eval.ByCard, Text: "What " + cite + " says.", Rule: audit.RuleRef{Citation: cite, Text: "Text of " + cite}}
		s.Case = strconv.Itoa(i)
		f.Sentences = append(f.Sentences, s)
	}
	judge := &audittest.LLM{Reply: func(r audit.Request) (string, error) {
		own, _, _ := strings.Cut(strings.TrimPrefix(r.Prefix, "Rule "), ",")
		if !strings.Contains(r.Prompt, own) {
			return "", fmt.Errorf("the citation of another rule gives the sentence away: %s", r.Prompt)
		}
		return `{"supported":"yes"}`, nil
	}}
	if err := f.AskJudge(t.Context(), "other", judge, 0, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, s := range f.Sentences {
		if s.Judge != "yes" {
			t.Errorf("%+v", s)
		}
	}
	if n := len(judge.Requests()); n < 2 || n > 4 {
		t.Errorf("%d questions about 2 different sentences", n)
	}
	var out strings.Builder
	f.Write(&out)
	if !strings.Contains(out.String(), "judged by other") || !strings.Contains(out.String(), "1.00") {
		t.Error(out.String())
	}
	ended, end := context.WithCancel(t.Context())
	for i := range f.Sentences {
		f.Sentences[i].Judge = ""
	}
	n := 0
	judge.Reply = func(audit.Request) (string, error) {
		if n++; n == 2 { // the first sentence and its counterpart
			defer end()
		}
		return `{"supported":"no"}`, nil
	}
	if err := f.AskJudge(ended, "other", judge, 0, io.Discard); err != nil {
		t.Fatal(err)
	}
	judged := 0
	for _, s := range f.Sentences {
		if s.Judge != "" {
			judged++
		}
	}
	if judged == len(f.Sentences) {
		t.Error("it went on after its end")
	}
	f.Judge = ""
	out.Reset()
	if f.Write(&out); !strings.Contains(out.String(), "only the check in code counts") {
		t.Error(out.String())
	}
}

// checkRationales holds the rationales of an audit to the floor.
func checkRationales(t *testing.T, r *audit.Result, cards map[string]audit.Card) {
	t.Helper()
	var f eval.Faithfulness
	f.Read("demo", r, cards)
	by := map[eval.Writer]int{}
	for _, s := range f.Sentences {
		by[s.By]++
		if !s.Supported() {
			t.Logf("%s, by %s: nothing supports %v in %q", s.Rule.Citation, s.By, s.Missing, s.Text)
		}
	}
	k, n := f.Share()
	if len(r.Findings) < 3 || by[eval.ByProgram] < len(r.Findings) || by[eval.ByCard] == 0 || by[eval.ByOther] > 0 {
		t.Errorf("%d findings, sentences %v", len(r.Findings), by)
	}
	if float64(k) < eval.FaithfulFloor*float64(n) {
		t.Errorf("%d of %d sentences are supported, the floor is %.2f", k, n, eval.FaithfulFloor)
	}
}
