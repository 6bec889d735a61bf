package ask_test

import (
	"context"
	"strings"
	"testing"

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
