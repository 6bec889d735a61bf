package core

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"veristream/backend/ask"
	"veristream/backend/audit"
)

// askedEntry is a question in the record.
type askedEntry struct {
	Question   string         `json:"question"`
	Answer     string         `json:"answer,omitempty"`
	Refused    bool           `json:"refused,omitempty"`
	Reason     string         `json:"reason,omitempty"`
	Confidence ask.Confidence `json:"confidence"`
	How        string         `json:"how,omitempty"`
	AsOf       string         `json:"as_of,omitempty"`
	Model      string         `json:"model,omitempty"`
	Careful    bool           `json:"careful,omitempty"`
	Support    []ask.Support  `json:"support,omitempty"`
	// Lines are the sentences of the answer, each with the places in Support of
	// what it rests on; entries of earlier versions have none.
	Lines []askedLine `json:"lines,omitempty"`
	// Sources are the passages that the support is from.
	Sources []askedSource `json:"sources,omitempty"`
}

type askedLine struct {
	Text     string `json:"text"`
	Support  []int  `json:"support"`
	Verbatim bool   `json:"verbatim,omitempty"`
}

type askedSource struct {
	Rank     int        `json:"rank"`
	ID       int64      `json:"id"`
	Citation string     `json:"citation"`
	Title    string     `json:"title,omitempty"`
	Corpus   string     `json:"corpus"`
	Kind     audit.Kind `json:"kind"`
	Source   string     `json:"source"`
}

func newAskedEntry(q ask.Question, ans ask.Answer, model string) askedEntry {
	e := askedEntry{
		Question: q.Text, Answer: ans.Text, Refused: ans.Refused, Reason: ans.Reason, Confidence: ans.Confidence, How: ans.How, AsOf: ans.AsOf,
	}
	if ans.How == ask.HowModel {
		e.Model, e.Careful = model, q.Careful
	}
	quoted := map[int]bool{}
	for _, s := range ans.Sentences {
		line := askedLine{Text: s.Text, Verbatim: s.Verbatim, Support: []int{}}
		for _, sup := range s.Support {
			line.Support = append(line.Support, len(e.Support))
			e.Support = append(e.Support, sup)
			quoted[sup.Passage] = true
		}
		e.Lines = append(e.Lines, line)
	}
	for _, h := range ans.Hits {
		if p := h.Passage; quoted[h.Rank] {
			s := askedSource{Rank: h.Rank, ID: p.ID, Citation: p.Citation, Title: p.Title, Corpus: p.Corpus, Kind: p.Kind, Source: p.Source}
			if s.Citation == "" {
				s.Citation = ask.Place(p)
			}
			e.Sources = append(e.Sources, s)
		}
	}
	return e
}

// sentences gives the answer as it was said.
func (e askedEntry) sentences() []ask.Sentence {
	if len(e.Lines) == 0 {
		if e.Answer == "" {
			return nil
		}
		return []ask.Sentence{{Text: e.Answer, Support: e.Support, Verbatim: e.How != ask.HowModel}}
	}
	out := make([]ask.Sentence, 0, len(e.Lines))
	for _, line := range e.Lines {
		s := ask.Sentence{Text: line.Text, Verbatim: line.Verbatim}
		for _, i := range line.Support {
			if i >= 0 && i < len(e.Support) {
				s.Support = append(s.Support, e.Support[i])
			}
		}
		out = append(out, s)
	}
	return out
}

// hits gives the passages that the answer quotes, as the search found them then,
// without their texts.
func (e askedEntry) hits() []audit.Hit {
	out := make([]audit.Hit, 0, len(e.Sources))
	for _, s := range e.Sources {
		out = append(out, audit.Hit{Rank: s.Rank, Passage: audit.Passage{
			ID: s.ID, Citation: s.Citation, Title: s.Title, Corpus: s.Corpus, Kind: s.Kind, Source: s.Source,
		}})
	}
	return out
}

// Past is a question that was asked before, on this computer, in any way.
type Past struct {
	Seq      int64 // its number in the record
	At       time.Time
	By       string // the user of the computer
	Question string
	Careful  bool
	Model    string
	Answer   ask.Answer
}

// Past gives the questions that were asked last, the newest first.
func (a *Answers) Past(ctx context.Context, limit int) ([]Past, error) {
	events, err := a.Store.EventsOf(ctx, audit.EventAsked, limit)
	if err != nil {
		return nil, fmt.Errorf("look for earlier questions: %w", err)
	}
	out := make([]Past, 0, len(events))
	for _, ev := range events {
		var e askedEntry
		if err := json.Unmarshal(ev.Data, &e); err != nil {
			return nil, audit.Wrap(err, audit.CodeStorage, "Entry %d of the record cannot be read.", ev.Seq)
		}
		out = append(out, Past{
			Seq: ev.Seq, At: ev.At, By: ev.By, Question: e.Question, Careful: e.Careful, Model: e.Model,
			Answer: ask.Answer{
				Text: e.Answer, Refused: e.Refused, Reason: e.Reason, Confidence: e.Confidence, Sentences: e.sentences(), Hits: e.hits(),
				How: e.How, AsOf: e.AsOf, Coverage: 1,
			},
		})
	}
	return out, nil
}
