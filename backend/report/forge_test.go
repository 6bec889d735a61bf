package report_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"veristream/backend/audit"
	"veristream/backend/report"
	"veristream/backend/report/sign"
)

// forger takes a signed report apart and puts it together again, as somebody
// does who knows the format.
type forger struct {
	t       testing.TB
	head    []byte
	objects [][]byte // whole, of number n at n-1
	trailer string
}

func take(t testing.TB, data []byte) *forger {
	t.Helper()
	at := bytes.LastIndex(data, []byte("\nstartxref\n"))
	start, err := strconv.Atoi(strings.Fields(string(data[at:]))[1])
	if err != nil {
		t.Fatal(err)
	}
	f := &forger{t: t}
	lines := strings.Split(string(data[start:at]), "\n")
	var offsets []int
	for _, l := range lines[3:] {
		if strings.HasPrefix(l, "trailer") {
			break
		}
		off, err := strconv.Atoi(l[:10])
		if err != nil {
			t.Fatal(err)
		}
		offsets = append(offsets, off)
	}
	sorted := slices.Sorted(slices.Values(append(slices.Clone(offsets), start)))
	f.head = data[:sorted[0]]
	for _, off := range offsets {
		i := slices.Index(sorted, off)
		f.objects = append(f.objects, data[off:sorted[i+1]])
	}
	f.trailer = string(data[start+strings.Index(string(data[start:at]), "trailer\n") : at])
	return f
}

// find gives the number of the object that holds some bytes.
func (f *forger) find(s string) int {
	f.t.Helper()
	for i, o := range f.objects {
		if bytes.Contains(o, []byte(s)) {
			return i + 1
		}
	}
	f.t.Fatalf("no object holds %q", s)
	return 0
}

// edit replaces bytes in the object that holds them.
func (f *forger) edit(old, with string) *forger {
	f.t.Helper()
	n := f.find(old)
	f.objects[n-1] = bytes.Replace(f.objects[n-1], []byte(old), []byte(with), 1)
	return f
}

// add appends an object and gives its number.
func (f *forger) add(body string) int {
	f.objects = append(f.objects, fmt.Appendf(nil, "%d 0 obj\n%s\nendobj\n", len(f.objects)+1, body))
	return len(f.objects)
}

var reRange = regexp.MustCompile(`/ByteRange \[[0-9 ]+\]`)

// file puts the parts together; the signature stays as it was.
func (f *forger) file() []byte {
	var b bytes.Buffer
	b.Write(f.head)
	table := fmt.Sprintf("xref\n0 %d\n0000000000 65535 f \n", len(f.objects)+1)
	for _, o := range f.objects {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		b.Write(o)
	}
	start := b.Len()
	trailer := regexp.MustCompile(`/Size \d+`).ReplaceAllString(f.trailer, fmt.Sprintf("/Size %d", len(f.objects)+1))
	fmt.Fprintf(&b, "%s%s\nstartxref\n%d\n%%%%EOF\n", table, trailer, start)
	data := b.Bytes()
	from, to := hole(data)
	return reRange.ReplaceAll(data, fmt.Appendf(nil, "/ByteRange [0 %010d %010d %010d]", from, to, len(data)-to))
}

// hole gives the place of the signature's object.
func hole(data []byte) (from, to int) {
	from = bytes.Index(data, []byte("/Contents <3")) + len("/Contents ")
	return from, from + bytes.IndexByte(data[from:], '>') + 1
}

