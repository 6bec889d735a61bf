package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"veristream/backend/ask"
	"veristream/backend/audit"
)

// AskService answers questions, one at a time, and remembers those of this
// session. An answer comes as events: its passages as soon as they are found,
// each sentence as soon as it is checked.
type AskService struct {
	ctx   context.Context
	asker Asker
	emit  func(string, any)
	now   func() time.Time
	work  *sync.WaitGroup

	mu        sync.Mutex
	exchanges []*exchange
	nextID    int
}

// exchange is guarded by the service's mutex.
type exchange struct {
	view   Exchange
	cancel context.CancelFunc // while it works
	sent   time.Time
}

// Bounds of a session.
const (
	maxQuestion  = 2000 // characters
	maxExchanges = 200  // the oldest are forgotten
	maxEarlier   = 6
	maxPast      = 500
)

// Scope says what there is to ask about.
func (s *AskService) Scope() (Scope, error) {
	if s.asker == nil {
		return Scope{Regulators: []string{}, Documents: []audit.Document{}}, nil
	}
	scope, err := s.asker.Scope(s.ctx)
	if err != nil {
		return Scope{}, fmt.Errorf("look at what can be asked about: %w", err)
	}
	return scope, nil
}

// Exchanges gives the questions of this session, the oldest first.
func (s *AskService) Exchanges() []Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Exchange, 0, len(s.exchanges))
	for _, e := range s.exchanges {
		out = append(out, e.view.clone())
	}
	return out
}

// Ask begins to answer a question and gives its id.
func (s *AskService) Ask(req AskRequest) (string, error) {
	req.Text = strings.TrimSpace(req.Text)
	switch {
	case s.asker == nil:
		return "", audit.Errorf(audit.CodeUsage, "Questions cannot be answered here.")
	case req.Text == "":
		return "", audit.Errorf(audit.CodeUsage, "There is no question.")
	case len([]rune(req.Text)) > maxQuestion:
		return "", audit.Errorf(audit.CodeUsage, "A question may have %d characters at most.", maxQuestion)
	case !slices.Contains([]AskMode{ModeCareful, ModeStandard, ModeFast, ModePassages}, req.Mode):
		return "", audit.Errorf(audit.CodeUsage, "A question cannot be answered in the way %q.", req.Mode)
	}
	if err := checkDay(req.AsOf); err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.ContainsFunc(s.exchanges, func(e *exchange) bool { return e.view.State == ExchangeWorking }) {
		return "", audit.Errorf(audit.CodeUsage, "A question is being answered; stop it, or wait for its answer.")
	}
	s.nextID++
	ctx, cancel := context.WithCancel(s.ctx)
	e := &exchange{cancel: cancel, view: Exchange{
		ID: fmt.Sprintf("q%d", s.nextID), Request: req, Asked: s.now(), State: ExchangeWorking, Step: StepSearching,
	}}
	e.view.Answer.tidy()
	asked := Asked{AskRequest: req, Earlier: s.earlier(req.Thread)}
	s.exchanges = append(s.exchanges, e)
	s.exchanges = s.exchanges[max(0, len(s.exchanges)-maxExchanges):]
	s.work.Go(func() {
		defer cancel()
		answer, err := s.asker.Ask(ctx, asked, func(ev AskEvent) { s.take(e, ev) })
		s.end(e, answer, err)
	})
	return e.view.ID, nil
}

// earlier gives the questions of a thread that were answered; the caller holds
// the mutex.
func (s *AskService) earlier(thread string) []string {
	var out []string
	for _, e := range s.exchanges {
		if e.view.Request.Thread == thread && e.view.State == ExchangeDone {
			out = append(out, e.view.Request.Text)
		}
	}
	return out[max(0, len(out)-maxEarlier):]
}

// take takes in what became known of an answer.
func (s *AskService) take(e *exchange, ev AskEvent) {
	s.mu.Lock()
	v := &e.view
	if v.State != ExchangeWorking {
		s.mu.Unlock()
		return
	}
	news := false
	if ev.Step != "" {
		news = v.Step != ev.Step
		v.Step, v.Done, v.Total = ev.Step, ev.Done, ev.Total
	}
	if ev.Filters != nil {
		v.Answer.Filters, news = ev.Filters, true
	}
	if ev.Passages != nil {
		v.Answer.Passages, news = ev.Passages, true
	}
	if ev.Sentence != nil {
		v.Answer.Sentences, news = append(v.Answer.Sentences, *ev.Sentence), true
	}
	if !news && s.now().Sub(e.sent) < tick { // progress alone
		s.mu.Unlock()
		return
	}
	e.sent = s.now()
	out := v.clone()
	s.mu.Unlock()
	s.emit(EventAsk, out)
}

