package ask_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"veristream/backend/ask"
	"veristream/backend/audit"
	"veristream/backend/audit/audittest"
)

type search struct{ found ask.Found }

func (s search) Search(context.Context, ask.Query) (ask.Found, error) { return s.found, nil }

func hits(passages ...audit.Passage) []audit.Hit {
	var out []audit.Hit
	for i, p := range passages {
		out = append(out, audit.Hit{Passage: p, Rank: i + 1})
	}
	return out
}

// Invented texts in the shape of rules and of a report.
var (
	notice = audit.Passage{
		Source: "reg-x", Citation: "12 CFR 9999.9(g)", Citations: []string{"12 CFR 9999.9(g)"}, Kind: audit.KindRule,
		Header: "[CFPB 12 CFR 9999.9(g) - Notices of changes | Type: rule]",
		Body:   "(g) Higher rates. A creditor shall send a written notice at least 37 days before a higher rate takes effect. The notice need not be sent where the rate follows an index.",
	}
	other = audit.Passage{
		Source: "reg-x", Citation: "12 CFR 9999.4", Citations: []string{"12 CFR 9999.4"}, Kind: audit.KindRule,
		Header: "[CFPB 12 CFR 9999.4 - Records | Type: rule]", Body: "A creditor keeps its records for three years.",
	}
	sales = audit.Passage{
		Source: "acme", Citation: "Acme Inc. 10-K 2031, Item 8", Citations: []string{"Acme Inc. 10-K 2031, Item 8"}, Kind: audit.KindTable,
		Header: "[Acme Inc. 10-K 2031 - Item 8 > Statements of operations | Type: table]",
		Body:   "(In millions)\n|  | 2031 | 2030 |\n|---|---|---|\n| Net sales | $4,512 | $4,100 |\n| Cost of sales | 1,204 | 1,100 |",
	}
)