// resign signs what is there with another identity.
func resign(t testing.TB, data []byte, id *sign.Identity) []byte {
	t.Helper()
	out := bytes.Clone(data)
	from, to := hole(out)
	cms, err := id.Detached(slices.Concat(out[:from], out[to:]), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := from + 1; i < to-1; i++ {
		out[i] = '0'
	}
	hex.Encode(out[from+1:], cms)
	return out
}

// transplant puts the signature of one file into another.
func transplant(into, of []byte) []byte {
	out := bytes.Clone(into)
	from, to := hole(out)
	a, b := hole(of)
	if b-a == to-from {
		copy(out[from:to], of[a:b])
	}
	return out
}

// revise appends a revision to a file, as a PDF editor does.
func revise(t testing.TB, data []byte, changed map[int]string, more ...string) []byte {
	t.Helper()
	f := take(t, data)
	var b bytes.Buffer
	b.Write(data)
	var table strings.Builder
	put := func(n int, body string) {
		fmt.Fprintf(&table, "%d 1\n%010d 00000 n \n", n, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", n, body)
	}
	for n, body := range changed {
		put(n, body)
	}
	for i, body := range more {
		put(len(f.objects)+1+i, body)
	}
	prev := strings.Fields(string(data[bytes.LastIndex(data, []byte("startxref")):]))[1]
	start := b.Len()
	fmt.Fprintf(&b, "xref\n%strailer\n<< /Size %d /Root %d 0 R /Prev %s >>\nstartxref\n%d\n%%%%EOF\n",
		table.String(), len(f.objects)+1+len(more), f.find("/Type /Catalog"), prev, start)
	return b.Bytes()
}

func identity(t testing.TB, name string, at time.Time) *sign.Identity {
	t.Helper()
	id, err := sign.New(name, "Calder Reach Securities", at)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// withEvents gives the sample a record that fits.
func withEvents(t testing.TB, in report.Input) report.Input {
	t.Helper()
	write := func(v any) []byte {
		data, err := json.Marshal(v)
		if err == nil {
			data, err = audit.CanonicalJSON(data)
		}
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	sum, err := audit.Digest(write(in.Result))
	if err != nil {
		t.Fatal(err)
	}
	own := in.Result.ID
	events := []audit.Event{
		{Kind: "audit begun", Subject: own, Data: write(map[string]string{"file": "talk.mp4"})},
		{Kind: audit.EventDone, Subject: own, Data: write(map[string]any{"findings": len(in.Result.Findings), "result_sha256": sum})},
		{Kind: audit.EventDecision, Subject: "another audit", Data: write(audit.Decision{FindingID: "f900"})},
	}
	for _, d := range in.Decisions {
		events = append(events, audit.Event{Kind: audit.EventDecision, Subject: own, Data: write(d)})
	}
	events = append(events, audit.Event{Kind: audit.EventExported, Subject: own, Data: write(map[string]string{"file": "talk.csv"})})
	prev := ""
	for i := range events {
		e, mono := &events[i], int64(i*10)
		e.Seq, e.At, e.Mono, e.By, e.Prev = int64(i+1), when.Add(time.Duration(i)*time.Second), &mono, "lena", prev
		if e.Hash, err = e.Sum(); err != nil {
			t.Fatal(err)
		}
		prev = e.Hash
	}
	in.Events, in.Record = events, report.Head{Events: len(events), Hash: prev}
	return in
}

func signed(t testing.TB, in report.Input, id *sign.Identity) []byte {
	t.Helper()
	out, err := report.Sign(t.Context(), in, id, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func regexpReplace(s, pattern, with string) string {
	return regexp.MustCompile(pattern).ReplaceAllString(s, with)
}

// addAttachment adds a file to all the lists in which a reader looks.
func addAttachment(f *forger, name, content string) {
	stream := f.add(fmt.Sprintf("<< /Type /EmbeddedFile /Length %d >>\nstream\n%s\nendstream", len(content), content))
	spec := f.add(fmt.Sprintf("<< /Type /Filespec /F (%s) /UF (%s) /EF << /F %d 0 R /UF %d 0 R >> >>", name, name, stream, stream))
	n := f.find("/Type /Catalog")
	s := string(f.objects[n-1])
	s = regexpReplace(s, `/EmbeddedFiles << /Names \[([^\]]*)\]`, fmt.Sprintf("/EmbeddedFiles << /Names [${1} (%s) %d 0 R ]", name, spec))
	f.objects[n-1] = []byte(regexpReplace(s, `/AF \[([^\]]*)\]`, fmt.Sprintf("/AF [${1} %d 0 R ]", spec)))
}

// removeAttachment takes a file out of all lists, and its objects out of the
// file.
func removeAttachment(f *forger, name string) {
	n := f.find("/Type /Catalog")
	s := string(f.objects[n-1])
	m := regexp.MustCompile(`\(` + regexp.QuoteMeta(name) + `\) (\d+ 0 R)`).FindStringSubmatch(s)
	s = strings.Replace(s, m[0], "", 1)
	f.objects[n-1] = []byte(regexpReplace(s, `/AF \[(.*?) `+m[1], "/AF [${1}"))
	spec, _ := strconv.Atoi(strings.Fields(m[1])[0])
	body := string(f.objects[spec-1])
	stream := regexp.MustCompile(`/EF << /F (\d+ 0 R)`).FindStringSubmatch(body)[1]
	drop(f, m[1])
	drop(f, stream)
}

// drop makes an object that nothing uses any more part of something harmless.
func drop(f *forger, ref string) {
	n, _ := strconv.Atoi(strings.Fields(ref)[0])
	f.objects[n-1] = fmt.Appendf(nil, "%d 0 obj\n(x)\nendobj\n", n)
	m := f.find("/Type /Outlines")
	f.objects[m-1] = bytes.Replace(f.objects[m-1], []byte("/Type /Outlines"), []byte("/Type /Outlines /X"+strconv.Itoa(n)+" "+ref), 1)
}
