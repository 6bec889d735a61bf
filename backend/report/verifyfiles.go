package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"veristream/backend/audit"
	"veristream/backend/report/pdf"
)

// attached checks what the report carries: every file against the manifest,
// and the audit against its own transcript, rules and record.
func (v *Verified) attached(f *pdf.File, trust Trust) {
	files, err := f.Attachments()
	if err != nil {
		v.fail(Changed, "attachments", sentence(err))
		return
	}
	byName := map[string][]byte{}
	for _, a := range files {
		byName[a.Name] = a.Content
	}
	var m Manifest
	if err := json.Unmarshal(byName[fileManifest], &m); err != nil || m.Kind != manifestKind {
		v.fail(NotOurs, "manifest", "The file carries no manifest of a VeriStream report.")
		return
	}
	v.Manifest = &m
	if !v.files(&m, byName) {
		return
	}
	var r audit.Result
	if err := json.Unmarshal(byName[fileAudit], &r); err != nil {
		v.fail(Changed, "audit", "audit.json cannot be read.")
		return
	}
	v.findings(&m, &r, byName[fileAudit])
	v.words(&m, &r, byName)
	v.rules(&m, &r)
	v.prompts(&m, &r, byName)
	v.decisions(&r, byName)
	v.record(&m, byName)
	v.aligned(byName)
	v.video(&m, &r, trust)
}

// files holds every attachment against the manifest, both ways.
func (v *Verified) files(m *Manifest, byName map[string][]byte) bool {
	var wrong []string
	listed := map[string]bool{fileManifest: true}
	for _, mf := range m.Files {
		content, ok := byName[mf.Name]
		switch {
		case listed[mf.Name]:
			wrong = append(wrong, mf.Name+" is listed twice")
		case !ok:
			wrong = append(wrong, mf.Name+" is missing")
		case hashOf(content) != mf.SHA256 || len(content) != mf.Size:
			wrong = append(wrong, mf.Name+" was changed")
		}
		listed[mf.Name] = true
	}
	for _, name := range sortedKeys(byName) {
		if !listed[name] {
			wrong = append(wrong, name+" was added")
		}
	}
	for _, name := range []string{fileAudit, fileDecisions, fileText, fileSRT} {
		if !listed[name] {
			wrong = append(wrong, name+" is missing")
		}
	}
	if len(wrong) > 0 {
		v.fail(Changed, "attachments", strings.Join(wrong, "; ")+".")
		return false
	}
	v.pass("attachments", fmt.Sprintf("%d files fit the manifest", len(m.Files)))
	return true
}

func (v *Verified) findings(m *Manifest, r *audit.Result, result []byte) {
	sums, err := findingHashes(result)
	if err != nil {
		v.fail(Changed, "findings", sentence(err))
		return
	}
	var wrong []string
	seen := map[string]bool{}
	for _, f := range r.Findings {
		if m.Findings[f.ID] != sums[f.ID] || seen[f.ID] {
			wrong = append(wrong, f.ID)
		}
		seen[f.ID] = true
	}
	if len(wrong) > 0 || len(m.Findings) != len(r.Findings) {
		v.fail(Changed, "findings", fmt.Sprintf("The findings are not those of the manifest (%d here, %d there): %s.", len(r.Findings), len(m.Findings), strings.Join(wrong, ", ")))
		return
	}
	v.pass("findings", fmt.Sprintf("%d findings fit the manifest", len(r.Findings)))
}

// words holds every finding's words against the transcript at their place.
func (v *Verified) words(m *Manifest, r *audit.Result, byName map[string][]byte) {
	if !bytes.Equal(Text(r.Segments), byName[fileText]) || !bytes.Equal(SRT(r.Segments), byName[fileSRT]) {
		v.fail(Changed, "transcript", "The transcript is not that of the audit.")
		return
	}
	for source, sum := range channels(r.Segments) {
		if m.Channels[source] != sum {
			v.fail(Changed, "transcript", "The "+source+" is not that of the manifest.")
			return
		}
	}
	in := Input{Result: r}
	var wrong []string
	for _, f := range r.Findings {
		if f.Excerpt == "" {
			continue
		}
		seg, _ := in.segment(item{Finding: f})
		if seg == nil || !strings.Contains(seg.Text, f.Excerpt) {
			wrong = append(wrong, f.ID)
		}
	}
	if len(wrong) > 0 {
		v.fail(Changed, "words", "The words of these findings do not stand in the transcript at their place: "+strings.Join(wrong, ", ")+".")
		return
	}
	v.pass("words", "every finding's words stand in the transcript at their place")
}

