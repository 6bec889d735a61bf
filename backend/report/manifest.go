package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"veristream/backend/audit"
	"veristream/backend/report/pdf"
)

// Manifest lists the digest of everything that a report rests on. It is
// attached to the report as manifest.json.
type Manifest struct {
	Schema   int                        `json:"schema"`
	Kind     string                     `json:"kind"`
	Audit    string                     `json:"audit"`
	Created  time.Time                  `json:"created"`
	Prepared Person                     `json:"prepared"`
	Approved *Person                    `json:"approved,omitempty"`
	Program  Program                    `json:"program"`
	Video    ManifestVideo              `json:"video"`
	AsOf     string                     `json:"as_of"`
	Rules    []ManifestRule             `json:"rules"`
	RulesSet string                     `json:"rules_version"`
	Texts    []audit.Text               `json:"official_texts"`
	Models   map[string]audit.ModelInfo `json:"models"`
	Prompts  map[string]string          `json:"prompts"`
	Channels map[string]string          `json:"channels"` // speech, screen, description -> digest of its lines in the transcript
	Findings map[string]string          `json:"findings"` // id -> digest of its canonical JSON
	Files    []ManifestFile             `json:"files"`    // the other attachments
	Record   Head                       `json:"record"`
}

// ManifestVideo is the recording that was audited.
type ManifestVideo struct {
	SHA256      string `json:"sha256"`
	Name        string `json:"name"`
	Size        int64  `json:"size,omitempty"`
	DurationMS  int64  `json:"duration_ms"`
	AudioSHA256 string `json:"audio_sha256,omitempty"` // of the 16 kHz sound that was transcribed
}

// ManifestRule is a paragraph that a finding cites.
type ManifestRule struct {
	Citation   string `json:"citation"`
	TextSHA256 string `json:"text_sha256"`             // of the words that are printed
	Source     string `json:"source_sha256,omitempty"` // of the text or the card they come from
	Official   bool   `json:"official"`
}

// ManifestFile is an attachment.
type ManifestFile struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Size   int    `json:"size"`
}

// manifestKind marks a manifest as one of ours.
const manifestKind = "veristream-report"

const (
	fileManifest  = "manifest.json"
	fileAudit     = "audit.json"
	fileDecisions = "decisions.json"
	fileRecord    = "record.json"
	fileText      = "transcript.txt"
	fileSRT       = "transcript.srt"
	fileMeasures  = "measures.json"
	fileAlignment = "alignment.json"
	promptPrefix  = "prompt-"
)

// attachments makes the files inside a report, the manifest last.
func (in *Input) attachments() ([]pdf.Attachment, error) {
	var out []pdf.Attachment
	add := func(name, kind, about, relation string, content []byte) {
		out = append(out, pdf.Attachment{Name: name, Type: kind, Description: about, Relation: relation, Content: content})
	}
	result, err := in.stored()
	if err != nil {
		return nil, err
	}
	add(fileAudit, "application/json", "The audit, as veristream audit --json writes it", "Data", result)
	decisions := in.Decisions
	if decisions == nil {
		decisions = []audit.Decision{}
	}
	decided, err := indented(decisions)
	if err != nil {
		return nil, err
	}
	add(fileDecisions, "application/json", "Every decision, the oldest first", "Data", decided)
	if len(in.Events) > 0 {
		entries, err := in.recordEntries()
		if err != nil {
			return nil, err
		}
		record, err := indented(entries)
		if err != nil {
			return nil, err
		}
		add(fileRecord, "application/json", "The chain of events up to this report", "Supplement", record)
	}
	add(fileText, "text/plain", "The transcript", "Source", Text(in.Result.Segments))
	add(fileSRT, "application/x-subrip", "The transcript as subtitles", "Source", SRT(in.Result.Segments))
	for _, id := range sortedKeys(in.Prompts) {
		add(promptPrefix+id, "text/plain", "A prompt of the language model", "Supplement", []byte(in.Prompts[id]))
	}
	if in.Measured != nil {
		measured, err := indented(in.Measured)
		if err != nil {
			return nil, err
		}
		add(fileMeasures, "application/json", "How well the program finds issues, counted on labelled cases", "Supplement", measured)
	}
	if in.Alignment != nil {
		add(fileAlignment, "application/json", "The alignment of documents, as veristream align --json wrote it", "Supplement", in.Alignment.raw)
	}
	seen := map[string]bool{}
	for i := range in.Frames {
		name := frameName(&in.Frames[i])
		if !seen[name] {
			seen[name] = true
			add(name, "image/jpeg", "The picture at "+clock(in.Frames[i].AtMS), "Source", in.Frames[i].JPEG)
		}
	}
	m, err := in.manifest(out)
	if err != nil {
		return nil, err
	}
	manifest, err := indented(m)
	if err != nil {
		return nil, err
	}
	add(fileManifest, "application/json", "The digest of every part", "Data", manifest)
	return out, nil
}

