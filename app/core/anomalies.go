package core

import (
	"context"
	"fmt"
	"slices"

	"veristream/backend/ask"
	"veristream/backend/audit"
)

// Anomalies says what is odd about the documents that an answer rests on, and
// which of its passages were read from a picture.
func (a *Answers) Anomalies(ctx context.Context, ans ask.Answer) ([]string, error) {
	out := []string{}
	if !slices.ContainsFunc(ans.Hits, func(h audit.Hit) bool { return h.Passage.Corpus == audit.CorpusDocuments }) {
		return out, nil
	}
	have, err := a.Store.Documents(ctx)
	if err != nil {
		return nil, fmt.Errorf("list the documents: %w", err)
	}
	add := func(s string) {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	for _, s := range ans.Sentences {
		for _, sup := range s.Support {
			at := slices.IndexFunc(have, func(d audit.Document) bool { return d.ID == sup.Source })
			if at < 0 || sup.Passage < 1 || sup.Passage > len(ans.Hits) {
				continue
			}
			if note := pictureNote(ans.Hits[sup.Passage-1].Passage, have[at].Title); note != "" {
				add(note)
			}
			for _, odd := range have[at].Anomalies {
				add(have[at].Title + ": " + odd)
			}
		}
	}
	return out, nil
}

// pictureNote says of a passage that was read from a picture where that is, and
// how sure the reading is; empty for any other.
func pictureNote(p audit.Passage, title string) string {
	if p.Meta[audit.MetaReadFrom] != audit.ReadFromPicture {
		return ""
	}
	page := fmt.Sprintf("page %d", p.FirstPage)
	if p.LastPage > p.FirstPage {
		page = fmt.Sprintf("pages %d to %d", p.FirstPage, p.LastPage)
	}
	return fmt.Sprintf("%s: what is quoted of %s was read from a picture, with confidence %s.", title, page, p.Meta[audit.MetaConfidence])
}
