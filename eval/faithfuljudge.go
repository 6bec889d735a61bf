package eval

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"

	"veristream/backend/audit"
)

//go:embed prompts/faithful-system.v1.txt
var faithfulSystem string

const faithfulSchema = `{"type":"object","properties":{"supported":{"type":"string","enum":["yes","no"]}},"required":["supported"],"additionalProperties":false}`

// judgedSentences is how many different sentences a model is asked about, each
// twice, where nothing else is asked for.
const judgedSentences = 80

// AskJudge lets a model judge so many of the sentences (0: a fixed number),
// drawn by chance, and of as many sentences about other rules in their places,
// until the context ends.
// The same sentence about the same rule and words is asked once.
func (f *Faithfulness) AskJudge(ctx context.Context, name string, llm audit.LLM, most int, progress io.Writer) error {
	f.Judge, llm = name, patient{llm}
	same := map[string][]int{}
	var different []string
	for i, s := range f.Sentences {
		key := strings.Join([]string{string(s.By), s.Rule.Citation, s.Words, s.Text}, "\x00")
		if same[key] == nil {
			different = append(different, key)
		}
		same[key] = append(same[key], i)
	}
	if most <= 0 {
		most = judgedSentences
	}
	rand.New(rand.NewPCG(6, 9)).Shuffle(len(different), func(i, j int) { different[i], different[j] = different[j], different[i] })
	different = different[:min(most, len(different))]
	// One rule after another: the server has read its text already.
	slices.SortStableFunc(different, func(a, b string) int {
		return cmp.Compare(f.Sentences[same[a][0]].Rule.Citation, f.Sentences[same[b][0]].Rule.Citation)
	})
	others := f.others(different, same)
	for n, key := range different {
		first := f.Sentences[same[key][0]]
		judge, err := askFaithful(ctx, llm, first, first.Text)
		elsewhere := ""
		if other, ok := others[key]; ok && err == nil {
			elsewhere, err = askFaithful(ctx, llm, first, other)
		}
		if ctx.Err() != nil {
			break // whoever ends it sees what there is
		}
		if err != nil {
			return err
		}
		for _, i := range same[key] {
			f.Sentences[i].Judge, f.Sentences[i].Elsewhere = judge, elsewhere
		}
		fmt.Fprintf(progress, "\r%d of %d sentences", n+1, len(different))
	}
	fmt.Fprintln(progress)
	return nil
}

// others gives to each sentence one by the same writer about another rule.
func (f *Faithfulness) others(different []string, same map[string][]int) map[string]string {
	out := map[string]string{}
	for n, key := range different {
		s := f.Sentences[same[key][0]]
		for step := range different {
			other := f.Sentences[same[different[(n+len(different)/2+step)%len(different)]][0]]
			if other.By == s.By && other.Rule.Citation != s.Rule.Citation && other.Text != s.Text {
				out[key] = strings.ReplaceAll(other.Text, other.Rule.Citation, s.Rule.Citation) // its number would give it away
				break
			}
		}
	}
	return out
}

// askFaithful asks whether the rule and the words of one sentence support a text.
func askFaithful(ctx context.Context, llm audit.LLM, at RationaleSentence, text string) (string, error) {
	prompt := ""
	if at.Words != "" {
		prompt = fmt.Sprintf("Words of the video: %q\n", at.Words)
	}
	resp, err := llm.Complete(ctx, audit.Request{
		System: strings.TrimSpace(faithfulSystem),
		Prefix: fmt.Sprintf("Rule %s, %s:\n%s\n\n", at.Rule.Citation, at.Rule.Title, at.Rule.Text),
		Prompt: prompt + fmt.Sprintf("Sentence of the report: %q\nDo the rule and the words support it?", text),
		Schema: json.RawMessage(faithfulSchema), MaxTokens: 16,
	})
	if err != nil {
		return "", fmt.Errorf("judge a sentence of %s: %w", at.Case, err)
	}
	var reply struct {
		Supported string `json:"supported"`
	}
	if err := json.Unmarshal([]byte(resp.Text), &reply); err != nil {
		return "", fmt.Errorf("read the judge's reply: %w", err)
	}
	return reply.Supported, nil
}
