package ask

import (
	"slices"
	"strings"

	"veristream/backend/audit"
)

// finish writes the answer's text and says how far it can be relied on.
func (w *work) finish(ans Answer, how string) Answer {
	ans.How, ans.Sentences, ans.Dropped, ans.Use = how, w.sentences, w.dropped, w.use
	var parts []string
	for _, s := range w.sentences {
		parts = append(parts, s.Text)
	}
	sep := " "
	if how == HowDirect || how == HowList {
		sep = "\n"
	}
	ans.Text = strings.Join(parts, sep)
	ans.Coverage = 1
	if w.drafts > 0 {
		ans.Coverage = float64(w.whole) / float64(w.drafts)
	}
	ans.Confidence = w.confidence(ans)
	return ans
}

// Lines between the confidences, on the share of the question's words that the
// quotes and their headers hold.
const (
	leastWords = 0.25 // below: it is no answer
	fewWords   = 0.35
	mostWords  = 0.6
)

func (w *work) confidence(ans Answer) Confidence {
	if ans.How == HowDirect {
		return High
	}
	share, whole := w.answered(), 1.0
	if ans.How == HowModel { // where none of the model's sentences stayed, what it wrote says nothing of the answer
		whole = ans.Coverage
	}
	switch {
	case w.unsure, w.rewritten != "", share < fewWords, whole < 0.34:
		return Low
	case share >= mostWords && whole >= 0.99 && len(w.sentences) > 0 && w.sentences[0].Support[0].Passage <= 3:
		return High
	}
	return Medium
}

// answered is the share of the question's weight that stands in the quotes or
// in the headers of their passages.
func (w *work) answered() float64 {
	var have []string
	for _, s := range w.sentences {
		for _, sup := range s.Support {
			have = append(have, terms(sup.Quote)...)
			have = append(have, terms(w.hits[sup.Passage-1].Passage.Header)...)
		}
	}
	var sum, all float64
	for _, t := range w.u.terms {
		all += w.idf[t]
		if slices.Contains(have, t) {
			sum += w.idf[t]
		}
	}
	if all == 0 {
		return 1
	}
	return sum / all
}

// doubt is how much a cross-encoder that thinks nothing of any unit takes from
// the share of the question that is answered.
const doubt = 0.1

// supported is the share that is answered, less the cross-encoder's doubt.
func (w *work) supported() float64 { return w.answered() + doubt*min(0, w.judged) }

// ofDocuments says whether only documents are asked.
func ofDocuments(f audit.Filter) bool {
	return slices.Equal(f.Corpora, []string{audit.CorpusDocuments})
}

// leastNear is how near in meaning the nearest passage of a document must be to
// its question. The questions of eval/ask stand at 0.47 or above; rules asked of
// documents, which cannot answer them, at 0.39 or below.
const leastNear = 0.43

// tooFar says whether no passage is near to the question in its meaning. The
// search leaves that to us within documents. Where no vectors were searched,
// nobody knows.
func tooFar(hits []audit.Hit) bool {
	most := 0.0
	for _, h := range hits {
		most = max(most, h.Scores.Dense)
	}
	return most > 0 && most < leastNear
}

// missing says what the passages do not speak of at all, where that is most of
// the question; empty where an answer may be tried.
func (w *work) missing() string {
	if len(w.u.terms) == 0 || len(w.u.citations) > 0 || w.u.control != "" {
		return ""
	}
	have := w.spoken()
	if ofDocuments(w.q.Filter) {
		for _, y := range w.u.years {
			if !slices.ContainsFunc(w.hits, func(h audit.Hit) bool { return strings.Contains(h.Passage.Text(), y) }) {
				return "The documents that were found do not speak of " + y + "."
			}
		}
	}
	absent := lacking(w.u.terms, have)
	if 2*len(absent) <= len(w.u.terms) {
		return ""
	}
	var names []string
	for _, word := range tokens(w.u.text) {
		if slices.Contains(absent, stem(word)) && !slices.Contains(names, word) {
			names = append(names, word)
		}
	}
	if len(names) == 0 {
		return "The installed rules and documents do not speak of this."
	}
	return "The passages that were found do not speak of: " + strings.Join(names, ", ") + "."
}

// spoken gives the terms of all passages.
func (w *work) spoken() []string {
	var have []string
	for _, h := range w.hits {
		have = append(have, terms(h.Passage.Text())...)
		if h.Card != nil {
			have = append(have, terms(h.Card.Text()+" "+h.Card.Extra)...)
		}
	}
	return have
}

// absent gives the terms of the question that no passage has.
func (w *work) absent() []string { return lacking(w.u.terms, w.spoken()) }

func lacking(want, have []string) []string {
	var out []string
	for _, t := range want {
		if !slices.Contains(have, t) {
			out = append(out, t)
		}
	}
	return out
}
