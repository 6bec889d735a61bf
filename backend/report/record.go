package report

import (
	"bytes"
	"encoding/json"
	"fmt"

	"veristream/backend/audit"
)

// RecordEntry is an event as a report carries it: whole where it is about the
// audit, else by its digest alone, because the record holds other audits too.
type RecordEntry struct {
	Seq   int64        `json:"seq"`
	Hash  string       `json:"hash"`
	Event *audit.Event `json:"event,omitempty"`
}

func recordOf(events []audit.Event, whole func(audit.Event) bool) []RecordEntry {
	out := make([]RecordEntry, len(events))
	for i := range events {
		out[i] = RecordEntry{Seq: events[i].Seq, Hash: events[i].Hash}
		if whole(events[i]) {
			out[i].Event = &events[i]
		}
	}
	return out
}

// recordEntries gives the record as the report carries it: whole is what is
// about the audit, and the entry of the alignment that goes with it.
func (in *Input) recordEntries() ([]RecordEntry, error) {
	aligned := int64(0)
	if in.Alignment != nil {
		sum, err := in.Alignment.Digest()
		if err != nil {
			return nil, fmt.Errorf("read the alignment: %w", err)
		}
		aligned = AlignmentEntry(in.Events, sum)
	}
	return recordOf(in.Events, func(e audit.Event) bool {
		return e.Subject == in.Result.ID || aligned != 0 && e.Seq == aligned
	}), nil
}

// checkRecord walks the entries that a report carries and gives the number of
// the first that does not fit; 0 when all do.
func checkRecord(entries []RecordEntry) int64 {
	prev := ""
	for i, e := range entries {
		if e.Event != nil {
			// An attachment is indented; the record holds each event's data in one form.
			data, err := audit.CanonicalJSON(e.Event.Data)
			if err != nil {
				return e.Seq
			}
			event := *e.Event
			event.Data = json.RawMessage(data)
			sum, err := event.Sum()
			if err != nil || sum != e.Hash || event.Hash != e.Hash || event.Seq != e.Seq || i > 0 && event.Prev != prev || i == 0 && event.Prev != "" {
				return e.Seq
			}
		}
		if i > 0 && e.Seq <= entries[i-1].Seq {
			return e.Seq
		}
		prev = e.Hash
	}
	return 0
}

// agrees says how the record of an audit contradicts the audit as it is
// attached, or its decisions; empty when it does not. Records of older versions
// have no digests and are held to less.
func agrees(entries []RecordEntry, byName map[string][]byte) string {
	var decided []json.RawMessage
	if err := json.Unmarshal(byName[fileDecisions], &decided); err != nil {
		return "decisions.json cannot be read."
	}
	n, sum, at := 0, "", int64(0)
	for _, e := range entries {
		if e.Event == nil {
			continue
		}
		switch e.Event.Kind {
		case audit.EventDone, audit.EventCompared:
			var done struct {
				SHA256 string `json:"result_sha256"`
			}
			if err := json.Unmarshal(e.Event.Data, &done); err != nil {
				return fmt.Sprintf("Entry %d of the record cannot be read.", e.Seq)
			}
			sum, at = done.SHA256, e.Seq
		case audit.EventDecision, audit.EventCarried:
			if n >= len(decided) || !sameJSON(decided[n], e.Event.Data) {
				return fmt.Sprintf("The decision in entry %d of the record is not among those of the report.", e.Seq)
			}
			n++
		}
	}
	if at > 0 && n != len(decided) {
		return fmt.Sprintf("The report has %d decisions, its record %d.", len(decided), n)
	}
	if sum == "" {
		return ""
	}
	if have, err := audit.Digest(byName[fileAudit]); err != nil || have != sum {
		return fmt.Sprintf("The audit is not the one that entry %d of the record was written for.", at)
	}
	return ""
}

func sameJSON(a, b []byte) bool {
	x, errA := audit.CanonicalJSON(a)
	y, errB := audit.CanonicalJSON(b)
	return errA == nil && errB == nil && bytes.Equal(x, y)
}
