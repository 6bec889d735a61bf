// Package verify owns the checks in code that every finding must pass before a
// person sees it: its words stand in the video, its citation was retrieved and
// resolves, its times lie in the video. A language model's word counts for
// nothing here. What fails is dropped and listed with its reason.
package verify

import (
	"fmt"
	"slices"

	"veristream/backend/audit"
	"veristream/backend/words"
)

// Input is what findings are checked against.
type Input struct {
	Segments   []audit.Segment
	DurationMS int64
	// Retrieved holds the citations that were retrieved for each finding.
	Retrieved map[string][]string
	// Resolves says whether a citation names a paragraph of the rules.
	Resolves func(citation string) bool
}

// Findings gives the findings that pass, with their excerpts replaced by the
// segment's own characters, and the others with their reasons.
func Findings(findings []audit.Finding, in Input) (passed []audit.Finding, dropped []audit.Dropped) {
	byID := map[string]audit.Segment{}
	for _, s := range in.Segments {
		byID[s.ID] = s
	}
	for _, f := range findings {
		f, reason := check(f, byID, in)
		if reason != "" {
			dropped = append(dropped, audit.Dropped{
				Reason: reason, Excerpt: f.Excerpt, Citation: f.Citation, Category: f.Category, StartMS: f.StartMS,
			})
			continue
		}
		passed = append(passed, f)
	}
	return passed, dropped
}

func check(f audit.Finding, segments map[string]audit.Segment, in Input) (audit.Finding, string) {
	cite, err := audit.ParseCitation(f.Citation)
	if err != nil {
		return f, fmt.Sprintf("The citation %q cannot be read.", f.Citation)
	}
	f.Citation = cite.String()
	if in.Resolves != nil && !in.Resolves(f.Citation) {
		return f, fmt.Sprintf("The citation %s names no paragraph of the rules.", f.Citation)
	}
	if !slices.ContainsFunc(in.Retrieved[f.ID], func(r string) bool { return sameParagraph(cite, r) }) {
		return f, fmt.Sprintf("The citation %s was not among the rules that were retrieved.", f.Citation)
	}
	// What stands under a video has no time: there, and only there, both are 0.
	timeless := segments[f.SegmentID].Source == audit.Description && f.StartMS == 0 && f.EndMS == 0
	if !timeless && (f.StartMS < 0 || f.EndMS <= f.StartMS || (in.DurationMS > 0 && f.EndMS > in.DurationMS)) {
		return f, fmt.Sprintf("The times %d to %d ms do not lie in the video.", f.StartMS, f.EndMS)
	}
	if f.Excerpt == "" {
		if f.Evidence == "" {
			return f, "It has neither words nor evidence."
		}
		return f, ""
	}
	seg, ok := segments[f.SegmentID]
	if !ok {
		return f, fmt.Sprintf("The segment %q does not exist.", f.SegmentID)
	}
	if !seg.Audited() {
		return f, "The words stand in a segment that is not trusted: " + seg.Flag + "."
	}
	start, end, ok := words.Find(seg.Text, f.Excerpt)
	if !ok {
		return f, "The words do not stand in the transcript at this place."
	}
	f.Excerpt = seg.Text[start:end]
	if f.EndMS < seg.StartMS || f.StartMS > seg.EndMS {
		return f, "The words stand at another time than the finding says."
	}
	return f, ""
}

// sameParagraph says whether what was retrieved is the paragraph, or holds it.
func sameParagraph(cite audit.Citation, retrieved string) bool {
	r, err := audit.ParseCitation(retrieved)
	return err == nil && cite.Equal(r)
}
