package core

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"veristream/backend/align"
	"veristream/backend/audit"
	"veristream/backend/report"
	"veristream/backend/retrieve"
)

// alignSearch finds passages of documents for an alignment: within what the
// user named, nothing is refused.
type alignSearch struct {
	searcher *retrieve.Searcher
	fast     bool
}

// Find implements align.Searcher.
func (s alignSearch) Find(ctx context.Context, text string, documents []string, top int) ([]audit.Hit, error) {
	if words := strings.Fields(text); len(words) > 120 {
		text = strings.Join(words[:120], " ")
	}
	r, err := s.searcher.Search(ctx, retrieve.Query{
		Text: text, Top: top, NoRefuse: true, NoRerank: s.fast,
		Filter: audit.Filter{Corpora: []string{audit.CorpusDocuments}, Sources: documents},
	})
	return r.Hits, err
}

// Aligner lays designs beside handbooks and baselines.
func (a *Answers) Aligner(fast bool) *align.Aligner {
	return &align.Aligner{Search: alignSearch{a.Searcher, fast}, LLM: a.Asker.LLM}
}

// Alignment is what veristream align --json writes, and a signed report takes.
type Alignment struct {
	Schema    int                                 `json:"schema"`
	At        time.Time                           `json:"at"`
	Documents map[string][]report.AlignedDocument `json:"documents"`
	Model     string                              `json:"model,omitempty"` // that gave the reasons
	align.Report
}

// KeepAlignment dates an alignment, names its documents and keeps its digest in
// the record. ids are those of the design, the handbook and the baseline.
func (a *Answers) KeepAlignment(ctx context.Context, rep align.Report, ids [3][]string) (Alignment, error) {
	out := Alignment{Schema: audit.SchemaVersion, At: time.Now().UTC().Truncate(time.Second), Documents: map[string][]report.AlignedDocument{}, Report: rep}
	have, err := a.Store.Documents(ctx)
	if err != nil {
		return out, fmt.Errorf("list the documents: %w", err)
	}
	for i, role := range []string{"design", "handbook", "baseline"} {
		for _, d := range have {
			if slices.Contains(ids[i], d.ID) {
				out.Documents[role] = append(out.Documents[role], report.AlignedDocument{ID: d.ID, Title: d.Title, SHA256: d.SHA256})
			}
		}
	}
	if slices.ContainsFunc(rep.Links, func(l align.Link) bool { return l.ByModel }) {
		out.Model = a.Model
	}
	data, err := json.Marshal(out)
	if err != nil {
		return out, fmt.Errorf("write the alignment: %w", err)
	}
	sum, err := audit.Digest(data)
	if err != nil {
		return out, fmt.Errorf("write the alignment: %w", err)
	}
	design := ""
	if d := out.Documents["design"]; len(d) > 0 {
		design = d[0].ID
	}
	err = a.Store.AppendEvent(ctx, audit.EventAligned, design, report.AlignedEvent{SHA256: sum, Links: len(rep.Links)})
	if err != nil {
		return out, fmt.Errorf("keep the alignment in the record: %w", err)
	}
	return out, nil
}
