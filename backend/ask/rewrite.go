package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// maxRewrites is how often a question is put in other words before it is given up.
const maxRewrites = 2

// rewrite puts a question in other words after its passages did not answer: at
// first without the words that no passage has, then as the language model would
// say it in the words of a rule. Empty: there is no other way to say it.
func (w *work) rewrite(ctx context.Context, try int) (string, error) {
	if try == 0 {
		absent := w.absent()
		var keep []string
		for _, word := range tokens(w.u.text) {
			if !stops[word] && !slices.Contains(absent, stem(word)) {
				keep = append(keep, word)
			}
		}
		if len(absent) == 0 || len(keep) < 2 {
			return "", nil
		}
		return strings.Join(keep, " "), nil
	}
	if w.asker.LLM == nil || w.q.NoLLM {
		return "", nil
	}
	const schema = `{"type":"object","required":["question"],"properties":{"question":{"type":"string","maxLength":200}}}`
	resp, err := w.asker.LLM.Complete(ctx, audit.Request{
		System: "You put a question in the words that a regulation or a financial report would use. Keep its meaning, its names, numbers and dates; add nothing.",
		Prompt: "Question: " + w.u.text, Schema: json.RawMessage(schema), MaxTokens: 80, Deadline: w.patience(),
	})
	w.use.Calls++
	if err != nil {
		if ctx.Err() != nil || !usable(err) {
			return "", fmt.Errorf("rewrite the question: %w", err)
		}
		return "", nil
	}
	w.use.PromptTokens += resp.PromptTokens
	w.use.OutputTokens += resp.OutputTokens
	var out struct {
		Question string `json:"question"`
	}
	if json.Unmarshal([]byte(resp.Text), &out) != nil || strings.EqualFold(strings.TrimSpace(out.Question), w.u.text) {
		return "", nil
	}
	return strings.TrimSpace(out.Question), nil
}

// mend searches with other words until the passages speak of what is asked. It
// says what is missing where they never do. What passes is judged by the
// question as it was asked, never by its rewriting.
func (w *work) mend(ctx context.Context, missing string) (string, error) {
	for try := range maxRewrites {
		text, err := w.rewrite(ctx, try)
		if err != nil {
			return missing, err
		}
		if text == "" {
			continue
		}
		found, err := w.asker.Search.Search(ctx, Query{Text: text, Filter: w.q.Filter, Fast: w.q.Fast})
		if err != nil {
			return missing, err
		}
		if found.Refused || len(found.Hits) == 0 {
			continue
		}
		before, units := w.hits, w.units
		w.hits, w.units = found.Hits, nil
		if err := w.gather(ctx, found.Reranked); err != nil {
			return missing, err
		}
		if w.missing() == "" {
			w.rewritten = text
			return "", nil
		}
		w.hits, w.units = before, units
		w.weigh()
	}
	return missing, nil
}