// rules holds the text of every cited paragraph against its digest.
func (v *Verified) rules(m *Manifest, r *audit.Result) {
	known := map[ManifestRule]bool{}
	for _, rule := range m.Rules {
		known[rule] = true
	}
	for _, f := range r.Findings {
		if f.Rule.Citation == "" {
			continue
		}
		rule := ManifestRule{Citation: f.Rule.Citation, TextSHA256: hashOf([]byte(f.Rule.Text)), Source: f.Rule.SHA256, Official: f.Rule.Official}
		if !known[rule] || f.Rule.Official && f.Rule.SHA256 != rule.TextSHA256 {
			v.fail(Changed, "rules", "The text of "+f.Rule.Citation+" is not the one whose digest the report names.")
			return
		}
	}
	v.pass("rules", fmt.Sprintf("the text of %d cited paragraphs fits", len(m.Rules)))
}

// prompts holds the attached prompts against the digests of those that the
// audit was made with.
func (v *Verified) prompts(m *Manifest, r *audit.Result, byName map[string][]byte) {
	if !maps.Equal(m.Prompts, r.Run.Prompts) {
		v.fail(Changed, "prompts", "The manifest and the audit name different prompts.")
		return
	}
	n := 0
	for _, name := range sortedKeys(byName) {
		id, ok := strings.CutPrefix(name, promptPrefix)
		if !ok {
			continue
		}
		if m.Prompts[id] != hashOf(byName[name]) {
			v.fail(Changed, "prompts", "The prompt "+id+" is not the one that the audit was made with.")
			return
		}
		n++
	}
	if missing := len(m.Prompts) - n; missing > 0 {
		v.Notes = append(v.Notes, fmt.Sprintf("Of %d prompts only the digest is there: the program that wrote the report has another version of them.", missing))
	}
	if n > 0 {
		v.pass("prompts", fmt.Sprintf("%d prompts are those of the audit", n))
	}
}

func (v *Verified) decisions(r *audit.Result, byName map[string][]byte) {
	var list []audit.Decision
	if err := json.Unmarshal(byName[fileDecisions], &list); err != nil {
		v.fail(Changed, "decisions", "decisions.json cannot be read.")
		return
	}
	ids := map[string]bool{}
	for _, f := range r.Findings {
		ids[f.ID] = true
	}
	for _, d := range list {
		if !ids[d.FindingID] {
			v.fail(Changed, "decisions", "A decision is about a finding that is not there: "+d.FindingID+".")
			return
		}
	}
	v.pass("decisions", fmt.Sprintf("%d decisions are about findings of this audit", len(list)))
}

// record walks the chain of events up to its head, and holds the audit and its
// decisions against what was written when they were made.
func (v *Verified) record(m *Manifest, byName map[string][]byte) {
	data, ok := byName[fileRecord]
	if !ok {
		if m.Record.Events > 0 && m.Record.Hash != "" {
			v.Notes = append(v.Notes, "The report names the record's head and does not carry the record.")
		}
		return
	}
	var entries []RecordEntry
	if err := json.Unmarshal(data, &entries); err != nil {
		v.fail(Changed, "record", "record.json cannot be read.")
		return
	}
	if at := checkRecord(entries); at != 0 {
		v.fail(Changed, "record", fmt.Sprintf("The chain of events breaks at entry %d.", at))
		return
	}
	if len(entries) != m.Record.Events || len(entries) > 0 && entries[len(entries)-1].Hash != m.Record.Hash {
		v.fail(Changed, "record", "The chain of events does not end at the head that the report names.")
		return
	}
	if wrong := agrees(entries, byName); wrong != "" {
		v.fail(Changed, "record", wrong)
		return
	}
	v.pass("record", fmt.Sprintf("%d events up to the head %s", len(entries), m.Record.Hash))
}

func (v *Verified) video(m *Manifest, r *audit.Result, trust Trust) {
	if m.Video.SHA256 != r.Video.SHA256 {
		v.fail(Changed, "video", "The manifest and the audit name different videos.")
		return
	}
	switch {
	case trust.VideoSHA256 == "":
	case trust.VideoSHA256 != m.Video.SHA256:
		v.fail(OtherVideo, "video", "The video is another one than the report is about: "+trust.VideoSHA256+" is not "+m.Video.SHA256+".")
	default:
		v.pass("video", "the video is the one that the report is about")
	}
}
