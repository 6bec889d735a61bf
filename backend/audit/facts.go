package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"
)

// Facts are what a person says about a video: they decide which rules can
// bind the speaker. Every one of them may be unknown.
type Facts struct {
	Speaker   string `json:"speaker"`
	Paid      string `json:"paid"`
	Options   string `json:"options"`
	Audience  string `json:"audience"`
	Sponsor   string `json:"sponsor"`
	Published string `json:"published,omitempty"` // YYYY-MM-DD
}

// Unknown is the honest answer to every question of the facts.
const Unknown = "unknown"

// FactValues lists the answers that each question takes, without "unknown",
// in the order in which the window offers them.
func FactValues() map[string][]string {
	return map[string][]string{
		"speaker": {
			"finra_member", "registered_adviser", "state_adviser", "paid_endorser",
			"unpaid_consumer", "issuer", "publisher", "private_person", "employee",
		},
		"paid":     {"yes", "no"},
		"options":  {"yes", "no"},
		"audience": {"retail", "institutional"},
		"sponsor":  {"finra_member", "registered_adviser", "other_business", "none"},
	}
}

// WithDefaults fills empty answers with "unknown".
func (f Facts) WithDefaults() Facts {
	for _, p := range []*string{&f.Speaker, &f.Paid, &f.Options, &f.Audience, &f.Sponsor} {
		if *p == "" {
			*p = Unknown
		}
	}
	return f
}

// Validate says which answer is not one of those that a question takes.
func (f Facts) Validate() error {
	values := FactValues()
	for _, q := range []struct{ name, got string }{
		{"speaker", f.Speaker},
		{"paid", f.Paid},
		{"options", f.Options},
		{"audience", f.Audience},
		{"sponsor", f.Sponsor},
	} {
		if q.got != "" && q.got != Unknown && !slices.Contains(values[q.name], q.got) {
			return Errorf(CodeUsage, "The fact %q cannot be %q; it takes one of %v or %q.",
				q.name, q.got, values[q.name], Unknown)
		}
	}
	if f.Published != "" && f.Published != Unknown {
		if _, err := time.Parse(time.DateOnly, f.Published); err != nil {
			return Wrap(err, CodeUsage, "The fact \"published\" must be a date such as 2026-03-01, not %q.", f.Published)
		}
	}
	return nil
}

// ParseFacts reads facts as JSON and refuses keys that it does not know, so
// that a misspelt key is not taken for an unknown fact.
func ParseFacts(data []byte) (Facts, error) {
	var f Facts
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&f); err != nil {
		return Facts{}, Wrap(err, CodeUsage, "The facts are not valid JSON of the documented shape.")
	}
	if err := dec.Decode(&struct{}{}); !errors.Is(err, io.EOF) {
		return Facts{}, Errorf(CodeUsage, "The facts file has something after its JSON object.")
	}
	if err := f.Validate(); err != nil {
		return Facts{}, fmt.Errorf("check the facts: %w", err)
	}
	return f.WithDefaults(), nil
}

// PublishedOn gives the date of publication; ok is false when it is unknown.
func (f Facts) PublishedOn() (t time.Time, ok bool) {
	t, err := time.Parse(time.DateOnly, f.Published)
	return t, err == nil
}
