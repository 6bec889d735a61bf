// Package verify owns the checks in code that every finding must pass before a
// person sees it: its words stand in the video, its citation was retrieved and
// resolves, its times lie in the video, its rationale says no more than the rule
// and the words. A language model's word counts for nothing here. What fails is
// dropped and listed with its reason.
package verify

import (
	"slices"
	"strconv"

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
	// Card gives what the project's card says of a paragraph; nil: there are none.
	Card func(citation string) string
	// Said has what the rationales were made of and takes what the reasons are
	// made of; nil: nobody knows and nobody asks.
	Said audit.Said
}

// Findings gives the findings that pass, with their excerpts replaced by the
// segment's own characters and their rationales without what nothing supports,
// and all that was dropped with its reason.
func Findings(findings []audit.Finding, in Input) (passed []audit.Finding, dropped []audit.Dropped) {
	byID := map[string]audit.Segment{}
	for _, s := range in.Segments {
		byID[s.ID] = s
	}
	for _, f := range findings {
		f, reason := check(f, byID, in)
		if len(reason) > 0 {
			dropped = append(dropped, audit.Dropped{
				Reason: in.Said.Say(reason), Excerpt: f.Excerpt, Citation: f.Citation, Category: f.Category, StartMS: f.StartMS,
			})
			continue
		}
		var lost []string
		f.Rationale, lost = in.rationale(f)
		for _, sentence := range lost {
			dropped = append(dropped, audit.Dropped{
				Reason:  in.Said.Say(audit.Say("This sentence of the rationale says more than the rule, its card and the words of the video: “{0}”", sentence)),
				Excerpt: f.Excerpt, Citation: f.Citation, Category: f.Category, StartMS: f.StartMS,
			})
		}
		passed = append(passed, f)
	}
	return passed, dropped
}

func check(f audit.Finding, segments map[string]audit.Segment, in Input) (audit.Finding, audit.Messages) {
	cite, err := audit.ParseCitation(f.Citation)
	if err != nil {
		return f, audit.Say("The citation “{0}” cannot be read.", f.Citation)
	}
	f.Citation = cite.String()
	if in.Resolves != nil && !in.Resolves(f.Citation) {
		return f, audit.Say("The citation {0} names no paragraph of the rules.", f.Citation)
	}
	if !slices.ContainsFunc(in.Retrieved[f.ID], func(r string) bool { return sameParagraph(cite, r) }) {
		return f, audit.Say("The citation {0} was not among the rules that were retrieved.", f.Citation)
	}
	// What stands under a video has no time: there, and only there, both are 0.
	timeless := segments[f.SegmentID].Source == audit.Description && f.StartMS == 0 && f.EndMS == 0
	if !timeless && (f.StartMS < 0 || f.EndMS <= f.StartMS || (in.DurationMS > 0 && f.EndMS > in.DurationMS)) {
		return f, audit.Say("The times {0} to {1} ms do not lie in the video.", strconv.FormatInt(f.StartMS, 10), strconv.FormatInt(f.EndMS, 10))
	}
	if f.Excerpt == "" {
		if f.Evidence == "" {
			return f, audit.Say("It has neither words nor evidence.")
		}
		return f, nil
	}
	seg, ok := segments[f.SegmentID]
	if !ok {
		return f, audit.Say("The segment “{0}” does not exist.", f.SegmentID)
	}
	if !seg.Audited() {
		return f, audit.Say("The words stand in a segment that is not trusted: {=0}.", seg.Flag)
	}
	start, end, ok := words.Find(seg.Text, f.Excerpt)
	if !ok {
		return f, audit.Say("The words do not stand in the transcript at this place.")
	}
	f.Excerpt = seg.Text[start:end]
	if f.EndMS < seg.StartMS || f.StartMS > seg.EndMS {
		return f, audit.Say("The words stand at another time than the finding says.")
	}
	return f, nil
}

// sameParagraph says whether what was retrieved is the paragraph, or holds it.
func sameParagraph(cite audit.Citation, retrieved string) bool {
	r, err := audit.ParseCitation(retrieved)
	return err == nil && cite.Equal(r)
}
