package agent

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"text/template"

	"veristream/backend/audit"
)

// What one question may hold. A small model reads a short context better, and
// on two cores a hundred tokens that the server has not seen cost two seconds:
// the transcript is shared by all questions, so only the question itself counts.
const (
	maxTranscriptLines = 120
	maxTitleRunes      = 70
	judgeTokens        = 32
	leastCalls         = 4
	callsPerMinute     = 4
	mostCalls          = 60
)

// Judge asks the language model about the open candidates, the strongest first
// and no more than the limit. What the screener is sure of either way is not
// asked. An answer that cannot be had is an error, never a "no".
func (a *Auditor) Judge(ctx context.Context, in Input, s *Screened, each func(done, total int)) (audit.LLMUse, error) {
	var use audit.LLMUse
	if a.LLM == nil {
		return use, nil
	}
	order := s.Open()
	sortStable(order, func(x, y int) bool { return s.Candidates[x].final() > s.Candidates[y].final() })
	order = oncePerQuestion(s, order)
	order = order[:min(a.limit(in.DurationMS), len(order))]
	p, err := loadPrompts()
	if err != nil {
		return use, err
	}
	for n, i := range order {
		c := &s.Candidates[i]
		req, err := p.request(a, in, s, *c)
		if err != nil {
			return use, err
		}
		j, resp, err := a.ask(ctx, req)
		use.Calls++
		use.PromptTokens += resp.PromptTokens
		use.OutputTokens += resp.OutputTokens
		if err != nil {
			return use, fmt.Errorf("judge %s at %s: %w", c.Category.ID, stamp(s.Claims[c.Claim].StartMS), err)
		}
		s.answer(*c, j)
		if each != nil {
			each(n+1, len(order))
		}
	}
	return use, nil
}

// limit is how many calls a video may need: a minute of video, a minute of the
// model's time on two cores.
func (a *Auditor) limit(durationMS int64) int {
	if a.MaxCalls > 0 {
		return a.MaxCalls
	}
	return min(leastCalls+callsPerMinute*int(durationMS/60_000), mostCalls)
}

// oncePerQuestion keeps one candidate for each pair of claim and behaviour: the
// question is about the words, and categories that share it share the answer.
func oncePerQuestion(s *Screened, order []int) []int {
	seen := map[string]bool{}
	var out []int
	for _, i := range order {
		c := s.Candidates[i]
		if c.Category.Mode == ModeAbsence || c.final() < c.lines().ask || c.final() >= c.lines().plain {
			continue // code or the screener has settled it
		}
		key := fmt.Sprintf("%d|%s", c.Claim, c.Signal.Behaviour)
		if !seen[key] {
			seen[key] = true
			out = append(out, i)
		}
	}
	return out
}

// answer gives the answer to every candidate with the same question.
func (s *Screened) answer(about Candidate, j Judgement) {
	for i := range s.Candidates {
		c := &s.Candidates[i]
		if c.Claim == about.Claim && c.Signal.Behaviour == about.Signal.Behaviour && c.Category.Mode != ModeAbsence {
			c.Judge = j
		}
	}
}

// ask asks once more where a reply cannot be used: a small model stumbles, and
// the server's seed moves with the attempt.
func (a *Auditor) ask(ctx context.Context, req audit.Request) (Judgement, audit.Response, error) {
	var total audit.Response
	var err error
	for range 2 {
		var resp audit.Response
		resp, err = a.LLM.Complete(ctx, req)
		total.PromptTokens += resp.PromptTokens
		total.OutputTokens += resp.OutputTokens
		if err == nil {
			var j Judgement
			if j, err = readJudgement(resp); err == nil {
				return j, total, nil
			}
		}
		if ctx.Err() != nil || (audit.CodeOf(err) != audit.CodeReply && !errors.Is(err, errReply)) {
			return Judgement{}, total, err
		}
	}
	return Judgement{}, total, err
}

var errReply = errors.New("the reply is not of the shape asked for")

func readJudgement(resp audit.Response) (Judgement, error) {
	var r struct {
		Triggered string `json:"triggered"`
		Met       string `json:"met"`
	}
	if err := json.Unmarshal([]byte(resp.Text), &r); err != nil {
		return Judgement{}, fmt.Errorf("%w: %w", errReply, err)
	}
	if (r.Triggered != "yes" && r.Triggered != "no") || (r.Met != "yes" && r.Met != "no") {
		return Judgement{}, fmt.Errorf("%w: %s", errReply, resp.Text)
	}
	return Judgement{
		Asked:     true,
		Triggered: probability(resp, `"triggered"`, r.Triggered),
		Met:       probability(resp, `"met"`, r.Met),
	}, nil
}

