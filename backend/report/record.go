package report

import (
	"encoding/json"

	"veristream/backend/audit"
)

// RecordEntry is an event as a report carries it: whole where it is about the
// audit, else by its digest alone, because the record holds other audits too.
type RecordEntry struct {
	Seq   int64        `json:"seq"`
	Hash  string       `json:"hash"`
	Event *audit.Event `json:"event,omitempty"`
}

func recordOf(events []audit.Event, auditID string) []RecordEntry {
	out := make([]RecordEntry, len(events))
	for i := range events {
		out[i] = RecordEntry{Seq: events[i].Seq, Hash: events[i].Hash}
		if events[i].Subject == auditID {
			out[i].Event = &events[i]
		}
	}
	return out
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