func (in *Input) manifest(files []pdf.Attachment) (Manifest, error) {
	r := in.Result
	m := Manifest{
		Schema: 1, Kind: manifestKind, Audit: r.ID, Created: in.Created.UTC().Truncate(time.Second), Prepared: in.Prepared, Approved: in.Approved,
		Program: in.Program, AsOf: r.AsOf, RulesSet: r.Run.RulesVersion, Texts: in.Texts, Models: r.Run.Models, Prompts: r.Run.Prompts,
		Video: ManifestVideo{
			SHA256: r.Video.SHA256, Name: fileOf(r.Video.Path), Size: r.Video.Size, DurationMS: r.Video.DurationMS, AudioSHA256: in.AudioSHA256,
		},
		Channels: channels(r.Segments), Rules: []ManifestRule{}, Findings: map[string]string{}, Record: in.Record,
	}
	seen := map[ManifestRule]bool{}
	for _, f := range r.Findings {
		rule := ManifestRule{Citation: f.Rule.Citation, TextSHA256: hashOf([]byte(f.Rule.Text)), Source: f.Rule.SHA256, Official: f.Rule.Official}
		if f.Rule.Citation != "" && !seen[rule] {
			seen[rule] = true
			m.Rules = append(m.Rules, rule)
		}
	}
	var err error
	if m.Findings, err = findingHashes(files[0].Content); err != nil {
		return m, err
	}
	for _, a := range files {
		m.Files = append(m.Files, ManifestFile{a.Name, hashOf(a.Content), len(a.Content)})
	}
	return m, nil
}

// channels gives the digest of what each channel says.
func channels(segments []audit.Segment) map[string]string {
	by := map[string][]audit.Segment{}
	for _, s := range segments {
		by[string(s.Source)] = append(by[string(s.Source)], s)
	}
	out := map[string]string{}
	for source, list := range by {
		out[source] = hashOf(Text(list))
	}
	return out
}

// stored gives the audit as the database keeps it.
func (in *Input) stored() ([]byte, error) {
	if in.Stored == nil {
		return indented(in.Result)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, in.Stored, "", "  "); err != nil {
		return nil, fmt.Errorf("read the audit: %w", err)
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// findingHashes gives the digest of every finding of an audit. It reads them as
// they are written, so that a later version, which may know more of a finding,
// comes to the same digests.
func findingHashes(result []byte) (map[string]string, error) {
	var r struct {
		Findings []json.RawMessage `json:"findings"`
	}
	if err := json.Unmarshal(result, &r); err != nil {
		return nil, fmt.Errorf("read the audit: %w", err)
	}
	out := map[string]string{}
	for _, raw := range r.Findings {
		var f struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(raw, &f); err != nil {
			return nil, fmt.Errorf("read a finding: %w", err)
		}
		sum, err := audit.Digest(raw)
		if err != nil {
			return nil, fmt.Errorf("read finding %s: %w", f.ID, err)
		}
		out[f.ID] = sum
	}
	return out, nil
}

func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("write JSON: %w", err)
	}
	return b.Bytes(), nil
}

// Text writes segments as plain text, a line each.
func Text(segments []audit.Segment) []byte {
	var b bytes.Buffer
	for _, s := range segments {
		flag := ""
		if s.Flag != "" {
			flag = "[" + s.Flag + "] "
		}
		fmt.Fprintf(&b, "%s %-11s %s%s\n", clock(s.StartMS), s.Source, flag, strings.Join(strings.Fields(s.Text), " "))
	}
	return b.Bytes()
}

// SRT writes segments as subtitles.
func SRT(segments []audit.Segment) []byte {
	var b bytes.Buffer
	for i, s := range segments {
		end := max(s.EndMS, s.StartMS+1) // players want an end that comes after
		fmt.Fprintf(&b, "%d\n%s --> %s\n%s\n\n", i+1, stamp(s.StartMS, ','), stamp(end, ','), strings.Join(strings.Fields(s.Text), " "))
	}
	return b.Bytes()
}

// VTT writes segments as WebVTT.
func VTT(segments []audit.Segment) []byte {
	var b bytes.Buffer
	b.WriteString("WEBVTT\n\n")
	escape := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	for _, s := range segments {
		end := max(s.EndMS, s.StartMS+1)
		fmt.Fprintf(&b, "%s --> %s\n%s\n\n", stamp(s.StartMS, '.'), stamp(end, '.'), escape.Replace(strings.Join(strings.Fields(s.Text), " ")))
	}
	return b.Bytes()
}

func stamp(ms int64, point byte) string {
	return fmt.Sprintf("%02d:%02d:%02d%c%03d", ms/3600000, ms/60000%60, ms/1000%60, point, ms%1000)
}