// probability reads how sure the model was of its answer from the tokens'
// probabilities; where the server gives none, the answer counts as certain.
func probability(resp audit.Response, key, answer string) float64 {
	var text strings.Builder
	for _, t := range resp.Tokens {
		word := strings.ToLower(strings.Trim(t.Text, ` "`))
		if strings.Contains(text.String(), key) && (word == "yes" || word == "no") {
			yes, no := 0.0, 0.0
			for alt, p := range t.Alternatives {
				switch strings.ToLower(strings.Trim(alt, ` "`)) {
				case "yes":
					yes += p
				case "no":
					no += p
				}
			}
			if yes+no > 0 {
				return yes / (yes + no)
			}
		}
		text.WriteString(t.Text)
	}
	if answer == "yes" {
		return 1
	}
	return 0
}

// The reply is two words: on two cores each token that is written costs as much
// as five that are read.
const judgeSchema = `{"type":"object","properties":{"triggered":{"type":"string","enum":["yes","no"]},"met":{"type":"string","enum":["yes","no"]}},"required":["triggered","met"],"additionalProperties":false}`

type prompts struct {
	system           string
	prefix, question *template.Template
	hashes           map[string]string
}

func loadPrompts() (*prompts, error) {
	p := &prompts{hashes: map[string]string{}}
	read := func(name string) (string, error) {
		b, err := fs.ReadFile(dataFiles, "prompts/"+name)
		if err != nil {
			return "", fmt.Errorf("read prompt: %w", err)
		}
		sum := sha256.Sum256(b)
		p.hashes[name] = hex.EncodeToString(sum[:])
		return string(b), nil
	}
	system, err := read("judge-system.v3.txt")
	if err != nil {
		return nil, err
	}
	p.system = strings.TrimSpace(system)
	for _, t := range []struct {
		name string
		into **template.Template
	}{{"judge-prefix.v1.txt", &p.prefix}, {"judge-question.v3.txt", &p.question}} {
		text, err := read(t.name)
		if err != nil {
			return nil, err
		}
		if *t.into, err = template.New(t.name).Parse(text); err != nil {
			return nil, fmt.Errorf("read prompt %s: %w", t.name, err)
		}
	}
	return p, nil
}

// Prompts gives the hash of every prompt, for the result's record.
func Prompts() (map[string]string, error) {
	p, err := loadPrompts()
	if err != nil {
		return nil, err
	}
	return p.hashes, nil
}

func (p *prompts) request(a *Auditor, in Input, s *Screened, c Candidate) (audit.Request, error) {
	prefix, err := p.transcript(in, s, c)
	if err != nil {
		return audit.Request{}, err
	}
	b := a.behaviour(c)
	claim := s.Claims[c.Claim]
	rule := ""
	if len(c.Hits) > 0 {
		rule = strings.TrimSpace(c.Hits[0].Passage.Citation + " " + cut(c.Hits[0].Passage.Title, maxTitleRunes))
	}
	var q bytes.Buffer
	err = p.question.Execute(&q, map[string]any{
		"Time": stamp(claim.StartMS), "Source": claim.Source, "Words": claim.Text, "Question": b.Question,
		"Yes": head(b.Examples, 1), "No": head(b.LookAlikes, 1), "Rule": rule,
		"Met": metQuestion(c.Category),
	})
	if err != nil {
		return audit.Request{}, fmt.Errorf("write the question: %w", err)
	}
	return audit.Request{
		System: p.system, Prefix: prefix, Prompt: q.String(), MaxTokens: judgeTokens,
		Schema: json.RawMessage(judgeSchema),
	}, nil
}

func metQuestion(c Category) string {
	if c.Mode == ModeUnless {
		return "Does the video say elsewhere what the rule asks for?"
	}
	return "Are these words taken back elsewhere in the video?"
}

// transcript writes the part that all questions of one video share. A long
// video is cut into windows of whole lines, and the note says so: nothing is
// left out silently.
func (p *prompts) transcript(in Input, s *Screened, c Candidate) (string, error) {
	window := c.Claim / maxTranscriptLines
	from, to := window*maxTranscriptLines, min(len(s.Claims), (window+1)*maxTranscriptLines)
	note := "whole"
	if len(s.Claims) > maxTranscriptLines {
		note = fmt.Sprintf("lines %d to %d of %d", from+1, to, len(s.Claims))
	}
	lines := make([]string, 0, to-from)
	for _, x := range s.Claims[from:to] {
		mark := ""
		if x.Source != audit.Speech {
			mark = " (" + string(x.Source) + ")"
		}
		lines = append(lines, fmt.Sprintf("%s%s %s", stamp(x.StartMS), mark, x.Text))
	}
	f := in.Facts.WithDefaults()
	var b bytes.Buffer
	err := p.prefix.Execute(&b, map[string]any{
		"Speaker": strings.ReplaceAll(f.Speaker, "_", " "), "Paid": f.Paid,
		"Sponsor": strings.ReplaceAll(f.Sponsor, "_", " "), "Audience": f.Audience, "Note": note, "Lines": lines,
	})
	if err != nil {
		return "", fmt.Errorf("write the transcript: %w", err)
	}
	return b.String(), nil
}

func head(list []string, n int) []string { return list[:min(n, len(list))] }

func cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n]) + "…"
}
