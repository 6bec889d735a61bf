package ask_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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

// The answer begins with the passages' own sentences. What the model says after
// them stays only where it says no more than the line that it rests on.
func TestAsk(t *testing.T) {
	const sent = "A creditor shall send a written notice at least 37 days before a higher rate takes effect."
	for _, c := range []struct {
		name, question, reply string
		hits                  []audit.Hit
		told                  []string
		quote                 string // of the first sentence; empty: the sentence itself
		how                   string
		dropped               int
	}{
		{
			name: "a faithful sentence explains", question: "how many days before a higher rate must notice be sent",
			reply: `{"sentences":[{"line":1,"text":"Notice must be sent at least 37 days before."}]}`,
			hits:  hits(notice, other), told: []string{sent, "Notice must be sent at least 37 days before."}, how: ask.HowModel,
		},
		{
			name: "a wrong number is dropped", question: "how many days before a higher rate must notice be sent",
			reply: `{"sentences":[{"line":1,"text":"Notice must be sent 45 days before a higher rate takes effect."}]}`,
			hits:  hits(notice, other), told: []string{sent}, how: ask.HowExtract, dropped: 1,
		},
		{
			name: "so is a denial that the passage does not make", question: "must a creditor send notice of a higher rate",
			reply: `{"sentences":[{"line":1,"text":"A creditor shall not send a notice of a higher rate."}]}`,
			hits:  hits(notice, other), told: []string{sent}, how: ask.HowExtract, dropped: 1,
		},
		{
			name: "and what stands nowhere", question: "must a creditor send notice of a higher rate",
			reply: `{"sentences":[{"line":9,"text":"Bananas are yellow."}]}`,
			hits:  hits(notice, other), told: []string{sent}, how: ask.HowExtract, dropped: 1,
		},
		{
			name: "what only repeats adds nothing", question: "must a creditor send notice of a higher rate",
			reply: `{"sentences":[{"line":1,"text":"The creditor must send written notice at least 37 days before a higher rate takes effect."}]}`,
			hits:  hits(notice, other), told: []string{sent}, how: ask.HowExtract,
		},
		{
			name: "without a model the passages answer", question: "how long does a creditor keep its records", hits: hits(other, notice),
			told: []string{"A creditor keeps its records for three years."}, how: ask.HowExtract,
		},
		{
			name: "a cell is told with its column, its row is the quote, and no model is asked", question: "what were Acme's net sales in 2031", hits: hits(sales),
			reply: `{"sentences":[{"line":1,"text":"Net sales in 2031 were 4,512."}]}`,
			told:  []string{"Net sales — 2031: $4,512 (In millions)"}, quote: "| Net sales | $4,512 | $4,100 |", how: ask.HowExtract,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := &ask.Asker{Search: search{ask.Found{Hits: c.hits}}}
			if c.reply != "" {
				a.LLM = &audittest.LLM{Reply: func(audit.Request) (string, error) { return c.reply, nil }}
			}
			var told []string
			ans, err := a.Ask(context.Background(), ask.Question{Text: c.question, OnSentence: func(s ask.Sentence) { told = append(told, s.Text) }})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(told, c.told) || ans.Text != strings.Join(c.told, " ") || ans.How != c.how || ans.Dropped != c.dropped {
				t.Errorf("told %q, %s, %d dropped, %q; want %q, %s, %d", told, ans.How, ans.Dropped, ans.Text, c.told, c.how, c.dropped)
			}
			for i, s := range ans.Sentences {
				if s.Verbatim != (i == 0) {
					t.Errorf("%q verbatim: %v", s.Text, s.Verbatim)
				}
				for _, sup := range s.Support {
					if body := ans.Hits[sup.Passage-1].Passage.Body; !strings.Contains(body, sup.Quote) || i == 0 && sup.Quote != cmp.Or(c.quote, s.Text) {
						t.Errorf("%q does not stand in %q", sup.Quote, body)
					}
				}
			}
		})
	}
}

// However the model fails, the passages' own sentences are the answer, and it
// says so. They were told before the model was asked. What the user stops ends
// there.
func TestModelFails(t *testing.T) {
	for _, c := range []struct {
		name   string
		err    error
		notice string
	}{
		{"a bad reply", audit.Errorf(audit.CodeReply, "The reply is no JSON."), "could not be used; these are the passages' own sentences."},
		{"no model", audit.Errorf(audit.CodeModelMissing, "Ollama is not there."), "did not answer; these are the passages' own sentences. Ollama is not there."},
		{"stopped", context.Canceled, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			var told []string
			model := &audittest.LLM{Reply: func(audit.Request) (string, error) {
				if len(told) != 1 {
					t.Errorf("before the model was asked %q was told", told)
				}
				if c.notice == "" {
					cancel()
				}
				return "", c.err
			}}
			ans, err := (&ask.Asker{Search: search{ask.Found{Hits: hits(other)}}, LLM: model}).Ask(ctx, ask.Question{
				Text: "how long does a creditor keep records", OnSentence: func(s ask.Sentence) { told = append(told, s.Text) },
			})
			if len(told) != 1 || (err != nil) != (c.notice == "") || !strings.HasSuffix(ans.Notice, c.notice) {
				t.Errorf("told %q, %+v, %v", told, ans, err)
			}
			if err == nil && (ans.How != ask.HowExtract || len(ans.Sentences) != 1 || ans.Confidence == ask.Low) {
				t.Errorf("the answer is %+v", ans)
			}
		})
	}
}