func TestAsk(t *testing.T) {
	for _, c := range []struct {
		name, question, reply string
		hits                  []audit.Hit
		text                  string // of the first sentence
		quote                 string
		how                   string
		sentences             int
	}{
		{
			name: "a faithful sentence stays", question: "how many days before a higher rate must notice be sent",
			reply: `{"sentences":[{"passage":1,"quote":"at least 37 days before a higher rate takes effect","text":"Notice must be sent at least 37 days before a higher rate takes effect."}]}`,
			hits:  hits(notice, other), text: "Notice must be sent at least 37 days before a higher rate takes effect.",
			quote: "A creditor shall send a written notice at least 37 days before a higher rate takes effect.", how: ask.HowModel, sentences: 1,
		},
		{
			name: "a wrong number is replaced by the passage's words", question: "how many days before a higher rate must notice be sent",
			reply: `{"sentences":[{"passage":1,"quote":"at least 37 days before a higher rate takes effect","text":"Notice must be sent 45 days before a higher rate takes effect."}]}`,
			hits:  hits(notice, other), text: "A creditor shall send a written notice at least 37 days before a higher rate takes effect.",
			quote: "A creditor shall send a written notice at least 37 days before a higher rate takes effect.", how: ask.HowModel, sentences: 1,
		},
		{
			name: "a denial that the passage does not make is replaced", question: "must a creditor send notice of a higher rate",
			reply: `{"sentences":[{"passage":1,"quote":"A creditor shall send a written notice","text":"A creditor shall not send a written notice of a higher rate."}]}`,
			hits:  hits(notice, other), text: "A creditor shall send a written notice at least 37 days before a higher rate takes effect.",
			quote: "A creditor shall send a written notice at least 37 days before a higher rate takes effect.", how: ask.HowModel, sentences: 1,
		},
		{
			name: "a quote from nowhere falls back to the passages", question: "must a creditor send notice of a higher rate",
			reply: `{"sentences":[{"passage":2,"quote":"bananas are yellow","text":"Bananas are yellow."}]}`,
			hits:  hits(notice, other), text: "A creditor shall send a written notice at least 37 days before a higher rate takes effect.", how: ask.HowExtract, sentences: 1,
		},
		{
			name: "without a model the passages answer", question: "how long does a creditor keep its records", hits: hits(other, notice),
			text: "A creditor keeps its records for three years.", quote: "A creditor keeps its records for three years.", how: ask.HowExtract, sentences: 1,
		},
		{
			name: "a cell is told with its column, its row is the quote", question: "what were Acme's net sales in 2031", hits: hits(sales),
			text: "Net sales — 2031: $4,512 (In millions)", quote: "| Net sales | $4,512 | $4,100 |", how: ask.HowExtract, sentences: 1,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := &ask.Asker{Search: search{ask.Found{Hits: c.hits}}}
			if c.reply != "" {
				a.LLM = &audittest.LLM{Reply: func(audit.Request) (string, error) { return c.reply, nil }}
			}
			ans, err := a.Ask(context.Background(), ask.Question{Text: c.question})
			if err != nil {
				t.Fatal(err)
			}
			if ans.Refused || len(ans.Sentences) == 0 {
				t.Fatalf("refused: %s", ans.Reason)
			}
			s := ans.Sentences[0]
			if s.Text != c.text || ans.How != c.how || len(ans.Sentences) != c.sentences {
				t.Errorf("%s, %d sentences: %q, want %s, %d: %q", ans.How, len(ans.Sentences), s.Text, c.how, c.sentences, c.text)
			}
			if c.quote != "" && s.Support[0].Quote != c.quote {
				t.Errorf("quote %q, want %q", s.Support[0].Quote, c.quote)
			}
			for _, s := range ans.Sentences {
				for _, sup := range s.Support {
					if body := ans.Hits[sup.Passage-1].Passage.Body; !strings.Contains(body, sup.Quote) {
						t.Errorf("%q does not stand in %q", sup.Quote, body)
					}
				}
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name, question, reason string
		found                  ask.Found
	}{
		{"the search refuses", "who won", "nothing is near", ask.Found{Refused: true, Reason: "nothing is near", Hits: hits(other)}},
		{"nothing was found", "who won", "Nothing", ask.Found{}},
		{"the passages speak of other things", "how deep is the ocean near Iceland", "ocean", ask.Found{Hits: hits(other, notice)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ans, err := (&ask.Asker{Search: search{c.found}}).Ask(context.Background(), ask.Question{Text: c.question})
			if err != nil {
				t.Fatal(err)
			}
			if !ans.Refused || !strings.Contains(ans.Reason, c.reason) || ans.Text != "" || ans.Confidence != ask.Low {
				t.Errorf("got %+v", ans)
			}
		})
	}
}

// A reply that comes in pieces is checked sentence by sentence.
func TestStreaming(t *testing.T) {
	reply := `{"sentences":[{"passage":1,"quote":"keeps its records for three \"years\"","text":"x"},{"passage":1,"quote":"A creditor keeps its records","text":"A creditor keeps its records for three years."}]}`
	a := &ask.Asker{Search: search{ask.Found{Hits: hits(other)}}, LLM: streaming{reply}}
	var told []string
	_, err := a.Ask(context.Background(), ask.Question{
		Text: "how long does a creditor keep records", OnSentence: func(s ask.Sentence) { told = append(told, s.Text) },
	})
	if err != nil || len(told) != 1 {
		t.Fatalf("told %q, %v", told, err)
	}
}

type streaming struct{ reply string }

func (s streaming) Complete(_ context.Context, req audit.Request) (audit.Response, error) {
	for i := 0; i < len(s.reply); i += 7 {
		req.OnText(s.reply[i:min(i+7, len(s.reply))])
	}
	return audit.Response{Text: s.reply}, nil
}

// twoTexts are two dated texts of one paragraph, and the search over them.
type twoTexts struct{}

const oldText, newText = "No person may make repayment a condition of credit. The bank keeps records.", "No person may make repayment a condition of credit. This does not bind a store."

func (twoTexts) Texts(context.Context) ([]audit.Text, error) {
	return []audit.Text{{ID: "x@2030-01-01", AsOf: "2030-01-01"}, {ID: "x@2020-01-01", AsOf: "2020-01-01"}}, nil
}

func (twoTexts) Rule(_ context.Context, c audit.Citation, asOf string) (audit.Rule, error) {
	r := audit.Rule{Citation: c, Source: "x@2030-01-01", Text: newText, Kind: audit.KindRule}
	if asOf != "" && asOf < "2030-01-01" {
		r.Source, r.Text = "x@2020-01-01", oldText
	}
	return r, nil
}

func (twoTexts) Children(context.Context, audit.Citation, string) ([]audit.Rule, error) {
	return nil, nil
}

func (t twoTexts) Search(ctx context.Context, q ask.Query) (ask.Found, error) {
	r, err := t.Rule(ctx, audit.Citation{}, q.Filter.AsOf)
	const cite = "12 CFR 9999.9(g)"
	return ask.Found{Hits: []audit.Hit{{Rank: 1, Pinned: true, Passage: audit.Passage{
		Corpus: audit.CorpusRules, Source: r.Source, Citation: cite, Citations: []string{cite}, Header: "[" + cite + "]", Body: r.Text,
	}}}}, err
}

// What changed is told with the words of both texts, and a question about a
// day in the past reads the text of that day.
func TestDates(t *testing.T) {
	now := func() time.Time { return time.Date(2031, 5, 1, 0, 0, 0, 0, time.UTC) }
	for _, c := range []struct {
		question, says, from, not string
		sentences                 int
	}{
		{"what changed in 12 CFR 9999.9(g)?", "This does not bind a store.", "x@2030-01-01", "condition of credit", 2},
		{"What changed in 12 CFR 9999.9(g) between 2021 and 2030?", "The bank keeps records.", "x@2020-01-01", "condition of credit", 2},
		{"what did 12 CFR 9999.9(g) say in March 2024?", "The bank keeps records.", "x@2020-01-01", "store", 1},
		{"what did 12 CFR 9999.9(g) say on 2 March 2024?", "The bank keeps records.", "x@2020-01-01", "store", 1},
		{"what does 12 CFR 9999.9(g) say?", "This does not bind a store.", "x@2030-01-01", "records", 1},
	} {
		ans, err := (&ask.Asker{Search: twoTexts{}, Rules: twoTexts{}, Now: now}).Ask(context.Background(), ask.Question{Text: c.question})
		if err != nil || ans.Refused {
			t.Errorf("%s: refused %q, %v", c.question, ans.Reason, err)
			continue
		}
		if !strings.Contains(ans.Text, c.says) || strings.Contains(ans.Text, c.not) || len(ans.Sentences) != c.sentences {
			t.Errorf("%s: %q", c.question, ans.Text)
		}
		found := false
		for _, s := range ans.Sentences {
			sup := s.Support[0]
			found = found || sup.Source == c.from
			if !strings.Contains(ans.Hits[sup.Passage-1].Passage.Body, sup.Quote) {
				t.Errorf("%s: %q does not stand in its passage", c.question, sup.Quote)
			}
		}
		if !found {
			t.Errorf("%s: no word of %s", c.question, c.from)
		}
	}
}

// searches answers with what each query is given, and remembers the queries.
type searches struct {
	by   map[string]ask.Found
	seen []string
}

func (s *searches) Search(_ context.Context, q ask.Query) (ask.Found, error) {
	s.seen = append(s.seen, q.Text)
	return s.by[q.Text], nil
}

// A question whose passages do not answer is put in other words; the answer
// says so and is of low confidence. Where no words help, it is refused after
// two tries with what is missing.
func TestRewriting(t *testing.T) {
	const question = "how long shall zorblatt quux lender bookkeeping records remain kept by creditor"
	reply := func(text string) audit.LLM {
		return &audittest.LLM{Reply: func(r audit.Request) (string, error) {
			if strings.Contains(string(r.Schema), "question") {
				return `{"question":"` + text + `"}`, nil
			}
			return `{"sentences":[]}`, nil
		}}
	}
	s := &searches{by: map[string]ask.Found{question: {Hits: hits(notice)}, "records of a creditor": {Hits: hits(other)}}}
	ans, err := (&ask.Asker{Search: s, LLM: reply("records of a creditor")}).Ask(context.Background(), ask.Question{Text: question})
	if err != nil || !ans.Refused || len(s.seen) > 3 || !strings.Contains(ans.Reason, "zorblatt") {
		t.Errorf("with words that nothing has: %+v after %q, %v", ans, s.seen, err)
	}
	const better = "how long are records kept by a creditor zorblatt"
	s = &searches{by: map[string]ask.Found{better: {Hits: hits(notice)[:0]}}}
	if ans, err = (&ask.Asker{Search: s}).Ask(context.Background(), ask.Question{Text: better}); err != nil || !ans.Refused {
		t.Errorf("nothing found: %+v, %v", ans, err)
	}
	const third = "archive duration of a creditor's records in years"
	ledger := audit.Passage{Source: "z", Citation: "12 CFR 9999.7", Header: "[Ledgers]", Body: "Ledgers are blue and round in winter."}
	s = &searches{by: map[string]ask.Found{third: {Hits: hits(ledger)}, "years for which a creditor keeps records": {Hits: hits(other)}}}
	ans, err = (&ask.Asker{Search: s, LLM: reply("years for which a creditor keeps records")}).Ask(context.Background(), ask.Question{Text: third})
	if err != nil || ans.Refused || ans.Confidence != ask.Low || ans.Rewritten == "" || !strings.Contains(ans.Text, "three years") {
		t.Errorf("rewritten: %+v after %q, %v", ans, s.seen, err)
	}
}

// In the careful mode a sentence that its quote does not carry gives way to the
// quote, and nothing is told before.
func TestCareful(t *testing.T) {
	for _, same := range []bool{true, false} {
		verdict := `{"same":[true]}`
		if !same {
			verdict = `{"same":[false]}`
		}
		model := &audittest.LLM{Reply: func(r audit.Request) (string, error) {
			if strings.Contains(string(r.Schema), "same") {
				return verdict, nil
			}
			return `{"sentences":[{"passage":1,"quote":"A creditor keeps its records for three years.","text":"Records are kept for three years by the creditor."}]}`, nil
		}}
		var told []string
		ans, err := (&ask.Asker{Search: search{ask.Found{Hits: hits(other)}}, LLM: model}).Ask(context.Background(), ask.Question{
			Text: "how long does a creditor keep records", Careful: true, OnSentence: func(s ask.Sentence) { told = append(told, s.Text) },
		})
		if err != nil || len(ans.Sentences) != 1 || ans.Sentences[0].Verbatim == same || len(told) != 1 || told[0] != ans.Sentences[0].Text {
			t.Errorf("same %v: %+v, told %q, %v", same, ans.Sentences, told, err)
		}
	}
}