func (s *AskService) end(e *exchange, answer Answer, err error) {
	s.mu.Lock()
	v := &e.view
	e.cancel = nil
	v.Done, v.Total = 0, 0
	switch {
	case err == nil:
		answer.tidy()
		v.State, v.Answer = ExchangeDone, answer
	case audit.CodeOf(err) == audit.CodeCancelled:
		v.State = ExchangeCancelled // what was checked before stays to be read
	default:
		v.State, v.Problem = ExchangeFailed, ProblemOf(err)
	}
	v.Answer.MS = s.now().Sub(v.Asked).Milliseconds()
	out := v.clone()
	s.mu.Unlock()
	s.emit(EventAsk, out)
}

// Cancel stops a question; sentences that were checked stay.
func (s *AskService) Cancel(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.exchanges, func(e *exchange) bool { return e.view.ID == id })
	if i < 0 {
		return audit.Errorf(audit.CodeUsage, "This question is not asked any more.")
	}
	if cancel := s.exchanges[i].cancel; cancel != nil {
		cancel()
	}
	return nil
}

// Forget takes a thread out of the session.
func (s *AskService) Forget(thread string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.exchanges = slices.DeleteFunc(s.exchanges, func(e *exchange) bool {
		return e.view.Request.Thread == thread && e.view.State != ExchangeWorking
	})
}

// Past gives the questions that were asked last, in this session and before, the
// newest first.
func (s *AskService) Past() ([]PastQuestion, error) {
	out := []PastQuestion{}
	if s.asker == nil {
		return out, nil
	}
	past, err := s.asker.Past(s.ctx, maxPast)
	if err != nil {
		return nil, fmt.Errorf("list the earlier questions: %w", err)
	}
	for _, p := range past {
		p.Answer.tidy()
		out = append(out, p)
	}
	return out, nil
}

// Recall takes an earlier question into this session, as a thread of its own,
// and gives the thread: what is asked there next leans on it.
func (s *AskService) Recall(id int64) (string, error) {
	past, err := s.Past()
	if err != nil {
		return "", err
	}
	i := slices.IndexFunc(past, func(p PastQuestion) bool { return p.ID == id })
	if i < 0 {
		return "", audit.Errorf(audit.CodeUsage, "This question is not in the record.")
	}
	p, name := past[i], fmt.Sprintf("r%d", id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.ContainsFunc(s.exchanges, func(e *exchange) bool { return e.view.ID == name }) {
		s.exchanges = append(s.exchanges, &exchange{view: Exchange{
			ID: name, Request: AskRequest{Thread: name, Text: p.Text, Mode: p.Mode, AsOf: p.AsOf}, Asked: p.At, State: ExchangeDone, Answer: p.Answer,
		}})
		s.exchanges = s.exchanges[max(0, len(s.exchanges)-maxExchanges):]
	}
	return name, nil
}

// Read opens a document at one of its passages.
func (s *AskService) Read(document string, passage int64) (DocumentPages, error) {
	if s.asker == nil {
		return DocumentPages{}, audit.Errorf(audit.CodeUsage, "Documents cannot be opened here.")
	}
	r, err := s.asker.Read(s.ctx, document, passage)
	if err != nil {
		return DocumentPages{}, fmt.Errorf("open the document: %w", err)
	}
	return r, nil
}

// tidy makes lists of what is empty: what reads JSON must not find a null.
func (a *Answer) tidy() {
	if a.Sentences == nil {
		a.Sentences = []ask.Sentence{}
	}
	for i := range a.Sentences {
		if a.Sentences[i].Support == nil {
			a.Sentences[i].Support = []ask.Support{}
		}
	}
	if a.Passages == nil {
		a.Passages = []FoundPassage{}
	}
	if a.Filters == nil {
		a.Filters = []AskFilter{}
	}
	if a.Anomalies == nil {
		a.Anomalies = []string{}
	}
}

// clone gives a copy whose lists no later sentence changes.
func (e Exchange) clone() Exchange {
	e.Answer.Sentences = slices.Clone(e.Answer.Sentences)
	r := &e.Request
	for _, list := range []*[]string{&r.Corpora, &r.Regulators, &r.Documents, &r.Without} {
		if *list == nil {
			*list = []string{}
		}
	}
	return e
}

// checkDay says whether a day is one, or none is given.
func checkDay(day string) error {
	if day == "" {
		return nil
	}
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return audit.Errorf(audit.CodeUsage, "%q is no day; write it as 2026-03-01.", day)
	}
	return nil
}
