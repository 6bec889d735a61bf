package report

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"

	"veristream/backend/audit"
	"veristream/backend/said"
)

// page writes the report as one HTML file that loads nothing from anywhere.
func page(in *Input) ([]byte, error) {
	lang := newLanguage(in.Language)
	items := in.items()
	type shown struct {
		item
		Title, Time, End, State, Decided, RuleNote, SourceWords, SeverityWords, StatusWords string
		Before, Words, After, Corrected                                                     string
		Picture                                                                             template.URL
	}
	data := struct {
		Lang                                    string
		T                                       func(string) string
		Title, File, SHA256, Length, AsOf, Made string
		Program                                 string
		Items                                   []shown
		Checked                                 [][3]string
		TranscriptNote                          string
		NotApplicable                           []audit.NotApplicable
		Segments                                [][4]string
	}{
		Lang: lang.code, T: lang.t, Title: in.videoTitle(), File: fileOf(in.Result.Video.Path), SHA256: in.Result.Video.SHA256,
		Length: clock(in.Result.Video.DurationMS), AsOf: lang.day(in.Result.AsOf), Made: lang.moment(in.Created),
		Program: "VeriStream " + in.Program.Version, NotApplicable: in.Result.NotApplicable, TranscriptNote: lang.originalNote(in.Result.Video.Language),
	}
	for _, it := range items {
		s := shown{
			item: it, Title: in.title(it.Category), Time: clock(it.StartMS), End: clock(it.EndMS), State: lang.t("state " + it.state),
			SourceWords: lang.t("channel " + string(it.Source)), SeverityWords: lang.t(string(it.severity)),
		}
		s.RuleNote = strings.TrimPrefix(lang.originalNote(said.RuleLanguage(it.Citation)), ", ")
		if it.last != nil && it.state != stateOpen {
			s.Decided = strings.TrimSpace(lang.f("By %s, %s.", it.last.By, lang.moment(it.last.At)) + " " + lang.reason(in, it))
		}
		s.StatusWords = lang.t("all checks passed")
		if it.Status == audit.NeedsReview {
			s.StatusWords = lang.t("needs review")
		}
		seg, at := in.segment(it)
		s.Corrected = lang.correctedNote(in, seg)
		for _, span := range in.inContext(it, seg, at) {
			switch {
			case span.Mark != nil:
				s.Words = span.Text
			case s.Words == "":
				s.Before += span.Text
			default:
				s.After += span.Text
			}
		}
		if it.frame != nil {
			s.Picture = template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(it.frame.JPEG)) //nolint:gosec // our own picture
		}
		data.Items = append(data.Items, s)
	}
	for _, c := range in.Result.Checked {
		data.Checked = append(data.Checked, [3]string{in.title(c.Category), lang.t("result " + c.Result), c.Note})
	}
	for _, line := range lang.transcriptLines(in) {
		data.Segments = append(data.Segments, [4]string{clock(line.StartMS), lang.t("channel " + string(line.Source)), line.shown, line.note})
	}
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("write the page: %w", err)
	}
	return b.Bytes(), nil
}

// The page forbids itself everything but its own styles and pictures.
var pageTemplate = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="{{.Lang}}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>{{.Title}}</title>
<style>
body{font:16px/1.55 system-ui,sans-serif;color:#15171c;max-width:46rem;margin:2.5rem auto;padding:0 1.25rem;overflow-wrap:anywhere}
h1{font-size:1.9rem;line-height:1.25}h2{font-size:1.25rem;margin:2.5rem 0 .25rem}h3{font-size:1rem;margin:1.1rem 0 .2rem}
p{margin:.25rem 0}.q{color:#4a4f59}.box{background:#f3f4f6;border-left:3px solid #d5d8de;padding:.7rem 1rem;margin:.5rem 0;white-space:pre-line}
mark{background:#fcf1dd;border-bottom:2px dashed #855000}.note{white-space:pre-line;font-size:.88em}.mono{font:.82em ui-monospace,monospace}
table{border-collapse:collapse;width:100%}th{text-align:left;font-weight:400;color:#4a4f59}th,td{padding:.3rem .6rem .3rem 0;border-bottom:1px solid #d5d8de;vertical-align:top}
.high{color:#a41c27}.medium{color:#855000}.low{color:#19617b}img{max-width:100%;border-radius:4px}
</style></head><body>
<p class="q">{{call .T "Report of an audit"}}</p><h1>{{.Title}}</h1>
<p>{{.File}}, {{.Length}}</p><p class="mono">SHA-256 {{.SHA256}}</p><p class="q">{{call .T "Rules as of"}} {{.AsOf}}. {{.Made}}. {{.Program}}</p>
<p class="box">{{call .T "This report lists potential issues for a person's decision, and what people decided. It is no legal advice and no legal finding. Where nothing was found, that means only that nothing was found."}} {{call .T "This page is not signed."}}</p>
{{range .Items}}<h2><span class="{{.Severity}}">{{.SeverityWords}}</span>: {{.Title}}</h2>
<p class="q">{{.SourceWords}}, {{.Time}}–{{.End}}, {{.StatusWords}}. {{.Citation}}</p>
{{with .Picture}}<p><img src="{{.}}" alt=""></p>{{end}}
{{if .Words}}<p>{{.Before}}<mark>{{.Words}}</mark>{{.After}}</p>{{with .Corrected}}<p class="q note">{{.}}</p>{{end}}{{end}}{{with .Evidence}}<p>{{.}}</p>{{end}}
<div class="box"><b>{{.Rule.Citation}}</b> {{.Rule.Title}}
{{.Rule.Text}}
{{with .RuleNote}}({{.}})
{{end}}<span class="mono">SHA-256 {{.Rule.SHA256}}</span></div>
<p>{{.Rationale}}</p><p>{{.Remedy}}</p><p class="q">{{.Applies}}</p>
<p><b>{{.State}}</b>{{with .Decided}}. {{.}}{{end}}</p>
{{end}}
<h2>{{call .T "Checked and not checked"}}</h2><table>{{range .Checked}}<tr><td>{{index . 0}}</td><td>{{index . 1}}</td><td>{{index . 2}}</td></tr>{{end}}</table>
<h2>{{call .T "Not applicable"}}</h2><table>{{range .NotApplicable}}<tr><td>{{.Citation}}</td><td>{{.Reason}}</td></tr>{{end}}</table>
<h2>{{call .T "Transcript"}}{{.TranscriptNote}}</h2><table>{{range .Segments}}<tr><td>{{index . 0}}</td><td class="q">{{index . 1}}</td><td>{{index . 2}}{{with index . 3}}<div class="q note">{{.}}</div>{{end}}</td></tr>{{end}}</table>
</body></html>
`))
