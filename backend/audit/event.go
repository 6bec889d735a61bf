package audit

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// Event is an entry of the record: what happened, to what, by whom. Hash is
// over the entry, which holds the hash of the one before it, so that nothing
// inside the record can be changed, moved or taken out unseen.
type Event struct {
	Seq     int64           `json:"seq"`
	At      time.Time       `json:"at"`
	Mono    *int64          `json:"mono,omitempty"` // ms since the process opened the record
	Kind    string          `json:"kind"`
	Subject string          `json:"subject"`
	By      string          `json:"by,omitempty"` // the user of the computer
	Data    json.RawMessage `json:"data"`
	Prev    string          `json:"prev"`
	Hash    string          `json:"hash"`
}

// The kinds of events that others look for.
const (
	EventDone      = "audit done"
	EventCompared  = "audit compared" // with an earlier audit of the same work
	EventDecision  = "decision"
	EventCorrected = "transcript corrected"
	EventCarried   = "decision carried" // from that earlier audit
	EventSigned    = "signed"
	EventApproved  = "approved"
	EventExported  = "exported"
	EventAsked     = "asked"   // a question with its answer
	EventAligned   = "aligned" // a design with a handbook and controls
)

// Sum gives the hash that the entry must have: SHA-256 of its canonical JSON
// without the hash. Entries from before there were names in the record have no
// Mono, and the hash of their parts, each after its length.
func (e Event) Sum() (string, error) {
	h := sha256.New()
	if e.Mono == nil {
		for _, part := range []string{e.Prev, strconv.FormatInt(e.At.UnixMilli(), 10), e.Kind, e.Subject, string(e.Data)} {
			fmt.Fprintf(h, "%d:%s", len(part), part)
		}
		return hex.EncodeToString(h.Sum(nil)), nil
	}
	data, err := json.Marshal(map[string]any{
		"at": e.At.UnixMilli(), "by": e.By, "data": e.Data, "kind": e.Kind, "mono": *e.Mono, "prev": e.Prev, "subject": e.Subject,
	})
	if err == nil {
		data, err = CanonicalJSON(data)
	}
	if err != nil {
		return "", fmt.Errorf("write event %d: %w", e.Seq, err)
	}
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil)), nil
}

// CheckEvents walks a record from its first entry and gives the number of the
// first entry that does not fit; 0 when all do. What it cannot see is that
// entries were cut off at the end, or that everything was written anew.
func CheckEvents(events []Event) (int64, error) {
	prev := ""
	for _, e := range events {
		sum, err := e.Sum()
		if err != nil {
			return e.Seq, err
		}
		if e.Prev != prev || e.Hash != sum {
			return e.Seq, nil
		}
		prev = e.Hash
	}
	return 0, nil
}
