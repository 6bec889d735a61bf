package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"veristream/backend/audit"
)

// Query is what is asked of a search.
type Query struct {
	Text   string
	Filter audit.Filter
	Fast   bool // no reranker
	Tables bool // tables alone, by their words
}

// Found is what a search gave.
type Found struct {
	Hits     []audit.Hit
	Refused  bool
	Reason   string
	Reranked bool
}

// Searcher finds the passages that may answer.
type Searcher interface {
	Search(ctx context.Context, q Query) (Found, error)
}

// Rules gives the paragraphs of installed official texts; an error where there
// is none of that name.
type Rules interface {
	Rule(ctx context.Context, c audit.Citation, asOf string) (audit.Rule, error)
	Children(ctx context.Context, c audit.Citation, asOf string) ([]audit.Rule, error)
}

// Asker answers questions. LLM, Reranker and Rules may be nil.
type Asker struct {
	Search   Searcher
	Rules    Rules
	LLM      audit.LLM
	Reranker audit.Reranker
	Now      func() time.Time
}

// Question is one question.
type Question struct {
	Text   string
	Filter audit.Filter
	Fast   bool // no reranker
	NoLLM  bool
	// Careful has the model read its own sentences again beside their quotes;
	// they are told only then. The passages' own come at once in any case.
	Careful  bool
	Patience time.Duration // of the model for a reply; 0: three minutes
	// Earlier are the questions before this one, the last one last: "and what
	// about debit cards?" is understood with them.
	Earlier []string
	// OnFound is told the passages before any is read for the answer.
	OnFound func([]audit.Hit)
	// OnSentence is told each sentence of the answer as soon as it is checked.
	OnSentence func(Sentence)
}

// Confidence says how far an answer can be relied on. It comes from scores and
// checks, never from the model.
type Confidence string

// The confidences.
const (
	High   Confidence = "high"
	Medium Confidence = "medium"
	Low    Confidence = "low"
)

// Support is what a sentence rests on.
type Support struct {
	Citation string `json:"citation"`
	Source   string `json:"source"`
	Quote    string `json:"quote"` // the passage's own characters
	Passage  int    `json:"passage"`
}

// Sentence is one sentence of an answer.
type Sentence struct {
	Text    string    `json:"text"`
	Support []Support `json:"support"`
	// Verbatim says that the words are the passage's own and not a model's.
	Verbatim bool `json:"verbatim"`
}

// Answer is what came of a question.
type Answer struct {
	Text       string
	Refused    bool
	Reason     string
	Confidence Confidence
	Sentences  []Sentence
	Hits       []audit.Hit
	How        string  // direct, list, model, extract
	Coverage   float64 // share of the model's sentences that passed as they were
	Dropped    int     // sentences of the model that were taken out
	Notice     string  // what went otherwise than asked
	AsOf       string  // the day of which the rules were read; empty: today
	Rewritten  string  // the words that were searched where the question's own found nothing
	MS         int64
	Use        audit.LLMUse
}

// The ways in which an answer is made.
const (
	HowDirect  = "direct"  // the paragraph that the question names
	HowList    = "list"    // the paragraphs that speak of something
	HowModel   = "model"   // the same as extract, and then explained by the language model
	HowExtract = "extract" // the passages' own sentences
)

// maxRead is how many passages are read for an answer.
const maxRead = 6

// Ask answers one question.
func (a *Asker) Ask(ctx context.Context, q Question) (Answer, error) {
	start := a.now()
	ans, err := a.ask(ctx, q)
	if err != nil {
		return Answer{}, fmt.Errorf("answer the question: %w", err)
	}
	ans.MS = a.now().Sub(start).Milliseconds()
	return ans, nil
}

func (a *Asker) now() time.Time {
	if a.Now == nil {
		return time.Now()
	}
	return a.Now()
}

