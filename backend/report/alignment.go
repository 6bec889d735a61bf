package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"veristream/backend/audit"
	"veristream/backend/report/pdf"
)

// Alignment lays the elements of a design beside the controls of a baseline and
// what a handbook says of them. veristream align --json writes it.
type Alignment struct {
	At        time.Time                    `json:"at"`
	Documents map[string][]AlignedDocument `json:"documents"` // design, handbook, baseline
	Elements  []AlignedElement             `json:"elements"`
	Links     []AlignedLink                `json:"links"`
	Without   []string                     `json:"without,omitempty"` // elements for which no control was found

	raw json.RawMessage
}

// AlignedDocument is one of the documents that were compared.
type AlignedDocument struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	SHA256 string `json:"sha256"` // of the file
}

// AlignedElement is a part of the design.
type AlignedElement struct {
	Name  string `json:"name"`
	Place string `json:"place"`
}

// AlignedLink is a row of the table: element, control, passage of the handbook.
type AlignedLink struct {
	Element  string `json:"element"`
	Place    string `json:"place"`
	Control  string `json:"control"`
	Title    string `json:"title"`
	Requires string `json:"requires"`
	State    string `json:"state"` // covered, partly, missing
	Handbook string `json:"handbook"`
	Quote    string `json:"quote"`
	Lacks    string `json:"lacks"`
}

// The roles of the documents, and the states of a link, in the order in which
// they are told.
var (
	alignedRoles  = []string{"design", "handbook", "baseline"}
	alignedStates = []string{"covered", "partly", "missing"}
)

// ReadAlignment reads what veristream align --json wrote.
func ReadAlignment(data []byte) (*Alignment, error) {
	var a Alignment
	err := json.Unmarshal(data, &a)
	if err == nil && (len(a.Elements) == 0 || len(a.Documents["design"]) == 0) {
		err = fmt.Errorf("it names %d elements and %d designs", len(a.Elements), len(a.Documents["design"]))
	}
	for _, l := range a.Links {
		if err == nil && (l.Element == "" || l.Control == "" || !slices.Contains(alignedStates, l.State)) {
			err = fmt.Errorf("a link has the state %q", l.State)
		}
	}
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "The file is no alignment as veristream align --json writes it.")
	}
	a.raw = data
	return &a, nil
}

// Digest gives the SHA-256 of the alignment's canonical JSON.
func (a *Alignment) Digest() (string, error) { return audit.Digest(a.raw) }

// AlignedEvent is what the record keeps of an alignment.
type AlignedEvent struct {
	SHA256 string `json:"sha256"` // Alignment.Digest
	Links  int    `json:"links"`
}

// AlignmentEntry gives the number of the event in which the record keeps the
// alignment with this digest; 0: in none.
func AlignmentEntry(events []audit.Event, digest string) int64 {
	for _, e := range events {
		var kept AlignedEvent
		if e.Kind == audit.EventAligned && json.Unmarshal(e.Data, &kept) == nil && kept.SHA256 == digest {
			return e.Seq
		}
	}
	return 0
}

// alignment writes the table of element, control and passage.
func (f *flow) alignment(a *Alignment) {
	if a == nil {
		return
	}
	f.title(f.t("Alignment of documents"), "alignment")
	f.para(plain(f.t("What a program proposes by comparing words: for each element of a design the controls that may apply, and what a handbook says of them. Whether a control applies and is met, a person has to say.")))
	f.gap(4)
	var pairs [][2]string
	for _, role := range alignedRoles {
		for _, d := range a.Documents[role] {
			pairs = append(pairs, [2]string{"role " + role, d.Title}, [2]string{"SHA-256", d.SHA256})
		}
	}
	f.pairs(append(pairs, [2]string{"Made on", f.date(a.At)}), map[string]bool{"SHA-256": true})
	n := map[string]int{}
	for _, l := range a.Links {
		n[l.State]++
	}
	f.gap(4)
	f.para(plain(f.f("%d elements, %d links: %d covered, %d in part, %d missing.", len(a.Elements), len(a.Links), n["covered"], n["partly"], n["missing"])))
	for _, e := range a.Elements {
		var rows [][]cell
		for _, l := range a.Links {
			if l.Element == e.Name && l.Place == e.Place {
				rows = append(rows, f.alignedRow(l))
			}
		}
		f.part(e.Name)
		if len(rows) == 0 {
			f.para(plain(f.t("No control of the baseline was found.")))
			continue
		}
		f.table([]column{{"Control", 0.21, false}, {"What it asks", 0.31, false}, {"State", 0.12, false}, {"Handbook", 0.36, false}}, rows)
	}
	if f.code == "de" {
		f.note(plain(f.t("The words of the documents stand in the language in which they were written.")))
	}
}

func (f *flow) alignedRow(l AlignedLink) []cell {
	book := []pdf.Span{plain(f.t("The handbook does not speak of it."))}
	if l.Quote != "" {
		book = []pdf.Span{dark(l.Handbook + ": "), plain("“" + l.Quote + "”")}
		if l.Lacks != "" && l.State != "covered" {
			book = append(book, plain("\n"+f.f("Words of the control that are not there: %s.", l.Lacks)))
		}
	}
	return []cell{words(l.Control + " " + l.Title), {spans: []pdf.Span{plain(l.Requires)}}, words(f.t("aligned " + l.State)), {spans: book}}
}

// traceability writes the same table for a spreadsheet.
func (a *Alignment) traceability(lang language) (head []string, rows [][]string) {
	for _, l := range a.Links {
		rows = append(rows, []string{l.Element, l.Place, l.Control, l.Title, l.Requires, lang.t("aligned " + l.State), l.Handbook, l.Quote, l.Lacks})
	}
	return []string{"element", "place in the design", "control", "title", "the control's words", "state", "handbook", "the handbook's words", "lacks"}, rows
}

// aligned holds an attached alignment against what the record keeps of it.
func (v *Verified) aligned(byName map[string][]byte) {
	data, ok := byName[fileAlignment]
	if !ok {
		return
	}
	a, err := ReadAlignment(data)
	var entries []RecordEntry
	if err == nil {
		err = json.Unmarshal(byName[fileRecord], &entries)
	}
	var sum string
	if err == nil {
		sum, err = a.Digest()
	}
	if err != nil {
		v.fail(Changed, "alignment", "alignment.json cannot be read, or there is no record to hold it against.")
		return
	}
	var events []audit.Event
	for _, e := range entries {
		if e.Event != nil {
			events = append(events, *e.Event)
		}
	}
	at := AlignmentEntry(events, sum)
	if at == 0 {
		v.fail(Changed, "alignment", "The alignment is not one of which the record tells.")
		return
	}
	v.pass("alignment", fmt.Sprintf("%d links, those that entry %d of the record was written for", len(a.Links), at))
}
