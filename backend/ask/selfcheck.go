package ask

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// hold keeps sentences back until they are sure to stay; release tells them.
func (w *work) hold() {
	w.held, w.told, w.q.OnSentence = len(w.sentences), w.q.OnSentence, nil
}

func (w *work) release() {
	if w.told == nil {
		return
	}
	w.q.OnSentence, w.told = w.told, nil
	for _, s := range w.sentences[w.held:] {
		w.q.OnSentence(s)
	}
}

// selfCheck has the model say of each sentence in its own words whether the
// quote says the same. Where it does not, the sentence is taken out; the
// passages' own sentences stand in any case.
func (w *work) selfCheck(ctx context.Context) error {
	var at []int
	var b strings.Builder
	for i, s := range w.sentences {
		if !s.Verbatim {
			at = append(at, i)
			fmt.Fprintf(&b, "%d. Quote: %s\n   Sentence: %s\n", len(at), s.Support[0].Quote, s.Text)
		}
	}
	if len(at) == 0 {
		return nil
	}
	schema := fmt.Sprintf(`{"type":"object","required":["same"],"properties":{"same":{"type":"array","minItems":%d,"maxItems":%d,"items":{"type":"boolean"}}}}`, len(at), len(at))
	resp, err := w.asker.LLM.Complete(ctx, audit.Request{
		System: "For each number, say whether the sentence says only what its quote says: the same duty, the same numbers, the same persons, no condition left out. true or false.",
		Prompt: b.String() + "\nQuestion that they answer: " + w.u.text, Schema: json.RawMessage(schema), MaxTokens: 60, Deadline: w.patience(),
	})
	w.use.Calls++
	if err != nil {
		if ctx.Err() != nil || !usable(err) {
			return fmt.Errorf("check the answer: %w", err)
		}
		w.unsure = true // nobody has read it again
		return nil
	}
	w.use.PromptTokens += resp.PromptTokens
	w.use.OutputTokens += resp.OutputTokens
	var out struct {
		Same []bool `json:"same"`
	}
	if json.Unmarshal([]byte(resp.Text), &out) != nil || len(out.Same) != len(at) {
		w.unsure = true
		return nil
	}
	for i := len(at) - 1; i >= 0; i-- {
		if !out.Same[i] {
			w.sentences = slices.Delete(w.sentences, at[i], at[i]+1)
			w.whole--
			w.dropped++
		}
	}
	return nil
}
