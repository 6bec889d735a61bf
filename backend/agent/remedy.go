package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"veristream/backend/audit"
)

// Wording is a draft of what could be said; one of its fields is set. Brackets
// stand for what only the user knows.
type Wording struct {
	Start   string `yaml:"start"`   // as the first sentence
	Instead string `yaml:"instead"` // of the words
	After   string `yaml:"after"`   // right after the words
}

// say gives the sentence and where it belongs.
func (w Wording) say() (text, where string) {
	switch {
	case w.Start != "":
		return w.Start, "at the start"
	case w.Instead != "":
		return w.Instead, "instead of these words"
	}
	return w.After, "right after these words"
}

// suggest completes a finding's remedy with a draft wording, where the audit of
// the video with that wording no longer makes the finding, and makes none on
// the wording. A draft that fails is not shown.
func (a *Auditor) suggest(ctx context.Context, in Input, s *Screened, c Candidate) (audit.Messages, error) {
	text, where := c.Category.Wording.say()
	if text == "" {
		return nil, nil
	}
	changed := reworded(in, s, c)
	if c.Category.Mode != ModeAbsence {
		changed.Segments = around(changed.Segments, s.Claims[c.Claim])
	}
	again, err := a.Examine(ctx, changed)
	if err != nil {
		return nil, fmt.Errorf("audit the draft for %s: %w", c.Category.ID, err)
	}
	for _, i := range again.Open() {
		x := again.Candidates[i]
		if x.final() < x.lines().keep {
			continue
		}
		claim := again.Claims[x.Claim]
		here := slices.ContainsFunc(claim.Parts, func(p Part) bool { return changed.Segments[p.Segment].ID == draftID })
		same := x.Category.ID == c.Category.ID && (c.Category.Mode == ModeAbsence || claim.Norm == s.Claims[c.Claim].Norm)
		if here && x.Category.Mode != ModeAbsence || same {
			return nil, nil
		}
	}
	return audit.Say("Draft wording, {=0}, which the same audit passes: “{1}”", where, text), nil
}

// nearMS is how far round a claim the tests look that do not look everywhere.
const nearMS = 60_000

// around keeps what stands within a minute of a claim: enough for what is said
// beside it, and little to audit again.
func around(segments []audit.Segment, claim Claim) []audit.Segment {
	var out []audit.Segment
	for _, s := range segments {
		if s.ID == draftID || s.StartMS <= claim.EndMS+nearMS && s.EndMS >= claim.StartMS-nearMS {
			out = append(out, s)
		}
	}
	return out
}

// draftID is the segment of a draft wording.
const draftID = "draft"

// reworded gives the video with the wording in its place.
func reworded(in Input, s *Screened, c Candidate) Input {
	text, _ := c.Category.Wording.say()
	claim := s.Claims[c.Claim]
	length := int64(400 * len(strings.Fields(text)))
	draft := audit.Segment{ID: draftID, Source: audit.Speech, Text: text, Confidence: 1}
	out := in
	out.Segments = nil
	switch w := c.Category.Wording; {
	case w.Start != "":
		draft.StartMS, draft.EndMS = 0, length
		out.Segments = append([]audit.Segment{draft}, in.Segments...)
		return out
	case w.Instead != "":
		draft.Source, draft.StartMS, draft.EndMS = claim.Source, claim.StartMS, claim.EndMS
		for i, seg := range in.Segments {
			rest, put := seg, false
			for _, p := range claim.Parts {
				if p.Segment != i {
					continue
				}
				rest.Words = nil
				rest.Text = strings.TrimSpace(strings.Replace(rest.Text, seg.Text[p.Start:p.End], "", 1))
				put = put || p == claim.Parts[0]
			}
			if put {
				out.Segments = append(out.Segments, draft)
			}
			if rest.Text != "" {
				out.Segments = append(out.Segments, rest)
			}
		}
		return out
	}
	last := claim.Parts[len(claim.Parts)-1].Segment
	draft.StartMS, draft.EndMS = claim.EndMS, claim.EndMS+length
	out.Segments = append(out.Segments, in.Segments[:last+1]...)
	out.Segments = append(out.Segments, draft)
	out.Segments = append(out.Segments, in.Segments[last+1:]...)
	return out
}

// remembering gives small models that answer what they were asked before from
// memory: a draft changes one sentence of many.
func remembering(c audit.Classifier, e audit.Embedder) (audit.Classifier, audit.Embedder) {
	if _, ok := c.(*rememberedClasses); c != nil && !ok {
		c = &rememberedClasses{Classifier: c, known: map[audit.TextInContext]map[string]float64{}}
	}
	if _, ok := e.(*rememberedVectors); e != nil && !ok {
		e = &rememberedVectors{Embedder: e, known: map[string][]float32{}}
	}
	return c, e
}

type rememberedClasses struct {
	audit.Classifier

	known map[audit.TextInContext]map[string]float64
}

// Classify asks only what is new.
func (r *rememberedClasses) Classify(ctx context.Context, texts []audit.TextInContext) ([]map[string]float64, error) {
	return remember(texts, r.known, func(fresh []audit.TextInContext) ([]map[string]float64, error) {
		return r.Classifier.Classify(ctx, fresh)
	})
}

type rememberedVectors struct {
	audit.Embedder

	known map[string][]float32
}

// Embed asks only what is new. All texts have one role here.
func (r *rememberedVectors) Embed(ctx context.Context, role audit.Role, texts []string) ([][]float32, error) {
	return remember(texts, r.known, func(fresh []string) ([][]float32, error) { return r.Embedder.Embed(ctx, role, fresh) })
}

func remember[K comparable, V any](keys []K, known map[K]V, ask func([]K) ([]V, error)) ([]V, error) {
	var fresh []K
	for _, k := range keys {
		if _, ok := known[k]; !ok && !slices.Contains(fresh, k) {
			fresh = append(fresh, k)
		}
	}
	if len(fresh) > 0 {
		answers, err := ask(fresh)
		if err != nil {
			return nil, err
		}
		for i, k := range fresh {
			known[k] = answers[i]
		}
	}
	out := make([]V, len(keys))
	for i, k := range keys {
		out[i] = known[k]
	}
	return out, nil
}