func (a *Asker) ask(ctx context.Context, q Question) (Answer, error) {
	text := strings.Join(strings.Fields(strings.ToValidUTF8(q.Text, " ")), " ")
	u := understand(text, q.Earlier, a.now())
	if q.Filter.AsOf == "" && u.asOf != "" && !ofDocuments(q.Filter) {
		q.Filter.AsOf = u.asOf
	}
	found, err := a.Search.Search(ctx, Query{Text: u.search, Filter: q.Filter, Fast: q.Fast})
	if err != nil {
		return Answer{}, err
	}
	if u.numeric && ofDocuments(q.Filter) && !found.Refused {
		if found.Hits, err = a.addTables(ctx, u, q, found.Hits); err != nil {
			return Answer{}, err
		}
	}
	ans := Answer{Hits: found.Hits, AsOf: q.Filter.AsOf}
	if u.changed && a.Rules != nil {
		return a.askChanged(ctx, ans, q, u)
	}
	if q.OnFound != nil {
		q.OnFound(found.Hits)
	}
	if found.Refused {
		return refuse(ans, found.Reason), nil
	}
	if len(found.Hits) == 0 {
		return refuse(ans, "Nothing in the installed rules and documents answers this."), nil
	}
	if !u.direct && ofDocuments(q.Filter) && tooFar(found.Hits) {
		return refuse(ans, "Nothing in these documents is near enough to this question."), nil
	}
	w := &work{asker: a, q: q, u: u, hits: found.Hits}
	if u.direct {
		if done, err := w.direct(ctx); err != nil || done {
			return w.finish(ans, HowDirect), err
		}
	}
	if err := w.gather(ctx, found.Reranked); err != nil {
		return ans, err
	}
	if missing := w.missing(); missing != "" {
		if missing, err = w.mend(ctx, missing); err != nil {
			return ans, err
		}
		if missing != "" {
			ans.Use = w.use
			return refuse(ans, missing), nil
		}
		ans.Hits, ans.Rewritten = w.hits, w.rewritten
		ans.Notice = "The question's own words found nothing that answers; searched was: " + w.rewritten + "."
		if q.OnFound != nil {
			q.OnFound(w.hits)
		}
	}
	w.hold()
	how := w.choose(ctx)
	chosen := w.finish(ans, how)
	switch {
	case len(w.sentences) == 0:
		return refuse(chosen, "The passages that were found do not answer this in their own words."), nil
	case how == HowExtract && len(u.citations) == 0 && w.supported() < leastWords:
		return refuse(chosen, "The passages that were found hold too few of the question's words to answer it."), nil
	}
	w.release()
	if how != HowExtract || a.LLM == nil || q.NoLLM || w.isCell() {
		return chosen, nil
	}
	notice, err := w.explain(ctx)
	if err != nil {
		return ans, err
	}
	if notice != "" {
		ans.Notice = strings.TrimSpace(ans.Notice + " " + notice)
	}
	if w.explained() {
		how = HowModel
	}
	return w.finish(ans, how), nil
}

// askChanged answers what changed in a paragraph.
func (a *Asker) askChanged(ctx context.Context, ans Answer, q Question, u understanding) (Answer, error) {
	w := &work{asker: a, q: q, u: u, hits: ans.Hits}
	missing, err := w.changed(ctx)
	if err != nil {
		return ans, err
	}
	ans.Hits = w.hits
	if q.OnFound != nil {
		q.OnFound(w.hits)
	}
	if missing == "" && len(w.sentences) == 0 {
		missing = "The words that changed stand in no passage that was found."
	}
	if missing != "" {
		return refuse(ans, missing), nil
	}
	return w.finish(ans, HowDirect), nil
}

// addTables adds the tables that hold the question's words: a table is near to
// no question as a whole, and a figure stands in one row of it.
func (a *Asker) addTables(ctx context.Context, u understanding, q Question, hits []audit.Hit) ([]audit.Hit, error) {
	f := q.Filter
	f.Kinds = []audit.Kind{audit.KindTable}
	found, err := a.Search.Search(ctx, Query{Text: u.search, Filter: f, Tables: true})
	if err != nil {
		return nil, err
	}
	for _, h := range found.Hits {
		if !slices.ContainsFunc(hits, func(x audit.Hit) bool { return x.Passage.ID == h.Passage.ID }) {
			h.Rank = len(hits) + 1
			hits = append(hits, h)
		}
	}
	return hits, nil
}

// usable says whether an answer can be made without the model after it failed:
// its reply was bad. A model that is not there is told.
func usable(err error) bool {
	switch audit.CodeOf(err) {
	case audit.CodeReply, audit.CodeDeadline:
		return true
	}
	return errors.Is(err, errNoSentences)
}

func refuse(ans Answer, reason string) Answer {
	ans.Refused, ans.Reason, ans.Confidence = true, reason, Low
	ans.Sentences, ans.Text = nil, ""
	return ans
}