// A list has the passages that speak of what is asked, and no others.
func TestList(t *testing.T) {
	a := &ask.Asker{Search: search{ask.Found{Hits: hits(other, notice, sales)}}}
	ans, err := a.Ask(context.Background(), ask.Question{Text: "Which paragraphs mention the records of a creditor?"})
	if err != nil || ans.How != ask.HowList || len(ans.Sentences) != 1 || ans.Sentences[0].Support[0].Citation != other.Citation {
		t.Errorf("%s: %+v, %v", ans.How, ans.Sentences, err)
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name, question, reason string
		found                  ask.Found
	}{
		{"the search refuses", "who won", "nothing is near", ask.Found{Refused: true, Reason: "nothing is near", Hits: hits(other)}},
		{"a document's passages are far from it", "what were Acme's net sales in 2031", "near enough", ask.Found{Hits: near(hits(sales), 0.3)}},
		{"nothing was found", "who won", "Nothing", ask.Found{}},
		{"the passages speak of other things", "how deep is the ocean near Iceland", "ocean", ask.Found{Hits: hits(other, notice)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ans, err := (&ask.Asker{Search: search{c.found}}).Ask(context.Background(), ask.Question{Text: c.question, Filter: audit.Filter{Corpora: []string{audit.CorpusDocuments}}})
			if err != nil {
				t.Fatal(err)
			}
			if !ans.Refused || !strings.Contains(ans.Reason, c.reason) || ans.Text != "" || ans.Confidence != ask.Low {
				t.Errorf("got %+v", ans)
			}
		})
	}
}

// Near passages answer, and so do those whose nearness nobody knows. Where the
// cross-encoder thinks nothing of any sentence, few words in common are no answer.
func TestNotRefused(t *testing.T) {
	documents := audit.Filter{Corpora: []string{audit.CorpusDocuments}}
	for _, dense := range []float64{0, 0.6} {
		ans, err := (&ask.Asker{Search: search{ask.Found{Hits: near(hits(sales), dense)}}}).Ask(context.Background(), ask.Question{
			Text: "what were Acme's net sales in 2031", Filter: documents,
		})
		if err != nil || ans.Refused {
			t.Errorf("near %v: refused %q, %v", dense, ans.Reason, err)
		}
	}
	for score, refused := range map[float32]bool{2: false, -4: true} {
		a := &ask.Asker{Search: search{ask.Found{Hits: hits(other, notice), Reranked: true}}, Reranker: reading(score)}
		ans, err := a.Ask(context.Background(), ask.Question{Text: "how long does a creditor keep pink houses"})
		if err != nil || ans.Refused != refused {
			t.Errorf("read %v: refused %v %q %q, %v", score, ans.Refused, ans.Reason, ans.Text, err)
		}
	}
}

// near sets how near passages are in their meaning.
func near(h []audit.Hit, dense float64) []audit.Hit {
	for i := range h {
		h[i].Scores.Dense = dense
	}
	return h
}

// reading is a cross-encoder that says the same of everything.
type reading float32

func (reading) ModelID() string { return "reading" }

func (r reading) Rerank(_ context.Context, _ string, passages []string) ([]float32, error) {
	return slices.Repeat([]float32{float32(r)}, len(passages)), nil
}

// A reply that comes in pieces is checked sentence by sentence.
func TestStreaming(t *testing.T) {
	reply := `{"sentences":[{"line":1,"text":"It is \"x\"."},{"line":1,"text":"Three years for records."}]}`
	a := &ask.Asker{Search: search{ask.Found{Hits: hits(other)}}, LLM: streaming{reply}}
	var told []string
	_, err := a.Ask(context.Background(), ask.Question{
		Text: "how long does a creditor keep records", OnSentence: func(s ask.Sentence) { told = append(told, s.Text) },
	})
	if err != nil || len(told) != 2 || told[1] != "Three years for records." {
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

// In the careful mode a sentence of the model that its quote does not carry is
// taken out, and none is told before; the passage's own comes at once.
func TestCareful(t *testing.T) {
	for _, same := range []bool{true, false} {
		var told []string
		model := &audittest.LLM{Reply: func(r audit.Request) (string, error) {
			if len(told) != 1 {
				t.Errorf("while the model worked %q was told", told)
			}
			if strings.Contains(string(r.Schema), "same") {
				return fmt.Sprintf(`{"same":[%v]}`, same), nil
			}
			return `{"sentences":[{"line":1,"text":"Three years for records."}]}`, nil
		}}
		ans, err := (&ask.Asker{Search: search{ask.Found{Hits: hits(other)}}, LLM: model}).Ask(context.Background(), ask.Question{
			Text: "how long does a creditor keep records", Careful: true, OnSentence: func(s ask.Sentence) { told = append(told, s.Text) },
		})
		want := 1
		if same {
			want = 2
		}
		if err != nil || len(ans.Sentences) != want || len(told) != want || !ans.Sentences[0].Verbatim || ans.Dropped != 2-want {
			t.Errorf("same %v: %+v, told %q, %v", same, ans.Sentences, told, err)
		}
	}
}
